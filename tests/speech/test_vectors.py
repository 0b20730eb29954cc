"""Every recorded reply and stream, against the readings that were written down for it by hand."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from fakeserver.speech.accumulator import read, readings
from fakeserver.speech.expect import matches
from fakeserver.speech.reading import Ended, Reading, Received

VECTORS = Path(__file__).parent.parent / "vectors"
CASES: dict[str, dict[str, Any]] = json.loads((VECTORS / "cases.json").read_text("utf-8"))
STREAMS = {path.name: path for path in (VECTORS / "streams").iterdir()}
OUTCOMES = yaml.safe_load((VECTORS / "outcomes.yaml").read_text("utf-8"))
ENDS: dict[str, Ended] = {"clean": "clean", "hang": "open", "abort": "close", "rst": "reset"}
SILENT = {"content": "", "refusal": "", "reasoning": "", "tool_calls": [], "finish_reason": None, "usage": None}


def body_of(name: str) -> bytes:
    case = CASES[name]
    if case["writes_base64"] is not None:
        return b"".join(map(base64.b64decode, case["writes_base64"]))
    # The two long replies are described, not recorded: the same stream with one long word.
    short = body_of("utf8-one-byte")
    word = "你好🌍".encode()
    body = short.replace(word, b"x" * (case["body_length"] - len(short) + len(word)))
    assert body.decode().startswith(case["preview"])
    return body


def reply(name: str) -> Received:
    case = CASES[name]
    body = body_of(name)
    assert len(body) == case["body_length"]
    end = ENDS[case["end"]]
    if case["content_length"] is not None and len(body) < case["content_length"]:
        end = "short"
    return Received(int(case["status"].split()[0]), case["content_type"], body, end)


def stream(name: str) -> Received:
    kind = "text/event-stream; charset=utf-8" if name.endswith(".sse") else "application/json"
    return Received(200, kind, STREAMS[name].read_bytes())


def disagreements(expected: dict[str, Any], reading: Reading) -> list[str]:
    error = expected.get("error")
    told = {key: value for key, value in expected.items() if key != "error" or value != "any"}
    silent = {key: value for key, value in SILENT.items() if key != "content" or "content_size" not in expected}
    missing = ["no error"] if error is not None and reading.error is None else []
    return missing + matches({"error": None, **silent, **told} if error is None else {**silent, **told}, reading)


def check(expected: list[dict[str, Any]], received: Received) -> None:
    found = readings(received)
    assert [disagreements(*pair) for pair in zip(expected, found)] == [[] for _ in expected]
    assert len(found) == len(expected), found[len(expected) :]
    assert read(received) == found[0]


@pytest.mark.parametrize("name", CASES)
def test_reply(name: str) -> None:
    check(OUTCOMES["replies"][name]["read"], reply(name))


@pytest.mark.parametrize("name", sorted(STREAMS))
def test_stream(name: str) -> None:
    check(OUTCOMES["streams"][name]["read"], stream(name))


def test_nothing_is_left_out() -> None:
    assert OUTCOMES["replies"].keys() == CASES.keys()
    assert OUTCOMES["streams"].keys() == STREAMS.keys()
    assert len(CASES) == 98


def test_every_outcome_is_there() -> None:
    rows = [row for part in OUTCOMES.values() for entry in part.values() for row in entry["read"]]
    assert {row["outcome"] for row in rows} == {"complete", "refused", "truncated", "failed"}
