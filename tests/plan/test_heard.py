"""What a client hears of a plan is what h11 reads of its bytes."""

from __future__ import annotations

import pytest

from fakeserver.plan import Ask, End, Plan, Write, choose, compile_plan, heard, turns
from fakeserver.plan.heard import listened
from fakeserver.script.library import Library
from fakeserver.speech.reading import Received
from tests.plan.making import plan
from tests.plan.test_expectations import ALL, LATER
from tests.wire import KEY, filled, received


@pytest.mark.parametrize(("which", "library", "name"), ALL, ids=[f"{which}/{name}" for which, _, name in ALL])
def test_of_every_scenario(which: str, library: Library, name: str) -> None:
    found = choose(library, name)
    if found.scenario.body.protocol in LATER:
        return
    for turn in range(turns(found).count):
        made = compile_plan(library, found, turn, Ask(model=name), lambda blank: filled([blank], KEY)[0])  # type: ignore[arg-type]
        ours, theirs = listened(made), received(made)
        if theirs.status is not None:
            assert (ours.status, ours.content_type, ours.broken) == (theirs.status, theirs.content_type, theirs.broken)
            assert ours.body.startswith(theirs.body) or theirs.end != "clean"
            assert ours.end == theirs.end or "short" in (ours.end, theirs.end)


def raw(data: bytes, kind: str = "end", last: bytes = b"", keep_alive: bool = True) -> Received:
    return listened(Plan((Write(0, data), End(0, kind, last, keep_alive))))  # type: ignore[arg-type]


HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("data", "kind", "status", "body", "end"),
    [
        (b"", "hang", None, b"", "open"),
        (b"rubbish\r\n\r\n", "close", None, b"", "clean"),
        (HEAD + b"a: b", "reset", None, b"", "reset"),
        (b"HTTP/1.1 103 Early\r\n\r\n" + HEAD + b"content-length: 1\r\n\r\nx", "hang", 200, b"x", "clean"),
        (HEAD + b"content-length: 3\r\n\r\nx", "close", 200, b"x", "close"),
        (HEAD + b"content-length: 3\r\n\r\nx", "end", 200, b"x", "short"),
        (HEAD + b"content-length: 1\r\n\r\nxyz", "end", 200, b"x", "clean"),
        (HEAD + b"\r\nx", "close", 200, b"x", "clean"),
        (HEAD + b"\r\nx", "reset", 200, b"x", "reset"),
        (CHUNKED + b"1\r\nx\r\n0\r\n\r\n", "end", 200, b"x", "clean"),
        (CHUNKED + b"1;a=b\r\nx\r\n", "close", 200, b"x", "close"),
        (CHUNKED + b"1\r\nx\r\n0\r\n", "reset-now", 200, b"x", "reset"),
        (CHUNKED + b"1\r\nxy\r\n0\r\n\r\n", "end", 200, b"x", "short"),
        (CHUNKED + b"zz\r\nx", "end", 200, b"", "short"),
    ],
)
def test_of_bytes(data: bytes, kind: str, status: int | None, body: bytes, end: str) -> None:
    got = raw(data, kind)
    assert (got.status, got.body, got.end) == (status, body, end)


def test_a_body_that_fin_ends() -> None:
    assert raw(HEAD + b"\r\nx", "end", keep_alive=False).end == "clean"
    assert raw(HEAD + b"\r\nx", "end", keep_alive=True).end == "short"


def test_compressed() -> None:
    text = "wire: {compress: {with: gzip, keep: 9B}}\nreply: a"
    assert listened(plan(text, filled=True)).broken
    whole = choose(ALL[0][1], ALL[0][2])
    assert isinstance(heard(ALL[0][1], whole, 0, Ask()), Received)
