from __future__ import annotations

import pytest

from fakeserver.match.names import near_names

FEW = ["hello", "bye"]
MANY = [f"case-{n}" for n in range(20)]


@pytest.mark.parametrize(
    ("word", "names", "said"),
    [
        ("helo", FEW, "did you mean 'hello'?"),
        ("HELLO", FEW, "did you mean 'hello'?"),
        ("gpt-5", FEW, "there are bye and hello."),
        ("gpt-5", ["hello"], "there is hello."),
        ("gpt-5", [], "there are none."),
        ("gpt-5", MANY, "there are 20, and `fakeserver list` with the same paths names them."),
        ("case-1x", MANY, "did you mean 'case-1', 'case-19' or 'case-18'?"),
    ],
)
def test_near_names(word, names, said):
    assert near_names(word, names) == said
