"""A request as everything behind the server sees it: plain values, whole, and nothing of the connection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fakeserver.match.route import Route

# Headers whose values are not told.
SECRETS = frozenset({"authorization", "proxy-authorization", "api-key", "x-api-key", "cookie"})


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a request: the error's name in the scenario language, and what differs from its usual body."""

    name: str
    message: str | None = None
    param: str | None = None
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """One request that has been read to its end. Header names are lower-case; a repeated one is joined by commas.

    `fault` is what was found while it was read (too large, an encoding that does not decode).
    """

    method: str
    path: str
    route: Route
    headers: Mapping[str, str]
    body: bytes = b""
    http: str = "1.1"
    fault: Fault | None = None

    @property
    def plain_path(self) -> str:
        """The path without its query."""
        return self.path.partition("?")[0]

    def header(self, name: str) -> str:
        return self.headers.get(name, "")
