"""A planner of hand-made plans, and a client that is nothing but a socket."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from fakeserver.engine import Engine
from fakeserver.http.serve import Served
from fakeserver.journal import Record
from fakeserver.match.facts import Fault
from fakeserver.match.rules import Rules
from fakeserver.plan import Action, Ask, Burst, End, Gate, Idle, Plan, Turns, Unknown, Write, plain

MS = 1_000_000
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
LAST = b"0\r\n\r\n"


def frame(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def event(number: int, size: int = 0) -> bytes:
    return frame(b"data: %d%b\n\n" % (number, b"." * size))


def stream(*actions: Action, idle: Idle | None = None) -> Plan:
    return Plan((Write(0, HEAD, "head"), *actions), idle=idle)


def burst(count: int, size: int = 0) -> Burst:
    return Burst(0, tuple(Write(0, event(n, size), events=n + 1) for n in range(count)))


def whole(plan: Plan) -> bytes:
    """The bytes that a client of this plan gets."""
    return b"".join(write.data for write in plan.writes()) + list(plan)[-1].data


class HandMade:
    """A planner: a plan a name. A plan may be a function of the Ask."""

    rules = Rules()

    def __init__(self, **plans: Plan | Callable[[Ask], Plan]) -> None:
        self.plans = plans
        self.asked: list[Ask] = []

    def names(self):
        return sorted(self.plans)

    menu = names

    def choose(self, selector: str) -> Any:
        if selector.partition("+")[0] not in self.plans:
            raise Unknown(f"There is no scenario '{selector}'")
        return SimpleNamespace(selector=selector, scenario=SimpleNamespace(name=selector.partition("+")[0]))

    def turns(self, choice: Any) -> Turns:
        return Turns()

    def needs(self, choice: Any) -> frozenset[str]:
        return frozenset()

    def plan(self, choice: Any, turn: int, ask: Ask, fill: Any) -> Plan:
        self.asked.append(ask)
        made = self.plans[choice.scenario.name]
        return made if isinstance(made, Plan) else made(ask)

    def error(self, fault: Fault, ask: Ask) -> Plan:
        status = {"not-found": 404, "wrong-method": 405, "too-large": 413, "model-not-found": 404, "no-api-key": 401}
        body = {
            "error": {"message": fault.message or fault.name, "type": "invalid_request_error", "param": fault.param}
        }
        headers = (("content-type", "application/json"), ("access-control-allow-origin", "*"))
        return plain(status.get(fault.name, 400), "Refused", headers, json.dumps(body).encode(), ask.http)


PLANS = {
    "hello": stream(burst(3), Write(0, frame(b"data: [DONE]\n\n"), events=4, marks_end=True), End(0, "end", LAST)),
    "timed": stream(*(Write(n * 5 * MS, event(n), events=n + 1) for n in range(4)), End(20 * MS, "end", LAST)),
    "close": stream(burst(3), End(0, "close")),
    "reset": stream(burst(3), End(0, "reset")),
    "reset-large": stream(burst(2000, 190), End(0, "reset")),
    "reset-now": stream(Write(0, event(0), events=1), End(200 * MS, "reset-now")),
    "fin": stream(burst(3), End(0, "end", LAST, keep_alive=False)),
    "hang": stream(burst(3), End(0, "hang")),
    "nothing": Plan((End(0, "close"),)),
    "silence": stream(burst(2), Write(3_600_000 * MS, event(2), events=3), End(3_600_000 * MS, "end", LAST)),
    "stall-after-done": stream(Write(0, frame(b"data: [DONE]\n\n"), events=1, marks_end=True), End(0, "hang")),
    "gated": stream(burst(2), Gate(0, "half"), Write(0, event(2), events=3), End(0, "end", LAST)),
    "gated-idle": stream(burst(2), Gate(0, "half"), End(0, "end", LAST), idle=Idle(10 * MS, frame(b":\n\n"))),
    "hang-idle": stream(End(0, "hang"), idle=Idle(5 * MS, frame(b":\n\n"))),
    "old": lambda ask: Plan(
        (
            Write(0, b"HTTP/%b 200 OK\r\n\r\ndata: x\n\n" % ask.http.encode(), "head"),
            End(0, "end", b"", ask.http == "1.1"),
        )
    ),
}


def post(
    name: str = "hello", *, path: str = "/v1/chat/completions", headers: bytes = b"", http: bytes = b"1.1"
) -> bytes:
    body = json.dumps({"model": name, "stream": True, "messages": [{"role": "user", "content": "Hello"}]}).encode()
    return request(b"POST", path.encode(), headers, body, http)


def request(method: bytes, path: bytes, headers: bytes = b"", body: bytes | None = None, http: bytes = b"1.1") -> bytes:
    length = b"" if body is None else b"content-length: %d\r\n" % len(body)
    return b"%b %b HTTP/%b\r\nhost: localhost\r\n%b%b\r\n%b" % (method, path, http, headers, length, body or b"")


async def come(true: Callable[[], bool]) -> None:
    """Return once it is true."""
    async with asyncio.timeout(10):
        while not true():
            await asyncio.sleep(0.001)


class Raw:
    """A client's socket in the test's loop. What the peer did is "FIN", "RST" or, after `patience`, "OPEN"."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.loop = asyncio.get_running_loop()
        self.got = b""

    @classmethod
    async def to(cls, served: Served, *, rcvbuf: int = 0, host: str = "127.0.0.1") -> Raw:
        sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        if rcvbuf:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, rcvbuf)
        sock.setblocking(False)
        raw = cls(sock)
        await raw.loop.sock_connect(sock, (host, served.port))
        return raw

    async def send(self, data: bytes) -> Raw:
        await self.loop.sock_sendall(self.sock, data)
        return self

    async def until(self, mark: bytes, count: int = 1) -> bytes:
        """Everything so far, once `mark` is in it so often."""
        while self.got.count(mark) < count:
            part = await asyncio.wait_for(self.loop.sock_recv(self.sock, 65536), 10)
            assert part, f"FIN after {self.got!r}"
            self.got += part
        return self.got

    async def end(self, patience: float = 10, pause: float = 0) -> tuple[bytes, str]:
        try:
            while part := await asyncio.wait_for(self.loop.sock_recv(self.sock, 65536), patience):
                self.got += part
                if pause:
                    await asyncio.sleep(pause)
        except ConnectionResetError:
            return self.got, "RST"
        except TimeoutError:
            return self.got, "OPEN"
        return self.got, "FIN"

    def close(self) -> None:
        self.sock.close()

    def reset(self) -> None:
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()


class Ended:
    """The records of a journal as they end."""

    def __init__(self, engine: Engine) -> None:
        self.queue: asyncio.Queue[Record] = asyncio.Queue()
        engine.journal.watch(self.queue.put_nowait)

    async def next(self) -> Record:
        return await asyncio.wait_for(self.queue.get(), 10)
