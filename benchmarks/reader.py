"""A plain client: one request, and how many bytes of the body each read held.

    python reader.py PORT BODY

Prints one line of JSON. It imports nothing of this project.
"""

from __future__ import annotations

import json
import socket
import sys
import time


def main() -> None:
    port, body = int(sys.argv[1]), sys.argv[2].encode()
    sock = socket.create_connection(("127.0.0.1", port))
    head = f"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\n"
    sock.sendall(head.encode() + b"content-type: application/json\r\n\r\n" + body)
    reads: list[bytes] = []
    while not (reads and reads[-1].endswith(b"0\r\n\r\n")):
        if not reads:
            begin = time.perf_counter()
        reads.append(sock.recv(65536))
        if not reads[-1]:
            break
    took = time.perf_counter() - begin
    sizes = [_body_bytes(read) for read in reads[1:-1]]
    if reads[0].find(b"\r\n\r\n") + 4 != len(reads[0]):
        sizes.insert(0, _body_bytes(reads[0].partition(b"\r\n\r\n")[2]))
    single = sum(size == 1 for size in sizes)
    print(json.dumps({"reads": len(sizes), "single": single, "bytes": sum(sizes), "seconds": took}))


def _body_bytes(read: bytes) -> int:
    """Frames of one byte are six bytes long: a size line, the byte, a line end."""
    return len(read) // 6 if len(read) % 6 == 0 else -1


main()
