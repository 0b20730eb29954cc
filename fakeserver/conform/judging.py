"""What is right, an outcome, findings -> a mark and its reasons.

It must not know how the client was run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from fakeserver.conform.cases import Expected
from fakeserver.conform.outcome import LOUD, Outcome
from fakeserver.speech.expect import matches
from fakeserver.verdict import Finding

Mark = Literal["green", "waiting", "amber", "red", "broken"]
MARKS: tuple[Mark, ...] = ("green", "waiting", "amber", "red", "broken")  # the worst last
GRAVE = (
    "retry-storm", "retried-what-must-not-be", "text-lost", "text-shown-twice", "truncated-taken-for-complete",
)  # fmt: skip

_SILENT = ("finish_reason", "usage", "index", "id")  # their loss is no loss of text
_SIDE = 160  # characters of each side of a disagreement


@dataclass(frozen=True)
class Judgement:
    """A mark, and why it is not green."""

    mark: Mark
    reasons: tuple[str, ...] = ()

    @property
    def rank(self) -> tuple[int, int]:
        return MARKS.index(self.mark), len(self.reasons)


def judge(expected: Sequence[Expected], outcome: Outcome) -> Judgement:
    """By the alternative that is nearest."""
    return min((_against(each, outcome) for each in expected), key=lambda judged: judged.rank)


def beside(judged: Judgement, findings: Sequence[Finding]) -> Judgement:
    """What the verdict found makes it worse."""
    if not findings:
        return judged
    graver: Mark = "red" if any(found.code in GRAVE for found in findings) else "amber"
    return Judgement(max(judged.mark, graver, key=MARKS.index), (*judged.reasons, *_told(findings)))


def _told(findings: Sequence[Finding]) -> Iterator[str]:
    """Of each code the first; a storm has many."""
    counts = Counter(found.code for found in findings)
    for code, count in counts.items():
        first = next(found for found in findings if found.code == code)
        yield f"{code}: {first.says}{f' (and {count - 1} more like it)' if count > 1 else ''}"


def _against(expected: Expected, outcome: Outcome) -> Judgement:
    wanted = expected.get("outcome") or "complete"
    lines = tuple(map(_short, matches(_what_came(expected), outcome.reading)))
    if wanted in LOUD:
        return _of_a_failure(str(wanted), outcome, lines)
    if outcome.loud:
        return Judgement("amber", (f"{_loudly(outcome)} where an answer was expected",))
    return _of_an_answer(str(wanted), outcome, lines)


def _what_came(expected: Expected) -> dict[str, object]:
    """Without what an exception says, for that is each client's own."""
    rest = {key: value for key, value in expected.items() if key not in ("outcome", "error")}
    choices = rest.get("choices")
    if isinstance(choices, list):
        rest["choices"] = [_what_came(each) if isinstance(each, Mapping) else each for each in choices]
    return rest


def _of_a_failure(wanted: str, outcome: Outcome, lines: tuple[str, ...]) -> Judgement:
    if not outcome.loud:
        what = "a truncated stream" if wanted == "truncated" else "a failure"
        return Judgement("red", (f"{what} passes for a whole answer", *lines))
    return Judgement("amber" if lines else "green", lines)


def _of_an_answer(wanted: str, outcome: Outcome, lines: tuple[str, ...]) -> Judgement:
    if (wanted, outcome.told) == ("refused", "complete"):
        return Judgement("red", ("a refusal passes for a whole answer", *lines))
    if (wanted, outcome.told) == ("complete", "refused"):
        lines = ("an answer is taken for a refusal", *lines)
    if any(_key(line) not in _SILENT for line in lines if ": " in line):
        return Judgement("red", lines)
    return Judgement("amber" if lines else "green", lines)


def _loudly(outcome: Outcome) -> str:
    return f"it raises {outcome.raised_class}" if outcome.raised else f"it says {outcome.outcome}"


def _key(line: str) -> str:
    """The key that a disagreement is about: `choices[1].finish_reason: ...` is about finish_reason."""
    path = line.partition(":")[0]
    return "usage" if path.startswith("usage") else re.sub(r"\[\d+\]$", "", path).rpartition(".")[2]


def _short(line: str) -> str:
    """Both sides of `path: expected A, read B`, each in a length that can be read."""
    left, middle, right = line.rpartition(", read ")
    return f"{_clipped(left)}{middle}{_clipped(right)}"


def _clipped(text: str) -> str:
    half = _SIDE // 2
    return text if len(text) <= _SIDE else f"{text[:half]} … {text[-half:]}"
