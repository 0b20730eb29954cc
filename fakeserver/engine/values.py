"""A plan's blanks -> this request's values. Ids are derived by hashing: distinct, and the same in every run.

It reads no clock: the moment of the request is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from email.utils import formatdate
from hashlib import sha256
from string import ascii_letters, digits

from fakeserver.plan.model import Blank

_ALPHABET = (digits + ascii_letters).encode()
# Each byte of a digest becomes a letter or a digit: cheaper than a change of base, and as distinct.
_AS_ALNUM = bytes(_ALPHABET[byte % len(_ALPHABET)] for byte in range(256))
_SECOND = 1_000_000_000


def stream_id(key: str) -> bytes:
    """`chatcmpl-` and 29 letters and digits, as the real API's."""
    return b"chatcmpl-" + sha256(key.encode()).digest().translate(_AS_ALNUM)[:29]


def request_id(key: str) -> bytes:
    """`req_` and 32 hexadecimal digits, as the real API's x-request-id."""
    return b"req_" + sha256(f"request {key}".encode()).hexdigest()[:32].encode()


def values_of(blanks: Sequence[Blank], key: str, now: int) -> tuple[bytes, ...]:
    """One value a blank. `key` tells the request from all others; `now` is nanoseconds since 1970."""
    return tuple(_value(blank, key, now) for blank in blanks)


def _value(blank: Blank, key: str, now: int) -> bytes:
    if blank.kind == "time":
        return _time(now + blank.offset, blank.form)
    return (stream_id if blank.kind == "id" else request_id)(key)[: blank.size]


def _time(moment: int, form: str) -> bytes:
    if form == "epoch":
        return b"%010d" % (moment // _SECOND)
    if form == "epoch-ms":
        return b"%013d" % (moment // 1_000_000)
    return formatdate(moment // _SECOND, usegmt=True).encode()
