"""How long a case may take: from its beginning, and anew from each of its first requests, so that retries have time.

It must not know what is waited for.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

_RENEWED = 6  # requests: a client that asks on and on does not go on for ever


@dataclass(eq=False)
class Patience:
    """`first`: seconds until a case without a request has taken too long; `then`: after each request."""

    first: float
    then: float
    began: float
    renewed: float = 0.0
    requests: int = 0

    def asked(self, at: float) -> None:
        """A request of this case has come."""
        self.requests += 1
        if self.requests <= _RENEWED:
            self.renewed = at + self.then

    @property
    def end(self) -> float:
        return max(self.began + self.first, self.renewed)

    async def outlasts(self, waited: asyncio.Future[Any]) -> bool:
        """Wait for it; false if it took too long."""
        loop = asyncio.get_running_loop()
        while not waited.done():
            left = self.end - loop.time()
            if left <= 0:
                return False
            await asyncio.wait({waited}, timeout=left)
        return True
