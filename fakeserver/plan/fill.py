"""A blank and the request it is filled for -> its value. Ids differ between requests and are the same in every run."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from string import ascii_letters, digits

from fakeserver.plan.model import Blank

_ALPHABET = (digits + ascii_letters).encode()
# Each byte of a digest becomes a letter or a digit: cheaper than a change of base, and as distinct.
_DRAWN = {
    mark: bytes(letters[byte % len(letters)] for byte in range(256))
    for mark, letters in (("#", _ALPHABET[:10]), ("*", b"0123456789abcdef"), ("?", _ALPHABET))
}
_MARKS = re.compile(r"#+|\*+|\?+")
SHOWN_AT = 1_770_000_000_000_000_000  # the moment that `show` assumes: 2026-02-02 02:40:00 UTC


def key_of(session: str, scenario: str, number: int) -> str:
    """What tells a request from all others of its server: its session, its scenario, its number in the session."""
    return f"{session}\0{scenario}\0{number}"


def fill(blank: Blank, key: str, at: int = SHOWN_AT) -> bytes:
    """The value of one blank, exactly `blank.size` bytes long, for the request of this key that was read `at` ns."""
    if blank.kind == "time":
        return _moment(at + blank.offset, blank.form)
    return request_id(key) if blank.kind == "request-id" else stream_id(key, blank.form)


def filled(blanks: Iterable[Blank], key: str, at: int = SHOWN_AT) -> tuple[bytes, ...]:
    """One value a blank."""
    return tuple(fill(blank, key, at) for blank in blanks)


def stream_id(key: str, form: str) -> bytes:
    """The form with its digits (#), hexadecimal digits (*), letters and digits (?) drawn from the key."""
    drawn = hashlib.sha512(key.encode()).digest()

    def draw(run: re.Match[str]) -> str:
        return drawn[run.start() : run.end()].translate(_DRAWN[run[0][0]]).decode()

    return _MARKS.sub(draw, form).encode()


def request_id(key: str) -> bytes:
    """`req_` and 32 hexadecimal digits, as the real API's x-request-id."""
    return b"req_" + hashlib.sha256(f"request {key}".encode()).hexdigest()[:32].encode()


def _moment(at: int, form: str) -> bytes:
    if form == "epoch":
        return f"{at // 10**9:010d}".encode()
    if form == "epoch-ms":
        return f"{at // 10**6:013d}".encode()
    # An HTTP date has whole seconds (RFC 9110 5.6.7): rounded up, so that a wait until then is never too short.
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=-(-at // 10**9))
    return format_datetime(moment, usegmt=True).encode()
