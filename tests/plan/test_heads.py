"""The head's bytes (section 3 `head`; wire.md section 4)."""

from __future__ import annotations

import pytest

from fakeserver.plan import Ask, Broken
from fakeserver.plan.heads import phrase
from tests.plan.making import body, plan, writes
from tests.wire import end_of

OLD = Ask(model="m", http="1.0")


def rows(text: str, *overlays: str, ask: Ask = Ask(), index: int = 0) -> list[str]:  # noqa: B008  # it is frozen
    made = plan(text, *overlays, ask=ask)
    values = [b"i" * blank.size for blank in made.blanks]
    return writes(made.actions(values))[index].data.decode().removesuffix("\r\n\r\n").split("\r\n")


def test_the_head_of_a_stream() -> None:
    assert rows("reply: a") == [
        "HTTP/1.1 200 OK",
        "content-type: text/event-stream; charset=utf-8",
        "openai-organization: fakeserver",
        "openai-processing-ms: 12",
        "openai-version: 2020-10-01",
        "x-ratelimit-limit-requests: 10000",
        "x-ratelimit-limit-tokens: 200000",
        "x-ratelimit-remaining-requests: 9999",
        "x-ratelimit-remaining-tokens: 199985",
        "x-ratelimit-reset-requests: 6ms",
        "x-ratelimit-reset-tokens: 0s",
        "cache-control: no-cache",
        "x-accel-buffering: no",
        "access-control-allow-origin: *",
        "access-control-expose-headers: X-Request-ID",
        "x-request-id: " + "i" * 36,
        "connection: keep-alive",
        "transfer-encoding: chunked",
    ]


def test_headers_text_number_list_null_and_made() -> None:
    headers = """{X-N: 7, x-l: [a, 2], openai-version: null, Cache-Control: null, Content-Type: text/x,
               x-c: {$count: 3}, x-m: {$text: '${model}'}}"""
    got = rows(f"reply: a\nhead: {{headers: {headers}}}", ask=Ask(model="gpt"))
    assert got[1] == "Content-Type: text/x"
    for row in ("X-N: 7", "x-l: a", "x-l: 2", "x-c: 3", "x-m: gpt"):
        assert row in got
    assert not [row for row in got if row.lower().startswith(("openai-version", "cache-control"))]


@pytest.mark.parametrize(
    ("head", "first"),
    [
        ("status: 404", "HTTP/1.1 404 Not Found"),
        ("status: 599", "HTTP/1.1 599 "),
        ("reason: Fine", "HTTP/1.1 200 Fine"),
        ('reason: ""', "HTTP/1.1 200 "),
        ('http: "1.0"', "HTTP/1.0 200 OK"),
    ],
)
def test_the_status_line(head: str, first: str) -> None:
    assert rows(f"reply: a\nhead: {{{head}}}")[0] == first


def framing(head: str, ask: Ask = OLD) -> tuple[str, list[str], bool]:
    text = f"stream: [{{raw: abc}}]\nhead: {{{head}}}"
    got = rows(text, ask=ask)
    names = ("connection", "transfer-encoding", "content-length")
    return got[0][:8], [row for row in got if row.startswith(names)], end_of(plan(text, ask=ask)).keep_alive


CHUNKED = "transfer-encoding: chunked"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("", ("HTTP/1.1", ["connection: keep-alive", CHUNKED], True)),
        ("keep_alive: false", ("HTTP/1.1", ["connection: close", CHUNKED], False)),
        ("framing: length", ("HTTP/1.1", ["connection: keep-alive", "content-length: 3"], True)),
        ("framing: length, length: 99", ("HTTP/1.1", ["connection: keep-alive", "content-length: 99"], True)),
        ("framing: length, length: 0", ("HTTP/1.1", ["connection: keep-alive", "content-length: 0"], True)),
        ("framing: close", ("HTTP/1.1", ["connection: close"], False)),
        ("framing: none", ("HTTP/1.1", ["connection: keep-alive"], True)),
        ('http: "1.0"', ("HTTP/1.0", ["connection: close"], False)),
        ('http: "1.0", framing: chunked', ("HTTP/1.0", ["connection: close", CHUNKED], False)),
        ('http: "1.0", framing: length', ("HTTP/1.0", ["connection: close", "content-length: 3"], False)),
    ],
)
def test_framing(head: str, expected: object) -> None:
    assert framing(head, Ask()) == expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("", ("HTTP/1.0", ["connection: close"], False)),
        ("framing: chunked", ("HTTP/1.0", ["connection: close"], False)),
        ("framing: length", ("HTTP/1.0", ["connection: close", "content-length: 3"], False)),
        ('http: "1.1"', ("HTTP/1.1", ["connection: keep-alive", CHUNKED], True)),
    ],
)
def test_framing_for_a_client_of_http_1_0(head: str, expected: object) -> None:
    assert framing(head) == expected


