"""A command that stays: one process for many cases, some at once, begun anew where it hangs or dies."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.conform.conftest import Examined, adapter

CASES = ["hello", "tool-call", "refusal-deltas", "status-400"]
HEAD = """
import json, sys
sys.path.insert(0, %r)
sys.argv = ["x"]
from right import Client
print(open("starts", "a").write("x"), file=sys.stderr)
def answer(line):
    task = json.loads(line)
    said = Client(task["base_url"], task["model"], task["time_limit"]).outcome()
    print(json.dumps({"case": task["case"], **said}), flush=True)
"""


def staying(body: str) -> list[str]:
    return [sys.executable, "-c", HEAD % str(Path(adapter("right")[1]).parent) + body]


def marks(found: dict[str, dict[str, object]]) -> dict[str, object]:
    return {name: result["mark"] for name, result in found.items()}


def starts(folder: Path) -> int:
    return len((folder / "starts").read_text())


async def test_one_process_answers_them_all(examined: Examined, tmp_path: Path) -> None:
    found = await examined(CASES, staying("for line in sys.stdin: answer(line)\n"), stay=True)
    assert marks(found) == dict.fromkeys(CASES, "green")
    assert starts(tmp_path) == 1


async def test_it_is_told_the_case_the_address_the_model_and_the_limit(examined: Examined, tmp_path: Path) -> None:
    body = "for line in sys.stdin: open('task', 'w').write(line), answer(line)\n"
    await examined(["hello+crlf"], staying(body), stay=True)
    task = json.loads((tmp_path / "task").read_text())
    assert task.pop("base_url").endswith("/session/hello+crlf/scenario/hello+crlf/v1")
    assert task == {"case": "hello+crlf", "model": "hello+crlf", "time_limit": 5.0}


async def test_several_at_once_may_be_answered_in_any_order(examined: Examined, tmp_path: Path) -> None:
    """It waits until it has two, and answers the second first."""
    body = "while (first := sys.stdin.readline()) and (second := sys.stdin.readline()): answer(second), answer(first)\n"
    found = await examined(CASES, staying(body), stay=True, at_once=2)
    assert marks(found) == dict.fromkeys(CASES, "green")
    assert starts(tmp_path) == 1


async def test_one_that_dies_is_begun_anew_for_the_next(examined: Examined, tmp_path: Path) -> None:
    body = "for line in sys.stdin: sys.exit(3) if 'refusal' in line else answer(line)\n"
    found = await examined(CASES, staying(body), stay=True)
    assert marks(found) == {**dict.fromkeys(CASES, "green"), "refusal-deltas": "broken"}
    assert found["refusal-deltas"]["reasons"] == ["it ended with code 3 before its outcome"]
    assert starts(tmp_path) == 2


async def test_one_that_dies_each_time_is_not_started_for_ever(examined: Examined, tmp_path: Path) -> None:
    found = await examined(CASES, staying("sys.stdin.readline()\n"), stay=True)
    assert marks(found) == dict.fromkeys(CASES, "broken")
    assert found["tool-call"]["reasons"] == ["it is not started again: it has ended 3 times without an outcome"]
    assert starts(tmp_path) == 3


async def test_one_that_hangs_is_killed_and_begun_anew(examined: Examined, tmp_path: Path) -> None:
    body = "import time\nfor line in sys.stdin: time.sleep(60) if 'refusal' in line else answer(line)\n"
    found = await examined(CASES, staying(body), stay=True, time_limit=1, grace=5.0)
    assert marks(found) == {**dict.fromkeys(CASES, "green"), "refusal-deltas": "red"}
    assert found["refusal-deltas"]["reasons"] == ["it hangs, and has asked nothing"]
    assert starts(tmp_path) == 2


async def test_the_grace_is_followed_once_it_has_started_too(examined: Examined, tmp_path: Path) -> None:
    """It answers the first two cases; the third takes longer than a grace that was given."""
    body = "import time\nfor line in sys.stdin: 'refusal' in line and time.sleep(4), answer(line)\n"
    found = await examined(CASES, staying(body), stay=True, time_limit=0.5, grace=1.5)
    assert marks(found)["refusal-deltas"] == "red"
    found = await examined(CASES, staying(body), stay=True, time_limit=0.5, grace=20.0)
    assert marks(found)["refusal-deltas"] == "green"


async def test_one_case_that_hangs_does_not_take_others_with_it(examined: Examined, tmp_path: Path) -> None:
    body = "import time\nfor line in sys.stdin: 'refusal' in line or answer(line)\ntime.sleep(60)\n"
    found = await examined(CASES, staying(body), stay=True, at_once=2, time_limit=1, grace=5.0)
    assert marks(found) == {**dict.fromkeys(CASES, "green"), "refusal-deltas": "red"}


async def test_an_outcome_of_a_case_that_it_does_not_have(examined: Examined) -> None:
    found = (await examined(["hello"], adapter("names_another_case"), stay=True))["hello"]
    said = 'it printed an outcome of the case "helo", which it does not have'
    assert (found["mark"], found["reasons"]) == ("broken", [said])


async def test_outcomes_without_a_case_are_told_at_once(examined: Examined) -> None:
    body = "for line in sys.stdin: print('{}', flush=True)\n"
    said = "it printed an outcome without its case: with --stay each has the case that came with the question"
    for at_once in (1, 2):
        found = await examined(CASES, staying(body), stay=True, at_once=at_once, time_limit=60)
        assert [result["reasons"] for result in found.values()] == [[said]] * 4
        assert marks(found) == dict.fromkeys(CASES, "broken")


async def test_one_outcome_without_a_case_is_of_the_one_that_has_none(examined: Examined) -> None:
    body = "for line in sys.stdin: print('{}', flush=True) if 'refusal' in line else answer(line)\n"
    found = await examined(CASES, staying(body), stay=True, at_once=2, time_limit=60)
    assert marks(found) == {**dict.fromkeys(CASES, "green"), "refusal-deltas": "broken"}


@pytest.mark.parametrize("at_once", [1, 2])
async def test_a_second_outcome_is_told_of_its_own_case(examined: Examined, at_once: int) -> None:
    body = "for line in sys.stdin: answer(line), 'refusal' in line and answer(line)\n"
    found = await examined(CASES, staying(body), stay=True, at_once=at_once)
    assert marks(found) == {**dict.fromkeys(CASES, "green"), "refusal-deltas": "broken"}
    assert found["refusal-deltas"]["reasons"] == ["it printed two outcomes of this case: each case has one"]


async def test_who_collects_cases_is_told_that_there_are_no_more(examined: Examined, tmp_path: Path) -> None:
    body = "while some := [line for _, line in zip(range(3), sys.stdin)]: [answer(line) for line in some]\n"
    found = await examined(CASES, staying(body), stay=True, at_once=3, time_limit=60)
    assert marks(found) == dict.fromkeys(CASES, "green")
    assert starts(tmp_path) == 1


async def test_who_has_one_case_has_its_input_until_it_has_answered(examined: Examined) -> None:
    """Some end with their input, whatever they have begun."""
    body = "import os, threading\n"
    body += "for line in sys.stdin: threading.Timer(0.5, answer, [line]).start()\nos._exit(0)\n"
    assert marks(await examined(CASES[:1], staying(body), stay=True)) == {"hello": "green"}


async def test_a_flood_of_lines_does_not_hold_up_the_limit(examined: Examined) -> None:
    for stay in (True, False):
        for line in ("y", "{y"):
            found = (await examined(["hello"], ["yes", line], stay=stay, time_limit=0.3, grace=0.5))["hello"]
            assert found["mark"] == "red"
            assert found["seconds"] < 5


async def test_lines_that_are_no_outcomes_are_its_own_affair(examined: Examined) -> None:
    body = "for line in sys.stdin: print('log: {', [1], flush=True), print('y' * 3_000_000), answer(line)\n"
    assert marks(await examined(["hello"], staying(body), stay=True)) == {"hello": "green"}


async def test_one_that_never_reads_hangs(examined: Examined) -> None:
    found = (await examined(["hello"], ["sleep", "60"], stay=True, time_limit=0.3, grace=0.5))["hello"]
    assert (found["mark"], found["attempts"]) == ("red", 0)
