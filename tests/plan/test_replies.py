"""What a reply stands for, for every switch of `script` and for the dialects that ship (section 3; dialects.md B)."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from fakeserver.plan import Ask, script_of
from tests.plan.making import BUILTIN, body, choice, chunks, deltas, library, plan

STREAMS = Path(__file__).parents[1] / "vectors" / "streams"
PIN = "envelope: {id: chatcmpl-FAKE0001, model: gpt-fake-1, service_tier: default, system_fingerprint: fp_fake000001}\n"
ASKED = Ask(model="m", usage=True, prompt_tokens=11)
HELLO = "reply: {say: [Hello, ' there', .]"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("chat_text", "reply: Hello there."),
        ("chat_refusal", "reply: {refuse: [I can't, ' help with that.']}"),
        ("chat_tool_single",
         """reply: {call: {name: get_weather, id: call_fake0001, arguments: ['{"', 'city":"Oslo"}']}}"""),
        ("chat_tool_parallel",
         """reply: {call: [{name: get_weather, id: call_a, arguments: ['{"city":"Oslo"}']},
                          {name: get_weather, id: call_b, arguments: ['{"city":"Bergen"}']}]}"""),
        ("chat_function_call_legacy",
         """reply: {call: {name: get_weather, arguments: ['{}']}}\ndialect: openai-functions"""),
        ("chat_n2", "reply: [{say: A}, {say: B, finish: length}]"),
        ("chat_length", "reply: {say: Once upon, by: whole, finish: length}"),
        ("chat_content_filter", "reply: {say: Well, finish: content_filter}"),
        ("chat_logprobs", """
            stream:
              - {role: assistant, logprobs: {content: [], refusal: null}}
              - say: Hello
                logprobs: {content: [{token: Hello, logprob: -0.12, bytes: [72, 101, 108, 108, 111], top_logprobs: [
                  {token: Hello, logprob: -0.12, bytes: [72, 101, 108, 108, 111]},
                  {token: Hi, logprob: -2.5, bytes: [72, 105]}]}], refusal: null}
              - finish: stop
              - done"""),
    ],
)  # fmt: skip
def test_the_recorded_streams_byte_for_byte(name: str, text: str) -> None:
    assert body(PIN + dedent(text)) == (STREAMS / f"{name}.sse").read_bytes()


def test_a_recorded_stream_with_padding() -> None:
    text = f"{PIN}dialect: openai-obfuscation\n{HELLO}}}"
    made = body(text, ask=ASKED).decode().split("\n\n")
    recorded = (STREAMS / "chat_text_usage.sse").read_text("utf-8").split("\n\n")
    events = [[json.loads(each[6:]) for each in all_of if "{" in each] for all_of in (made, recorded)]
    assert [list(each) for each in events[0][:2]] == [list(each) for each in events[1][:2]]
    assert all(each[-1].pop("obfuscation") for each in events)
    assert events[0][-1] == events[1][-1]


def test_the_recorded_object_in_meaning() -> None:
    expected = json.loads((STREAMS / "chat_nonstream.json").read_text())
    made = json.loads(body(PIN + "reply: Hello there.", ask=Ask(model="m", stream=False, prompt_tokens=11)))
    assert made == {**expected, "service_tier": made["service_tier"], "system_fingerprint": made["system_fingerprint"]}


def said(text: str, ask: Ask = ASKED, **options: Any) -> list[str]:
    """Each event of a stream without its envelope: delta, finish and usage, in one compact line."""
    out = []
    for event in body(text, ask=ask, **options).decode().split("\n\n")[:-1]:
        data = event.removeprefix("data: ")
        if not data.startswith("{"):
            out.append(data)
            continue
        chunk = json.loads(data)
        rest = {key: chunk[key] for key in chunk if key not in ENVELOPE}
        if len(rest.get("choices", [])) == 1:
            [only] = rest.pop("choices")
            finish = {"finish": only["finish_reason"]} if only.get("finish_reason") else {}
            rest = {**only["delta"], **finish, **rest}
        out.append(json.dumps(rest, separators=(",", ":"), ensure_ascii=False))
    return out


ENVELOPE = ("id", "object", "created", "model", "service_tier", "system_fingerprint", "provider", "p", "x_groq")
USAGE = '"usage":{"prompt_tokens":11,"completion_tokens":3,"total_tokens":14}'
FULL = ('"usage":{"prompt_tokens":11,"completion_tokens":3,"total_tokens":14,'
        '"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},'
        '"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,'
        '"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}')  # fmt: skip


def test_usage_is_told_where_it_is_asked_and_null_on_the_others() -> None:
    assert said("reply: Hello there.") == [
        '{"role":"assistant","content":"","refusal":null,"usage":null}',
        '{"content":"Hello","usage":null}', '{"content":" there","usage":null}', '{"content":".","usage":null}',
        '{"finish":"stop","usage":null}', '{"choices":[],' + FULL + "}", "[DONE]",
    ]  # fmt: skip
    assert said("reply: Hi", Ask()) == [
        '{"role":"assistant","content":"","refusal":null}',
        '{"content":"Hi"}',
        '{"finish":"stop"}',
        "[DONE]",
    ]


def test_parts_are_left_out() -> None:
    assert said("reply: {say: Hi, finish: null, usage: null, done: false}")[1:] == ['{"content":"Hi","usage":null}']
    assert said('reply: ""', Ask()) == [
        '{"role":"assistant","content":"","refusal":null}',
        '{"finish":"stop"}',
        "[DONE]",
    ]
    assert said("reply: [{say: a}, {say: b, done: false}]", Ask())[-1] != "[DONE]"


def test_the_order_and_the_cuts() -> None:
    reply = "reply: {call: {name: f, arguments: {a: 1}}, say: Hi you, refuse: no, think: hm hm, by: word}"
    assert [next(iter(each)) for each in deltas(reply)[1:-1]] == [
        "reasoning_content", "reasoning_content", "refusal", "content", "content", "tool_calls", "tool_calls",
    ]  # fmt: skip
    assert chunks(reply)[-1]["choices"][0]["finish_reason"] == "tool_calls"
    assert [each["content"] for each in deltas("reply: {say: [a b, ' c'], by: char}")[1:-1]] == ["a b", " c"]
    assert [each["content"] for each in deltas("reply: {say: a b, by: char}")[1:-1]] == ["a", " ", "b"]


def test_usage_is_counted_in_tokens_however_it_is_cut() -> None:
    def counts(text: str) -> tuple[int, int]:
        usage = chunks(text, ask=ASKED)[-1]["usage"]
        return usage["completion_tokens"], usage["completion_tokens_details"]["reasoning_tokens"]

    assert counts("reply: {say: Hello there., by: char}") == (3, 0)
    assert counts("reply: {think: hm hm, say: [Hel, lo]}") == (3, 2)
    assert counts("reply: {call: {name: f, arguments: {a: 1}}}") == (1 + 7, 0)
    assert counts("reply: {call: [{name: f, arguments: [1, null]}, {name: g}]}") == (1 + 1 + 1, 0)
    assert counts("reply: [a, b c]") == (3, 0)


def test_written_usage_gets_its_total() -> None:
    usage = chunks("reply: {say: a, usage: {prompt_tokens: 1, x: 2, completion_tokens: 3, y: 4}}", ask=ASKED)[-1][
        "usage"
    ]
    assert list(usage.items()) == [
        ("prompt_tokens", 1),
        ("x", 2),
        ("completion_tokens", 3),
        ("total_tokens", 4),
        ("y", 4),
    ]


def test_an_error_takes_the_place_of_finish_and_usage() -> None:
    assert said("reply: {say: a, fail: {message: m}}", Ask())[1:] == ['{"content":"a"}', '{"error":{"message":"m"}}']
    both = said("reply: {say: a, finish: error, fail: m}", Ask())[1:]
    assert both == ['{"content":"a"}', '{"finish":"error","error":"m"}']
    assert said("dialect: openrouter\nreply: {say: a, fail: m}")[-1] == "[DONE]"


def test_choices_take_turns_and_calls_are_pieces_too() -> None:
    made = chunks("reply: [{call: {name: f, arguments: ['{', '}']}}, {think: [x, y]}]")
    assert [each["choices"][0]["index"] for each in made] == [0, 1, 0, 1, 0, 1, 0, 1]
    calls = [each["choices"][0]["delta"] for each in made if each["choices"][0]["index"] == 0]
    assert [call.get("tool_calls", [{}])[0].get("function", {}).get("arguments") for call in calls] == [
        "",
        "{",
        "}",
        None,
    ]
    assert len(deltas("reply: [a]")) == len(deltas("reply: a"))
    null = chunks("reply: [{call: {name: f, arguments: null}}, b]")
    assert null[0]["choices"][0]["delta"]["tool_calls"][0]["function"]["arguments"] is None


def script(said_so: str, text: str, base: str = "", ask: Ask = ASKED) -> list[str]:
    return said(f"dialect: d\n{text}", ask, dialects={"d": f"{base}script: {{{said_so}}}"})


ROLE = '{"role":"assistant","content":"","refusal":null'


@pytest.mark.parametrize(
    ("manner", "ask", "expected"),
    [
        ("usage: asked", Ask(), [ROLE + "}", '{"content":"Hi"}', '{"finish":"stop"}', "[DONE]"]),
        ("usage: always", Ask(), [ROLE + "}", '{"content":"Hi"}', '{"finish":"stop"}', '{"choices":[],%s}', "[DONE]"]),
        ("usage: finish", Ask(), [ROLE + "}", '{"content":"Hi"}', '{"finish":"stop",%s}', "[DONE]"]),
        ("usage: with-choice", Ask(), [ROLE + "}", '{"content":"Hi"}', '{"finish":"stop"}', "{%s}", "[DONE]"]),
        ("usage: always, null_usage: true", Ask(), [
            ROLE + ',"usage":null}', '{"content":"Hi","usage":null}', '{"finish":"stop","usage":null}',
            '{"choices":[],%s}', "[DONE]"]),
        ("usage: always, null_usage: false", ASKED, [
            ROLE + "}", '{"content":"Hi"}', '{"finish":"stop"}', '{"choices":[],%s}', "[DONE]"]),
        ("finish: with-last", Ask(), [ROLE + "}", '{"content":"Hi","finish":"stop"}', "[DONE]"]),
        ("finish: with-last, usage: finish", Ask(), [ROLE + "}", '{"content":"Hi","finish":"stop",%s}', "[DONE]"]),
        ("opening_role: with-text", Ask(),
         ['{"role":"assistant","content":"Hi","refusal":null}', '{"finish":"stop"}', "[DONE]"]),
        ("finish_delta: {content: ''}", Ask(), [
            ROLE + "}", '{"content":"Hi"}', '{"content":"","finish":"stop"}', "[DONE]"]),
        ("done: never", Ask(), [ROLE + "}", '{"content":"Hi"}', '{"finish":"stop"}']),
    ],
)  # fmt: skip
def test_script(manner: str, ask: Ask, expected: list[str]) -> None:
    prompt = ask.prompt_tokens
    usage = f'"usage":{{"prompt_tokens":{prompt},"completion_tokens":1,"total_tokens":{prompt + 1}}}'
    assert script(manner, "reply: Hi", ask=ask) == [each.replace("%s", usage) for each in expected]


def test_running_totals_on_every_chunk() -> None:
    totals = [
        json.loads(each)["usage"]["completion_tokens"]
        for each in script("usage: every", "reply: Hi you.", ask=Ask())[:-1]
    ]
    assert totals == [0, 1, 2, 3, 3]
    call = script("usage: every", "reply: {call: {name: f, arguments: [a, null, b]}}", ask=Ask())[:-1]
    assert [json.loads(each)["usage"]["completion_tokens"] for each in call] == [0, 1, 2, 2, 2, 2]
    assert "usage" not in "".join(script("usage: every", "reply: {say: a, fail: m}", ask=Ask()))


CALL = "reply: {call: {name: f, id: c, arguments: {a: 1}}}"
WHOLE = '"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":"{\\"a\\":1}"}}]'


def test_calls() -> None:
    assert script("calls: whole", CALL, ask=Ask())[1:3] == ["{" + WHOLE + "}", '{"finish":"tool_calls"}']
    assert script("calls: whole-with-finish", CALL, ask=Ask())[1:2] == ["{" + WHOLE + ',"finish":"tool_calls"}']
    text = script("calls: whole-with-finish", "reply: a", ask=Ask())
    assert text[1:3] == ['{"content":"a"}', '{"finish":"stop"}']
    head = '"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":""}}]'
    assert script("calls: fragments", CALL, ask=Ask())[1] == "{" + head + "}"
    assert script("finish: with-last", CALL.replace("{a: 1}", "x"), ask=Ask())[-2].endswith(',"finish":"tool_calls"}')
    assert script("finish: with-last, opening_role: with-text", 'reply: ""', ask=Ask())[:2] == [
        ROLE + "}",
        '{"finish":"stop"}',
    ]


def test_think_tags() -> None:
    tags = {"d": "shape: {reasoning: think-tags}"}
    texts = [each.get("content") for each in deltas("dialect: d\nreply: {think: a b, say: c}", dialects=tags)]
    assert texts[1:-1] == ["<think>a", " b</think>", "c"]
    many = chunks("dialect: d\nreply: [{think: a b, say: c}, d]", dialects=tags)
    assert [each["choices"][0]["delta"].get("content") for each in many if each["choices"][0]["index"] == 0][1:-1] == [
        "<think>a", " b</think>", "c",
    ]  # fmt: skip
    one = deltas("dialect: d\nstream: [{think: a, say: b}, {think: [c, {$text: d}]}]", dialects=tags)
    assert [each["content"] for each in one] == ["<think>a</think>b", "<think>c", "d</think>"]


THREE = "reply: {think: hm, say: Hi you}"


LONE = '"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":""}}]'


def test_where_the_head_of_a_lone_call_stands() -> None:
    assert said(CALL, Ask())[0] == '{"role":"assistant","content":null,' + LONE + ',"refusal":null}'
    assert script("opening_role: alone", CALL, ask=Ask())[:2] == [ROLE + "}", "{" + LONE + "}"]
    assert script("opening_role: with-lone-call", CALL, ask=Ask())[0] == ROLE + "," + LONE + "}"
    assert script("opening_role: with-lone-call", "reply: {say: a, call: {name: f}}", ask=Ask())[0] == ROLE + "}"


def test_what_call_finish_and_ids_say() -> None:
    assert script("call_finish: stop", CALL, ask=Ask())[-2] == '{"finish":"stop"}'
    shape = {"d": "shape: {call_id: '{name}:{index}-{n}', id: 'gen-##-**-??'}"}
    calls = "dialect: d\nreply: {call: [{name: f}, {name: '{n}', index: 7}, {name: g, id: x}]}"
    ids = [each["tool_calls"][0]["id"] for each in deltas(calls, dialects=shape) if "tool_calls" in each]
    assert ids == ["f:0-1", "{n}:7-2", "x"]
    assert re.fullmatch(r"gen-[0-9]{2}-[0-9a-f]{2}-[0-9A-Za-z]{2}", chunks(calls, dialects=shape)[0]["id"])


def test_silence_of_each_channel_for_itself() -> None:
    quiet = {"d": 'shape: {first: {role: assistant}, silent: {content: ""}}\nscript: {finish_delta: {x: 1}}'}
    assert deltas("dialect: d\nreply: {think: a, say: b}", dialects=quiet) == [
        {"role": "assistant"}, {"content": "", "reasoning_content": "a"}, {"content": "b"}, {"x": 1},
    ]  # fmt: skip


def test_reasoning_beside_the_completion() -> None:
    beside = "reasoning_tokens: beside, usage_details: {completion_tokens_details: {reasoning_tokens: 0}}"
    usage = json.loads(script(beside, "reply: {think: hm hm, say: Hi}")[-2])["usage"]
    assert usage == {"prompt_tokens": 11, "completion_tokens": 1, "total_tokens": 14,
                     "completion_tokens_details": {"reasoning_tokens": 2}}  # fmt: skip
    totals = [
        json.loads(each)["usage"] for each in script(f"usage: every, {beside}", "reply: {think: hm hm, say: Hi}")[:-1]
    ]
    assert [each["completion_tokens"] for each in totals] == [0, 0, 0, 1, 1]
    assert [each["total_tokens"] for each in totals] == [11, 12, 13, 14, 14]


def test_running_totals_where_they_are_asked() -> None:
    assert "usage" not in "".join(script("usage: every-asked", "reply: Hi", ask=Ask()))
    assert all("usage" in each for each in script("usage: every-asked", "reply: Hi")[:-1])


def test_padding() -> None:
    padded = {"d": "base: openai\nshape: {padding: obfuscation}"}
    text = "dialect: d\nreply: Hello there, how are you?"
    events = [each for each in body(text, dialects=padded).split(b"\n\n") if b"{" in each]
    assert {len(each) % 32 for each in events} == {len(b"data: ")}
    assert [next(reversed(json.loads(each[6:]))) for each in events] == ["obfuscation"] * len(events)
    assert len({json.loads(each[6:])["obfuscation"] for each in events}) > 4
    assert body(text, dialects=padded) == body(text, dialects=padded)
    assert b"obfuscation" not in body(text, ask=Ask(padding=False), dialects=padded)


def test_an_order_of_keys() -> None:
    order = {"d": "shape: {keys: {chunk: [choices, x], choice: [delta], delta: [content], call: [function], "
                  "usage: [total_tokens]}}\npatch: [{set: {/x: 1}}]"}  # fmt: skip
    step = "{role: a, say: b, call: {name: f}, usage: {prompt_tokens: 1, completion_tokens: 1}}"
    text = body(f"dialect: d\nstream: [{step}]", dialects=order).decode()
    made = json.loads(text[6:])
    assert list(made) == ["choices", "x", "id", "object", "created", "model", "usage"]
    [said_first] = made["choices"]
    assert list(said_first)[:2] == ["delta", "index"]
    assert list(said_first["delta"])[:2] == ["content", "role"]
    assert next(iter(said_first["delta"]["tool_calls"][0])) == "function"
    assert list(made["usage"]) == ["total_tokens", "prompt_tokens", "completion_tokens"]
    assert body("dialect: d\nstream: [{json: {a: 1, choices: 2}}, {json: 1}]", dialects=order).startswith(
        b'data: {"a":1'
    )
    odd = "dialect: d\nstream: [{chunk: {choices: [1, {delta: {tool_calls: [2]}}, {delta: 3}], usage: 4}}, {fail: m}]"
    assert b'"choices":[1,{"delta":{"tool_calls":[2]}},{"delta":3}]' in body(odd, dialects=order)


@pytest.mark.parametrize("name", sorted(BUILTIN.dialects))
def test_the_steps_of_a_reply_say_the_same_bytes(name: str) -> None:
    for reply in (THREE, CALL, "reply: {say: a, fail: {message: m}}", "reply: a"):
        text = f"dialect: {name}\n{reply}"
        steps = script_of(library(), choice(text), 0, Ask(model="m"))
        again = f"dialect: {name}\nstream: {json.dumps(steps)}"
        assert body(again) == body(text)
    assert script_of(library(), choice("respond: server-error"), 0, Ask()) is None
    assert script_of(library(), choice("stream: [{say: a}, done]"), 0, Ask()) == [{"say": "a"}, "done"]
    asked = script_of(library(), choice("reply: a"), 0, ASKED)
    assert asked is not None
    assert asked[1] == {"say": "a", "set": {"/usage": None}}
    assert plan("reply: a")


def test_a_very_long_text_is_made_in_a_time_that_grows_with_it() -> None:
    text = "word " * 200_000
    began = time.monotonic()
    for stream in (True, False):
        plan('reply: {say: {$text: "${last_user}"}}', ask=Ask(model="m", stream=stream, texts=(("last_user", text),)))
    assert time.monotonic() - began < 10  # it took minutes when each piece was added to all before it