@pytest.mark.parametrize(
    "more",
    [
        "wire: {buffer: all}",
        "wire: {compress: gzip}",
        "wire: {newline: crlf, cut: {size: 1B}}",
        "timing: {keepalive: {every: 1ms, comment: k}}",
    ],
)
def test_a_length_is_of_the_bytes_that_go_out(more: str) -> None:
    text = f"head: {{framing: length}}\n{more}\nstream: [{{raw: abc}}, {{wait: 3ms}}, {{json: 1}}, {{json: 2}}]"
    made = writes(plan(text, filled=True))
    size = sum(len(write.data) for write in made[1:])
    assert f"content-length: {size}" in made[0].data.decode().split("\r\n")


def test_a_length_is_announced_before_anything_breaks_off() -> None:
    for text in ("stream: [{raw: abcdef, keep: {framed: 4B}}]", "stream: [{raw: ab}, {raw: cd}]\nbreak: {at: 1}"):
        assert b"content-length: 4\r\n" in writes(plan(f"head: {{framing: length}}\n{text}"))[0].data
    text = "head: {framing: length}\nrespond: {text: abcd}\nbreak: {at: 50%}"
    assert [write.data[-4:] for write in writes(plan(text))][1:] == [b"ab"]
    assert b"content-length: 4\r\n" in writes(plan(text))[0].data


def test_early_heads_go_at_once() -> None:
    text = "timing: {head: 1s}\nhead: {early: [{status: 103, headers: {link: a}}, {status: 102}]}\nreply: a"
    assert rows(text, index=0) == ["HTTP/1.1 103 Early Hints", "link: a"]
    assert rows(text, index=1) == ["HTTP/1.1 102 Processing"]
    assert [write.due for write in writes(plan(text))][:3] == [0, 0, 10**9]


def test_a_raw_head_replaces_it_all() -> None:
    raw = 'head: {raw: "HTTP/1.1 200 OK\\r\\ncontent-length: 3\\r\\n\\r\\n"}\nstream: [{socket: abc}]'
    assert writes(plan(raw))[0].data == b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n"
    assert plan(raw).status is None
    none = plan('head: {raw: ""}\nstream: [{socket: abc}]')
    assert [write.part for write in writes(none)] == ["socket"]
    assert writes(plan('head: {raw: {$hex: "00"}}\nreply: a'))[0].data == b"\x00"


def test_half_a_character_has_no_place_in_a_head() -> None:
    with pytest.raises(Broken, match="half of a surrogate pair in a head"):
        plan(
            "reply: a\nhead: {early: [{status: 103, headers: {a: {$text: '${last_user}'}}}]}",
            ask=Ask(texts=(("last_user", "\ud83d"),)),
        )


def test_phrase() -> None:
    assert (phrase(503), phrase(999)) == ("Service Unavailable", "")


def test_a_body_without_a_framing_header() -> None:
    assert body("head: {framing: none, headers: {content-length: 3}}\nstream: [{raw: abc}]") == b"abc"


@pytest.mark.parametrize("status", [204, 304])
def test_a_status_without_a_body_is_not_framed_as_if_it_had_one(status: int) -> None:
    made = plan(f"respond: {{status: {status}}}")
    head = rows(f"respond: {{status: {status}}}")
    assert not [row for row in head if row.startswith(("content-type", "transfer-encoding", "content-length"))]
    assert body(f"respond: {{status: {status}}}") == b""
    assert (end_of(made).data, end_of(made).keep_alive) == (b"", True)


def test_a_framing_that_is_written_stands_whatever_the_status() -> None:
    assert "transfer-encoding: chunked" in rows("head: {framing: chunked}\nrespond: {status: 204}")


@pytest.mark.parametrize(
    ("text", "place"),
    [("head: {length: 5}\nreply: Hi", ":1:8:"), ("attempts:\n  - head: {length: 5}\n    reply: Hi", ":2:12:")],
)
def test_a_length_that_nothing_tells_is_an_error(text: str, place: str) -> None:
    with pytest.raises(Broken, match="nothing-to-act-on") as raised:
        plan(text)
    assert place in str(raised.value)
