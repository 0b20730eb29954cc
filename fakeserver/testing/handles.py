"""Gates and the clock of a session, as a test handles them: a name or a mode -> calls of the control API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote, urlencode

if TYPE_CHECKING:
    from fakeserver.testing.calls import Calls

Explain = Callable[[str], str]  # a sentence -> the same with the timeline behind it


class Gate:
    """One named place at which streams wait."""

    def __init__(self, calls: Calls, path: str, name: str, explain: Explain) -> None:
        self._calls, self._path, self.name, self._explain = calls, f"{path}/gates/{quote(name, safe='')}", name, explain

    def wait(self, timeout: float = 5.0) -> int:
        """Return once a stream waits here: how many do. Raises TimeoutError after `timeout` seconds, 300 at most."""
        found = self._calls.get(f"{self._path}?wait={timeout:.6f}", timeout)
        if "waited_in_vain" in found:
            raise TimeoutError(self._explain(f"No stream came to the gate '{self.name}' within {timeout:g} s."))
        return int(found["reached"])

    def release(self, end: Literal["reset", "close", "end"] | None = None, error: str | None = None) -> int:
        """Let all that wait here go on: how many. If none does, the next to come finds the gate open.

        `end` takes them to another end than their scenario's: a RST, a FIN, or a clean end. `error` names an error of
        the scenario language (rate-limited, overloaded, ...): its status where nothing was sent, else an event.
        """
        told = {"error": error} if error else end
        return int(self._calls("POST", f"{self._path}/release", {"end": told} if told else None)["released"])


class Gates:
    """`gates["half"]` is the gate of that name."""

    def __init__(self, calls: Calls, path: str, explain: Explain) -> None:
        self._calls, self._path, self._explain = calls, path, explain

    def __getitem__(self, name: str) -> Gate:
        return Gate(self._calls, self._path, name, self._explain)


class Clock:
    """The session's time: real, or manual, which passes only by `advance`. Only of streams that begin afterwards."""

    def __init__(self, calls: Calls, path: str, explain: Explain) -> None:
        self._calls, self._path, self._explain = calls, f"{path}/clock", explain

    def manual(self) -> None:
        """Time passes only when `advance` says so: a stall of 30 seconds takes none."""
        self._calls("PUT", self._path, {"mode": "manual"})

    def wall(self) -> None:
        """Time passes by itself. Raises FakeServerError while a stream is in flight."""
        self._calls("PUT", self._path, {"mode": "wall"})

    def advance(self, seconds: float) -> float:
        """Let so much time pass; returns the new time once every stream waits again, or is over."""
        return float(self._calls("POST", f"{self._path}/advance", {"by": seconds})["now"])

    def wait(self, streams: int = 1, timeout: float = 5.0) -> int:
        """Return once so many streams wait for a moment to come: how many do. Raises TimeoutError."""
        query = urlencode({"streams": streams, "wait": f"{timeout:.6f}"})
        found = self._calls.get(f"{self._path}?{query}", timeout)
        if "waited_in_vain" in found:
            raise TimeoutError(
                self._explain(f"{found['waiting']} of {streams} streams wait for the clock after {timeout:g} s.")
            )
        return int(found["waiting"])
