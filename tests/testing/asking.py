"""A client of the standard library: whole answers, and streams that are read piece by piece and left when it suits."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from fakeserver.testing import Session

BODY = {"model": "gpt-5", "stream": True, "messages": [{"role": "user", "content": "Hi"}]}


@contextmanager
def streaming(session: Session, **more: object) -> Iterator[http.client.HTTPResponse]:
    """The answer with its head read; the connection is closed behind it."""
    place = urlsplit(session.base_url)
    connection = http.client.HTTPConnection(place.netloc, timeout=10)
    headers = {"content-type": "application/json", "authorization": "Bearer secret"}
    connection.request("POST", f"{place.path}/chat/completions", json.dumps(BODY | more), headers)
    answer = connection.getresponse()
    try:
        yield answer
    finally:
        answer.close()
        connection.close()


def ask(session: Session, **more: object) -> tuple[int, str]:
    """Status and body."""
    with streaming(session, **more) as answer:
        return answer.status, answer.read().decode()


def said(text: str) -> str:
    """The content of a whole stream."""
    events = [json.loads(row[6:]) for row in text.split("\n") if row.startswith("data: {")]
    return "".join(choice["delta"].get("content") or "" for event in events for choice in event["choices"])


def one_event(answer: http.client.HTTPResponse) -> str:
    """The next event's data."""
    row = answer.readline().decode()
    answer.readline()
    return row.removeprefix("data: ").strip()
