"""What a player tells about an answer while it plays it: the words only, no memory of them.

All moments are nanoseconds since the request was read. The journal's record listens; so may a test.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from fakeserver.plan.model import EndKind

How = Literal["complete", "ended", "gone", "stopped", "broken"]
Left = Literal["", "FIN", "RST", "lost"]


@dataclass(frozen=True, slots=True)
class Ending:
    """How an answer ended.

    complete: clean, or left after the last scripted byte. ended: by the scripted close, reset or hang. gone: the client
    left before (`by` what). stopped: the server did. broken: the plan itself failed halfway. `acked` counts the
    answer's bytes that the client's kernel has confirmed, where that can be known.
    """

    how: How
    at: int
    kind: EndKind | None = None
    by: Left = ""
    acked: int | None = None
    detail: str = ""


class Notes(Protocol):
    """What the player calls."""

    def wrote(self, planned: int, actual: int, writes: int, size: int, events: int, marks_end: bool) -> None: ...

    def idled(self, at: int, size: int) -> None: ...

    def waited(self, length: int) -> None: ...

    def unlocked(self, reach: str) -> None: ...

    def reached(self, gate: str, at: int) -> None: ...

    def passed(self, gate: str, at: int) -> None: ...

    def ended(self, ending: Ending) -> None: ...
