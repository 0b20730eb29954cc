"""Bytes to events. The bodies and data lists follow the web-platform-tests of event streams, as browsers read them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakeserver.speech.sse import Event, events, lines, looks_like_events

BOM = b"\xef\xbb\xbf"
LONG = b"x" * 2048

PLATFORM = {
    "bom": (BOM + b"data:1\n\n" + BOM + b"data:2\n\ndata:3\n\n", ["1", "3"]),
    "bom-2": (BOM + BOM + b"data:1\n\ndata:2\n\ndata:3\n\n", ["2", "3"]),
    "comments": (
        b"data:1\r:\0\n:\r\ndata:2\n:" + LONG + b"\rdata:3\n:data:fail\r:" + LONG + b"\ndata:4\n\n",
        ["1\n2\n3\n4"],
    ),
    "field-data": (b"data:\n\ndata\ndata\n\ndata:test\n\n", ["", "\n", "test"]),
    "field-id": (b"id: 1\ndata: hello\n\ndata: again\n\n", ["hello", "again"]),
    "field-id-null": (b"id: x\0x\ndata: hello\n\n", ["hello"]),
    "field-parsing": (
        b"data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\n"
        b"da-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n",
        ["\0\n 2\n1\n3\n\n4"],
    ),
    "field-retry": (b"retry:03000\n\ndata:x\n\n", ["x"]),
    "field-retry-empty": (b"retry\ndata:test\n\n", ["test"]),
    "field-unknown": (
        b"data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n",
        ["test\n\ntest"],
    ),
    "leading-space": (b"data:\ttest\rdata: \ndata:test\n\n", ["\ttest\n\ntest"]),
    "newlines": (b"data:test\r\ndata\ndata:test\r\n\r", ["test\n\ntest"]),
    "null-character": (b"data:\0\n\n", ["\0"]),
    "utf-8": ("data:ok…\n\n".encode(), ["ok…"]),
    "event-data": (
        b"data:msg\ndata: msg\n\n:\nfalsefield:msg\n\nfalsefield:msg\nData:data\n\ndata\n\ndata:end\n\n",
        ["msg\nmsg", "", "end"],
    ),
    "event-without-data": (b"event:a\n\ndata:1\n\n", ["1"]),
    "invalid-utf-8": (b"data:a\xffb\n\n", ["a\ufffdb"]),
    "unicode-separators": (
        "data:a\u2028b\u2029c\u0085d\x0be\x0cf\n\n".encode(),
        ["a\u2028b\u2029c\u0085d\x0be\x0cf"],
    ),
}


@pytest.mark.parametrize("name", PLATFORM)
def test_platform_case(name: str) -> None:
    body, expected = PLATFORM[name]
    found = list(events(body))
    assert [event.data for event in found] == expected
    assert all(event.closed for event in found)


def test_the_last_event_without_its_blank_line_is_told_apart() -> None:
    body = b"retry:1000\ndata:test1\n\nid:test\ndata:test2"
    assert list(events(body)) == [Event("test1"), Event("test2", closed=False)]


@pytest.mark.parametrize("end", [b"", b"\n", b"\r", b"\r\n"])
def test_an_open_event_is_read_with_or_without_its_line_end(end: bytes) -> None:
    assert list(events(b"data: x" + end)) == [Event("x", closed=False)]


def test_nothing_is_left_over_after_a_comment() -> None:
    assert list(events(b"data: x\n\n: bye")) == [Event("x")]


def test_names() -> None:
    body = b"event:test\ndata:x\n\ndata:x\n\nevent: \ndata:y\n\ndata: z\nevent: late\n\nevent:a\nevent:b\ndata:\n\n"
    assert [event.name for event in events(body)] == ["test", "message", "message", "late", "b"]


def test_a_name_does_not_outlive_its_block() -> None:
    assert list(events(b"event: ping\n\ndata: x\n\n")) == [Event("x")]


def test_bad_bytes_damage_only_the_event_that_holds_them() -> None:
    body = b": \xff\ndata: a\n\nid: \xff\ndata: \xe4\xbd\ndata: b\n\nevent: \xff\ndata: c\n\n"
    assert list(events(body)) == [
        Event("a"),
        Event("\ufffd\nb", damaged=True),
        Event("c", name="\ufffd", damaged=True),
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"data: x", True),
        (b"data", True),
        (b"\n\r\n: ping\n\n", True),
        (BOM + b"event:a", True),
        (b"id: 1", True),
        (b"retry: 1", True),
        (b"Data: x", False),
        (b" data: x", False),
        (b"database", False),
        (b'{"data": 1}', False),
        (b"<!DOCTYPE html>", False),
        (b"\n\n", False),
        (b"", False),
    ],
)
def test_the_look_of_events(body: bytes, expected: bool) -> None:
    assert looks_like_events(body) is expected


TEXT = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=8)
LINE = st.one_of(TEXT, st.builds("{}:{}".format, st.sampled_from(["data", "event", "id", ""]), TEXT), st.just(""))


@given(st.lists(LINE))
def test_line_ends_make_no_difference(written: list[str]) -> None:
    lf, cr, crlf = (list(events(end.join([*written, ""]).encode())) for end in ("\n", "\r", "\r\n"))
    assert lf == cr == crlf


@given(st.binary())
def test_lines_end_where_a_decoder_would_end_them(body: bytes) -> None:
    decoded = body.decode(errors="replace").removeprefix("\ufeff")
    ours = [line.decode(errors="replace") for line in lines(body)]
    theirs = re.split("\r\n|\r|\n", decoded)
    assert ours == (theirs if theirs[-1] else theirs[:-1])


@given(st.binary(), st.lists(st.sampled_from([b"data: x", b"data:", b"event: e", b":", b"", b"\xff"])))
def test_any_bytes_give_events(noise: bytes, written: list[bytes]) -> None:
    found = list(events(b"\n".join([*written, noise, b"", b"data: last", b"", b""])))
    assert found[-1].data.endswith("last")
    assert found[-1].closed
