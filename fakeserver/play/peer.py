"""A connected socket -> what the kernel knows of the other side of it.

Everything here is a question that returns at once, and None where the platform, the sandbox or the distance to the peer
leaves it without an answer. It must not know what is played.
"""

from __future__ import annotations

import errno
import os
import socket
import struct
import sys
from typing import Any

try:
    import fcntl
    import termios
except ImportError:  # Windows
    fcntl = termios = None  # type: ignore[assignment]  # what is asked by them answers None

LINUX = sys.platform == "linux"

# struct tcp_info of <linux/tcp.h>: tcpi_bytes_acked, since Linux 4.1.
_TCP_INFO = getattr(socket, "TCP_INFO", 11)
_BYTES_ACKED = 120
# <linux/netlink.h>, <linux/sock_diag.h>, <linux/inet_diag.h>.
_NETLINK_SOCK_DIAG = 4
_SOCK_DIAG_BY_FAMILY = 20
_NLM_F_REQUEST = 1
_NLMSG_ERROR = 2
_ANY_STATE = 0xFFFFFFFF
_NO_COOKIE = (0xFFFFFFFF, 0xFFFFFFFF)
_HEADER = struct.Struct("=IHHII")
_RQUEUE = 16 + 4 + 48 + 4  # netlink header; family, state, timer, retrans; struct inet_diag_sockid; expires

# What it comes to where the kernel cannot tell: no such option or call, not allowed, no such socket, a closed one.
_NO_ANSWER = (OSError, ValueError, AttributeError, struct.error)


class Diagnosis:
    """Asks the kernel about other people's sockets, by NETLINK_SOCK_DIAG. One a server, opened when first asked."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._possible = LINUX

    def unread(self, question: bytes) -> int | None:
        """How many bytes the socket that `question` names holds unread."""
        if not self._possible:
            return None
        try:
            answer = self._ask(question)
        except _NO_ANSWER as problem:
            self._possible = getattr(problem, "errno", None) in (errno.ENOENT, errno.EAGAIN)
            return None
        if len(answer) < _RQUEUE + 4 or _HEADER.unpack_from(answer)[1] == _NLMSG_ERROR:
            return None  # ENOENT: gone, or in another namespace
        return int(struct.unpack_from("=I", answer, _RQUEUE)[0])

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _ask(self, question: bytes) -> bytes:
        if self._socket is None:
            self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _NETLINK_SOCK_DIAG)
            self._socket.setblocking(False)  # the answer to an exact question is there when send returns
        self._socket.send(question)
        return self._socket.recv(8192)


class Peer:
    """The other side of one connection. `sock` is what a transport gives as its socket; None where it has none."""

    def __init__(self, sock: Any, diagnosis: Diagnosis | None = None) -> None:
        self._sock = sock
        self._diagnosis = diagnosis
        self._question: bytes | None = None

    def acked(self) -> int | None:
        """Bytes that the peer's kernel has confirmed since the connection began."""
        try:
            info = self._sock.getsockopt(socket.IPPROTO_TCP, _TCP_INFO, 256) if LINUX else b""
            return int(struct.unpack_from("=Q", info, _BYTES_ACKED)[0])
        except _NO_ANSWER:
            return None

    def unacked(self) -> int | None:
        """Bytes in our kernel that the peer's kernel has not confirmed yet (SIOCOUTQ)."""
        try:
            return _outq(self._sock.fileno()) if LINUX else None
        except _NO_ANSWER:
            return None

    def unread(self) -> int | None:
        """Bytes in the peer's kernel that its application has not read: only where both share a network namespace.

        It counts what has arrived. Ask after `unacked()` has become 0, or what is still under way is missed.
        """
        if self._diagnosis is None:
            return None
        try:
            if self._question is None:
                self._question = _question(self._sock)
        except _NO_ANSWER:
            return None
        return self._diagnosis.unread(self._question)


def _outq(fd: int) -> int:
    answer = fcntl.ioctl(fd, termios.TIOCOUTQ, b"\0\0\0\0")  # SIOCOUTQ is this number on Linux
    return int(struct.unpack("=i", answer)[0])


def _question(sock: Any) -> bytes:
    """An exact look-up of the peer's socket: our peer's address is its own, ours is its peer's."""
    theirs, ours = sock.getpeername(), sock.getsockname()
    family = int(sock.family)
    if family not in (socket.AF_INET, socket.AF_INET6):
        raise OSError(errno.EAFNOSUPPORT, os.strerror(errno.EAFNOSUPPORT))
    body = struct.pack("=BBBBI", family, socket.IPPROTO_TCP, 0, 0, _ANY_STATE)
    body += struct.pack("!HH", theirs[1], ours[1]) + _packed(family, theirs[0]) + _packed(family, ours[0])
    body += struct.pack("=III", 0, *_NO_COOKIE)
    return _HEADER.pack(_HEADER.size + len(body), _SOCK_DIAG_BY_FAMILY, _NLM_F_REQUEST, 1, 0) + body


def _packed(family: int, address: str) -> bytes:
    return socket.inet_pton(family, address.partition("%")[0]).ljust(16, b"\0")
