"""Many requests in a moment: pipelined, so that the time goes to the page and not to the asking."""

from __future__ import annotations

import socket

_BATCH = 50


def ask(port: int, count: int, session: str) -> None:
    """`count` requests for a model's card, which is the least that a server answers."""
    path, host = f"/session/{session}/v1/models/hello", f"127.0.0.1:{port}"
    request = f"GET {path} HTTP/1.1\r\nhost: {host}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection, connection.makefile("rb") as answers:
        for begun in range(0, count, _BATCH):
            batch = min(_BATCH, count - begun)
            connection.sendall(request * batch)
            for _ in range(batch):
                size = 0
                while (line := answers.readline()) != b"\r\n":
                    if line.lower().startswith(b"content-length:"):
                        size = int(line.partition(b":")[2])
                answers.read(size)
