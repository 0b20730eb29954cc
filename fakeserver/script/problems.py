"""What is wrong with a file, where, and what to write instead. It must not know how files are read or checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

Loc = tuple[str | int, ...]
NAME = r"[a-z0-9][a-z0-9._-]*"  # of a file, and of what is named by one
Place = tuple[int, int]  # line and column, from 1
WRITTEN = "\0"  # in a remedy: the value as the file has it, which is put in when the place is known


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One problem at one place; `line` and `column` count from 1, `text` is the line itself."""

    path: str
    line: int
    column: int
    code: str
    message: str
    remedy: str = ""
    text: str = ""
    warning: bool = False

    def __str__(self) -> str:
        kind = f"{self.code} (warning)" if self.warning else self.code
        rows = [f"{self.path}:{self.line}:{self.column}: {kind} {self.message}"]
        if self.text:
            rows += [f"    {row}" for row in _pointed(self.text, self.column - 1)]
        if self.remedy:
            rows.append(f"    {self.remedy}")
        return "\n".join(map(_visible, rows))

    def as_json(self) -> dict[str, object]:
        return {
            "file": self.path,
            "line": self.line,
            "column": self.column,
            "severity": "warning" if self.warning else "error",
            "code": self.code,
            "message": self.message,
            "remedy": self.remedy,
        }


def _visible(row: str) -> str:
    """A line that any terminal can show: no bell, no half character, no second line."""
    return "".join(char if char == "\t" or char.isprintable() else "\ufffd" for char in row)


def _pointed(text: str, column: int) -> tuple[str, str]:
    """The line (of a long one, the stretch around the column) and a caret under the column."""
    start = max(0, column - 80)
    shown = text[start : start + 160]
    # Tabs are kept in the caret's line so that it stands under its character.
    lead = "".join("\t" if char == "\t" else " " for char in shown[: column - start])
    return shown, f"{lead}^"


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem before its place is known: `loc` leads to it from the top of the file, key by key."""

    loc: Loc
    code: str
    message: str
    remedy: str = ""
    key: bool = False


class Broken(Exception):
    """A scenario cannot be turned into an answer; carries the problem, place and remedy included."""

    def __init__(self, problem: Problem):
        super().__init__(str(problem))
        self.problem = problem


def near(word: object, words: Iterable[object], what: str = "one of") -> str:
    """The remedy for an unknown word: the one that was meant, or all there are."""
    known = sorted({str(each) for each in words})
    hit = get_close_matches(str(word), known, 1, 0.6)
    if hit:
        return f"did you mean '{hit[0]}'?"
    return f"{what}: {either(known)}" if known else ""


def either(words: Sequence[str], joint: str = "or") -> str:
    """`a, b or c`; the empty text is shown as its quotes."""
    shown = [word or '""' for word in words]
    return f" {joint} ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def a(noun: str) -> str:
    """The noun with its article."""
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
