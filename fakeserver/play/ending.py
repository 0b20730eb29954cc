"""The end of a connection, by name: FIN, RST at once, or RST once the peer has everything.

It must not know plans. The waiting here is for the peer, not for a scripted moment, so it runs on the loop's own time
and no script's speed touches it.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

from fakeserver.play.peer import Peer

# How far all that was written has come. "unread": the peer's kernel has it, its application not all of it yet.
# "acknowledged": its kernel has it, and more cannot be known. "read": its application has it. "unknown": nothing can.
Reach = Literal["buffered", "unread", "acknowledged", "read", "unknown"]

_ACKNOWLEDGED_LIMIT = 30.0  # a peer that reads nothing for so long is reset with bytes lost, and the record says so
_READ_LIMIT = 5.0  # no byte is lost after this; only the error's class on the client's side may be another
_GRACE = 0.05  # where the kernel tells nothing
_EAGER = 100  # polls without a pause: a client on this machine needs a few dozen microseconds
_LONGEST = 0.01


def fin(transport: asyncio.Transport) -> None:
    """What is buffered goes out, then FIN. With the request's body left unread it would be a RST: read that first."""
    transport.close()


def reset(transport: asyncio.Transport) -> None:
    """RST, at once. Without SO_LINGER 0 the transport's abort sends a FIN."""
    sock = transport.get_extra_info("socket")
    if sock is not None:
        with suppress(OSError):  # the peer was faster, and the socket is closed
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


def send_buffer(transport: asyncio.Transport, size: int) -> None:
    """A small send buffer, so that a reader who does not read is felt early. The kernel has a least size of its own."""
    sock = transport.get_extra_info("socket")
    if sock is not None:
        with suppress(OSError):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, size)


def reach(transport: asyncio.Transport, peer: Peer) -> Reach:
    """How far the bytes written so far have come."""
    if transport.get_write_buffer_size():
        return "buffered"
    unacked = peer.unacked()
    if unacked is None:
        return "unknown"
    if unacked:
        return "buffered"
    # In this order: what is still under way is not in the peer's queue either, which would look like read.
    unread = peer.unread()
    return "acknowledged" if unread is None else "unread" if unread else "read"


class Delivery:
    """Calls `then` with the reach, once the peer has everything or the limit has passed. Never blocks the loop.

    Linux keeps what lies in a receive queue readable after a RST; what is lost is what lay in the sender's. So
    "unread" is enough for the bytes, and "read" makes the client's error always the same one: some clients report
    a plain end of file when data and RST are seen at once.
    """

    def __init__(
        self,
        look: Callable[[], Reach],
        then: Callable[[Reach], None],
        loop: asyncio.AbstractEventLoop,
        limit: float | None = None,
    ) -> None:
        self._look, self._then, self._loop, self._limit = look, then, loop, limit or _ACKNOWLEDGED_LIMIT
        self._began = self._acknowledged = loop.time()
        self._polls = 0
        self._handle: asyncio.Handle | None = None
        self._over = False

    def begin(self) -> None:
        """Look in the loop's next turn, not at once."""
        self._handle = self._loop.call_soon(self.poll)

    def poll(self) -> None:
        if self._over:
            return
        found = self._look()
        if found in ("read", "acknowledged") or self._out_of_time(found):
            self._over = True
            self._then(found)
        else:
            self._again()

    def cancel(self) -> None:
        self._over = True
        if self._handle is not None:
            self._handle.cancel()

    def _out_of_time(self, found: Reach) -> bool:
        now = self._loop.time()
        if now - self._began > self._limit:
            return True
        if found == "buffered":
            self._acknowledged = now
            return False
        return now - self._acknowledged > (_GRACE if found == "unknown" else _READ_LIMIT)

    def _again(self) -> None:
        self._polls += 1
        if self._polls <= _EAGER:
            self._handle = self._loop.call_soon(self.poll)
        else:
            self._handle = self._loop.call_later(min(_LONGEST, 0.0002 * (self._polls - _EAGER)), self.poll)
