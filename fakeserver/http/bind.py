"""A host and a port -> a listening socket. Imports no aiohttp, so that the port can be open before the heavy imports.

The kernel queues whoever connects meanwhile; the server answers them once it runs.
"""

from __future__ import annotations

import os
import socket

BACKLOG = 256  # asyncio accepts as many in one go: more makes one out-of-descriptors moment a flood of errors


def bind(host: str, port: int) -> socket.socket:
    """Listen on the host's first address. Raises OSError, which names what is wrong."""
    family, kind, protocol, _, address = socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    sock = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # on Windows the option lets two servers share a port
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(BACKLOG)
        sock.setblocking(False)
    except OSError:
        sock.close()
        raise
    return sock


def url_of(sock: socket.socket) -> str:
    """Where a client on this machine finds it."""
    host, port = sock.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
