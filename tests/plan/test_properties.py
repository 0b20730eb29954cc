"""What holds for every scenario, however it is cut, buffered, compressed, paced or repeated."""

from __future__ import annotations

import json
import tracemalloc
from itertools import islice, pairwise
from typing import Any

from httpx_sse._decoders import SSEDecoder
from hypothesis import given, settings
from hypothesis import strategies as st

from fakeserver.plan import Ask, Broken, Burst, Choice, End, Gate, Plan, Write, compile_plan, filled, payload
from fakeserver.plan.coders import inflated
from fakeserver.script.loader import Entry, load_text
from tests.plan.making import ASK, library, plan, writes
from tests.wire import KEY, received, wire_bytes

LIBRARY = library()
pick, one, maybe, maps = st.sampled_from, st.one_of, st.none, st.fixed_dictionaries
texts = st.text(pick('aé🌍\n\r \\"x'), max_size=6)
some = {"min_size": 1, "max_size": 2}
durations = pick(["0ms", "1ms", "7ms", "1s"])
pieces = one(texts, st.lists(texts, min_size=1, max_size=3))
choices = st.integers(0, 1)
leaves = maybe() | st.booleans() | st.integers(-9, 9) | texts
json_values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=2), max_leaves=3)
json_maps = st.dictionaries(texts, json_values, max_size=2)
newlines = pick(["lf", "crlf", "cr"])
keeps = pick(["3B", "-1B", {"inside": "utf8"}, {"framed": "9B"}])
made = pick(
    [
        {"$count": 1},
        {"$text": "${count} ${so_far}${last_user}"},
        {"$time": "0s", "as": "epoch"},
        {"$hex": "ff"},
        {"$fill": "é", "size": "9B"},
        {"$copy": "/id"},
    ]
)
cuts = pick(
    [
        "whole",
        {"size": "1B"},
        {"size": "7B", "gap": "3ms"},
        {"at": [1, 9]},
        {"inside": "utf8"},
        {"inside": "crlf"},
        {"inside": "json-escape"},
        {"inside": "blank-line"},
        {"size": "5B", "framed": True},
        {"inside": "frame-size", "framed": True},
        {"inside": "frame-end", "framed": True, "lockstep": True},
    ]
)
calls = maps({}, optional={"name": pick(["f", ""]), "index": st.integers(0, 3), "id": json_values, "arguments": pieces})
usages = st.dictionaries(pick(["prompt_tokens", "completion_tokens"]), st.integers(0, 9))
speech = one(
    maps({"say": pieces | made}, optional={"every": durations, "by": pick(["token", "char", "word"])}),
    maps({"think": pieces}, optional={"choice": choices, "logprobs": json_values}),
    maps({"refuse": texts, "role": st.just("assistant")}),
    maps({"call": calls | st.lists(calls, **some)}),  # type: ignore[arg-type]
    maps({"finish": pick(["stop", None])}, optional={"choice": choices}),
    maps({"usage": usages}),
    maps({"fail": json_values}),
    maps({"delta": json_maps}),
)
others = one(
    maps({"json": json_values | made}, optional={"keep": keeps, "set": st.just({"/a/b": 1, "c": 2})}),
    maps({"chunk": json_maps}),
    maps({"comment": texts}, optional={"newline": newlines}),
    maps({"event": st.dictionaries(pick(["data", "event", "id"]), json_values | made, min_size=1)}),
    maps({"raw": texts | made}, optional={"cut": cuts, "keep": keeps}),
    st.just({"socket": ""}),
    st.just("done"),
)
stops = one(maps({"wait": durations}), st.just({"gate": "g"}))
events = speech | others
together = maps({"together": st.lists(events, **some)})  # type: ignore[arg-type]
repeats = maps({"repeat": st.lists(events | stops, **some), "times": st.integers(0, 3)})  # type: ignore[arg-type]
steps = st.lists(events | stops | together | repeats, max_size=5)
ends = pick([[], [], ["end"], ["close"], ["reset"], [{"reset": "now"}], ["hang"]])
keepalives = st.just({"every": "5ms", "comment": "k"})
paces = {"head": durations, "first": durations, "every": durations, "jitter": durations}
timings = maps({}, optional={**paces, "keepalive": keepalives})
edits = maps(
    {"only": pick(["all", "first", "last", "rest", -1, 2, "2..", "content", "call-rest", "done"])},
    optional={
        "set": st.just({"/x": {"$text": "${so_far}"}, "delta/tool_calls/0/id": {"$copy": "/id"}}),
        "remove": st.just(["/x", "index"]),
        "drop": st.just(True),
        "fields": st.just({"id": {"$count": 1}, "data": None}),
        "keep": keeps,
        "cut": cuts,
    },
).filter(lambda edit: len(edit) > 1)
breaks = maps(
    {"at": pick([0, 1, 3, "50%", "done", "content"])},
    optional={"plus": st.just("4B"), "with": pick(["end", "close", "reset", "hang"])},
)
layouts = maps(
    {},
    optional={
        "newline": newlines,
        "indent": st.integers(0, 2),
        "bom": st.booleans(),
        "escape": pick(["utf8", "ascii"]),
    },
)
heads = maps({}, optional={"framing": pick(["chunked", "close", "length"])})
dialects = pick(sorted(LIBRARY.dialects))
buffers = pick(["none", "all", "20B", "4ms"])
replies = maps(
    {"say": pieces | made, "think": texts},
    optional={"call": calls, "fail": json_values, "by": pick(["token", "word", "char", "whole"])},
)
bodies = one(
    st.builds(lambda steps, end: {"stream": steps + end}, steps, ends),
    st.builds(lambda reply: {"reply": reply}, replies | st.lists(replies, **some)),  # type: ignore[arg-type]
    st.builds(lambda name: {"respond": name}, pick(["server-error", "bad-gateway", {"text": "é"}, {"json": [1]}])),
)
scenarios = st.builds(
    lambda body, **layers: {**body, **{key: value for key, value in layers.items() if value}},
    bodies,
    dialect=dialects,
    timing=timings,
    head=heads,
    wire=layouts,
)
ASKS = st.sampled_from([ASK, Ask("m", False, False, "1.1", 3, (("last_user", "é"),)), Ask("m", True, True, "1.0", 3)])


