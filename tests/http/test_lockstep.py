"""In lockstep, each read of the client sees one piece and no more; where the peer does not read, gaps and a note."""

from __future__ import annotations

import asyncio
import socket

import pytest

from fakeserver.engine import Engine
from fakeserver.plan import End, Write
from fakeserver.play import ending, player
from tests.http.stand_ins import HEAD, LAST, Ended, HandMade, frame, post, stream

PIECES = [frame(bytes([byte])) for byte in b"data: one byte a read\n\n" * 20]
LOCKED = stream(*(Write(0, piece, events=1, lockstep=True) for piece in PIECES), End(0, "end", LAST))


@pytest.fixture
def engine():
    return Engine(None, plans=HandMade(locked=LOCKED))


def reads(port: int) -> list[bytes]:
    """Each read of a client that reads as much as it can get."""
    with socket.create_connection(("127.0.0.1", port)) as sock:
        sock.sendall(post("locked"))
        out = []
        while not b"".join(out).endswith(LAST):
            out.append(sock.recv(65536))
        return out


async def test_each_read_sees_one_piece(served, ended):
    got = await asyncio.to_thread(reads, served.port)
    # The head is no piece of the cut: what follows it waits until it has been read all the same.
    assert b"".join(got) == HEAD + b"".join(PIECES) + LAST
    assert got[-len(PIECES) - 1 :] == [*PIECES, LAST]
    assert (await ended.next()).lockstep == ""


async def test_a_reader_that_stops_costs_the_limit_once(engine, start, monkeypatch):
    monkeypatch.setattr(player, "LOCKSTEP_LIMIT", 0.05)
    monkeypatch.setattr(player, "LOCKSTEP_GAP", 1000)
    served, ended = await start(engine), Ended(engine)
    with socket.create_connection(("127.0.0.1", served.port)) as sock:
        sock.sendall(post("locked"))
        record = await ended.next()  # it went on without a single read
        assert record.lockstep == "unavailable (unread)"
        assert record.writes == len(PIECES) + 2
        got = b""
        while len(got) < len(HEAD + b"".join(PIECES) + LAST):
            got += sock.recv(65536)
    assert got == HEAD + b"".join(PIECES) + LAST


async def test_where_the_kernel_cannot_tell_there_are_gaps_and_a_note(engine, start, monkeypatch):
    monkeypatch.setattr(ending, "reach", lambda transport, peer: "acknowledged")
    monkeypatch.setattr(player, "LOCKSTEP_GAP", 1000)
    served, ended = await start(engine), Ended(engine)
    got = await asyncio.to_thread(reads, served.port)
    assert b"".join(got) == HEAD + b"".join(PIECES) + LAST
    assert (await ended.next()).as_dict()["lockstep"] == "unavailable (acknowledged)"
