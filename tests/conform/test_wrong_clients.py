"""Clients with one thing wrong: marked where it shows, and green where it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conform.conftest import Examined, adapter

CASES = {  # cases that tell them apart, some for each kind of end
    "hello": "green",
    "tool-id-repeated": "green",
    "usage-only-final-chunk": "green",
    "refusal-deltas": "green",
    "clean-eof-mid-answer": "green",
    "rst-mid-stream": "green",
    "error-object-mid-stream": "green",
    "status-400": "green",
    "fails-twice-then-succeeds": "green",
    "retry-duplicates-shown-text": "amber",  # nobody here asks again in the middle of an answer
}
CUT = ("clean-eof-mid-answer", "rst-mid-stream", "error-object-mid-stream")
TEXTS = ("hello", "usage-only-final-chunk", "fails-twice-then-succeeds")
WRONG: dict[str, dict[str, str]] = {
    "right": {},
    "drops_the_last_chunk": dict.fromkeys(TEXTS, "red") | dict.fromkeys(CUT, "amber"),
    "doubles_text": dict.fromkeys((*TEXTS, "refusal-deltas"), "red") | dict.fromkeys(CUT, "amber"),
    "takes_truncated_for_complete": {"clean-eof-mid-answer": "red"},
    "asks_again_at_once": {"status-400": "red", "fails-twice-then-succeeds": "amber"},
    "ignores_errors": dict.fromkeys((*CUT, "status-400", "fails-twice-then-succeeds"), "red")
    | {"rst-mid-stream": "green"},  # which nobody can overlook
    "loses_usage": dict.fromkeys(("tool-id-repeated", "usage-only-final-chunk"), "amber"),
    "gives_nothing_back": dict.fromkeys((*CUT, "fails-twice-then-succeeds"), "amber"),
}


@pytest.mark.parametrize("name", WRONG)
async def test_what_is_wrong_shows_where_it_must(examined: Examined, name: str) -> None:
    found = await examined([*CASES], adapter(name, "--stay"), stay=True)
    assert {case: result["mark"] for case, result in found.items()} == {**CASES, **WRONG[name]}
    assert all(bool(result["reasons"]) == (result["mark"] != "green") for result in found.values())


async def test_the_reasons_say_what_was_lost(examined: Examined) -> None:
    found = await examined(["hello"], adapter("drops_the_last_chunk", "--stay"), stay=True)
    assert found["hello"]["reasons"] == ["content: expected 'Hello there.', read 'Hello there'"]


async def test_a_client_without_a_time_out_hangs_where_the_server_is_silent(examined: Examined) -> None:
    found = await examined(["stall-mid-stream", "hello"], adapter("waits_for_ever"), time_limit=0.5, grace=6.0)
    hung = found["stall-mid-stream"]
    assert (hung["mark"], hung["reasons"], hung["outcome"]) == ("red", ["it hangs"], None)
    assert hung["stderr"] == "I have no time-out.\n"
    assert found["hello"]["mark"] == "green"


async def test_a_time_out_that_is_kept_is_no_hang(examined: Examined) -> None:
    found = await examined(["stall-mid-stream"], adapter("right", "--stay"), stay=True, time_limit=0.6)
    assert found["stall-mid-stream"]["mark"] == "green"
    assert found["stall-mid-stream"]["outcome"]["raised"]["class"] == "TimeoutError"


async def test_a_storm_is_one_and_stands_beside_the_mark(examined: Examined) -> None:
    found = (await examined(["status-500"], adapter("asks_again_at_once", "--stay"), stay=True))["status-500"]
    assert (found["mark"], found["attempts"]) == ("red", 12)
    assert "retry-storm" in [each["code"] for each in found["findings"]]


async def test_who_waits_as_it_is_told_to_has_not_hung(examined: Examined, tmp_path: Path) -> None:
    (tmp_path / "later.yaml").write_text(
        "respond: {error: rate-limited, headers: {retry-after: 30}}\nexpect: {outcome: failed}\n"
    )
    command = adapter("right", "--stay")
    found = (await examined(["later"], command, stay=True, time_limit=1, grace=3.0, own="later.yaml"))["later"]
    assert found["mark"] == "waiting"
    assert found["reasons"] == ["it still waits, as it was told to (Retry-After: 30 s)"]


async def test_who_got_a_whole_answer_has_no_reason_to_ask_again(examined: Examined) -> None:
    found = (await examined(["tool-calling-answer"], adapter("right", "--stay"), stay=True))["tool-calling-answer"]
    assert (found["mark"], found["attempts"]) == ("green", 1)
    assert found["expected"][0]["tool_calls"][0]["name"] == "get_weather"


async def test_gates_are_released_as_they_are_reached(examined: Examined, tmp_path: Path) -> None:
    (tmp_path / "held.yaml").write_text(
        "stream: [role: assistant, say: Half, gate: one, say: ' and half.', gate: two, finish: stop, done]\n"
        "expect: {outcome: complete, content: Half and half.}\n"
    )
    assert (await examined(["held"], adapter("right", "--stay"), stay=True, own="held.yaml"))["held"]["mark"] == "green"


async def test_with_an_overlay_what_a_correct_reader_makes_of_it_is_right(examined: Examined) -> None:
    found = await examined(["hello+one-byte", "hello+reset-midway"], adapter("right", "--stay"), stay=True)
    assert {case: result["mark"] for case, result in found.items()} == dict.fromkeys(found, "green")
    assert found["hello+one-byte"]["expected"][0]["content"] == "Hello there."
    assert found["hello+reset-midway"]["expected"][0]["outcome"] == "truncated"


@pytest.mark.parametrize(("speed", "least"), [(1.0, 1.0), (None, 0.0)])
async def test_moments_are_played_only_if_that_is_asked_for(
    examined: Examined, tmp_path: Path, speed: float | None, least: float
) -> None:
    (tmp_path / "slow.yaml").write_text("reply: Hi\ntiming: {head: 1s}\nexpect: {outcome: complete, content: Hi}\n")
    manner = {"speed": speed, "grace": 5.0, "own": "slow.yaml"}
    found = (await examined(["slow"], adapter("right"), **manner))["slow"]
    assert found["mark"] == "green"
    assert found["seconds"] >= least
