"""Cuts, frames, bursts and the end (section 4 `cut`, section 5 points 10 to 13)."""

from __future__ import annotations

import pytest

from fakeserver.plan import Burst, End, Gate, Write
from fakeserver.plan.frames import BURST
from tests.plan.making import body, plan, sent, writes
from tests.wire import end_of

CLOSE = "head: {framing: close}\n"
ONE = 'stream: [{raw: "abcdefg"}]\n'


@pytest.mark.parametrize(
    ("cut", "pieces"),
    [
        ("{size: 3B}", [b"abc", b"def", b"g"]),
        ("{size: 7B}", None),
        ("{at: [1, 4]}", [b"a", b"bcd", b"efg"]),
        ("{at: [6, 0, 2, 2, 7, 99]}", [b"ab", b"cdef", b"g"]),
        ("whole", [b"abcdefg"]),
    ],
)
def test_cut(cut: str, pieces: list[bytes] | None) -> None:
    if pieces is None:
        with pytest.raises(Exception, match="nothing to cut"):
            plan(f"{CLOSE}{ONE}wire: {{cut: {cut}}}")
    else:
        assert sent(f"{CLOSE}{ONE}wire: {{cut: {cut}}}") == pieces


def test_named_places() -> None:
    steps = 'stream: [{event: {data: "é\\\\n"}}]\n'
    got = {name: sent(f"{CLOSE}{steps}wire: {{newline: crlf, cut: {{inside: {name}}}}}") for name in
           ("utf8", "data-prefix", "blank-line", "crlf", "json-escape")}  # fmt: skip
    assert got == {
        "utf8": [b"data: \xc3", b"\xa9\\n\r\n\r\n"],
        "data-prefix": [b"da", b"ta: \xc3\xa9\\n\r\n\r\n"],
        "blank-line": [b"data: \xc3\xa9\\n\r\n", b"\r\n"],
        "crlf": [b"data: \xc3\xa9\\n\r", b"\n\r", b"\n"],
        "json-escape": [b"data: \xc3\xa9\\", b"n\r\n\r\n"],
    }


def test_lines() -> None:
    steps = "stream: [{event: {event: e, data: [a, b]}}]\nwire: {indent: 1, cut: {inside: lines}}"
    assert sent(CLOSE + steps) == [b"event: e\n", b"data: [\n", b'data:  "a",\n', b'data:  "b"\n', b"data: ]\n\n"]


def test_a_piece_is_a_frame_is_a_write() -> None:
    assert sent(f"{ONE}wire: {{cut: {{size: 4B}}}}") == [b"4\r\nabcd\r\n", b"3\r\nefg\r\n"]
    assert sent('stream: [{raw: "0123456789abcdef"}]') == [b"10\r\n0123456789abcdef\r\n"]
    assert sent('stream: [{raw: ""}]') == []


@pytest.mark.parametrize(
    ("cut", "pieces"),
    [
        ("{size: 5B, framed: true}", [b"7\r\nab", b"cdefg", b"\r\n"]),
        ("{at: [1, 3], framed: true}", [b"7", b"\r\n", b"abcdefg\r\n"]),
        ("{inside: frame-size, framed: true}", [b"7", b"\r\nabcdefg\r\n"]),
        ("{inside: frame-end, framed: true}", [b"7\r\nabcdefg\r", b"\n"]),
        ("{inside: crlf, framed: true}", [b"7\r", b"\nabcdefg\r", b"\n"]),
    ],
)
def test_cuts_of_framed_bytes(cut: str, pieces: list[bytes]) -> None:
    assert sent(f"{ONE}wire: {{cut: {cut}}}") == pieces


def test_a_place_of_the_event_in_framed_bytes() -> None:
    assert sent('stream: [{raw: "é"}]\nwire: {cut: {inside: utf8, framed: true}}') == [b"2\r\n\xc3", b"\xa9\r\n"]
    assert sent(CLOSE + 'stream: [{raw: "é"}]\nwire: {cut: {inside: utf8, framed: true}}') == [b"\xc3", b"\xa9"]
    both = "stream: [{raw: abcdefg, cut: {inside: frame-end, framed: true}, keep: {framed: 6B}}]"
    assert sent(both) == [b"7\r\nabc"]


