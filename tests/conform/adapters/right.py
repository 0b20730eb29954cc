"""A client as it should be, over http.client alone; the wrong ones change one thing about it.

It is run once for each case, or with --stay reads cases from stdin.
"""

from __future__ import annotations

import json
import os
import sys
import time
import zlib
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

from answer import Answer, Json
from events import events

RETRYABLE = (408, 409, 425, 429, 500, 502, 503, 504)
ODD = ValueError, TypeError, AttributeError, KeyError  # what JSON of another shape leads to


class Failed(Exception):
    """What the caller gets instead of a whole answer."""


class Client:
    """One question, asked again where that can help."""

    tries = 3
    new_answer = Answer

    def __init__(self, base_url: str, model: str, limit: float) -> None:
        self.url, self.model, self.limit = urlsplit(base_url), model, limit
        self.answer, self.done = self.new_answer(), False

    def outcome(self) -> Json:
        try:
            self.ask()
        except (OSError, HTTPException, zlib.error, Failed, *ODD) as problem:
            return {**self.answer.outcome(), "raised": {"class": type(problem).__name__, "message": str(problem)}}
        return {**self.answer.outcome(), "raised": None}

    def ask(self) -> None:
        for attempt in range(self.tries):
            again = self.once(last=attempt == self.tries - 1)
            if again is None:
                return
            time.sleep(self.pause(again, attempt))

    def once(self, last: bool) -> HTTPResponse | None:
        """None if it is answered, else a response that asks to come again."""
        connection = HTTPConnection(self.url.hostname or "", self.url.port or 80, timeout=self.limit)
        try:
            connection.request("POST", f"{self.url.path}/chat/completions", json.dumps(self.body()),
                               {"content-type": "application/json"})  # fmt: skip
            response = connection.getresponse()
            if response.status >= 300:
                return self.refused(response, last)
            self.read(response)
            return None
        finally:
            connection.close()

    def body(self) -> Json:
        messages = [{"role": "user", "content": "Hello"}]
        return {"model": self.model, "messages": messages, "stream": True, "stream_options": {"include_usage": True}}

    def refused(self, response: HTTPResponse, last: bool) -> HTTPResponse:
        body = response.read()
        if last or response.status not in RETRYABLE or b"insufficient_quota" in body:
            raise Failed(f"status {response.status}")
        return response

    def pause(self, response: HTTPResponse, attempt: int) -> float:
        """As the server says, in whichever of its ways; else longer each time."""
        told, exact = response.headers.get("retry-after") or "", response.headers.get("retry-after-ms") or ""
        if exact.isdecimal():
            return int(exact) / 1000
        if told.isdecimal():
            return int(told)
        try:
            return max(0.0, parsedate_to_datetime(told).timestamp() - time.time())
        except ValueError:
            return 0.1 * 2**attempt

    def read(self, response: HTTPResponse) -> None:
        reads = self.reads(response)
        start = next(reads, b"")
        if start.lstrip()[:1] in (b"{", b"<"):
            self.document(start + b"".join(reads))
        else:
            for event in events(self.behind(start, reads)):
                self.event(*event)
                if self.done:
                    break
        self.ended()

    def behind(self, start: bytes, reads: Iterator[bytes]) -> Iterator[bytes]:
        yield start
        yield from reads

    def reads(self, response: HTTPResponse) -> Iterator[bytes]:
        inflate = zlib.decompressobj(wbits=47) if response.headers.get("content-encoding") else None
        while data := response.read1():
            yield inflate.decompress(data) if inflate else data
        response.read()  # raises if the framing promised more

    def document(self, body: bytes) -> None:
        value = json.loads(body)
        if "error" in value:
            raise Failed(str(value["error"]))
        self.answer.take(value)

    def event(self, name: str, data: str) -> None:
        if data.strip() == "[DONE]":
            self.done = True
            return
        if name not in ("", "message", "error") or not data.strip():
            return
        value = json.loads(data)
        if name == "error" or self.is_error(value):
            raise Failed(data)
        self.answer.take(value)

    def is_error(self, value: Json) -> bool:
        return bool(value.get("error")) or ("choices" not in value and "message" in value)

    def ended(self) -> None:
        """A whole answer has a finish reason for each of its choices, or at least an end marker."""
        finished = [said["finish_reason"] for said in self.answer.choices.values()]
        if not (self.done or (finished and all(finished))):
            raise Failed("the stream ended before the answer did")


def main(client: type[Client] = Client) -> None:
    if "--stay" in sys.argv:
        for line in sys.stdin:
            task = json.loads(line)
            said = client(task["base_url"], task["model"], task["time_limit"]).outcome()
            print(json.dumps({"case": task["case"], **said}), flush=True)
        return
    told: Any = os.environ
    print(json.dumps(client(told["FAKESERVER_BASE_URL"], told["FAKESERVER_CASE"],
                            float(told["FAKESERVER_TIME_LIMIT"])).outcome()))  # fmt: skip


if __name__ == "__main__":
    main()
