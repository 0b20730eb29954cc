"""A burst's writes -> the kernel's own arrays, so that several sends cost one call: sendmmsg(2), on Linux.

Each write stays a send of its own, with an end of its own on the wire; what is saved is the way there and back. The
arrays are made once a burst and hold no request's values: those are copied in ahead of each call.
It must not know transports or clocks.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, chain

from fakeserver.plan.model import Burst, Write

_DONTWAIT, _NOSIGNAL = 0x40, 0x4000  # <bits/socket.h>


class _Iovec(ctypes.Structure):
    """<bits/types/struct_iovec.h>"""

    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


class _Header(ctypes.Structure):
    """`struct msghdr` of <bits/socket.h>."""

    _fields_ = [
        ("name", ctypes.c_void_p),
        ("name_length", ctypes.c_uint32),
        ("vector", ctypes.c_void_p),
        ("vector_length", ctypes.c_size_t),
        ("control", ctypes.c_void_p),
        ("control_length", ctypes.c_size_t),
        ("flags", ctypes.c_int),
    ]


class _Message(ctypes.Structure):
    """`struct mmsghdr`: the kernel says in `sent` how many bytes it has taken."""

    _fields_ = [("header", _Header), ("sent", ctypes.c_uint)]


_SIZE = ctypes.sizeof(_Message)
Piece = tuple[int, int, int]  # from which of the two memories, from where, how many bytes


def _sendmmsg() -> Callable[[int, int, int, int], int] | None:
    """None where there is none. A message that is sent in part is the last one that is sent, since Linux 4.9.

    By PyDLL, which keeps the interpreter's lock: the values' memory is shared by all who play the burst, and the call
    never waits.
    """
    if sys.platform != "linux":
        return None
    try:
        call = ctypes.PyDLL(None).sendmmsg
    except (OSError, AttributeError):  # a libc without it
        return None
    call.argtypes, call.restype = (ctypes.c_int, ctypes.c_void_p, ctypes.c_uint, ctypes.c_int), ctypes.c_int
    return call


_SEND = _sendmmsg()
FEW = 4  # writes: for fewer the arrays are not worth it


class Packed:
    """The writes of one burst. `ends[n]` is how many bytes the first n of them have together."""

    def __init__(self, writes: Sequence[Write], values: Sequence[bytes]) -> None:
        """Of `values` only the lengths matter, which are the same for every request."""
        self.ends = (0, *accumulate(len(write.data) for write in writes))
        starts = (0, *accumulate(map(len, values)))
        self._fixed = ctypes.create_string_buffer(b"".join(write.data for write in writes), self.ends[-1])
        self._values = bytearray(max(1, starts[-1]))
        self._held = (ctypes.c_char * len(self._values)).from_buffer(self._values)  # it stays where it is
        bases = ctypes.addressof(self._fixed), ctypes.addressof(self._held)
        pieces = [list(_pieces(write, start, starts)) for write, start in zip(writes, self.ends)]
        flat = [_Iovec(bases[memory] + start, size) for memory, start, size in chain(*pieces)]
        self._vectors = (_Iovec * len(flat))(*flat)
        places = (
            ctypes.addressof(self._vectors) + ctypes.sizeof(_Iovec) * n for n in accumulate(map(len, pieces), initial=0)
        )
        headers = (_Header(vector=place, vector_length=len(each)) for place, each in zip(places, pieces))
        self._messages = (_Message * len(writes))(*(_Message(header) for header in headers))
        self._first = ctypes.addressof(self._messages)

    @classmethod
    def of(cls, burst: Burst, values: Sequence[bytes], again: bool) -> Packed | None:
        """The burst's arrays, made when it is played `again`: what is played once is not worth them."""
        if isinstance(burst.kept, cls) or _SEND is None or len(burst.writes) < FEW:
            return burst.kept if isinstance(burst.kept, cls) else None
        if again:
            object.__setattr__(burst, "kept", cls(burst.writes, values) if burst.kept else True)
        return burst.kept if isinstance(burst.kept, cls) else None

    def send(self, descriptor: int, start: int, count: int, values: bytes) -> tuple[int, int]:
        """Of the writes from `start` on, `count` at most: how many were begun, and how many bytes were taken.

        Both are 0 where the kernel takes nothing now, or never will again: a write that waits finds out which.
        """
        assert _SEND is not None
        self._values[: len(values)] = values
        begun = _SEND(descriptor, self._first + start * _SIZE, count, _DONTWAIT | _NOSIGNAL)
        if begun <= 0:
            return 0, 0
        last = start + begun - 1
        return begun, self.ends[last] - self.ends[start] + int(self._messages[last].sent)


def _pieces(write: Write, start: int, starts: Sequence[int]) -> Iterator[Piece]:
    """What stands around the holes, and the values in them."""
    at = 0
    for hole in write.holes:
        yield 0, start + at, hole.at - at
        yield 1, starts[hole.blank] + hole.start, hole.stop - hole.start
        at = hole.at + hole.stop - hole.start
    yield 0, start + at, len(write.data) - at
