"""The 98 replies that were served to real clients, each beside the scenario that says the same, event by event.

Left out on both sides: id, created, model, the spacing of JSON, and what the openai dialect sends where the recordings
are bare (service_tier, system_fingerprint, logprobs and refusal that are null). Read by a few lines of this file and
h11; nothing of ours that writes takes part.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fakeserver.plan import Ask, Write, choose, compile_plan
from fakeserver.plan.model import Burst
from fakeserver.script.library import load
from tests.wire import received

Json = Any
RECORDINGS = json.loads((Path(__file__).parents[1] / "vectors" / "cases.json").read_text("utf-8"))
LIBRARY = load()
UNREADABLE = "an object that is broken or unfinished"
ENDS = {"clean": "clean", "hang": "open", "rst": "reset", "abort": "close"}


@dataclass(frozen=True)
class Same:
    """The scenario that says the same as a recording. Each difference that is meant is told in `because`."""

    scenario: str
    keep: tuple[str, ...] = ()  # keys of the envelope that are the point of it
    opening: bool = False  # the recording has no chunk for the role, and no role beside a call
    types: bool = False  # the recording repeats `type: function` on each fragment of a call
    lines: bool = True  # whether an event has as many data lines
    writes: bool = True  # whether each write holds the same
    body: bool = True  # whether the body of an answer in one piece is the same
    because: str = ""


def call(scenario: str, because: str = "") -> Same:
    """Recordings of calls are bare: no role at all, and `type` on each fragment."""
    return Same(scenario, opening=True, types=True, because=because)


TABLE: Mapping[str, Same] = {
    # whole answers, and their bytes
    "baseline": Same("role-only-on-first-chunk"),
    "usage-chunk": Same("usage-only-final-chunk"),
    "utf8-one-byte": Same("utf8-split-across-reads"),
    "crlf": Same("crlf-line-ends"),
    "crlf-one-byte": Same("crlf-split-between-cr-and-lf", writes=False, because="cut between CR and LF only"),
    "cr-only": Same("cr-only-line-ends"),
    "bom": Same("bom-at-stream-start", writes=False, because="the mark goes out with the first event"),
    "nospace": Same("data-without-space"),
    "multiline-data": Same("multi-line-data", lines=False, because="every chunk has many lines, not one chunk two"),
    "u2028": Same("unicode-line-separators"),
    "single-newline": Same("single-newline-between-events"),
    "surrogate": Same("surrogate-pair-split-over-two-deltas"),
    "nul-escape": Same("nul-in-content"),
    "nul-raw": Same("nul-in-content.raw"),
    "bad-utf8": Same("invalid-utf8-bytes"),
    "big-200k": Same("line-over-128k-512k-1m.128k"),
    "big-1m": Same("line-over-128k-512k-1m"),
    "invalid-json": Same("malformed-json-event"),
    "eof-mid-event-clean": Same("eof-inside-an-event"),
    "no-final-blank": Same("eof-without-final-blank-line"),
    "no-final-nl": Same("eof-without-final-blank-line.no-newline"),
    # comments, keep-alives and the other fields
    "comment": Same("comment-keepalive"),
    "data-comment": Same("keepalive-sent-as-data"),
    "retry-only": Same("retry-or-id-only-event"),
    "empty-data": Same("empty-data-event"),
    "event-ping-json": Same("event-ping-named"),
    "event-ping-text": Same("event-ping-named.text"),
    "event-message": Same("id-and-event-lines-present.event"),
    # the end
    "done-space": Same("done-with-trailing-space"),
    "done-missing": Same("done-missing-clean-close"),
    "done-twice": Same("done-before-usage-or-more-data.twice"),
    "after-done": Same("done-before-usage-or-more-data.text"),
    "done-hang": Same("done-then-body-stays-open"),
    "rst-mid": Same("rst-mid-stream"),
    "eof-mid-chunked": Same("incomplete-chunked-read"),
    "no-finish-clean": Same("clean-eof-mid-answer"),
    "cl-short": Same("content-length-too-long"),
    "stall": Same("stall-mid-stream"),
    "empty-200": Same("empty-200-stream"),
    "only-done": Same("empty-200-stream.done"),
    "fr-empty-string": Same("finish-empty-string"),
    "fr-eos": Same("finish-nonstandard-value"),
    "fr-with-content": Same("finish-with-last-content"),
    "content-after-fr": Same("content-after-finish"),
    "fr-key-missing": Same("finish-key-absent-on-deltas", opening=True),
    # errors
    "err-object": Same("error-object-mid-stream"),
    "err-string": Same("error-as-string"),
    "err-openrouter": Same("error-with-finish_reason-error"),
    "err-empty-choices": Same("error-with-empty-choices"),
    "err-choice-level": Same("error-inside-choice"),
    "err-event-name": Same("event-error-named"),
    "err-event-toplevel": Same("event-error-top-level-fields"),
    "err-message-only": Same("error-object-mid-stream.flat"),
    "r429": Same("429-retry-after-seconds-ignored", body=False, because="the body is the real API's, the delay is 2 s"),
    # other answers than a stream
    "json-body": Same("json-body-for-stream-request", because="the recording lacks usage and annotations"),
    "json-error-200": Same("json-error-with-status-200"),
    "html-200": Same("html-page-instead-of-stream"),
    "no-ct": Same("content-type-odd"),
    "text-plain": Same("content-type-odd.text-plain"),
    # choices, deltas and envelopes
    "azure-first": Same("azure-prompt-filter-first-chunk"),
    "azure-offsets": Same("azure-content-filter-offsets-chunk"),
    "delta-null": Same("delta-null"),
    "choices-null": Same("choices-null-or-missing"),
    "choices-missing": Same("choices-null-or-missing.missing"),
    "role-empty": Same("role-empty-string"),
    "role-null": Same("role-null-after-first"),
    "role-every": Same("role-repeated-every-chunk"),
    "content-array": Same("content-as-array-of-parts"),
    "tool-calls-empty": Same("empty-tool_calls-array-on-text"),
    "tool-calls-null": Same("null-tool_calls-on-text"),
    "message-not-delta": Same("message-instead-of-delta"),
    "created-float": Same("created-float", keep=("created",)),
    "created-str": Same("created-milliseconds-or-string.string", keep=("created",)),
    "id-null": Same("id-empty-or-missing", keep=("id",)),
    "id-int": Same("id-empty-or-missing.number", keep=("id",)),
    "obj-missing": Same("object-or-model-missing", keep=("model",)),
    # usage
    "usage-empty-obj": Same("usage-empty-object"),
    "usage-partial": Same("usage-partial-on-first-chunk"),
    "usage-null-fields": Same("usage-null-counts"),
    "usage-every": Same("usage-cumulative-on-every-chunk"),
    # refusal and reasoning
    "refusal": Same("refusal-deltas"),
    "reasoning": Same("reasoning-field-name"),
    # calls
    "tool-normal": call("tool-call"),
    "tool-no-index": call("tool-index-missing"),
    "tool-index-null": call("tool-index-null"),
    "tool-index-1": call("tool-index-starts-at-1-or-sparse"),
    "tool-same-index": call("tool-parallel-all-index-0"),
    "tool-id-repeat": call("tool-id-repeated"),
    "tool-name-repeat": call("tool-name-repeated"),
    "tool-id-empty": call("tool-id-empty-on-continuation"),
    "tool-name-empty-cont": call("tool-name-empty-on-continuation"),
    "tool-name-late": call("tool-name-after-arguments"),
    "tool-name-split": call("tool-name-in-pieces"),
    "tool-args-object": call("tool-arguments-object"),
    "tool-args-null": call("tool-arguments-null"),
    "tool-one-chunk-with-fr": Same("tool-call-and-finish-in-one-chunk"),
    "tool-fr-stop": call("tool-finish-stop"),
    "tool-interleaved": call("tool-interleaved-fragments"),
}
SIZES = "big-200k", "big-1m"  # of these only the length was kept


@dataclass(frozen=True)
class Reply:
    """A reply, recorded or compiled."""

    status: int
    content_type: str | None
    headers: Mapping[str, str]
    body: bytes
    end: str
    writes: tuple[bytes, ...]


@cache
def recorded(name: str) -> Reply:
    found = RECORDINGS[name]
    pieces = [base64.b64decode(piece) for piece in found["writes_base64"] or ()]
    writes = [bytes([byte]) for byte in b"".join(pieces)] if found["bytes_per_write"] == 1 else pieces
    headers = dict([found["headers"].lower().split(": ")]) if found["headers"] else {}
    if found["content_length"] is not None:
        headers["content-length"] = str(found["content_length"])
    return Reply(
        status=int(found["status"].split()[0]),
        content_type=found["content_type"],
        headers=headers,
        body=b"".join(pieces),
        end=ENDS[found["end"]],
        writes=tuple(writes),
    )


@cache
def compiled(name: str) -> Reply:
    plan = compile_plan(LIBRARY, choose(LIBRARY, name), 0, Ask(model="m"))
    got = received(plan)
    writes = [write for action in plan for write in (action.writes if isinstance(action, Burst) else [action])
              if isinstance(write, Write)]  # fmt: skip
    head = b"".join(write.data for write in writes if write.part == "head").decode("latin-1")
    headers = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if line)
    framed = headers.get("transfer-encoding") == "chunked"
    pieces = [
        write.data.split(b"\r\n", 1)[1][:-2] if framed else write.data for write in writes if write.part == "body"
    ]
    assert got.status is not None
    return Reply(got.status, got.content_type, headers, got.body, got.end, tuple(pieces))


@dataclass(frozen=True)
class Event:
    """One event: its data as JSON where it is that, all its other fields, and how its lines end."""

    data: Json
    fields: tuple[tuple[str, str], ...]  # in their order; of data fields only what stands before the value
    ends: frozenset[str]
    closed: str  # the end of the blank line


def events(body: bytes, same: Same) -> list[Event]:
    parts = re.split("(\r\n|\n|\r)", body.decode("utf-8", "surrogateescape"))
    lines = list(zip(parts[::2], [*parts[1::2], ""]))
    found: list[Event] = []
    held: list[tuple[str, str]] = []
    for line, end in lines:
        if line:
            held.append((line, end))
        elif held:
            found.append(event(held, end, same))
            held = []
    return found + ([event(held, "", same)] if held else [])


def event(lines: list[tuple[str, str]], closed: str, same: Same) -> Event:
    fields, data = [], []
    for line, _ in lines:
        ((name, space, value),) = re.findall(r"\A(.*?:)( ?)(.*)\Z", line, re.DOTALL)
        if name.lstrip("\ufeff") == "data:":
            fields.append((name, space))
            data.append(value)
        else:
            fields.append((name, space + value))
    if not same.lines:
        fields = list(dict.fromkeys(fields))
    return Event(meant("\n".join(data), same), tuple(fields), frozenset(end for _, end in lines), closed)


def meant(data: str, same: Same) -> Json:
    try:
        found = json.loads(data)
    except ValueError:
        return UNREADABLE if data.startswith('{"') else data
    return cleaned(found, same)


def cleaned(found: Json, same: Same) -> Json:
    """A chunk without what no two replies have in common, or what only one of the two servers sends."""
    if not isinstance(found, dict):
        return found
    left_out = {"id", "created", "model", "service_tier", "system_fingerprint"} - set(same.keep)
    out = {key: part for key, part in found.items() if key not in left_out}
    if isinstance(out.get("choices"), list):
        out["choices"] = [choice(each, same) for each in out["choices"]]
    return out


def choice(found: dict[str, Json], same: Same) -> Json:
    out = {key: part for key, part in found.items() if (key, part) != ("logprobs", None)}
    for key in ("delta", "message"):
        if isinstance(out.get(key), dict):
            out[key] = said({name: part for name, part in out[key].items() if (name, part) != ("refusal", None)}, same)
    return out


def said(delta: dict[str, Json], same: Same) -> Json:
    if same.opening and "role" in delta:
        delta = {key: part for key, part in delta.items() if key != "role" and not (key == "content" and not part)}
    if same.types and "tool_calls" in delta:
        calls = [{key: part for key, part in each.items() if key != "type"} for each in delta["tool_calls"]]
        delta = {**delta, "tool_calls": calls}
    return delta


def silent(found: Event) -> bool:
    """A chunk that says nothing at all, once its role is gone."""
    choices = found.data.get("choices") if isinstance(found.data, dict) else None
    return bool(choices) and all(not each.get("delta", True) and not each.get("finish_reason") for each in choices)


def told(body: bytes, same: Same) -> list[Event]:
    found = events(body, same)
    return [each for each in found if not silent(each)] if same.opening else found


def test_every_recording_has_its_scenario() -> None:
    assert set(TABLE) == set(RECORDINGS)
    assert len(TABLE) == 98
    assert [same.scenario for same in TABLE.values() if same.scenario not in LIBRARY.scenarios] == []


@pytest.mark.parametrize("name", TABLE)
def test_the_head_is_the_same(name: str) -> None:
    then, now = recorded(name), compiled(TABLE[name].scenario)
    assert now.status == then.status
    assert (now.content_type or "").split(";")[0] == (then.content_type or "")
    if TABLE[name].body:
        assert {key: now.headers.get(key) for key in then.headers} == then.headers
    else:
        assert then.headers.keys() <= now.headers.keys()


@pytest.mark.parametrize("name", TABLE)
def test_the_end_is_the_same(name: str) -> None:
    assert compiled(TABLE[name].scenario).end == recorded(name).end


@pytest.mark.parametrize("name", [name for name in TABLE if name not in SIZES])
def test_the_body_is_the_same(name: str) -> None:
    same = TABLE[name]
    then, now = recorded(name), compiled(same.scenario)
    kind = (then.content_type or "").split("/")[-1]
    if kind == "json" and same.body:
        got, had = cleaned(json.loads(now.body), same), cleaned(json.loads(then.body), same)
        if same.because:
            got = {key: got[key] for key in had}
            got["choices"][0]["message"].pop("annotations", None)
        assert got == had
    elif kind == "html":
        assert now.body == then.body
    elif same.body:
        assert told(now.body, same) == told(then.body, same)


@pytest.mark.parametrize("name", SIZES)
def test_a_long_line_is_as_long(name: str) -> None:
    bare = RECORDINGS["utf8-one-byte"]["body_length"] - len("你好🌍".encode())  # the same four events around the text
    found = [each.data for each in events(compiled(TABLE[name].scenario).body, TABLE[name])]
    text = "".join(chunk["choices"][0]["delta"].get("content", "") for chunk in found if isinstance(chunk, dict))
    assert len(text) == RECORDINGS[name]["body_length"] - bare


@pytest.mark.parametrize("name", [name for name, same in TABLE.items() if same.writes and name not in SIZES])
def test_the_writes_hold_the_same(name: str) -> None:
    """One byte each, or one event each."""
    then, now = recorded(name), compiled(TABLE[name].scenario)
    assert sum(map(len, now.writes)) == len(now.body)  # ids are filled in only when a plan is played
    if RECORDINGS[name]["bytes_per_write"] == 1:
        assert {len(write) for write in now.writes} == {1}
    elif (then.content_type or "").startswith("text/event-stream"):
        whole = [told(write, TABLE[name]) for write in now.writes]
        assert [each for each in whole if each] == [each for write in then.writes if (each := told(write, TABLE[name]))]
