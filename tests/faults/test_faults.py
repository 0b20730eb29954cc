"""Each fault of the tables, played to a raw socket: exactly its bytes, and its kind of end."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import openai
import pytest

from tests.clients.server import PATIENCE, Running, running
from tests.faults.wanted import SCENARIOS, Fault, faults

SILENCE = 0.1  # seconds in which nothing comes: a wrong byte or a FIN would have come at once
MESSAGES: Any = [{"role": "user", "content": "Hello"}]
AT_ONCE = "rst_chunked_immediately"  # the one fault that may overtake its own bytes
STALLED = 1.0  # seconds after which a client gives up


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    """One process for all; whatever is played, it has nothing to say about it."""
    with running([str(SCENARIOS)]) as process:
        yield process
        assert process.stop()[0] == 0
        assert process.stderr() == ""


def test_every_scenario_is_in_a_table() -> None:
    there = {path.stem for path in SCENARIOS.rglob("*.yaml") if path.parent.name != "dialects"}
    assert there <= {fault.play for fault in faults().values()}


@pytest.mark.parametrize("fault", faults().values(), ids=lambda fault: fault.name)
def test_the_socket_receives_exactly_this(fault: Fault, server: Running) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as sock:
        sock.sendall(_request(fault.play))
        got = _take(sock, len(fault.data))
        assert got == (fault.data[: len(got)] if fault.name == AT_ONCE else fault.data)
        assert (_goes_on(sock) if fault.end == "open" else _end(sock, fault.end)) == fault.end


def _request(name: str) -> bytes:
    body = json.dumps({"model": name, "stream": True, "messages": MESSAGES}).encode()
    return b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)


def _take(sock: socket.socket, size: int) -> bytes:
    """So many bytes, or what comes before the connection is reset; all of it has arrived before an orderly reset."""
    data = bytearray()
    try:
        while len(data) < size and (part := sock.recv(size - len(data))):
            data += part
    except ConnectionResetError:
        pass
    return bytes(data)


def _goes_on(sock: socket.socket) -> str:
    """Whether the next thing that comes on this connection is the answer to the next request."""
    sock.sendall(b"GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n")
    got = _take(sock, 15)
    return "open" if got == b"HTTP/1.1 200 OK" else f"{got!r}"


def _end(sock: socket.socket, wanted: str) -> str:
    sock.settimeout(SILENCE if wanted == "hang" else PATIENCE)
    try:
        got = sock.recv(1)
    except ConnectionResetError:
        return "rst"
    except TimeoutError:
        return "hang"
    return f"{got!r}" if got else "fin"


def test_the_first_fault_of_all_is_none(server: Running) -> None:
    """The five events that all others are measured by."""
    with openai.OpenAI(base_url=server.base_url(), api_key="x", max_retries=0) as client:
        stream = client.chat.completions.create(model="ok_chunked", messages=MESSAGES, stream=True)
        said = [chunk.choices[0].delta.content for chunk in stream]
    assert said == ["", "Hel", "lo é😀", None]


def test_openai_for_python_does_what_the_table_says(server: Running) -> None:
    """Of all faults at once: how many chunks come through, and what is raised then."""
    # A connection each: what one fault leaves behind on it must not meet another.
    headers = {"connection": "close"}
    with (
        openai.OpenAI(base_url=server.base_url(), api_key="x", max_retries=0, default_headers=headers) as client,
        ThreadPoolExecutor(8) as pool,
    ):
        found = dict(zip(faults(), pool.map(lambda fault: _heard(client, fault), faults().values())))
    told = {fault.name: (fault.chunks, fault.raised) for fault in faults().values()}
    assert {name: (found[name], told[name]) for name in told if found[name] != told[name]} == {}


def _heard(client: openai.OpenAI, fault: Fault) -> tuple[int, str]:
    """What reached the client; of a reset that waits for nobody, all that may have."""
    count, raised = 0, ""
    patient = client.with_options(timeout=STALLED if fault.raised == "APITimeoutError" else PATIENCE)
    try:
        with patient.chat.completions.create(model=fault.play, messages=MESSAGES, stream=True) as stream:
            for _ in stream:
                count += 1
    except Exception as problem:  # whatever a client raises is its outcome
        raised = type(problem).__name__
    return (max(count, fault.chunks) if fault.name == AT_ONCE else count), raised
