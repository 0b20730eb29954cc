"""The app told that its answer is complete, and has shown less text than was sent.

Rests on the report, and on the last call's answer: it was whole and went out to its end, and `shown` is its text with
one stretch of it missing. White space and punctuation are no loss: an app may trim, or draw Markdown. Where more than
one stretch is missing the text was made into another, which proves nothing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from fakeserver.verdict.evidence import Evidence
from fakeserver.verdict.finding import Finding
from fakeserver.verdict.texts import common

CODE = "text-lost"


def find(evidence: Evidence) -> Iterator[Finding]:
    last, shown = next(evidence.calls, None), evidence.report.shown
    if evidence.report.outcome != "complete" or shown is None or last is None:
        return
    if last.ending is None or last.ending.how != "complete":
        return
    lost = _lost(evidence.whole_text(last), shown.strip())
    if any(map(_says_something, lost)):
        says = f"The app told that its answer is complete, but did not show {lost!r} of request #{last.number}."
        yield Finding(CODE, says, {"records": [last.number], "lost": lost})


def _lost(sent: str, shown: str) -> str:
    """The one stretch that makes `shown` of what was sent when it is taken out; empty if there is none."""
    begin = len(common(sent, shown))
    end = begin + len(sent) - len(shown)
    return sent[begin:end] if sent[end:] == shown[begin:] else ""


def _says_something(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char) == "So"  # an emoji is text too
