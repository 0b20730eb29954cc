"""Bytes -> a connection's socket: each piece a send of its own, at once where nothing waits before it.

What the kernel does not take goes to the transport, which waits until it can and tells when it cannot keep up. Beside a
transport's own write this saves half a microsecond a piece, and uvloop's would put the pieces of one turn together.
It must not know moments.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence

from fakeserver.plan.model import Burst
from fakeserver.play.packed import Packed


class Out:
    """The way out for one answer on one connection. `look` ahead of each turn of the loop, then write."""

    __slots__ = ("_fd", "_free", "_joined", "_transport", "_values")

    def __init__(self, transport: asyncio.Transport, values: Sequence[bytes]) -> None:
        self._transport = transport
        self._values, self._joined = values, b"".join(values)
        self._fd = _descriptor(transport)
        self._free = False

    def look(self) -> None:
        """Between two turns what waited may have gone; within one, nobody but us touches the socket."""
        self._free = self._fd >= 0 and not self._transport.get_write_buffer_size()

    def write(self, data: bytes) -> bool:
        """Whether it is with the kernel. If not, the transport may have asked for a pause, or have lost its peer."""
        if self._free:
            try:
                sent = os.write(self._fd, data)
            except OSError:  # the buffer is full, or the peer is gone: the transport finds out which
                sent = 0
            if sent == len(data):
                return True
            self._free, data = False, data[sent:]
        self._transport.write(data)
        return False

    def burst(self, burst: Burst, start: int, stop: int) -> tuple[int, int]:
        """Some of these writes, at least one: how many, and their bytes. Fewer than asked for if the kernel is full."""
        packed = Packed.of(burst, self._values, start == 0)
        if self._free and packed is not None:
            begun, sent = packed.send(self._fd, start, stop - start, self._joined)
            if begun:
                size = packed.ends[start + begun] - packed.ends[start]
                if sent < size:
                    self._free = False
                    self._transport.write(burst.writes[start + begun - 1].said(self._values)[sent - size :])
                return begun, size
        done = size = 0
        for write in burst.writes[start:stop]:
            data = write.said(self._values)
            done, size = done + 1, size + len(data)
            if not self.write(data):
                break
        return done, size


def _descriptor(transport: asyncio.Transport) -> int:
    """-1 where there is none that can be written to: Windows, or a transport that encrypts."""
    sock = transport.get_extra_info("socket")
    if os.name != "posix" or sock is None or transport.get_extra_info("sslcontext") is not None:
        return -1
    return int(sock.fileno())
