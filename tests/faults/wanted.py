"""The tables -> what each fault must put on the wire. Written with RFC 9112 at hand; it must not know the product.

A row has `play` (its name), `head` (chunked), `body`, `end` (open: clean, and the connection serves on; fin, rst, hang)
and `openai` (what openai for Python does: how many chunks, and the class of what it raises). A head is a name of
texts.yaml, a map {of: name, with: header lines, before, status, type, fill}, or the whole text. An item of a body is
an event's name, any other text, or a map:

    of, before, swap, first, sent   a text with something before it, [old, new, ...] swapped in it, only its first
                                    bytes, only the first bytes of its frame
    delta                           the chunk with this delta
    raw / hex                       bytes outside of HTTP's chunks (a name or a text) / bytes that are no text
    bytes / gzip                    these events, each byte a chunk / compressed, flushed after each; `keep`, `flip`

Where the head says chunked each item is one chunk of it; `last` is the chunk that ends the body.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

TABLES = Path(__file__).with_name("table")
SCENARIOS = Path(__file__).with_name("scenarios")
LAST = b"0\r\n\r\n"


@dataclass(frozen=True)
class Fault:
    """One row."""

    name: str
    play: str
    data: bytes
    end: str
    chunks: int
    raised: str


@cache
def texts() -> Any:
    """What the tables have names for."""
    return yaml.safe_load((TABLES / "texts.yaml").read_text())


@cache
def faults() -> dict[str, Fault]:
    """Every row of every table."""
    files = sorted(path for path in TABLES.glob("*.yaml") if path.stem != "texts")
    rows = [row for path in files for row in yaml.safe_load(path.read_text()).items()]
    assert len({name for name, _ in rows}) == len(rows)
    return {name: _fault(name, row) for name, row in rows}


def _fault(name: str, row: dict[str, Any]) -> Fault:
    head = _head(row.get("head", "chunked")).encode()
    chunked = b"transfer-encoding: chunked" in head
    data = head + b"".join(piece for item in row["body"] for piece in _pieces(item, chunked))
    count, _, raised = str(row["openai"]).partition(" ")
    return Fault(name, row.get("play", name), data, row.get("end", "open"), int(count), raised)


def _head(said: Any) -> str:
    known = texts()["heads"]
    if isinstance(said, str):
        said = {"of": said}
    text = str(known.get(said["of"], said["of"]))
    for hole, value in (("%", said.get("with", "")), ("{status}", said.get("status", "200 OK")),
                        ("{type}", said.get("type", "text/plain; charset=utf-8"))):  # fmt: skip
        text = text.replace(hole, value)
    return str(said.get("before", "")) + text.replace("@", "a" * said.get("fill", 0))


def _pieces(item: Any, chunked: bool) -> Iterator[bytes]:
    """An item's bytes on the wire."""
    frame = _frame if chunked else bytes
    if item == "last":
        yield LAST
    elif isinstance(item, str):
        yield frame(_text(item))
    elif "raw" in item:
        yield _text(item["raw"])
    elif "hex" in item:
        yield frame(bytes.fromhex(item["hex"]))
    elif "delta" in item:
        yield frame(_text("x").replace(b'{"content":"x"}', item["delta"].encode()))
    elif "bytes" in item:
        yield from (frame(bytes([byte])) for name in item["bytes"] for byte in _text(name))
    elif "gzip" in item:
        parts = list(_gzip(item["gzip"]))
        yield from map(frame, _spoiled(parts, item.get("keep", len(b"".join(parts))), item.get("flip")))
    else:
        yield frame(_changed(item))[: item.get("sent")]


def _text(said: str) -> bytes:
    return str(texts()["events"].get(said, said)).encode()


def _frame(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def _changed(item: dict[str, Any]) -> bytes:
    text, swap = _text(item["of"]), [part.encode() for part in item.get("swap", ())]
    for old, new in zip(swap[::2], swap[1::2]):
        assert old in text
        text = text.replace(old, new)
    whole = str(item.get("before", "")).encode() + text
    return whole[: item.get("first")]


def _gzip(names: Sequence[str]) -> Iterator[bytes]:
    """RFC 1952: one member, made to hold nothing back after each event; then what ends it."""
    coder = zlib.compressobj(wbits=31)
    for name in names:
        yield coder.compress(_text(name)) + coder.flush(zlib.Z_SYNC_FLUSH)
    yield coder.flush()


def _spoiled(parts: list[bytes], keep: int, flip: int | None) -> Iterator[bytes]:
    at = 0
    for part in parts:
        whole = bytearray(part)
        if flip is not None and at <= flip < at + len(part):
            whole[flip - at] ^= 0xFF
        kept = bytes(whole[: max(0, keep - at)])
        at += len(part)
        if kept:
            yield kept
