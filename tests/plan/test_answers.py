"""Answers of one body: `respond`, and the object in place of a stream (section 3)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fakeserver.plan import Ask, Broken, Gate
from tests.plan.making import BUILTIN, body, dues, plan, writes
from tests.wire import received

WHOLE = Ask(model="m", stream=False, prompt_tokens=2)


def answer(text: str, *overlays: str, ask: Ask = WHOLE, **options: Any) -> tuple[int | None, str | None, Any]:
    got = received(plan(text, *overlays, ask=ask, **options))
    return got.status, got.content_type, json.loads(got.body)


STATUSES = {
    "bad-request": 400, "missing-model": 400, "missing-messages": 400, "empty-messages": 400, "bad-role": 400,
    "unknown-parameter": 400, "stream-options": 400, "bad-json": 400, "context-length-exceeded": 400,
    "content-filter": 400, "no-api-key": 401, "bad-api-key": 401, "forbidden-region": 403, "model-not-found": 404,
    "not-found": 404, "wrong-method": 405, "conflict": 409, "too-large": 413, "unprocessable": 422, "rate-limited": 429,
    "quota-exceeded": 429, "server-error": 500, "overloaded": 503,
}  # fmt: skip


@pytest.mark.parametrize(("name", "status"), STATUSES.items())
def test_each_error_by_name(name: str, status: int) -> None:
    got, kind, said = answer(f"respond: {name}")
    assert (got, kind) == (status, "application/json")
    assert list(said["error"]) == ["message", "type", "param", "code"] if name != "unprocessable" else "detail" in said


@pytest.mark.parametrize(("name", "status"), [("bad-gateway", 502), ("gateway-timeout", 504)])
def test_the_errors_of_a_proxy_are_html(name: str, status: int) -> None:
    got = received(plan(f"respond: {name}"))
    assert (got.status, got.content_type) == (status, "text/html; charset=UTF-8")
    assert got.body.startswith(b"<html>\r\n")


def test_every_error_has_a_test() -> None:
    assert set(BUILTIN.dialects["openai"].body.errors) == {*STATUSES, "bad-gateway", "gateway-timeout"}


def test_respond_wins_over_head_and_the_error_key_by_key() -> None:
    head = "head: {status: 201, reason: Fine, headers: {x-a: 1, Retry-After: 3}}\n"
    text = head + "respond: {error: rate-limited, status: 599, reason: '', headers: {RETRY-AFTER: 9, x-b: 2}}"
    rows = writes(plan(text))[0].data.split(b"\r\n")
    assert rows[0] == b"HTTP/1.1 599 "
    assert [row for row in rows if row.lower().startswith((b"retry-after", b"x-a:", b"x-b:"))] == [
        b"x-a: 1", b"RETRY-AFTER: 9", b"x-b: 2",
    ]  # fmt: skip
    assert writes(plan(head + "respond: {json: 1}"))[0].data.startswith(b"HTTP/1.1 201 Fine\r\n")


def test_json_is_indented_as_the_api_does_it() -> None:
    assert body("respond: {json: {a: [1]}}") == b'{\n  "a": [\n    1\n  ]\n}'
    assert body("respond: {json: {a: 1}}\nwire: {indent: 0}") == b'{"a":1}'
    assert body("respond: {json: é}\nwire: {escape: ascii}") == b'"\\u00e9"'
    assert body("respond: {json: {t: {$time: 0s, as: epoch}}}\nwire: {indent: 0}") == b'{"t":1770000000}'


def test_text_is_plain_text_and_json_null_is_a_body() -> None:
    got = received(plan("respond: {text: Sorry, status: 503}"))
    assert (got.content_type, got.body) == ("text/plain; charset=utf-8", b"Sorry")
    assert received(plan("respond: {text: x, headers: {Content-Type: text/x}}")).content_type == "text/x"
    assert received(plan("respond: {error: server-error, text: x}")).body == b"x"
    assert received(plan("respond: {error: bad-gateway, json: null}")).body == b"null"
    assert received(plan("respond: {status: 204}")).body == b""


def test_an_unknown_error_has_its_place() -> None:
    for text, place in (("respond: rate-limitd", (1, 1)), ("respond: {error: rate-limitd}", (1, 11))):
        with pytest.raises(Broken, match="did you mean 'rate-limited'") as caught:
            plan(text)
        assert (caught.value.problem.line, caught.value.problem.column) == place


def test_the_moment_is_head_and_first_and_gates_hold_it() -> None:
    timing = "timing: {head: 1s, first: 2s, every: 1s}\n"
    assert dues(timing + "respond: server-error") == [3000]
    assert dues(timing + "reply: a b c", ask=WHOLE) == [3000]
    held = list(plan(timing + "stream: [{say: a}, {gate: g}, {gate: h}, {finish: stop}]", ask=WHOLE))
    assert held[1:3] == [Gate(10**9, "g"), Gate(0, "h")]
    assert dues(timing + "stream: [{say: a}, {gate: g}, {finish: stop}]", ask=WHOLE) == [0]


def test_the_object_that_a_client_would_have_put_together() -> None:
    text = "reply: {think: hm, say: Hi, call: {name: f, arguments: {a: 1}}}"
    status, kind, said = answer("envelope: {id: x, extra: 1}\n" + text)
    assert (status, kind) == (200, "application/json")
    [choice] = said["choices"]
    assert choice["message"]["tool_calls"] == [
        {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}}
    ]
    assert (choice["message"]["content"], choice["finish_reason"], said["id"], said["extra"]) == (
        "Hi",
        "tool_calls",
        "x",
        1,
    )
    assert said["usage"]["prompt_tokens"] == 2
    assert said["usage"]["completion_tokens"] == 10
    assert answer("reply: a")[2]["id"].startswith("chatcmpl-")


def test_edits_of_chunks_are_in_it() -> None:
    assert (
        answer("reply: a\npatch: [{only: content, set: {delta/content: b}}]")[2]["choices"][0]["message"]["content"]
        == "b"
    )


def test_form_says_which() -> None:
    assert answer("form: json\nreply: a", ask=Ask())[2]["choices"][0]["message"]["content"] == "a"
    assert body("form: sse\nreply: a", ask=WHOLE).startswith(b"data: ")


def test_a_stream_read_as_failed_is_a_500() -> None:
    assert answer("reply: {say: a, fail: {message: m, code: c}}")[::2] == (
        500,
        {"error": {"message": "m", "code": "c"}},
    )
    assert answer("stream: [{say: a}, {fail: boom}]")[::2] == (500, {"error": {"message": "boom"}})
    assert answer("stream: [{say: a, finish: error}]")[::2] == (500, {"error": {"message": "failed"}})


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ("{raw: x}", "scripts below the chunk (raw)"),
        ("{socket: x}", "scripts below the chunk (socket)"),
        ("{event: {data: x}}", "scripts below the chunk (event)"),
        ("{json: {}}", "scripts below the chunk (json)"),
        ("{repeat: [{together: [{raw: x}]}], times: 2}", "scripts below the chunk (raw)"),
        ("{say: a, finish: stop, keep: 4B}", "scripts below the chunk (keep)"),
        ("{say: a, finish: stop, cut: {size: 1B}}", "scripts below the chunk (cut)"),
        ("{say: a, finish: stop, fields: {id: 1}}", "scripts below the chunk (fields)"),
        ("{say: a}, done", "has no finish reason"),
        ("{say: a}, {finish: null}", "has no finish reason"),
        ("", "has no finish reason"),
    ],
)
def test_a_stream_that_has_no_object_says_so_with_400(steps: str, why: str) -> None:
    status, _, said = answer(f"stream: [{steps}]")
    assert status == 400
    assert why in said["error"]["message"]
    assert "form: sse" in said["error"]["message"]


def test_a_chunk_with_a_finish_reason_is_enough() -> None:
    text = "stream: [{chunk: {choices: [{index: 0, delta: {content: a}, finish_reason: stop}]}}, {comment: c}]"
    assert answer(text)[2]["choices"][0]["message"]["content"] == "a"
    assert answer("reply: {say: a, finish: null}")[2]["choices"][0]["finish_reason"] is None


def test_head_cut_compress_and_buffer_apply() -> None:
    text = "head: {status: 201}\nwire: {compress: gzip, buffer: all, cut: {size: 9B}}\nreply: a"
    assert answer(text, filled=True)[0] == 201
    assert len(dues(text, ask=WHOLE, filled=True)) > 3
    assert answer("wire: {cut: {inside: data-prefix}}\nreply: a")[0] == 200


def test_half_a_character_is_no_body() -> None:
    half = Ask(stream=False, texts=(("last_user", "\ud83d"),))
    with pytest.raises(Broken, match="half of a surrogate pair"):
        plan('reply: {say: {$text: "${last_user}"}}', ask=half)
    assert answer('reply: {say: {$text: "${last_user}"}}\nwire: {escape: ascii}', ask=half)[0] == 200
