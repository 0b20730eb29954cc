"""What is dumped loads as what it was: every stream of every example and of the library, and each made value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fakeserver.script.dump import dump, duration, plain_step
from fakeserver.script.library import load
from fakeserver.script.loader import Entry, load_text
from fakeserver.script.made import Made
from fakeserver.script.scenario import StreamScenario

EXAMPLES = Path(__file__).parents[1] / "examples"
FOLDERS = [EXAMPLES / name for name in ("best", "cases", "faults", "more")]
ENTRIES = [*load(FOLDERS).scenarios.values(), *load().scenarios.values()]
STREAMS = [entry for entry in ENTRIES if isinstance(entry.body, StreamScenario)]

EVERY_VALUE = """
stream:
  - say: [{$count: 197}, {$text: "a $${b} ${count} ${so_far}"}, {$fill: "ab ", size: 16KiB}, {$hex: "ff fe"}]
    every: 1.5ms
  - json: {at: {$time: 90s, as: epoch-ms}, id: {$copy: /id}, list: [1, {$count: 0}]}
  - {comment: x, keep: -2B, cut: {size: 7B, gap: 300us}, newline: cr}
  - repeat: [{together: [done, {raw: {$base64: "aGk="}, keep: {inside: utf8}}]}, {wait: 2m}]
    times: 3
  - reset: now
"""


def again(entry: Entry) -> list[Any]:
    """Its steps once they have been dumped and loaded."""
    text = dump([{"stream": [plain_step(step) for step in entry.body.stream]}]).replace("- stream:", "  stream:", 1)
    made, document = load_text(text.replace("  stream:", "stream:", 1), "again.yaml")
    assert [str(problem) for problem in document.problems] == []
    assert made is not None
    return list(made.body.stream)


def same(one: Any, other: Any) -> bool:
    """Equal in all that is written; made values are never equal to one another, so their parts are compared."""
    if isinstance(one, Made):
        return type(one) is type(other) and vars_of(one) == vars_of(other)
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if hasattr(one, "model_fields_set"):
        names = one.model_fields_set
        return names == other.model_fields_set and all(same(getattr(one, n), getattr(other, n)) for n in names)
    return bool(one == other)


def vars_of(made: Made) -> dict[str, Any]:
    return {name: getattr(made, name) for name in made.__dataclass_fields__}


@pytest.mark.parametrize("entry", STREAMS, ids=[entry.name for entry in STREAMS])
def test_a_dumped_stream_loads_as_itself(entry: Entry) -> None:
    if entry.body.wire.escape == "ascii":  # half a character has no YAML without it, and a stream alone has no wire
        return
    assert same(list(entry.body.stream), again(entry))


def test_every_made_value_and_option_survives() -> None:
    made, document = load_text(EVERY_VALUE, "all.yaml")
    assert made is not None, [str(problem) for problem in document.problems]
    assert same(list(made.body.stream), again(made))


@pytest.mark.parametrize(
    ("ns", "text"), [(0, "0s"), (2 * 10**9, "2s"), (1_500_000, "1500us"), (20_000_000, "20ms"), (500, "0.500us")]
)
def test_a_duration_keeps_its_length(ns: int, text: str) -> None:
    assert duration(ns) == text


def test_a_verb_without_a_value_stands_bare() -> None:
    made, _ = load_text("stream:\n  - {done: , newline: cr}\n  - done\n  - close\n")
    assert made is not None
    assert dump([plain_step(step) for step in made.body.stream]) == "- {done: null, newline: cr}\n- done\n- close\n"
