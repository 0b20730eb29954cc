"""Events as bytes: newline, space, indent, bom, escape, fields, keep (the language's sections 3, 4 and 5.5)."""

from __future__ import annotations

import pytest

from fakeserver.plan import Broken
from tests.plan.making import PINNED, body, plan, sent, writes

CLOSE = "head: {framing: close}\n"
TINY = "stream: [{json: {a: 1}}]\n"


@pytest.mark.parametrize(
    ("wire", "expected"),
    [
        ("newline: lf", b'data: {"a":1}\n\n'),
        ("newline: crlf", b'data: {"a":1}\r\n\r\n'),
        ("newline: cr", b'data: {"a":1}\r\r'),
        ("space: false", b'data:{"a":1}\n\n'),
        ('space: "  "', b'data:  {"a":1}\n\n'),
        ("indent: 2", b'data: {\ndata:   "a": 1\ndata: }\n\n'),
        ("indent: 0", b'data: {"a":1}\n\n'),
        ("indent: none", b'data: {"a":1}\n\n'),
        ("bom: true", b'\xef\xbb\xbfdata: {"a":1}\n\n'),
    ],
)
def test_wire(wire: str, expected: bytes) -> None:
    assert body(f"{TINY}wire: {{{wire}}}") == expected


def test_bom_stands_before_the_first_event_alone() -> None:
    assert body("stream: [{comment: a}, {comment: b}]\nwire: {bom: true}") == b"\xef\xbb\xbf: a\n\n: b\n\n"


def test_a_bom_moves_what_is_filled_in_later() -> None:
    filled = body("stream: [{say: a}]\nwire: {bom: true}")
    assert filled.startswith(b'\xef\xbb\xbfdata: {"id":"chatcmpl-')
    assert b"?" not in filled


def test_escape() -> None:
    assert body('stream: [{json: "é🌍"}]') == 'data: "é🌍"\n\n'.encode()
    assert body('stream: [{json: "é🌍\\ud83d"}]\nwire: {escape: ascii}') == b'data: "\\u00e9\\ud83c\\udf0d\\ud83d"\n\n'


@pytest.mark.parametrize("form", ["reply: a", "stream: [{chunk: {}}]"])
def test_half_a_character_has_no_bytes(form: str) -> None:
    dialect = {"half": 'envelope: {x: "\\ud83d"}\nwire: {escape: ascii}'}
    assert body(f"dialect: half\n{form}", dialects=dialect)
    with pytest.raises(Broken, match="half of a surrogate pair"):
        body(f"dialect: half\nwire: {{escape: utf8}}\n{form}", dialects=dialect)


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("comment: a", b": a\n\n"),
        ('comment: "a\\r\\nb\\n"', b": a\n: b\n:\n\n"),
        ("event: {id: 7, data: x, event: e}", b"id: 7\ndata: x\nevent: e\n\n"),
        ('event: {data: "a\\nb\\rc"}', b"data: a\ndata: b\ndata: c\n\n"),
        ("event: {data: {a: [1, null]}}", b'data: {"a":[1,null]}\n\n'),
        ('event: {data: ""}', b"data: \n\n"),
        ("event: {retry: 10}", b"retry: 10\n\n"),
        ('raw: "x: \\r"', b"x: \r"),
        ("json: [1, a]", b'data: [1,"a"]\n\n'),
    ],
)
def test_a_step(step: str, expected: bytes) -> None:
    assert body(f"stream: [{{{step}}}]") == expected


def test_done_stands_bare() -> None:
    assert body("stream: [done, {done: , fields: {id: 1}}]") == b"data: [DONE]\n\nid: 1\ndata: [DONE]\n\n"


def test_newline_per_event() -> None:
    assert (
        body("stream: [{comment: a, newline: crlf}, {json: 1}, {json: 2, newline: cr}]")
        == b": a\r\n\r\ndata: 1\n\ndata: 2\r\r"
    )
    edit = "patch: [{only: 2, newline: crlf}, {only: done, newline: cr}]"
    assert body(f"stream: [{{json: 1}}, {{json: 2}}, done]\n{edit}") == b"data: 1\n\ndata: 2\r\n\r\ndata: [DONE]\r\r"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("{id: 1, event: e}", b"id: 1\nevent: e\ndata: 1\n\n"),
        ("{data: , event: e}", b"data: 1\nevent: e\n\n"),
        ("{id: 1, data: , retry: 5}", b"id: 1\ndata: 1\nretry: 5\n\n"),
        ("{data: other}", b"data: other\n\n"),
        ("{event: }", b"data: 1\n\n"),
        ("{event: {a: 1}}", b'event: {"a":1}\ndata: 1\n\n'),
    ],
)
def test_fields(fields: str, expected: bytes) -> None:
    assert body(f"stream: [{{json: 1, fields: {fields}}}]") == expected


def test_fields_and_an_events_own_name() -> None:
    named = "dialect: named\nstream: [{fail: m, fields: {data: , event: }}]"
    assert body(named, dialects={"named": "shape: {error: event}"}) == b'data: {"error":"m"}\nevent: error\n\n'
    assert body("dialect: groq\npatch: none\nstream: [{fail: m}]") == b'event: error\ndata: {"error":"m"}\n\n'


def test_fields_of_several_edits_join() -> None:
    edits = "patch: [{fields: {id: 1}}, {fields: {id: {$count: 2}, retry: 3}}]"
    assert body(f"stream: [{{json: 1}}]\n{edits}") == b"id: 2\nretry: 3\ndata: 1\n\n"


def test_sorted_keys_but_json_as_it_is() -> None:
    made = body("dialect: azure\nenvelope: {id: x}\nstream: [{say: a}, {json: {b: 1, a: 1}}]").decode().split("\n\n")
    assert made[0].startswith(
        'data: {"choices":[{"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}},"delta":'
    )
    assert made[1] == 'data: {"b":1,"a":1}'


@pytest.mark.parametrize(
    ("keep", "expected"),
    [
        ("7B", b"data: {"),
        ("0B", b""),
        ("-1B", 'data: {"é":1}\n'.encode()),
        ("-99B", b""),
        ("{inside: utf8}", b'data: {"\xc3'),
        ("{inside: data-prefix}", b"da"),
        ("{inside: blank-line}", 'data: {"é":1}\n'.encode()),
        ("{framed: 4B}", b"data"),
    ],
)
def test_keep(keep: str, expected: bytes) -> None:
    assert body(f"{CLOSE}stream: [{{json: {{é: 1}}, keep: {keep}}}, {{raw: x}}]") == expected + b"x"


def test_keep_each_event_of_the_step() -> None:
    assert body(f"{CLOSE}{PINNED}stream: [{{say: [a, b], keep: 5B}}]") == b"data:data:"


def test_keep_of_framed_bytes_over_all_frames() -> None:
    assert sent("stream: [{json: 1, keep: {framed: 3B}}]") == [b"9\r\n"]
    assert sent("stream: [{json: 123, keep: {framed: 14B}, cut: {size: 4B}}, {raw: x}]") == [
        b"4\r\ndata\r\n", b"4\r\n: ", b"1\r\nx\r\n",
    ]  # fmt: skip


def test_keep_counts_the_bom() -> None:
    assert body(f"{CLOSE}stream: [{{json: 1, keep: 4B}}]\nwire: {{bom: true}}") == b"\xef\xbb\xbfd"


def test_a_cut_off_end_marker_has_not_gone_out() -> None:
    marks = [
        [write.marks_end for write in writes(plan(f"stream: [{step}]"))][-1] for step in ("done", "{done: , keep: 8B}")
    ]
    assert marks == [True, False]
