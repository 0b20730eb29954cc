"""Which answer a request gets, from real scenarios: choosing, counting, refusing, ids. No socket, no clock."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import h11
import pytest

from fakeserver.engine import Engine
from fakeserver.engine.asking import as_text, ask_of
from fakeserver.match.facts import Facts, Fault
from fakeserver.match.route import route_of
from fakeserver.match.validate import Request, read_request
from fakeserver.plan import Plan, Unknown
from fakeserver.play.gates import Released
from fakeserver.play.notes import Ending
from fakeserver.script.library import load

NOW = 1_770_000_000_123_456_789
CHAT = "/v1/chat/completions"

SCENARIOS = {
    "hello": "reply: Hello there.\n",
    "other": "reply: Something else.\n",
    "turns": "attempts: [{respond: {error: rate-limited}}, {reply: First.}, {reply: Second.}]\n",
    "again": "attempts: [{reply: A}, {reply: B}]\nthen: again\n",
    "fails": "attempts: [{reply: A}]\nthen: fail\n",
    "retries": "attempts: [{reply: A}, {reply: B}]\nattempts_by: retry-count\n",
    "echoes": 'reply: {say: {$text: "${last_user}!"}}\n',
    "dated": "respond: {error: rate-limited, headers: {retry-after: {$time: 60s, as: http-date}}}\n",
    "squeezed": "reply: Hello.\nwire: {compress: gzip}\n",
    "overlays/late": "timing: {first: 1s}\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder: Path = tmp_path_factory.mktemp("scenarios")
    for name, text in SCENARIOS.items():
        file = folder / f"{name}.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    library = load([folder])
    assert library.errors == ()
    return library


@pytest.fixture
def engine(library):
    return Engine(library)


def facts(
    model: str = "hello", path: str = CHAT, *, method: str = "POST", headers: dict[str, str] | None = None, **body: Any
) -> Facts:
    asked = {"model": model, "stream": True, "messages": [{"role": "user", "content": "Hello"}], **body}
    return Facts(method, path, route_of(path), headers or {}, json.dumps(asked).encode())


def played(answer) -> bytes:
    """All that the answer writes, its holes filled."""
    actions = list(answer.plan.actions(answer.values))
    return b"".join(write.data for write in Plan(tuple(actions)).writes()) + actions[-1].data


def status(answer) -> int:
    return int(played(answer).split(b" ", 2)[1])


def body(answer) -> bytes:
    """The body of the answer, unframed by h11."""
    client = h11.Connection(h11.CLIENT)
    client.send(h11.Request(method="GET", target="/", headers=[("host", "x")]))
    client.send(h11.EndOfMessage())
    client.receive_data(played(answer))
    client.receive_data(b"")
    return b"".join(bytes(event.data) for event in _events(client) if isinstance(event, h11.Data))


def _events(client: h11.Connection) -> list[Any]:
    events = []
    while not events or not isinstance(events[-1], h11.EndOfMessage):
        events.append(client.next_event())
    return events


def error(answer) -> dict[str, Any]:
    return json.loads(body(answer))["error"]


def said(answer) -> str:
    """The text of the answer, by a reader that knows nothing of ours."""
    events = [line[6:] for line in played(answer).split(b"\n") if line.startswith(b"data: {")]
    deltas = (choice["delta"] for event in events for choice in json.loads(event)["choices"])
    return "".join(delta.get("content") or "" for delta in deltas)


# Choosing.


@pytest.mark.parametrize(
    ("asked", "scenario", "why"),
    [
        (facts("hello"), "hello", "model"),
        (facts("hello+late"), "hello+late", "model"),
        (facts("gpt-4", headers={"x-fakeserver-scenario": "other"}), "other", "header x-fakeserver-scenario"),
        (facts("hello", headers={"x-fakeserver-scenario": "other"}), "other", "header x-fakeserver-scenario"),
        (facts("hello", f"/scenario/other{CHAT}", headers={"x-fakeserver-scenario": "hello"}), "other", "base URL"),
        (facts("gpt-4", f"/session/a/scenario/other+late{CHAT}"), "other+late", "base URL"),
    ],
)
def test_base_url_then_header_then_model(engine, asked, scenario, why):
    answer = engine.answer(asked, NOW)
    chosen = answer.record.chosen
    assert (chosen.scenario, chosen.why, chosen.attempt, chosen.status) == (scenario, why, 1, 200)
    assert said(answer) == ("Something else." if scenario.startswith("other") else "Hello there.")


def test_a_miss_is_a_404_that_names_what_is_near(engine):
    answer = engine.answer(facts("helo"), NOW)
    told = error(answer)
    assert (status(answer), told["code"]) == (404, "model_not_found")
    assert "`helo`" in told["message"]
    assert "hello" in told["message"].partition(".")[2]
    assert answer.record.chosen.why == "no such scenario"


@pytest.mark.parametrize("where", ["url", "header", "overlay"])
def test_a_wrong_name_is_a_404_in_spite_of_a_fallback(library, where):
    engine = Engine(library, fallback="other")
    asked = {
        "url": facts("hello", f"/scenario/nope{CHAT}"),
        "header": facts("hello", headers={"x-fakeserver-scenario": "nope"}),
        "overlay": facts("hello", f"/scenario/hello+nope{CHAT}"),
    }[where]
    answer = engine.answer(asked, NOW)
    assert status(answer) == 404
    assert "'nope'" in error(answer)["message"]


def test_an_unknown_model_falls_through_to_the_fallback(library):
    answer = Engine(library, fallback="other").answer(facts("gpt-4"), NOW)
    assert (said(answer), answer.record.chosen.why) == ("Something else.", "fallback")
    assert b'"model":"gpt-4"' in played(answer)
    with pytest.raises(Unknown):
        Engine(library, fallback="nope")


# Counting.


def turns_of(engine: Engine, *asked: Facts) -> list[Any]:
    answers = [engine.answer(one, NOW) for one in asked]
    return [said(answer) if status(answer) == 200 else status(answer) for answer in answers]


def test_attempts_count_in_each_session_and_scenario(engine):
    one, two = facts("turns"), facts("turns", f"/session/two{CHAT}")
    assert turns_of(engine, one, two, one, facts("hello"), one, facts("turns+late"), two) == [
        429, 429, "First.", "Hello there.", "Second.", "Second.", "First.",
    ]  # fmt: skip
    assert [record.chosen.attempt for record in engine.journal] == [1, 1, 2, 1, 3, 4, 2]


def test_what_follows_the_last_attempt(engine):
    assert turns_of(engine, *[facts("again")] * 4) == ["A", "B", "A", "B"]
    assert turns_of(engine, *[facts("fails")] * 2) == ["A", 500]


def test_attempts_by_the_sdks_own_count(engine):
    def at(count: str) -> Facts:
        return facts("retries", headers={"x-stainless-retry-count": count})

    assert turns_of(engine, at("1"), at("0"), at("1"), at("7"), at("x"), facts("retries")) == [
        "B",
        "A",
        "B",
        "B",
        "A",
        "A",
    ]


def test_a_refused_request_uses_no_attempt_up(engine):
    assert turns_of(engine, facts("turns", messages=[]), facts("turns")) == [400, 429]


# Ids.


def test_ids_are_distinct_and_the_same_in_every_run(library):
    def ids(engine: Engine) -> list[bytes]:
        answers = [
            engine.answer(asked, NOW) for asked in (facts(), facts(), facts("other"), facts(path=f"/session/b{CHAT}"))
        ]
        return [
            next(line for line in played(answer).split(b'"') if line.startswith(b"chatcmpl-")) for answer in answers
        ]

    first = ids(Engine(library))
    assert len(set(first)) == 4
    assert {len(each) for each in first} == {len("chatcmpl-") + 29}
    assert first == ids(Engine(library))


def test_the_plan_is_shared_and_its_values_are_not(engine):
    first, second = engine.answer(facts(), NOW), engine.answer(facts(), NOW)
    assert first.plan is second.plan
    assert first.values != second.values


def test_other_routes_do_not_move_the_count(library):
    other = Engine(library)
    for asked in (facts(method="GET", path="/v1/models"), facts(method="GET"), facts(method="OPTIONS")):
        other.answer(asked, NOW)
    assert other.answer(facts(), NOW).values == Engine(library).answer(facts(), NOW).values


def test_every_answer_has_a_request_id(engine):
    asked = [facts(), facts("nope"), facts(messages=[]), facts(path="/v1/foo"), facts(method="GET", path="/v1/models")]
    heads = [played(engine.answer(one, NOW)).partition(b"\r\n\r\n")[0].split(b"\r\n") for one in asked * 2]
    ids = [row for head in heads for row in head if row.startswith(b"x-request-id: req_")]
    assert len(set(ids)) == 10


def test_times_count_from_the_request(engine):
    head = played(engine.answer(facts("dated"), NOW))
    assert b"retry-after: Mon, 02 Feb 2026 02:41:0" in head


def test_compressed_answers_are_made_for_each_request(engine):
    first, second = (gzip.decompress(body(engine.answer(facts("squeezed"), NOW))) for _ in range(2))
    assert first != second
    assert b"chatcmpl-" in first
    assert b"?" not in first


# What the plan may see.


def test_templates_see_the_last_user_message(engine):
    messages = [{"role": "user", "content": "one"}, {"role": "assistant", "content": "two"}]
    parts = [{"type": "text", "text": "fo"}, {"type": "image_url", "image_url": {}}, {"type": "text", "text": "ur"}]
    assert said(engine.answer(facts("echoes", messages=messages), NOW)) == "one!"
    assert (
        said(engine.answer(facts("echoes", messages=[*messages, {"role": "user", "content": parts}]), NOW)) == "four!"
    )


def test_what_an_ask_holds():
    request = read_request(
        json.dumps(
            {"model": "m", "messages": [{"role": "user", "content": "Hello there"}], "a": {"b/c": [1, {"d": None}]}}
        ).encode()
    )
    assert isinstance(request, Request)
    needs = {"last_user", "request./a/b~1c/1", "request./a/b~1c/9", "request./model", "request./a/b~1c/1/d"}
    ask = ask_of(request, facts().http, needs, 7)
    assert dict(ask.texts) == {
        "last_user": "Hello there",
        "request./a/b~1c/1": '{"d":null}',
        "request./a/b~1c/9": "",
        "request./model": "m",
        "request./a/b~1c/1/d": "null",
    }
    assert (ask.number, ask.prompt_tokens, ask.stream, ask.usage, ask.http) == (0, 2, False, False, "1.1")
    streamed = Request({**request.body}, "m", True, False)
    assert ask_of(streamed, facts().http, {"number"}, 7).number == 7
    assert [ask_of(streamed, facts().http, needs, 1).prompt_tokens for needs in ((), ("prompt_tokens",))] == [0, 2]


@pytest.mark.parametrize(
    ("value", "text"), [("a", "a"), ([], "[]"), ([1, "é"], '[1,"é"]'), ({"a": 1}, '{"a":1}'), (True, "true")]
)
def test_values_as_text(value, text):
    assert as_text(value) == text


# Refusing.


@pytest.mark.parametrize(
    ("asked", "code", "message"),
    [
        (facts(model=""), 400, "you must provide a model parameter"),
        (facts(messages=[{"role": "x", "content": ""}]), 400, "Invalid value: 'x'."),
        (facts(stream=False, stream_options={}), 400, "The 'stream_options' parameter is only allowed when 'stream'"),
        (Facts("POST", CHAT, route_of(CHAT), {}, b"{"), 400, "We could not parse the JSON body of your request."),
        (Facts("POST", CHAT, route_of(CHAT), {}, fault=Fault("too-large")), 413, ""),
        (facts(path="/v1/foo"), 404, "Invalid URL (POST /v1/foo)"),
        (facts(method="GET"), 405, f"Not allowed to GET on {CHAT}."),
    ],
)
def test_refusals_are_as_the_real_apis(engine, asked, code, message):
    answer = engine.answer(asked, NOW)
    told = error(answer)
    assert (status(answer), answer.record.chosen.status) == (code, code)
    assert told["message"].startswith(message)
    assert list(told) == ["message", "type", "param", "code"]
    head = played(answer).partition(b"\r\n\r\n")[0].lower()
    assert b"access-control-allow-origin: *" in head
    assert (b"\r\nallow: post, options" in head) == (code == 405)


def test_keys(library):
    engine = Engine(library, api_key="k1")
    assert status(engine.answer(facts(), NOW)) == 401
    assert error(engine.answer(facts(headers={"authorization": "Bearer nope"}), NOW))["code"] == "invalid_api_key"
    assert status(engine.answer(facts(headers={"authorization": "Bearer k1"}), NOW)) == 200
    assert status(engine.answer(facts(method="GET", path="/v1/models"), NOW)) == 401
    assert status(engine.answer(facts(method="OPTIONS"), NOW)) == 204


def test_a_scenario_that_cannot_be_played_is_a_500_that_says_where(tmp_path):
    (tmp_path / "later.yaml").write_text("protocol: responses\nreply: Hello.\n")
    answer = Engine(load([tmp_path])).answer(facts("later"), NOW)
    told = error(answer)
    assert (status(answer), told["type"]) == (500, "server_error")
    assert "later.yaml:1:" in told["message"]
    assert answer.record.chosen.scenario == "later"


# Models, preflight, what is no request.


def test_models(engine):
    listed = json.loads(body(engine.answer(facts(method="GET", path="/v1/models"), NOW)))
    assert listed["object"] == "list"
    assert listed["data"][0] == {"id": "again", "object": "model", "created": 1770000000, "owned_by": "fakeserver"}
    assert status(engine.answer(facts(method="GET", path="/v1/models/hello+late"), NOW)) == 200
    miss = engine.answer(facts(method="GET", path="/v1/models/helo"), NOW)
    assert (status(miss), error(miss)["code"]) == (404, "model_not_found")
    head = engine.answer(facts(method="HEAD", path="/v1/models"), NOW)
    assert played(head).endswith(b"\r\n\r\n")


def test_preflight(engine):
    wanted = {"access-control-request-headers": "authorization, x-a"}
    text = played(engine.answer(facts(method="OPTIONS", headers=wanted), NOW)).decode()
    assert text.startswith("HTTP/1.1 204 No Content\r\n")
    assert "access-control-allow-headers: authorization, x-a\r\n" in text
    assert "content-length" not in text


def test_what_is_no_request(engine):
    answer = engine.unreadable(400, "Bad status line", NOW)
    assert (status(answer), error(answer)["type"]) == (400, "invalid_request_error")
    assert b"connection: close" in played(answer)


# Sessions.


def test_gates_belong_to_a_session(engine):
    answer = engine.answer(facts(path=f"/session/a{CHAT}"), NOW)
    gone = []
    answer.gates.arrive("half", lambda onward: gone.append(1))
    assert engine.release("default", "half") == Released(0, True)
    assert engine.release("a", "half") == Released(1, False)
    assert gone == [1]


def test_a_session_is_busy_until_its_answers_have_ended(engine):
    answers = [engine.answer(facts(path=f"/session/a{CHAT}"), NOW) for _ in range(2)]
    session = engine.sessions.get("a", NOW)
    assert len(session.playing) == 2
    for answer in answers:
        answer.record.ended(Ending("complete", 0))
    assert session.idle
