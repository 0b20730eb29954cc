import pytest

from fakeserver.script.layers import KeepAlive
from fakeserver.script.loader import load_text
from fakeserver.script.made import Counted, Template
from fakeserver.script.scenario import AttemptsScenario, ReplyScenario, StreamScenario
from fakeserver.script.steps import Call, CutInside, DoneStep, ResetStep, Speech


def body(text, kind="scenario"):
    entry, document = load_text(text, "f.yaml", kind)
    assert entry is not None, document.problems
    return entry.body


def test_a_verb_may_stand_bare_or_without_a_value():
    for text in ("done", "{done: }", "{done: null}"):
        assert isinstance(body(f"stream: [{text}]").stream[0], DoneStep)


def test_reset_knows_now():
    assert [step.reset for step in body("stream: [{reset: now}]").stream] == ["now"]
    assert isinstance(body("stream: [reset]").stream[0], ResetStep)


def test_what_a_speech_step_holds():
    (step,) = body("stream: [{say: [a, {$count: 1}], finish: null, every: 20ms, set: {/a: {$text: x}}}]").stream
    assert isinstance(step, Speech)
    assert step.say[0] == "a"
    assert isinstance(step.say[1], Counted)
    assert step.finish is None
    assert step.has("finish")
    assert not step.has("usage")
    assert step.every == 20_000_000
    assert isinstance(step.set["/a"], Template)


def test_the_keys_of_a_call_are_known_from_those_left_out():
    (step,) = body('stream: [{call: {id: null, name: ""}}]').stream
    assert isinstance(step.call, Call)
    assert step.call.model_fields_set == {"id", "name"}


def test_the_order_of_maps_is_kept():
    (event,) = body("stream: [{event: {retry: 1, data: x, id: null}}]").stream
    assert list(event.event) == ["retry", "data", "id"]
    assert list(body("envelope: {z: 1, a: 2}\nreply: x").envelope) == ["z", "a"]


def test_headers_are_texts_numbers_lists_or_left_out():
    headers = body("reply: x\nhead: {headers: {a: 1, b: x, c: [1, y], d: null}}").head.headers
    assert headers == {"a": 1, "b": "x", "c": (1, "y"), "d": None}


def test_layers():
    made = body(
        "reply: x\nbreak: {at: 50%, plus: 3B, with: reset}\nwire: {space: '\t', indent: 2, buffer: 200ms,"
        " cut: {inside: frame-end, gap: 5ms, framed: true}, compress: {with: gzip, flip: 12B}}\n"
        "timing: {keepalive: {every: 15s, event: {data: x}}}\npatch: [{only: [first, -1], remove: [a]}]"
    )
    assert (made.break_.at, made.break_.plus, made.break_.with_) == ("50%", 3, "reset")
    assert (made.wire.space, made.wire.indent, made.wire.buffer) == ("\t", 2, "200ms")
    assert isinstance(made.wire.cut, CutInside)
    assert (made.wire.cut.gap, made.wire.cut.lockstep, made.wire.cut.framed) == (5_000_000, False, True)
    assert (made.wire.compress.with_, made.wire.compress.flip) == ("gzip", 12)
    assert isinstance(made.timing.keepalive, KeepAlive)
    assert made.patch[0].only == ("first", -1)


def test_the_kind_of_a_scenario_is_its_body():
    assert isinstance(body("reply: [a, {say: b}]"), ReplyScenario)
    assert isinstance(body("stream: []"), StreamScenario)
    attempts = body("attempts: [{reply: a, form: sse}, {respond: {status: 503}}]\nthen: again")
    assert isinstance(attempts, AttemptsScenario)
    assert attempts.attempts[0].form == "sse"
    assert attempts.attempts[1].respond.status == 503


def test_expectations_as_plain_data():
    assert body("reply: a").expects == ()
    assert body("reply: a\nexpect: {content: x, finish_reason: null}").expects == (
        {"content": "x", "finish_reason": None},
    )
    two = body("reply: a\nexpect: [{choices: [{content: x}]}, {error: null}]").expects
    assert two == ({"choices": [{"content": "x"}]}, {"error": None})


@pytest.mark.parametrize(
    "when",
    ["{model: 'gpt-*', stream: true}", "{tools: [a, b], turn: 2..}", "[{turn: 1}, {system: {contains: a, matches: b}}]",
     "{tools: true, header: {a: x, b: {equals: y}}, body: {/a/0: {x: 1}, '': null}}"],
)  # fmt: skip
def test_rules(when):
    assert body(f"when: {when}\nreply: a").when
