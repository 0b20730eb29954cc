"""What can go wrong between a test and its server. A stream that ends as scripted, or too early, is none of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


class FakeServerError(Exception):
    """The server did not start, is gone, or cannot do what was asked; `code` is the control API's word for it."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class ScenarioError(FakeServerError):
    """A scenario has errors. The message shows each with line, column and remedy; `problems` has them as dicts.

    Their keys: file, line, column, severity, code, message, remedy.
    """

    def __init__(self, message: str, problems: Iterable[Mapping[str, Any]] = ()) -> None:
        super().__init__(message, "scenario-problems")
        self.problems = tuple(problems)


class Refused(FakeServerError):
    """An error that the control API answered with; `error` is all that it said."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(str(error.get("message", "refused")), str(error.get("code", "")))
        self.error = error


def rendered(problems: Iterable[Mapping[str, Any]], text: str) -> str:
    """Problems of a scenario's text, as `fakeserver check` prints them."""
    from fakeserver.script.problems import Problem

    lines = text.splitlines()

    def shown(each: Mapping[str, Any]) -> str:
        line = lines[each["line"] - 1] if 0 < each["line"] <= len(lines) else ""
        told = (each["file"], each["line"], each["column"], each["code"], each["message"], each["remedy"])
        return str(Problem(*told, text=line, warning=each["severity"] == "warning"))

    return "\n".join(map(shown, problems))
