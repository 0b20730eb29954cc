"""The library that ships: every known case is there, and each file is short, named, told in words and right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from fakeserver.plan import Ask, choose, compile_plan, turns
from fakeserver.script.library import builtin, load
from fakeserver.speech.accumulator import readings
from fakeserver.speech.expect import matches
from tests.wire import received

LONGEST = 20
CASES = (Path(__file__).parent / "case_names.txt").read_text().split()
LATER = "responses", "completions"

# What is no case of the catalogue: whole answers to begin with, statuses, and faults that everybody looks for.
STARTERS = [
    "json", "table", "maths", "links-and-images", "long-lines", "right-to-left", "cjk", "emoji", "html", "refusal",
    "hello", "cut-words", "length", "logprobs", "refusal-after-content", "slow-first-token", "echo", "markdown",
    "code-block", "long-answer", "multilingual", "tool-calling-answer", "reasoning-then-answer",
    "three-emoji-one-byte-at-a-time", "cut-inside-a-character", "single-newline-between-events",
    "usage-lost-with-a-cut", "reasoning", "tool-call", "tool-calls-parallel", "headers-then-silence", "status-400",
    "status-401", "status-404", "status-429", "status-429-quota", "status-500", "status-502-html", "status-503",
    "fails-twice-then-succeeds",
]  # fmt: skip

# Right too, but only for a client that its user has told so; the reference accumulator has no such setting.
BY_SETTING = {
    "content-cumulative-snapshots": "a client that knows that this server sends snapshots",
    "orphan-think-close-tag": "a client that begins inside of the thinking",
    "think-tag-split-across-deltas": "a client that takes think tags out of the text",
    "unclosed-think-at-end": "a client that takes think tags out of the text",
}

# Seen by nobody whose report could be named: measured for the catalogue, or drawn from the libraries' own behaviour.
NO_SOURCE = {"abrupt-close-hidden-by-connection-close", "role-never-sent"}


def files() -> list[Path]:
    found = sorted(builtin().rglob("*.yaml"))
    return [file for file in found if file.parent.name not in ("dialects", "overlays")]


FILES = files()
LIBRARY = load()


def case_of(name: str) -> str:
    """The case that a scenario shows; `case.variant` is another way in which it shows."""
    return name if name in CASES else name.rpartition(".")[0] or name


def written(file: Path) -> dict[str, object]:
    found = yaml.load(file.read_text("utf-8"), yaml.BaseLoader)  # all scalars as text: only names are looked at
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
class TestEachFile:
    def test_is_short(self, file: Path) -> None:
        assert len(file.read_text("utf-8").splitlines()) <= LONGEST, "the language lacks a word"

    def test_is_named_as_a_case_or_a_starter(self, file: Path) -> None:
        assert case_of(file.stem) in CASES or file.stem in STARTERS
        assert case_of(file.stem) in LIBRARY.scenarios, "a variant of nothing"

    def test_says_in_one_sentence_what_it_is_about(self, file: Path) -> None:
        about = str(written(file).get("about", ""))
        assert re.fullmatch(r"[A-Z][^\n]{15,130}\.", about), about

    def test_is_tagged_with_its_folder_first(self, file: Path) -> None:
        tags = written(file).get("tags")
        assert isinstance(tags, list)
        assert tags[0] == file.parent.name

    def test_says_what_is_right(self, file: Path) -> None:
        assert written(file).get("expect")

    def test_says_where_it_was_seen(self, file: Path) -> None:
        sources = written(file).get("source", [])
        assert isinstance(sources, list)
        assert all(re.fullmatch(r"[\w.-]+/[\w.-]+#\d+", source) for source in sources)
        case = case_of(file.stem)
        assert bool(sources) == (case in CASES and case not in NO_SOURCE)


def test_every_case_is_there() -> None:
    assert len(CASES) == len(set(CASES)) == 169
    assert [name for name in CASES if name not in LIBRARY.scenarios] == []


def test_every_starter_is_there() -> None:
    assert [name for name in STARTERS if name not in LIBRARY.scenarios] == []


PLAYED = [name for name, entry in LIBRARY.scenarios.items() if entry.body.protocol not in LATER]


@pytest.mark.parametrize("name", [name for name in PLAYED if len(LIBRARY.scenarios[name].body.expects) > 1])
def test_where_several_readings_are_right_all_of_them_are_expected_and_no_other(name: str) -> None:
    choice = choose(LIBRARY, name)
    plan = compile_plan(LIBRARY, choice, turns(choice).count - 1, Ask(model=name, usage=True))
    found, expects = readings(received(plan)), choice.scenario.body.expects
    assert [reading for reading in found if all(matches(expected, reading) for expected in expects)] == []
    beyond = [expected for expected in expects if all(matches(expected, reading) for reading in found)]
    assert len(beyond) == (name in BY_SETTING)


def test_the_menu_is_what_a_person_can_look_through() -> None:
    offered = LIBRARY.tagged("menu")
    assert {"echo", "markdown", "refusal", "status-429", "stall-mid-stream"} < set(offered)
    assert len(offered) <= 30
    ui = [name for name, entry in LIBRARY.scenarios.items() if "ui" in entry.body.tags]
    assert [name for name in ui if name not in offered] == []
