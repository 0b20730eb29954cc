from __future__ import annotations

import pytest

from fakeserver.script.loader import load_text


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("reply: a", ()),
        ("when: {}\nreply: a", (1,)),
        ("about: x\nwhen:\n  model: a\nreply: a", (2,)),
        ("reply: a\nwhen:\n- model: a\n  turn: 1\n- {}\n", (3, 5)),
    ],
)
def test_the_lines_of_rules(text, lines):
    entry, _ = load_text(text)
    assert entry.whens == lines


@pytest.mark.parametrize("value", ["{$fill: a, size: 1KiB}", "[1, {a: {$count: 1}}]"])
def test_made_values_cannot_be_compared(value):
    entry, document = load_text(f"when: {{body: {{/a: {value}}}}}\nreply: a")
    assert entry is None
    assert [(problem.code, problem.line) for problem in document.problems] == [("made", 1)]


@pytest.mark.parametrize("value", ["[1, {a: null}]", "{$$count: 1}"])
def test_plain_values_can(value):
    assert load_text(f"when: {{body: {{/a: {value}}}}}\nreply: a")[1].problems == []
