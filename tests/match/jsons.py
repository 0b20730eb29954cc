"""Any JSON, and libraries made of texts."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from fakeserver.match.seen import Seen
from fakeserver.script.library import Library, load

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)

_ROLES = st.sampled_from(["system", "developer", "user", "assistant", "tool", "function", "?"])
_CONTENT = (
    st.text(max_size=12) | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": LEAVES}), max_size=2) | JSON
)
_MESSAGE = st.fixed_dictionaries({"role": _ROLES, "content": _CONTENT})
_TOOL = st.fixed_dictionaries({"type": st.just("function"), "function": st.fixed_dictionaries({"name": LEAVES})})
REQUESTS = st.fixed_dictionaries(
    {},
    optional={
        "model": LEAVES,
        "stream": LEAVES,
        "messages": st.lists(_MESSAGE | JSON, max_size=5) | JSON,
        "tools": st.lists(_TOOL | JSON, max_size=3) | JSON,
        "metadata": JSON,
    },
)
BODIES = REQUESTS | JSON


def library_of(folder: Path, **texts: str) -> Library:
    """A scenario a text; `__` in a name is a dash."""
    for name, text in texts.items():
        (folder / f"{name.replace('__', '-')}.yaml").write_text(text if "reply" in text else f"{text}\nreply: Hello.\n")
    library = load([folder])
    assert library.errors == ()
    return library


def asked(model="gpt-5", text="What is the weather?", headers=None, path="/v1/chat/completions", **body) -> Seen:
    said = {"model": model, "messages": [{"role": "user", "content": text}], **body}
    return Seen(path, headers or {}, said)
