"""A client that is not the page: what it asks is what the page is to show."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.clients.server import Running


def send(url: str, body: object = None, method: str = "POST", **headers: str) -> bytes:
    data = None if body is None else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = Request(url, data=data, method=method, headers={"content-type": "application/json", **named})
    try:
        with urlopen(request, timeout=30) as answer:
            whole: bytes = answer.read()
            return whole
    except HTTPError as refusal:
        with refusal:
            return refusal.read()
    except (OSError, HTTPException) as broken:  # by the scenario
        return repr(broken).encode()


def control(server: Running, path: str, body: object = None, method: str = "POST", **headers: str) -> Any:
    return json.loads(send(f"{server.url}/_fakeserver{path}", body, method, **headers))


def chat(server: Running, model: str, session: str = "", says: str = "Hi", **headers: str) -> bytes:
    body = {"model": model, "stream": True, "messages": [{"role": "user", "content": says}]}
    return send(f"{server.base_url(session)}/chat/completions", body, **headers)


@contextmanager
def in_flight(server: Running, model: str, session: str) -> Iterator[list[bytes]]:
    """A request whose answer waits somewhere, to be let go inside; then its answer is in the list."""
    answer: list[bytes] = []
    thread = threading.Thread(target=lambda: answer.append(chat(server, model, session)))
    thread.start()
    control(server, f"/sessions/{session}/gates/half?wait=20", method="GET")
    yield answer
    thread.join(20)
    assert not thread.is_alive()
