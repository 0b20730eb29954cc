"""Built-in < dialect < scenario < attempt < overlays, one level deep."""

from __future__ import annotations

from typing import Any

import pytest

from fakeserver.plan import Ask, Broken
from fakeserver.plan.settle import Settled, answer_over, settle
from fakeserver.script.dialect import ErrorAnswer
from fakeserver.script.library import Library
from tests.plan.making import choice, chunks, library, plan, writes

LOW = """
timing: {head: 1s, first: 1s}
wire: {cut: {size: 1B}}
envelope: {a: 1, b: 1}
head: {headers: {X-A: low, x-b: low}}
patch: [{set: {/p: [low]}}]
shape: {role: never}
errors: {server-error: {status: 599}, own: {text: hi}}
"""
DIALECTS = {"low": LOW, "high": "base: low\ntiming: {first: 2s}\nenvelope: {b: 2}\nshape: {silent: null}"}


def settled(text: str, *overlays: str, turn: int = 0) -> Settled:
    return settle(library(DIALECTS), choice(text, *overlays), turn)


def test_each_key_by_itself() -> None:
    timing = settled(
        "dialect: high\ntiming: {every: 3s}\nreply: a", "timing: {every: 4s}", "timing: {jitter: 1s}"
    ).timing
    assert (timing.head, timing.first, timing.every, timing.jitter) == (10**9, 2 * 10**9, 4 * 10**9, 10**9)


def test_attempts_stand_above_their_scenario_and_below_overlays() -> None:
    text = "timing: {head: 1s, every: 1s}\nattempts: [{reply: a, timing: {head: 2s}}, {reply: b}]"
    assert settled(text).timing.head == 2 * 10**9
    assert settled(text, "timing: {head: 3s}").timing.head == 3 * 10**9
    assert settled(text, turn=1).timing.head == 10**9


def test_deeper_values_and_break_replace_as_a_whole() -> None:
    found = settled(
        "wire: {cut: {size: 2B, gap: 5ms}}\nbreak: {at: 1, plus: 1B}\nreply: a",
        "wire: {cut: {at: [1]}}\nbreak: {at: 50%}",
    )
    assert (found.wire.cut.gap, found.end and found.end.plus) == (10**6, None)  # type: ignore[union-attr]


def test_none_switches_off() -> None:
    off = "wire: {cut: whole}\nbreak: none\npatch: none\ntiming: {keepalive: none}"
    found = settled("dialect: low\nbreak: {at: 1}\npatch: [{set: {/a: 1}}]\nreply: a", off)
    assert (found.wire.cut, found.end, found.patch, found.timing.keepalive) == ("whole", None, [], "none")


def test_headers_by_name_case_ignored_in_the_newer_letters_and_the_old_place() -> None:
    found = settled("dialect: high\nhead: {headers: {x-a: scenario, x-c: new}}\nreply: a")
    assert list(found.head.headers.items()) == [("x-a", "scenario"), ("x-b", "low"), ("x-c", "new")]


def test_patches_join_in_this_order() -> None:
    text = "dialect: low\npatch: [{set: {/q: 1}}]\nattempts: [{reply: a, patch: [{set: {/r: 1}}]}]"
    found = settled(text, "patch: [{set: {/s: 1}}]")
    assert [(next(iter(laid.edit.set or {})), laid.rank, laid.strict) for laid in found.patch] == [
        ("/p", 0, False), ("/q", 1, False), ("/r", 2, True), ("/s", 4, False),
    ]  # fmt: skip


def test_the_steps_own_edits_come_before_an_overlays() -> None:
    text = "stream: [{say: a, set: {/x: [step]}}]\npatch: [{set: {/x: [scenario]}}]"
    assert chunks(text)[0]["x"] == ["step"]
    assert chunks(text, "patch: [{set: {/x: [overlay]}}]")[0]["x"] == ["overlay"]


def test_an_attempts_dialect_takes_the_scenarios_place() -> None:
    text = "dialect: low\nenvelope: {z: 1}\nattempts: [{reply: a, dialect: high}, {reply: b}]"
    assert settled(text).envelope == {"a": 1, "b": 2, "z": 1}
    assert settled(text, turn=1).envelope == {"a": 1, "b": 1, "z": 1}
    assert (settled(text).shape.role, settled(text).shape.silent) == ("never", None)


def test_form_and_protocol() -> None:
    text = "form: json\nattempts: [{reply: a}, {reply: b, form: sse}]"
    assert [settled(text, turn=turn).in_one_body(Ask()) for turn in (0, 1)] == [True, False]
    assert settled("reply: a").in_one_body(Ask(stream=False))
    assert [settled("reply: a").tells_usage(ask) for ask in (Ask(), Ask(usage=True), Ask(stream=False))] == [
        False,
        True,
        True,
    ]
    with pytest.raises(Broken, match="not played yet"):
        plan("protocol: responses\nreply: a")


def test_errors_are_laid_over_openais() -> None:
    errors = settled("dialect: high\nreply: a").errors
    assert (errors["server-error"].status, errors["own"].text) == (599, "hi")
    assert errors["server-error"].json_["error"]["type"] == "server_error"
    assert errors["rate-limited"].status == 429


def test_one_body_replaces_the_other() -> None:
    def answer(**said: Any) -> ErrorAnswer:
        return ErrorAnswer.model_validate(said)

    over = answer_over(answer(status=400, json={"a": 1}, headers={"X": "1"}), answer(text="t", headers={"x": "2"}))
    assert (over.status, over.has("json_"), over.text, over.headers) == (400, False, "t", {"x": "2"})
    assert answer_over(answer(text="t"), answer(json=None)).model_fields_set == {"json_", "headers"}


def test_a_dialect_that_is_not_there() -> None:
    with pytest.raises(Broken) as caught:
        settle(Library({}, {}, {}), choice("about: x\ndialect: nope\nreply: a"), 0)
    assert (caught.value.problem.line, caught.value.problem.code) == (2, "unknown-dialect")


def test_a_plan_of_an_overlay_is_that_of_a_scenario_that_says_the_same() -> None:
    overlay = "timing: {first: 1s}\nwire: {newline: crlf}\nhead: {status: 201}"
    assert writes(plan("reply: a", overlay)) == writes(plan(f"reply: a\n{overlay}"))
