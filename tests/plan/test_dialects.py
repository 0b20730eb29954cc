"""The same replies under each dialect, as bytes; each line was read beside dialects.md's samples and table.

A golden file is changed by hand, or by this file run as a program once its lines have been read:
`python -m tests.plan.test_dialects`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fakeserver.plan import Ask, fill, key_of
from fakeserver.plan.compiler import payload
from tests.plan.making import BUILTIN, choice, library, plan, writes
from tests.wire import received

GOLDEN = Path(__file__).parents[1] / "golden" / "dialects"
NAMES = sorted(BUILTIN.dialects)
ONE = """{name: f, arguments: ['{"a"', ':1}']}"""
CASES = {
    "text": "reply: Hi there",
    "reasoning": "reply: {think: Hm, say: Hi}",
    "one call": f"reply: {{call: {ONE}}}",
    "two calls": f"reply: {{call: [{ONE}, {{name: g, arguments: ['{{}}']}}]}}",
    "a refusal": "reply: {refuse: No}",
    "usage asked": "reply: {think: Hm, say: Hi}",
    "an error in the stream": "reply: {say: Hi, fail: {message: Busy, type: server_error, param: null, code: busy}}",
}


def stream(name: str, text: str, ask: Ask) -> str:
    """The body's bytes, with the ids of request 1."""
    chosen = choice(f"dialect: {name}\n{text}")
    made = payload(library(), chosen, 0, ask, lambda blank: fill(blank, key_of("default", name, 1)))
    return b"".join(made).decode()


def golden(name: str) -> str:
    head = plan(f"dialect: {name}\nreply: Hi", ask=Ask(model="m"), filled=True)
    [first, *_] = writes(head)
    out = [f"# the head\n{first.data.decode().replace(chr(13), '').rstrip()}\n"]
    for case, text in CASES.items():
        ask = Ask(model="m", usage=case == "usage asked", prompt_tokens=9)
        out.append(f"# {case}\n{stream(name, text, ask)}")
    refused = received(plan(f"dialect: {name}\nrespond: rate-limited", ask=Ask(model="m")))
    out.append(f"# an error before the stream: {refused.status}\n{refused.body.decode()}")
    return "\n".join(out)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_replies(name: str) -> None:
    assert golden(name) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_each_golden_file_has_a_dialect() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.txt")) == NAMES


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for name in NAMES:
        (GOLDEN / f"{name}.txt").write_text(golden(name), encoding="utf-8")


if __name__ == "__main__":
    main()
