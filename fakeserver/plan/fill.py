"""A blank and the request it is filled for -> its value. Ids differ between requests and are the same in every run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

from fakeserver.plan.model import Blank

_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
SHOWN_AT = 1_770_000_000_000_000_000  # the moment that `show` assumes: 2026-02-02 02:40:00 UTC


@dataclass(frozen=True, slots=True)
class Identity:
    """Which request it is: the `number`-th of its session (from 1), read `at` nanoseconds after 1970."""

    session: str = "default"
    scenario: str = ""
    number: int = 1
    at: int = SHOWN_AT


def fill(blank: Blank, identity: Identity) -> bytes:
    """The value of one blank, exactly `blank.size` bytes long."""
    if blank.kind == "time":
        return _moment(identity.at + blank.offset, blank.form)
    digest = hashlib.sha256(
        f"{blank.kind}\0{identity.session}\0{identity.scenario}\0{identity.number}".encode()
    ).digest()
    if blank.kind == "request-id":
        return f"req_{digest.hex()[:32]}".encode()
    return b"chatcmpl-" + "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:29]).encode()


def filled(blanks: Iterable[Blank], identity: Identity) -> tuple[bytes, ...]:
    return tuple(fill(blank, identity) for blank in blanks)


def _moment(at: int, form: str) -> bytes:
    if form == "epoch":
        return f"{at // 10**9:010d}".encode()
    if form == "epoch-ms":
        return f"{at // 10**6:013d}".encode()
    # An HTTP date has whole seconds (RFC 9110 5.6.7): rounded up, so that a wait until then is never too short.
    moment = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=-(-at // 10**9))
    return format_datetime(moment, usegmt=True).encode()