def entry(scenario: dict[str, Any], kind: Any = "scenario") -> Entry | None:
    return load_text(json.dumps(scenario), "case.yaml", kind, "case")[0]


def compiled(scenario: dict[str, Any], ask: Ask = ASK, **overlay: Any) -> Plan | None:
    """The plan; None where the scenario is no valid one, or has no plan."""
    found, laid = entry(scenario), entry(overlay, "overlay")
    if found is None or laid is None:
        return None
    try:
        made = compile_plan(LIBRARY, Choice("case", found, (laid,)), 0, ask)
    except Broken as broken:
        assert 1 <= broken.problem.line <= len(found.text.split("\n"))  # noqa: PT017  # where none is raised it is as right
        assert 1 <= broken.problem.column <= len(found.text) + 1  # noqa: PT017
        return None
    return made


def decoded(body: bytes) -> list[tuple[str, str, str]]:
    decoder = SSEDecoder()
    lines = body.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    events = [event for line in lines if (event := decoder.decode(line)) is not None]
    return [(event.event, event.data, event.id) for event in events]


@settings(max_examples=250, deadline=None)
@given(scenarios, ASKS, st.lists(edits, max_size=2), st.none() | breaks, cuts, buffers)
def test_any_scenario_has_a_plan_or_a_problem_with_its_place(
    scenario: dict[str, Any], ask: Ask, patch: list[Any], broken: Any, cut: Any, buffer: str
) -> None:
    wire, end = {"cut": cut, "buffer": buffer}, {"break": broken} if broken else {}
    compiled({**scenario, "patch": patch, "wire": {**scenario.get("wire", {}), **wire}, **end}, ask)  # strict
    made = compiled(scenario, ask, patch=patch, wire=wire, **end)
    if made is not None:
        check(made)


