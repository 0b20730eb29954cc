"""What leaves by the short way is what the plan says, a send for each of its writes; the transport takes the rest."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakeserver.plan.model import Burst, Hole, Write
from fakeserver.play.out import Out
from fakeserver.play.packed import FEW, Packed

VALUES = (b"first", b"other")
LATER = (b"FIRST", b"OTHER")  # of another request: as long


@contextmanager
def pair(kind: socket.SocketKind = socket.SOCK_STREAM) -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
    with ours, theirs:
        ours.setblocking(False)
        theirs.setblocking(False)
        yield ours, theirs


def said(writes: Sequence[Write], values: Sequence[bytes]) -> list[bytes]:
    """Filled by hand."""
    out = []
    for write in writes:
        data = bytearray(write.data)
        for hole in write.holes:
            data[hole.at : hole.at + hole.stop - hole.start] = values[hole.blank][hole.start : hole.stop]
        out.append(bytes(data))
    return out


@st.composite
def some_writes(draw: st.DrawFn) -> list[Write]:
    writes = []
    for _ in range(draw(st.integers(FEW, 12))):
        data, holes, at = b"", [], 0
        for _ in range(draw(st.integers(0, 3))):
            data += draw(st.binary(min_size=0, max_size=5))
            start, stop = sorted(draw(st.tuples(st.integers(0, 5), st.integers(0, 5))))
            holes.append(Hole(len(data), draw(st.integers(0, 1)), start, stop))
            data += b"_" * (stop - start)
            at = len(data)
        data += draw(st.binary(min_size=0 if at else 1, max_size=9)) or b"."
        writes.append(Write(0, data, holes=tuple(holes)))
    return writes


@given(some_writes(), st.data())
def test_each_write_is_a_send_of_its_own(writes: list[Write], data: st.DataObject) -> None:
    packed = Packed(writes, VALUES)
    start = data.draw(st.integers(0, len(writes) - 1))
    with pair(socket.SOCK_SEQPACKET) as (ours, theirs):  # it keeps the ends of what was sent
        begun, size = packed.send(ours.fileno(), start, len(writes) - start, b"".join(LATER))
        wanted = said(writes, LATER)[start : start + begun]
        assert begun
        assert size == sum(map(len, wanted))
        assert [theirs.recv(1000) for _ in wanted] == wanted


def test_what_the_kernel_takes_in_part_is_told_to_the_byte() -> None:
    writes = [Write(0, bytes([n]) * 30_000) for n in range(20)]
    with pair() as (ours, theirs):
        begun, size = Packed(writes, ()).send(ours.fileno(), 0, 20, b"")
        assert 0 < begun < 20
        assert Packed(writes, ()).send(ours.fileno(), begun, 1, b"") == (0, 0)
        got = b""
        while len(got) < size:
            got += theirs.recv(1 << 20)
        assert got == b"".join(said(writes, ()))[:size]
        with pytest.raises(BlockingIOError):
            theirs.recv(1)


def test_a_peer_that_is_gone_takes_nothing() -> None:
    with pair() as (ours, theirs):
        theirs.close()
        assert Packed([Write(0, b"a")] * FEW, ()).send(ours.fileno(), 0, FEW, b"") == (0, 0)


@pytest.mark.parametrize("size", [3, 50_000])
@pytest.mark.parametrize("plays", [1, 3])
async def test_all_arrives_however_little_the_kernel_takes(size: int, plays: int) -> None:
    writes = tuple(Write(0, b"#####" + bytes([n]) * size, holes=(Hole(0, 0, 0, 5),)) for n in range(30))
    burst = Burst(0, writes)
    loop = asyncio.get_running_loop()
    with pair() as (ours, theirs):
        transport, _ = await loop.create_connection(asyncio.Protocol, sock=ours)
        for play in range(plays):
            values = VALUES if play % 2 else LATER
            reading = asyncio.create_task(read(theirs, sum(len(write.data) for write in writes)))
            out, index = Out(transport, values), 0
            while index < len(writes):
                out.look()
                done, told = out.burst(burst, index, min(index + 8, len(writes)))
                assert told == sum(len(write.data) for write in writes[index : index + done])
                index += done
                await asyncio.sleep(0)
            assert await reading == b"".join(said(writes, values))
        transport.close()
        await asyncio.sleep(0)


async def read(sock: socket.socket, size: int) -> bytes:
    got = b""
    while len(got) < size:
        got += await asyncio.get_running_loop().sock_recv(sock, 65536)
    return got


async def test_what_waits_in_the_transport_goes_first() -> None:
    loop = asyncio.get_running_loop()
    with pair() as (ours, theirs):
        transport, _ = await loop.create_connection(asyncio.Protocol, sock=ours)
        transport.write(b"a" * 1_000_000)
        assert transport.get_write_buffer_size()
        out = Out(transport, ())
        out.look()
        assert not out.write(b"b")
        assert (await read(theirs, 1_000_001)).endswith(b"ab")
        out.look()
        assert out.write(b"c")
        assert theirs.recv(10) == b"c"
        transport.close()
        await asyncio.sleep(0)
