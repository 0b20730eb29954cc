"""What the control API found about the client -> a value that is true when it found nothing, and prints well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the client did wrong. `evidence` has the `records` (numbers of requests) and what proves it."""

    code: str
    says: str
    evidence: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.code}: {self.says}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found about the client: true if nothing was. A loop over it yields its findings.

    `requests` is how many were judged; of 0 nothing can be found, so look at it, or use `assert_well_behaved`.
    """

    findings: tuple[Finding, ...]
    requests: int

    def __bool__(self) -> bool:
        return not self.findings

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __str__(self) -> str:
        many = f"{self.requests} request{'s' * (self.requests != 1)} judged"
        return "\n".join(map(str, self.findings)) or f"Nothing is found about the client: {many}."

    @property
    def codes(self) -> tuple[str, ...]:
        """The findings by name."""
        return tuple(finding.code for finding in self.findings)


def verdict_of(told: Mapping[str, Any]) -> Verdict:
    """From a verdict as the control API tells it."""
    findings = (Finding(each["code"], each["says"], each["evidence"]) for each in told["findings"])
    return Verdict(tuple(findings), told["requests"])
