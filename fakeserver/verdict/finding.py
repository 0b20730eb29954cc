"""What a test says of its app, and what is found about it: plain values. They must not know how it is found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fakeserver.speech.reading import Outcome


@dataclass(frozen=True, slots=True)
class Report:
    """What the app told, showed and did about its last call: the last chat request, and those that it repeats.

    `shown` is the answer's text as its user has seen it, in all. Moments are seconds since 1970: `cancelled_at`, when
    the app gave the call up; `outcome_at`, when it told its outcome. What is None says nothing.
    """

    outcome: Outcome | None = None
    shown: str | None = None
    cancelled_at: float | None = None
    outcome_at: float | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the client did wrong. `evidence` has the numbers of the `records` and the facts that prove it."""

    code: str
    says: str
    evidence: Mapping[str, object] = field(default_factory=dict)

    def as_dict(self) -> dict[str, object]:
        """The finding as JSON can carry it."""
        return {"code": self.code, "says": self.says, "evidence": dict(self.evidence)}
