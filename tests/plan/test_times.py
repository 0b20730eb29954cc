"""S and E, first, every, waits, gates, jitter, keep-alives (section 5, point 7). Milliseconds, worked out by hand."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from fakeserver.plan import Ask, Gate, Idle
from tests.plan.making import NS, dues, plan, sent, writes
from tests.wire import end_of

TIMING = "timing: {head: 100ms, first: 50ms, every: 10ms}\n"


def due(steps: str, timing: str = TIMING, **options: Any) -> list[float]:
    return dues(f"{timing}stream: {steps}", **options)


def test_the_head_and_the_first_chunk() -> None:
    assert [write.due / NS for write in writes(plan(f"{TIMING}stream: [{{say: [a, b, c]}}]"))] == [100, 150, 160, 170]


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("[{comment: c}, {raw: r}, {say: a}, {say: b}]", [100, 100, 150, 160]),  # before the first chunk: with the head
        ("[{json: 1}, {say: b}, {json: 1}, {chunk: {}}]", [150, 160, 160, 160]),  # json and chunk are not speech: at E
        ("[{say: a}, {comment: c}, {say: b}]", [150, 150, 160]),
        ("[{say: a}, {finish: stop}, {usage: {a: 1}}, {fail: m}, done]", [150, 160, 170, 180, 180]),
        ("[{say: a}, {say: [b, c, d], every: 3ms}, {say: e}]", [150, 160, 163, 166, 176]),
        ("[{say: [a, b], every: 0ms}, {say: c}]", [150, 150, 160]),
        ("[{wait: 7ms}, {say: a}, {say: b}]", [107, 117]),  # a wait stands in place of first
        ("[{say: a}, {wait: 7ms}, {say: b}, {say: c}]", [150, 157, 167]),  # and in place of a gap
        ("[{say: a}, {wait: 7ms}, {wait: 7ms}, {comment: c}, {say: b}]", [150, 164, 174]),
        ("[{wait: 7ms}, {comment: c}, {say: a}]", [107, 150]),  # only of what follows it
        ("[{say: a}, {socket: s}, done, {comment: c}]", [150, 150, 150, 150]),
        ("[{together: [{say: a}, {comment: c}, {say: b}]}, {say: d}]", [150, 160]),
        ("[{together: [{comment: c}, {say: b}]}, {say: d}]", [100, 110]),
        ("[{say: a}, {together: [{comment: c}, {say: b}]}, {together: [{say: e}]}]", [150, 150, 160]),
        ("[{repeat: [{together: [{say: a}, {say: b}]}], times: 2}]", [150, 160]),
        ("[{say: a}, {repeat: [{say: b}, {wait: 1ms}], times: 0}, {say: c}]", [150, 160]),
    ],
)  # fmt: skip
def test_moments(steps: str, expected: list[float]) -> None:
    assert due(steps) == expected


def test_the_end_is_at_e() -> None:
    assert end_of(plan(f"{TIMING}stream: [{{say: a}}, {{wait: 1s}}, close]")).due == 1150 * NS
    assert end_of(plan(f"{TIMING}stream: []")).due == 100 * NS


def test_a_cut_takes_its_time_and_lengthens_e() -> None:
    cut = "wire: {cut: {at: [1, 2, 3], gap: 5ms}}\n"
    assert due("[{json: 1}, {json: 2}]", cut) == [0, 5, 10, 15, 15, 20, 25, 30]
    assert due("[{say: a}, {say: b}]", "timing: {every: 20ms}\n" + cut) == [0, 5, 10, 15, 20, 25, 30, 35]
    assert due("[{say: a}, {say: b}]", "timing: {every: 10ms}\n" + cut) == [0, 5, 10, 15, 15, 20, 25, 30]
    assert end_of(plan(cut + "stream: [{json: 1}]")).due == 15 * NS
    assert [write.gap / NS for write in writes(plan(cut + "stream: [{json: 1}]"))][1:] == [0, 5, 5, 5]


def test_a_gate_begins_a_new_epoch_without_first_or_gap() -> None:
    made = plan(f"{TIMING}stream: [{{say: a}}, {{gate: g}}, {{say: b}}, {{say: c}}]")
    assert [action for action in made if isinstance(action, Gate)] == [Gate(150 * NS, "g")]
    assert due("[{say: a}, {gate: g}, {say: b}, {say: c}]") == [150, 0, 10]
    assert due("[{gate: g}, {comment: c}, {say: a}, {say: b}]") == [0, 0, 10]
    assert due("[{gate: g}, {wait: 3ms}, {say: a}]") == [3]


def test_a_dialects_opening_goes_with_the_head() -> None:
    opening = {
        "o": "script: {opening: [{comment: c}, {say: x}, {together: [{json: 1}, {repeat: [{json: 2}], times: 2}]}]}"
    }
    assert dues(f"{TIMING}dialect: o\nreply: a", dialects=opening) == [100, 100, 100, 150, 160, 170, 170]


def gaps(jitter: str, every: str = "10ms", number: int = 1) -> list[int]:
    text = f"timing: {{every: {every}, jitter: {jitter}}}\nstream: [{{repeat: [{{say: a}}], times: 500}}]"
    at = [write.due for write in writes(plan(text, ask=Ask(number=number)))][1:]
    return [b - a for a, b in pairwise(at)]


def test_jitter_is_an_even_draw_within_its_bounds() -> None:
    drawn = gaps("4ms")
    assert 6 * NS <= min(drawn) < 6.1 * NS
    assert 13.9 * NS < max(drawn) <= 14 * NS
    assert abs(sum(drawn) / len(drawn) - 10 * NS) < NS / 2


def test_jitter_is_never_below_nothing_and_leaves_no_gap_alone() -> None:
    assert min(gaps("40ms")) == 0
    assert set(gaps("4ms", every="0ms")) == {0}


def test_jitter_is_seeded_by_the_requests_number() -> None:
    assert gaps("4ms") == gaps("4ms")
    assert gaps("4ms") != gaps("4ms", number=2)


KEEP = "timing: {every: 10ms, keepalive: {every: 4ms, %s}}\n"


def idles(steps: str, said: str = "comment: k", **options: Any) -> list[float]:
    text = KEEP % said + f"stream: {steps}"
    return [write.due / NS for write in writes(plan(text, **options)) if write.part == "idle"]


def test_keep_alives_fill_silences_whose_length_is_known() -> None:
    assert idles("[{say: [a, b]}]") == [4, 8]
    assert idles("[{say: a}, {wait: 9ms}]") == [4, 8]
    assert idles("[{say: a}, {wait: 8ms}, {say: b}]") == [4]  # at 8 something is due
    assert idles("[{say: a}, {wait: 9ms}, {gate: g}, {wait: 5ms}, {say: c}]") == [4, 8, 4]
    assert idles("[{say: a, cut: {at: [1], gap: 50ms}}, {wait: 5ms}, hang]") == [54]


def test_keep_alives_are_not_counted_and_not_before_the_head() -> None:
    text = "timing: {head: 1s, every: 1s, keepalive: {every: 400ms, comment: k}}\nstream: [{say: [a, b]}]"
    assert [(write.part, write.due // NS, write.events) for write in writes(plan(text))] == [
        ("head", 1000, 0), ("body", 1000, 1), ("idle", 1400, 1), ("idle", 1800, 1), ("body", 2000, 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "data"),
    [
        ("comment: k", b": k\n\n"),
        ('raw: "x"', b"x"),
        ("event: {event: ping, data: 1}", b"event: ping\ndata: 1\n\n"),
        ("json: {a: 1}", b'data: {"a":1}\n\n'),
        ('raw: {$hex: "ff"}', b"\xff"),
    ],
)
def test_what_a_keep_alive_says(said: str, data: bytes) -> None:
    text = "head: {framing: close}\n" + KEEP % said + "stream: [{say: a}, {wait: 5ms}, hang]"
    assert sent(text)[-1] == data
    made = plan(text)
    assert made.idle == Idle(4 * NS, data)


def test_a_keep_alive_that_is_a_chunk_has_the_streams_own_id() -> None:
    made = plan(KEEP % "delta: {content: ''}" + "stream: [{say: a}, {wait: 5ms}, hang]")
    assert made.idle is not None
    values = [b"i" * 38, b"r" * 36]
    assert made.idle.filled(values).data == writes(made.actions(values))[-1].data
    assert b'"id":"' + b"i" * 38 in made.idle.filled(values).data


def test_one_body_has_no_keep_alives() -> None:
    text = "timing: {head: 1s, first: 9s, keepalive: {every: 1s, comment: k}}\nrespond: server-error"
    assert dues(text) == [10_000]
    assert plan(text).idle is None