def check(made: Plan) -> None:
    """The shape that every plan has."""
    actions = list(made)
    assert list(made) == actions
    assert [type(action) for action in actions if isinstance(action, End)] == [End]
    assert isinstance(actions[-1], End)
    at, events = 0, 0
    for action in actions:
        for each in action.writes if isinstance(action, Burst) else (action,):
            assert each.due >= at
            at = each.due
            if isinstance(each, Write) and each.part != "head":
                assert each.data
                events = max(events, each.events)
        if isinstance(action, Burst):
            assert len({write.due for write in action.writes}) == 1
        if isinstance(action, Gate):
            at = 0
    values = filled(made.blanks, KEY)
    for empty, full in zip(writes(made), writes(made.actions(values))):
        assert len(empty.data) == len(full.data)
        assert full.holes == ()


@settings(max_examples=100, deadline=None)
@given(scenarios, cuts, buffers)
def test_cuts_and_buffers_change_no_byte_of_the_body(scenario: dict[str, Any], cut: Any, buffer: str) -> None:
    clean = {"break": {"at": "100%", "with": "end"}}
    plain, other = compiled(scenario, **clean), compiled(scenario, wire={"cut": cut, "buffer": buffer}, **clean)
    written = json.dumps(scenario)
    # The gaps of a cut lengthen events, and so change which silences are long enough for a keep-alive.
    if plain is None or other is None or "framed" in written or "keepalive" in written:
        return
    body = received(plain).body
    assert received(other).body == body
    assert decoded(received(other).body) == decoded(body)


@settings(max_examples=60, deadline=None)
@given(scenarios, st.sampled_from(["gzip", "deflate"]), st.sampled_from(["event", "never"]), cuts, buffers)
def test_compression_is_undone(scenario: dict[str, Any], coding: str, flush: str, cut: Any, buffer: str) -> None:
    clean = {"break": {"at": "100%", "with": "end"}}
    plain = compiled(scenario, **clean)
    packed = compiled(
        scenario, wire={"cut": cut, "buffer": buffer, "compress": {"with": coding, "flush": flush}}, **clean
    )
    if plain is None or packed is None or plain.blanks or "framed" in json.dumps(scenario) + json.dumps(cut):
        return
    assert inflated(received(packed).body, None)[0] == received(plain).body


@settings(max_examples=100, deadline=None)
@given(scenarios)
def test_the_payload_is_the_body_behind_the_framing(scenario: dict[str, Any]) -> None:
    made, found = compiled(scenario), entry(scenario)
    if made is None or found is None or "framed" in json.dumps(scenario):
        return

    def fill(blank: Any) -> bytes:
        return filled([blank], KEY)[0]

    sent = payload(LIBRARY, Choice("case", found), 0, ASK, fill)
    assert b"".join(sent) == received(made).body


@settings(max_examples=60, deadline=None)
@given(scenarios, timings, timings)
def test_pace_never_changes_the_order_of_bytes(scenario: dict[str, Any], one: Any, two: Any) -> None:
    slow, fast = (compiled(scenario, timing={**timing, "keepalive": "none"}) for timing in (one, two))
    if slow is not None and fast is not None:
        assert wire_bytes(slow) == wire_bytes(fast)


def test_a_million_steps_are_lazy() -> None:
    text = """
      timing: {every: 1ms}
      patch: [{only: 2.., set: {/n: {$count: 1}}}]
      stream: [{repeat: [{say: a}, {comment: b}], times: 1000000}, done]
    """
    tracemalloc.start()
    made = plan(text)
    first = list(islice(made, 2000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert callable(made.source)
    assert list(islice(made, 2000)) == first
    assert peak < 32 * 2**20
    values = filled(made.blanks, KEY)
    assert all(b"?" * 38 not in write.data for write in writes(islice(made.actions(values), 100)))


def test_each_pass_over_a_lazy_plan_is_the_same() -> None:
    made = plan("timing: {every: 1ms, jitter: 1ms}\nstream: [{repeat: [{say: {$count: 1}}], times: 5000}]")
    assert list(made) == list(made)
    gaps = {b.due - a.due for a, b in pairwise(writes(made)[1:])}
    assert len(gaps) > 1000
