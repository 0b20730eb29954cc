"""The app showed the text of a broken answer, and then the answer to the retry, which begins with the same text.

Rests on `shown`, and on what was really sent: it ends with the whole text of the last answer, and all that stands
before that is text of the answers to the same request which broke off just before it, each piece the beginning of what
one of them sent. White space between them does not count. Text of the app's own among it proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from fakeserver.journal import Record
from fakeserver.verdict.evidence import Evidence
from fakeserver.verdict.finding import Finding

CODE = "text-shown-twice"


def find(evidence: Evidence) -> Iterator[Finding]:
    last, shown = next(evidence.calls, None), evidence.report.shown
    if last is None or not shown:
        return
    broken = _broken_before(last, evidence)
    pieces = _pieces(shown, [_text(each, evidence) for each in broken], _text(last, evidence))
    twice = [(each.number, piece) for each, piece in zip(broken, pieces) if piece]
    if twice:
        numbers = [*(number for number, _ in twice), last.number]
        repeated = max((piece for _, piece in twice), key=len)
        says = f"The app showed {repeated!r} of request #{twice[0][0]}, and again with the answer to #{last.number}."
        yield Finding(CODE, says, {"records": numbers, "repeated": repeated})


def _broken_before(last: Record, evidence: Evidence) -> list[Record]:
    """The answers to the same request just before it that were no whole ones, the oldest first."""
    found: list[Record] = []
    for record in evidence.earlier(last):
        if not evidence.unfinished(record):
            break
        found.insert(0, record)
    return found


def _text(record: Record, evidence: Evidence) -> str:
    found = evidence.readings(record)
    return found[0].content.strip() if found else ""


def _pieces(shown: str, partials: Sequence[str], whole: str) -> list[str]:
    """Of each broken answer the piece that was shown and came again; none at all unless they explain all of `shown`."""
    shown = shown.strip()
    if not whole or not shown.endswith(whole):
        return []
    left, pieces = shown.removesuffix(whole), []
    for partial in partials:
        left = left.lstrip()
        piece = _common(left, partial)
        left = left.removeprefix(piece)
        pieces.append(piece if whole.startswith(piece) else "")
    return [] if left.strip() else pieces


def _common(one: str, other: str) -> str:
    """What both begin with."""
    return one[: sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other)))]
