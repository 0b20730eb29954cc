"""The app showed a text again that it had shown: of a broken answer before that of the retry, or a whole answer's.

Rests on `shown`, and on what was really sent. After a retry, it ends with the whole text of the last answer, and all
that stands before that is text of the answers to the same request which broke off just before it, each piece the
beginning of what one of them sent. Else, it is the whole text of the last answer and nothing but that, more than once,
and no other answer of the session has sent it. White space between them does not count. Text of the app's own among it
proves nothing, nor does an answer that says the same twice itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fakeserver.journal import Record
from fakeserver.verdict.evidence import Evidence
from fakeserver.verdict.finding import Finding
from fakeserver.verdict.texts import common

CODE = "text-shown-twice"


def find(evidence: Evidence) -> Iterator[Finding]:
    last, shown = next(evidence.calls, None), evidence.report.shown
    if last is not None and shown:
        found = next(_of_a_retry(last, shown, evidence), None) or next(_of_one_answer(last, shown, evidence), None)
        yield from [found] if found else []


def _of_a_retry(last: Record, shown: str, evidence: Evidence) -> Iterator[Finding]:
    broken = _broken_before(last, evidence)
    pieces = _pieces(shown, [_text(each, evidence) for each in broken], _text(last, evidence))
    twice = [(each.number, piece) for each, piece in zip(broken, pieces) if piece]
    if twice:
        numbers = [*(number for number, _ in twice), last.number]
        repeated = max((piece for _, piece in twice), key=len)
        says = f"The app showed {repeated!r} of request #{twice[0][0]}, and again with the answer to #{last.number}."
        yield Finding(CODE, says, {"records": numbers, "repeated": repeated})


def _of_one_answer(last: Record, shown: str, evidence: Evidence) -> Iterator[Finding]:
    text = evidence.whole_text(last)
    between = shown.split(text) if text else []
    times = len(between) - 1
    if times > 1 and not "".join(between).strip() and _sent_by_no_other(text, last, evidence):
        says = f"The app showed {text!r} of request #{last.number} {times} times, and it was sent once."
        yield Finding(CODE, says, {"records": [last.number], "repeated": text})


def _sent_by_no_other(text: str, last: Record, evidence: Evidence) -> bool:
    """For certain: what was sent to each other call is known, and has none of it."""
    read = (evidence.readings(record) for record in evidence.calls if record is not last)
    return all(found and all(text not in reading.content for reading in found) for found in read)


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
        piece = common(left, partial)
        left = left.removeprefix(piece)
        pieces.append(piece if whole.startswith(piece) else "")
    return [] if left.strip() else pieces
