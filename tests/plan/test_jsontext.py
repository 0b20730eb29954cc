"""JSON in ASCII, with the values that are filled in when a plan is played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fakeserver.plan import Ask, choose, compile_plan
from fakeserver.plan.jsontext import dumps
from fakeserver.script.library import load
from tests.wire import received


@pytest.mark.parametrize("text", ["plain", "\x7f", "naïve", "\u2028", "😀", "\ud83d", "\ud83d\ude00", '\\u007f"\n\0'])
def test_escapes_are_ascii_and_read_back(text: str) -> None:
    written = dumps({"a": [text, None]}, None, ascii_only=True)
    assert written.isascii()
    # Two halves of a pair, each its own character in Python, are one character to every reader of JSON.
    assert json.loads(written)["a"][0].encode("utf-16", "surrogatepass") == text.encode("utf-16", "surrogatepass")


@pytest.mark.parametrize("stream", [True, False])
def test_escaping_leaves_the_id_alone(tmp_path: Path, stream: bool) -> None:
    file = tmp_path / "escaped.yaml"
    file.write_text("reply: naïve 😀\nwire: {escape: ascii}\n", "utf-8")
    library = load([file])
    body = received(compile_plan(library, choose(library, "escaped"), 0, Ask(stream=stream))).body
    assert body.isascii()
    first = body.split(b"\n\n")[0].removeprefix(b"data: ") if stream else body
    assert json.loads(first)["id"].startswith("chatcmpl-")
