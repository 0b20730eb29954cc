"""What is tried: every end, at every place of an answer, short and long. As scenarios, and as what must arrive of them.

It must not know the product: the bytes are put together here a second time, by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HEAD = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n"
    b"connection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n"
)
LAST = b"0\r\n\r\n"
WORD = "lo é😀 " + "." * 36
CHUNK = (
    '{"id":"chatcmpl-A7","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":'
    f'{{"content":"{WORD}"}},"finish_reason":null}}]}}'
)
EVENT = f"data: {CHUNK}\n\n".encode()
IN_CHARACTER = EVENT.index("é".encode()) + 1
IN_FRAME = 60
DONE = b"data: [DONE]\n\n"

ENDS = ("end", "close", "reset", "reset: now", "hang")
PLACES = ("before the head", "in the head", "in a frame", "in a character", "after [DONE]")
EVENTS = {"small": 5, "large": 2000}
READERS = ("fast", "slow")


def frame(data: bytes) -> bytes:
    """One chunk of RFC 9112."""
    return b"%x\r\n%b\r\n" % (len(data), data)


@dataclass(frozen=True)
class Case:
    """One end at one place. `wire` is all that a socket receives, `body` what is behind HTTP's framing."""

    end: str
    place: str
    size: str

    @property
    def name(self) -> str:
        words = f"{self.end} {self.place} {self.size}".lower()
        return "-".join("".join(c if c.isalnum() else " " for c in words).split())

    @property
    def headless(self) -> bool:
        return self.place.endswith("the head")

    @property
    def whole(self) -> int:
        """How many chunks come whole."""
        return 0 if self.headless else EVENTS[self.size] - 1

    @property
    def body(self) -> bytes:
        rest = {"in a frame": EVENT[: IN_FRAME - 4], "in a character": EVENT[:IN_CHARACTER], "after [DONE]": DONE}
        return EVENT * self.whole + rest.get(self.place, b"")

    @property
    def wire(self) -> bytes:
        if self.headless:
            return HEAD[:25] if self.place == "in the head" else b""
        rest = {
            "in a frame": frame(EVENT)[:IN_FRAME],
            "in a character": frame(EVENT[:IN_CHARACTER]),
            "after [DONE]": frame(DONE),
        }
        return HEAD + frame(EVENT) * self.whole + rest[self.place] + (LAST if self.end == "end" else b"")

    @property
    def scenario(self) -> str:
        """The same in the scenario language."""
        if self.headless:
            text = self.wire.decode().replace("\r\n", "\\r\\n")
            return f'head: {{raw: "{text}"}}\nstream: [{self.end}]\n'
        last = {
            "in a frame": f'{{say: "{WORD}", keep: {{framed: {IN_FRAME}B}}}}',
            "in a character": f'{{say: "{WORD}", keep: {{inside: utf8}}}}',
            "after [DONE]": "done",
        }[self.place]
        return (
            f'dialect: five\nstream:\n  - repeat: [{{say: "{WORD}"}}]\n    times: {self.whole}\n'
            f"  - {last}\n  - {self.end}\n"
        )


def cases() -> Iterator[Case]:
    """A clean end has one place only, and a head one size."""
    for end in ENDS:
        for place in PLACES if end != "end" else PLACES[-1:]:
            for size in EVENTS:
                case = Case(end, place, size)
                if size == "small" or not case.headless:
                    yield case


def write_library(folder: Path) -> None:
    """All of them as files."""
    for case in cases():
        (folder / f"{case.name}.yaml").write_text(case.scenario, encoding="utf-8")
