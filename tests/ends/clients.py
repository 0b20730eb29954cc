"""The clients of Python, each asked for one answer, and what it saw: how much of it is missing, and what it raised.

A fast reader takes whatever there is at once; a slow one makes pauses, and lets the server wait for it.
"""

from __future__ import annotations

import asyncio
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import aiohttp
import httpx
import openai

from tests.ends.cases import LAST, WORD, Case

PATIENCE = 60.0
SILENCE = 3.0  # seconds after which a client gives a hung answer up
QUIET = 0.2  # the same for a socket that knows how much there is to come
AT_ONCE = 10  # hung answers of one case
PAUSE = 0.002
CLIENTS = ("raw", "openai", "aiohttp", "httpx")
MESSAGES: Any = [{"role": "user", "content": "Hello"}]


@dataclass(frozen=True)
class Seen:
    """`lost`: bytes (of the SDK: chunks) that were sent and did not reach the client; below 0: others did."""

    lost: int
    raised: str


def play(client: str, port: int, case: Case, slow: bool, times: int) -> list[Seen]:
    """So many requests: one after the other or, where each ends in a wait, at once."""
    if client == "aiohttp":
        return asyncio.run(_aiohttp_all(port, case, slow, times))
    with ThreadPoolExecutor(min(times, AT_ONCE) if case.end == "hang" else 1) as pool:
        if client == "raw":
            return list(pool.map(lambda _: _raw(port, case, slow), range(times)))
        limit = SILENCE if case.end == "hang" else PATIENCE
        if client == "httpx":
            with httpx.Client(timeout=limit) as plain:
                return list(pool.map(lambda _: _httpx(plain, port, case, slow), range(times)))
        with openai.OpenAI(base_url=_base(port), api_key="x", max_retries=0, timeout=limit) as sdk:
            return list(pool.map(lambda _: _openai(sdk, case, slow), range(times)))


def _base(port: int) -> str:
    return f"http://127.0.0.1:{port}/v1"


def _question(case: Case) -> dict[str, Any]:
    return {"model": case.name, "stream": True, "messages": MESSAGES}


def _missing(got: bytes, wanted: bytes) -> int:
    return len(wanted) - len(got) if wanted.startswith(got) else -1


def _class(problem: BaseException) -> str:
    """Its class and what it was made from."""
    cause = problem.__cause__
    return type(problem).__name__ + (f" < {type(cause).__name__}" if cause else "")


def _raw(port: int, case: Case, slow: bool) -> Seen:
    with socket.socket() as sock:
        if slow:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
        sock.settimeout(PATIENCE)
        sock.connect(("127.0.0.1", port))
        request = httpx.Request("POST", _base(port) + "/chat/completions", json=_question(case))
        lines = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
        sock.sendall(f"POST {request.url.path} HTTP/1.1\r\n{lines}\r\n".encode() + request.content)
        got, raised = _until_the_end(sock, case, slow)
    return Seen(_missing(got, case.wire), raised)


def _until_the_end(sock: socket.socket, case: Case, slow: bool) -> tuple[bytes, str]:
    data, wanted = bytearray(), case.wire
    if case.end == "hang" and not wanted:
        sock.settimeout(QUIET)
    try:
        while not (case.end == "end" and data.endswith(LAST)):
            if slow:
                time.sleep(PAUSE / 4)
            part = sock.recv(4096 if slow else 1 << 16)
            if not part:
                return bytes(data), "FIN"
            data += part
            if case.end == "hang" and len(data) >= len(wanted):
                sock.settimeout(QUIET)
    except ConnectionResetError:
        return bytes(data), "ECONNRESET"
    except TimeoutError:
        return bytes(data), "silence"
    return bytes(data), ""


def _httpx(client: httpx.Client, port: int, case: Case, slow: bool) -> Seen:
    got, raised = bytearray(), ""
    try:
        with client.stream("POST", _base(port) + "/chat/completions", json=_question(case)) as answer:
            for count, part in enumerate(answer.iter_raw()):
                got += part
                if slow and not count % 200:
                    time.sleep(PAUSE)
    except httpx.HTTPError as problem:
        raised = type(problem).__name__
    return Seen(_missing(bytes(got), case.body), raised)


def _openai(client: openai.OpenAI, case: Case, slow: bool) -> Seen:
    count, wrong, raised = 0, False, ""
    try:
        with client.chat.completions.create(model=case.name, messages=MESSAGES, stream=True) as stream:
            for chunk in stream:
                wrong = wrong or chunk.choices[0].delta.content != WORD
                if slow and not count % 200:
                    time.sleep(PAUSE)
                count += 1
    except openai.OpenAIError as problem:
        raised = _class(problem)
    return Seen(-1 if wrong else case.whole - count, raised)


async def _aiohttp_all(port: int, case: Case, slow: bool, times: int) -> list[Seen]:
    limit = aiohttp.ClientTimeout(sock_read=SILENCE if case.end == "hang" else PATIENCE)
    async with aiohttp.ClientSession(timeout=limit) as client:
        gate = asyncio.Semaphore(AT_ONCE if case.end == "hang" else 1)

        async def one() -> Seen:
            async with gate:
                return await _aiohttp(client, port, case, slow)

        return list(await asyncio.gather(*(one() for _ in range(times))))


async def _aiohttp(client: aiohttp.ClientSession, port: int, case: Case, slow: bool) -> Seen:
    got, raised, content = bytearray(), "", None
    try:
        async with client.post(_base(port) + "/chat/completions", json=_question(case)) as answer:
            content = answer.content
            while part := await content.readany():
                got += part
                if slow:
                    await asyncio.sleep(PAUSE)
    except (aiohttp.ClientError, TimeoutError) as problem:
        raised = type(problem).__name__
    if content is not None:  # once it has seen an end it keeps what it has read from whoever has not fetched it yet
        got += b"".join(content._buffer)
    return Seen(_missing(bytes(got), case.body), raised)