def test_gap_and_lockstep() -> None:
    made = writes(plan(f"{ONE}wire: {{cut: {{size: 4B, gap: 2ms, lockstep: true}}}}"))[1:]
    assert [(write.due, write.gap, write.lockstep) for write in made] == [(0, 0, True), (2 * 10**6, 2 * 10**6, True)]
    assert not writes(plan(ONE))[1].lockstep
    own = writes(plan(f"{ONE}wire: {{cut: {{size: 4B, lockstep: true}}}}"))[1:]
    assert [write.gap for write in own] == [0, 0]  # the peer's own reads are the pace


def test_a_steps_cut_and_an_edits_take_the_place_of_the_wires() -> None:
    text = "stream: [{raw: abcd, cut: {size: 3B}}, {raw: abcd}]\nwire: {cut: {size: 2B}}\n"
    assert sent(CLOSE + text) == [b"abc", b"d", b"ab", b"cd"]
    edit = "stream: [{json: 1}, done]\npatch: [{only: done, cut: {at: [7]}}]"
    assert sent(CLOSE + edit) == [b"data: 1\n\n", b"data: [", b"DONE]\n\n"]


def test_only_whole_events_count() -> None:
    made = writes(plan(f"{ONE}wire: {{cut: {{size: 4B}}}}"))[1:]
    assert [write.events for write in made] == [0, 1]
    marks = writes(plan("stream: [{json: 1}, {done: , cut: {size: 4B}}, {comment: c}]"))[1:]
    assert [write.marks_end for write in marks] == [False, False, False, False, True, False]


def test_writes_of_one_moment_are_one_burst() -> None:
    steps = "{json: 1}, {json: 2}, {say: [a, b]}, {gate: g}, {json: 3}, {json: 4}, close"
    made = list(plan(f"timing: {{every: 1ms}}\nstream: [{steps}]"))
    kinds = [(type(action), len(getattr(action, "writes", ""))) for action in made]
    assert kinds == [(Write, 0), (Burst, 2), (Write, 0), (Write, 0), (Gate, 0), (Burst, 2), (End, 0)]
    many = list(plan("stream: [{repeat: [{raw: a}], times: 100}]"))
    assert [len(action.writes) for action in many if isinstance(action, Burst)] == [BURST, 100 - BURST]


def test_together_is_one_write() -> None:
    first = '{together: [{raw: ab, cut: {size: 1B}}, {socket: "!"}, {json: 1}]}'
    text = f'stream: [{first}, {{together: [{{socket: "?"}}]}}, {{raw: x}}]'
    assert sent(text) == [b"1\r\na\r\n1\r\nb\r\n!9\r\ndata: 1\n\n\r\n", b"?", b"1\r\nx\r\n"]
    made = writes(plan(text))[1:]
    assert [(write.part, write.events) for write in made] == [("body", 2), ("socket", 2), ("body", 3)]
    assert len(sent("stream: [{together: [{raw: abcd}]}, {raw: ab}]\nwire: {cut: {size: 1B}}")) == 3
    assert len(writes(plan('stream: [{together: [{raw: ""}]}]'))) == 1
    holes = writes(plan("stream: [{together: [{say: a}, {say: b}]}]"))[1].holes
    assert holes[0].at < holes[1].at


def test_socket_bytes_stand_between_frames_uncut() -> None:
    assert sent("stream: [{raw: ab}, {socket: xyz}]\nwire: {cut: {size: 1B}}") == [b"1\r\na\r\n", b"1\r\nb\r\n", b"xyz"]


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("reply: a", End(0, "end", b"0\r\n\r\n", True)),
        ("reply: a\nhead: {keep_alive: false}", End(0, "end", b"0\r\n\r\n", False)),
        ("reply: a\nhead: {framing: close}", End(0, "end", b"", False)),
        ("reply: a\nhead: {framing: length}", End(0, "end", b"", True)),
        ("reply: a\nhead: {framing: none}", End(0, "end", b"", True)),
        ("stream: [end]", End(0, "end", b"0\r\n\r\n", True)),
        ("stream: [close]", End(0, "close", b"", False)),
        ("stream: [reset]", End(0, "reset", b"", False)),
        ("stream: [{reset: now}]", End(0, "reset-now", b"", False)),
        ("stream: [hang]", End(0, "hang", b"", False)),
        ("stream: [done, {raw: a}, end]", End(0, "end", b"0\r\n\r\n", True)),
    ],
)
def test_ends(text: str, end: End) -> None:
    assert end_of(plan(text)) == end


def test_more_may_follow_done() -> None:
    assert body("stream: [done, {comment: c}]") == b"data: [DONE]\n\n: c\n\n"
