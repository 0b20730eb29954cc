"""What a session was asked, and assertions about it: the journal -> requests, or an AssertionError with a timeline.

Assertions wait for requests in flight, for a time at most, before they judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

from fakeserver.testing import asserting
from fakeserver.testing.requests import Lateness, Request, lateness_of, request_of
from fakeserver.testing.timeline import timeline
from fakeserver.testing.verdicts import Verdict, verdict_of

if TYPE_CHECKING:
    from fakeserver.testing.calls import Calls

SETTLE = 2.0  # seconds that an assertion waits for requests in flight

Ended = Literal["complete", "ended", "gone", "stopped", "broken", "in flight"]
Outcome = Literal["complete", "refused", "truncated", "failed"]


class Observed:
    """One session's journal."""

    def __init__(self, calls: Calls, id: str) -> None:
        self._calls, self.id = calls, id
        self._path = f"/sessions/{quote(id, safe='')}"

    @property
    def requests(self) -> list[Request]:
        """All requests so far, the oldest first (the last thousand are remembered)."""
        return self._journal()

    def lateness(self) -> Lateness:
        """By how much writes were later than planned, in seconds: p50, p99, max."""
        return lateness_of(self.requests)

    def explain(self, sentence: str = "") -> str:
        """The timeline of what happened, behind a sentence: what assertions say when they fail."""
        return "\n".join(filter(None, [sentence, timeline(self.requests)]))

    def assert_cancelled(self, within: float = SETTLE) -> None:
        """The last request's client leaves before the end of its answer, at most `within` seconds from now."""
        self._hold(asserting.not_cancelled(self._journal(within), within))

    def assert_attempts(
        self, count: int, *, scenario: str | None = None, respecting_retry_after: bool = False, wait: float = SETTLE
    ) -> None:
        """So many chat requests came (for this scenario), and none before the time that `retry-after` named."""
        asked = [each for each in self._journal(wait) if each.is_chat and _answers(each, scenario)]
        self._hold(asserting.wrong_attempts(asked, count, respecting_retry_after))

    def assert_no_unmatched(self) -> None:
        """Something has answered each request. The message names the nearest rules and all that differs."""
        missed = [request for request in self.requests if request.unmatched]
        if missed:
            many = "1 request was" if len(missed) == 1 else f"{len(missed)} requests were"
            raise AssertionError(f"{many} answered by nothing.\n{timeline(missed)}")

    def assert_all_consumed(self) -> None:
        """Nothing is left in the queue."""
        queue = self._calls.get(f"{self._path}/queue")["queue"]
        left = ", ".join(f"{each['times']} x {each['scenario']}" for each in queue)
        self._hold(left and f"Left in the queue: {left}.")

    def assert_on_time(self, p99: float = 0.02, wait: float = SETTLE) -> None:
        """99 of 100 writes were at most `p99` seconds later than planned."""
        self._hold(asserting.late(self._journal(wait), p99))

    def verify(
        self, scenario: str | None = None, *, count: int | None = None, at_least: int | None = None,
        at_most: int | None = None, body: dict[str, Any] | None = None, ended: Ended | None = None,
        wait: float = SETTLE,
    ) -> list[Request]:  # fmt: skip
        """So many such requests came, at least 1 if no amount is given; returns them.

        `body` maps JSON Pointers to values: {"/model": "gpt-5"}. `ended` is as in Request.
        """
        wanted = {"scenario": scenario, "count": count, "at_least": at_least, "at_most": at_most, "body": body,
                  "ended": ended, "wait": wait}  # fmt: skip
        said = {key: value for key, value in wanted.items() if value is not None}
        verdict = self._calls("POST", f"{self._path}/verify", said, wait)
        self._hold("" if verdict["ok"] else str(verdict["message"]).partition("\n")[0])
        return [each for each in self.requests if each.number in verdict["records"]]

    def verdict(
        self, *, outcome: Outcome | None = None, shown: str | None = None, cancelled_at: float | None = None,
        outcome_at: float | None = None, wait: float = SETTLE,
    ) -> Verdict:  # fmt: skip
        """What the client did wrong, as far as the journal proves it; true if nothing is found.

        Say of the last call what your app told (`outcome`) and when (`outcome_at`), the text that it showed in all
        (`shown`), and when it was cancelled (`cancelled_at`); moments as of time.time().
        """
        report = {"outcome": outcome, "shown": shown, "cancelled_at": cancelled_at, "outcome_at": outcome_at}
        said = {key: value for key, value in report.items() if value is not None}
        return verdict_of(self._calls("POST", f"{self._path}/verdict", {**said, "wait": wait}, wait))

    def assert_well_behaved(
        self, *, outcome: Outcome | None = None, shown: str | None = None, cancelled_at: float | None = None,
        outcome_at: float | None = None, wait: float = SETTLE,
    ) -> None:  # fmt: skip
        """Something was asked, and the verdict finds nothing; the message names all that it found."""
        found = self.verdict(outcome=outcome, shown=shown, cancelled_at=cancelled_at, outcome_at=outcome_at, wait=wait)
        self._hold("" if found else str(found))
        self._hold("" if found.requests else asserting.nothing_asked(self.id, self._base_url))

    @property
    def _base_url(self) -> str:
        return f"{self._calls.url}/session/{quote(self.id, safe='')}/v1"

    def _journal(self, wait: float = 0) -> list[Request]:
        query = f"?wait={wait:.6f}" if wait else ""
        return [request_of(each) for each in self._calls.get(f"{self._path}/journal{query}", wait)["records"]]

    def _hold(self, problem: str) -> None:
        if problem:
            raise AssertionError(self.explain(problem))


def _answers(request: Request, scenario: str | None) -> bool:
    return scenario is None or scenario in (request.scenario, request.scenario.partition("+")[0])
