"""FakeServer for Python's tests, and the pytest plugin beside it.

In a process of its own (the default), in a thread, or in the caller's loop, the server is spoken to over HTTP alone, so
a test's side of it is the standard library. What a mode needs besides is imported when it starts, and the names below
when they are asked for: pytest loads the plugin in every run.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fakeserver.testing.errors import FakeServerError, ScenarioError
    from fakeserver.testing.requests import Lateness, Request
    from fakeserver.testing.server import FakeServer
    from fakeserver.testing.session import Session
    from fakeserver.testing.twins import AsyncSession
    from fakeserver.testing.verdicts import Finding, Verdict

__all__ = [
    "AsyncSession", "FakeServer", "FakeServerError", "Finding", "Lateness", "Request", "ScenarioError", "Session",
    "Verdict",
]  # fmt: skip

_HOMES = {
    "AsyncSession": "twins",
    "FakeServer": "server",
    "FakeServerError": "errors",
    "Finding": "verdicts",
    "Lateness": "requests",
    "Request": "requests",
    "ScenarioError": "errors",
    "Session": "session",
    "Verdict": "verdicts",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name in _HOMES:
            return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
