"""One test's part of a server, from Python: what it answers, what it holds back, what it was asked.

It must not know how the server runs. Everything is a call of the control API, so nothing is kept here but names.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from itertools import count
from textwrap import dedent
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

from fakeserver.testing.errors import Refused, ScenarioError, rendered
from fakeserver.testing.handles import Clock, Gate, Gates
from fakeserver.testing.observing import Observed
from fakeserver.testing.replies import Cut, reply_text

if TYPE_CHECKING:
    from fakeserver.testing.calls import Calls
    from fakeserver.testing.twins import AsyncSession

KEY = "fakeserver"  # any key will do where the server wants none


class Session(Observed):
    """A queue, counters, gates, a clock and a journal of one's own, reached by a base URL of one's own.

    Whatever talks to the server raises FakeServerError if that does not answer. Assertions raise AssertionError with a
    timeline of what happened. `aio` has everything as coroutines, for what would otherwise block a loop.
    """

    def __init__(self, calls: Calls, id: str, api_key: str | None = None) -> None:
        super().__init__(calls, id)
        self._key = api_key or KEY
        self._numbers = count(1)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id} at {self._calls.url or 'no address yet'}>"

    @property
    def base_url(self) -> str:
        """What an OpenAI client takes as its base URL; `/v1` is at its end."""
        return self._base_url

    def env(self) -> dict[str, str]:
        """OPENAI_BASE_URL and OPENAI_API_KEY, for monkeypatch.setenv or a subprocess. Nothing is set by itself."""
        return {"OPENAI_BASE_URL": self.base_url, "OPENAI_API_KEY": self._key}

    @property
    def aio(self) -> AsyncSession:
        """The same with coroutines, for asyncio and trio."""
        from fakeserver.testing.twins import AsyncSession

        return AsyncSession(self)

    # What it answers.

    def use(self, scenario: str | None) -> None:
        """Answer each request with this scenario, overlays allowed ("hello+slow"); None takes that back."""
        self._calls("PUT", f"{self._path}/use", {"scenario": scenario})

    def enqueue(self, scenario: str, times: int = 1) -> None:
        """Answer the next `times` requests with it: first in, first out, before what `use` says."""
        self._calls("POST", f"{self._path}/queue", {"scenario": scenario, "times": times})

    def script(self, text: str, name: str | None = None) -> str:
        """Take in a scenario in YAML, and use it; returns its name, made up if none is given.

        Raises ScenarioError if it has errors; what is doubtful about it is a UserWarning.
        """
        name, text = name or f"script-{next(self._numbers)}", dedent(text)
        try:
            told = self._calls("PUT", f"{self._path}/scenarios/{quote(name, safe='')}", text)["problems"]
        except Refused as refused:
            problems = refused.error.get("problems", ())
            if not problems:
                raise
            raise ScenarioError("\n" + rendered(problems, text), problems) from None
        if told:
            warnings.warn("\n" + rendered(told, text), stacklevel=2)
        self.use(name)
        return name

    def reply(self, text: str | Sequence[str], *, first: float = 0, every: float = 0, cut: Cut = None) -> str:
        """Answer with this text (of a list: in these pieces); returns the scenario's name.

        `first` and `every` are seconds: to the first piece, and between pieces. `cut` divides each event into writes
        of so many bytes, or at a place ("utf8", "crlf").
        """
        return self.script(reply_text(text, first, every, cut))

    def speed(self, speed: float | Literal["instant"] | None) -> None:
        """2 is twice as fast, "instant" waits for nothing but gates, None is the server's own. For what comes next."""
        self._calls("PUT", f"{self._path}/speed", {"speed": speed})

    # What it holds back.

    @property
    def gates(self) -> Gates:
        """The gates of this session's streams, by name."""
        return Gates(self._calls, self._path, self.explain)

    @property
    def clock(self) -> Clock:
        """This session's time."""
        return Clock(self._calls, self._path, self.explain)

    def hold_all(self, on: bool = True) -> None:
        """Stop each stream that begins from now on before each of its events; False lets all go."""
        self._calls("POST", f"{self._path}/hold", {"all": on})

    def step(self, events: int = 1, timeout: float = 5.0) -> None:
        """Let the stopped streams go on by so many events, once there is one. Raises TimeoutError."""
        Gate(self._calls, self._path, "*", self.explain).wait(timeout)
        self._calls("POST", f"{self._path}/step", {"events": events})

    # Its end.

    def reset(self) -> None:
        """Begin anew: what is in flight is ended; scenarios, queue, counters, gates and journal are forgotten."""
        self._calls("POST", f"{self._path}/reset")

    def drop(self) -> None:
        """The same, and the server forgets the session. Nothing happens if it never knew it."""
        try:
            self._calls("DELETE", self._path)
        except Refused as refused:
            if refused.code != "unknown-session":
                raise
