"""`break`: from there on nothing is sent (section 3's table; section 5, point 6)."""

from __future__ import annotations

import pytest

from fakeserver.plan import Ask, Broken
from tests.plan.making import dues, plan, sent
from tests.wire import end_of

STREAM = """head: {framing: close}
stream: [{comment: c}, {raw: R}, {wait: 1s}, {json: 1}, {say: A, finish: stop}, {socket: S}, done, hang]
"""
EVENTS = [": c\n\n", "R", "data: 1\n\n", '"A"', "S", "data: [DONE]\n\n"]


def parts(at: str, more: str = "", *overlays: str) -> list[str]:
    """Which things went out, by what each has in it."""
    return [
        next(name for name in EVENTS if name == each.decode() or name == '"A"' in each.decode())
        for each in sent(f"{STREAM}break: {{at: {at}{more}}}", *overlays)
    ]


@pytest.mark.parametrize(
    ("at", "count"),
    [
        ("0", 0),
        ("1", 1),
        ("2", 2),
        ("3", 3),
        ("4", 4),
        ("0%", 0),
        ("50%", 2),
        ("79%", 3),
        ("99%", 4),
        ("finish", 3),
        ("content", 3),
    ],
)
def test_at(at: str, count: int) -> None:
    assert parts(at) == EVENTS[:count]


@pytest.mark.parametrize("at", ["5", "100%"])
def test_at_the_very_end(at: str) -> None:
    assert parts(at) == EVENTS


def test_before_done_and_what_leads_to_it_is_gone_too() -> None:
    assert parts("done") == EVENTS[:4]


def test_waits_that_nothing_follows_are_gone() -> None:
    assert end_of(plan(f"{STREAM}break: {{at: 2}}")).due == 0
    assert end_of(plan(f"{STREAM}break: {{at: 3}}")).due == 10**9


def test_plus_sends_the_first_bytes_of_the_next_event() -> None:
    assert sent(f"{STREAM}break: {{at: 2, plus: 6B}}") == [b": c\n\n", b"R", b"data: "]
    assert dues(f"{STREAM}break: {{at: 2, plus: 6B}}") == [0, 0, 1000]
    partial = [write.events for write in plan(f"{STREAM}break: {{at: 2, plus: 6B}}").writes()]
    assert partial == [0, 1, 2, 2]
    assert sent(f"{STREAM}break: {{at: done, plus: 99B}}")[-1] == b"data: [DONE]\n\n"


@pytest.mark.parametrize(
    ("said", "kind"), [("", "close"), (", with: end", "end"), (", with: reset", "reset"), (", with: hang", "hang")]
)
def test_with(said: str, kind: str) -> None:
    assert end_of(plan(f"{STREAM}break: {{at: 1{said}}}")).kind == kind


def test_no_such_place() -> None:
    for at in ("6", "usage"):
        with pytest.raises(Broken, match="there is no place to break at") as caught:
            plan(f"{STREAM}break: {{at: {at}}}")
        assert (caught.value.problem.line, caught.value.problem.column) == (3, 9)


def test_an_overlay_that_finds_no_place_only_replaces_the_end() -> None:
    overlay = "break: {at: usage, with: reset}"
    assert sent(STREAM, overlay) == sent(STREAM)
    assert end_of(plan(STREAM, overlay)).kind == "reset"


def test_keep_alives_do_not_count() -> None:
    text = "timing: {keepalive: {every: 100ms, comment: k}}\n" + STREAM
    assert end_of(plan(f"{text}break: {{at: 3}}")).due == 10**9


def test_of_one_body() -> None:
    whole = sent("head: {framing: close}\nrespond: server-error")[0]
    broken = "head: {framing: close}\nrespond: server-error\nbreak: {at: 50%, plus: 1B, with: reset}"
    assert sent(broken) == [whole[: len(whole) // 2 + 1]]
    assert sent(broken.replace("50%, plus: 1B", "0%")) == []
    assert end_of(plan(broken)).kind == "reset"
    with pytest.raises(Broken, match="no place to break at"):
        plan("respond: server-error\nbreak: {at: 3}")


def test_of_an_object_in_place_of_a_stream() -> None:
    ask = Ask(stream=False)
    assert end_of(plan("reply: a\nbreak: {at: 1, with: reset}", ask=ask)).kind == "end"
    assert end_of(plan("reply: a", "break: {at: 1, with: reset}", ask=ask)).kind == "reset"
    assert end_of(plan("stream: [{say: a, finish: stop}, reset]", ask=ask)).kind == "reset"
