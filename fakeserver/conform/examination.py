"""Cases and a command -> results: a server of its own, some cases at once, each in a session of its own.

It must not know how results are shown.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Container, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from fakeserver.conform.cases import Case, Expected, lasts
from fakeserver.conform.environment import base_url, environment
from fakeserver.conform.judging import MARKS, Judgement, Mark, beside, judge
from fakeserver.conform.outcome import Outcome
from fakeserver.conform.patience import Patience
from fakeserver.conform.running import Ran, run_once
from fakeserver.conform.staying import Line
from fakeserver.engine import Engine
from fakeserver.http.serve import Served, serve
from fakeserver.journal import Record, What
from fakeserver.script.library import Library
from fakeserver.verdict import Finding, Report, verdict

_NOT_ASKED = "an outcome, but no request came: ask FAKESERVER_BASE_URL (with --stay, base_url)"
_TWICE = "it printed two outcomes of this case: each case has one"
_SETTLE = 1.5  # seconds for answers that are still played once the client is done
_GRACE = 10.0  # seconds over the limit for a command's start
_WARM_GRACE = 5.0  # and for a process that has started: a busy machine is slow


@dataclass(frozen=True)
class Manner:
    """How the command is run. `speed` None is instant, `grace` None as long as is needed; times are in seconds."""

    command: tuple[str, ...]
    jobs: int = 2
    stay: bool = False
    at_once: int = 1
    time_limit: float = 5.0
    grace: float | None = None
    speed: float | None = None

    def most(self, warm: bool = False) -> float:
        """How long a case may take; `warm`: by a process that has started."""
        if self.grace is not None:
            return self.time_limit + self.grace
        return self.time_limit + (_WARM_GRACE if warm else _GRACE)


@dataclass(frozen=True, eq=False)
class Result:
    """One case, examined. `began` is in nanoseconds since 1970, as the records' moments are."""

    case: Case
    expected: tuple[Expected, ...]
    judged: Judgement
    outcome: Outcome | None
    findings: tuple[Finding, ...]
    seconds: float
    records: tuple[Record, ...]
    stderr: str
    began: int

    @property
    def mark(self) -> Mark:
        return self.judged.mark

    @property
    def attempts(self) -> int:
        """Chat requests that came."""
        return len(self.records)


@dataclass(eq=False)
class Examination:
    """`begun` and `done` are called as cases begin and end. What is in `results` stays there when it is stopped."""

    library: Library
    cases: Sequence[Case]
    manner: Manner
    begun: Callable[[Case], None] = lambda case: None
    done: Callable[[Result], None] = lambda result: None
    results: list[Result] = field(default_factory=list)
    fail_on: Mark = "red"  # the mildest mark that is a failure
    seconds: float = 0.0
    _waited: dict[str, Patience] = field(default_factory=dict)

    @property
    def totals(self) -> dict[str, int]:
        counted = Counter(result.mark for result in self.results)
        return {"cases": len(self.results), **{mark: counted[mark] for mark in MARKS}}

    @property
    def interrupted(self) -> bool:
        """It was stopped before all cases were done."""
        return len(self.results) < len(self.cases)

    def fails(self, result: Result) -> bool:
        """Whether this case makes the whole a failure."""
        return MARKS.index(result.mark) >= MARKS.index(self.fail_on)

    async def run(self) -> None:
        """Raises OSError if the command cannot be started."""
        began = time.monotonic()
        self._engine = Engine(self.library, speed=self.manner.speed)
        self._engine.journal.follow(self._follow)
        served = await serve(self._engine)
        queue = deque(self.cases)
        try:
            await _all(self._job(served, queue) for _ in range(min(self.manner.jobs, len(self.cases))))
        finally:
            await served.stop()
            self.results.sort(key=lambda result: (result.case.kind, result.case.selector))
            self.seconds = time.monotonic() - began

    async def _job(self, served: Served, queue: deque[Case]) -> None:
        if not self.manner.stay:
            while queue:
                await self._once(served, queue.popleft())
            return
        # Who may have several open may collect them. Who has one need not be told of the end before it has answered.
        line = Line(self.manner.command, environment(self.manner.time_limit),
                    lambda: bool(queue) or self.manner.at_once == 1)  # fmt: skip
        try:
            await _all(self._stand(served, line, queue) for _ in range(self.manner.at_once))
            await line.close()
        finally:
            await line.kill()
            self.results[:] = [_once_only(result, line.twice) for result in self.results]

    async def _once(self, served: Served, case: Case) -> None:
        manner = self.manner
        env = environment(manner.time_limit, base_url(served.url, case.selector), case.selector)
        await self._examine(case, manner.most(), manner.most(), partial(run_once, manner.command, env))

    async def _stand(self, served: Served, line: Line, queue: deque[Case]) -> None:
        manner, limit = self.manner, self.manner.time_limit
        while queue:
            case = queue.popleft()
            name = case.selector
            task = {"case": name, "base_url": base_url(served.url, name), "model": name, "time_limit": limit}
            await self._examine(case, manner.most(line.warm), manner.most(warm=True), partial(line.ask, name, task))
            await line.free(name)
        line.hang_up_after_the_last()

    async def _examine(self, case: Case, first: float, then: float, run: Callable[[Patience], Awaitable[Ran]]) -> None:
        self.begun(case)
        began = time.time_ns()
        slow = lasts(self.library, case.selector) / self.manner.speed if self.manner.speed else 0.0
        now = asyncio.get_running_loop().time()
        patience = self._waited[case.selector] = Patience(first + slow, then + slow, now)
        try:
            ran = await run(patience)
            told_at = time.time_ns()
            await self._settled(case.selector)
        finally:
            del self._waited[case.selector]
        result = self._result(case, ran, told_at, began)
        self._engine.sessions.drop(case.selector)
        self.results.append(result)
        self.done(result)

    def _result(self, case: Case, ran: Ran, told_at: int, began: int) -> Result:
        records = tuple(each for each in self._engine.journal.of(case.selector) if each.asked.method == "POST")
        expected = case.right(records[-1].chosen.attempt if records else 1)
        findings = verdict(records, _report(ran.outcome, told_at), time.time_ns())
        judged = beside(_judged(expected, ran, records), findings)
        seconds = (told_at - began) / 1e9
        return Result(case, expected, judged, ran.outcome, findings, seconds, records, ran.stderr, began)

    async def _settled(self, name: str) -> None:
        """A record is whole once its answer has ended."""
        session = self._engine.sessions.get(name)
        if not session.idle:
            idle: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            forget = session.when_idle(lambda: idle.set_result(None))
            await asyncio.wait({idle}, timeout=_SETTLE)
            forget()

    def _follow(self, what: What, record: Record, gate: str, at: int) -> None:
        loop, name = asyncio.get_running_loop(), record.session
        if what == "start" and name in self._waited:
            self._waited[name].asked(loop.time())
        if what == "gate":
            loop.call_soon(self._engine.release, name, gate)  # the stream is still on its way into the gate


def _once_only(result: Result, twice: Container[str]) -> Result:
    """Which of two outcomes is right cannot be told."""
    if result.case.selector not in twice:
        return result
    return replace(result, judged=Judgement("broken", (_TWICE,)))


def _report(outcome: Outcome | None, told_at: int) -> Report:
    """What the app is known to have told."""
    if outcome is None:
        return Report()
    return Report(outcome.told, outcome.shown, outcome_at=told_at / 1e9)


def _judged(expected: Sequence[Expected], ran: Ran, records: Sequence[Record]) -> Judgement:
    if ran.hung:
        return _hung(ran, records)
    if ran.outcome is None:
        return Judgement("broken", (ran.trouble,))
    if not records:
        return Judgement("broken", (_NOT_ASKED,))
    return judge(expected, ran.outcome)


def _hung(ran: Ran, records: Sequence[Record]) -> Judgement:
    """Who waits as a Retry-After says has not hung."""
    last = records[-1] if records else None
    wait = last.chosen.retry_after if last else None
    if last and wait and last.at + wait * 1e9 > time.time_ns():
        return Judgement("waiting", (f"it still waits, as it was told to (Retry-After: {wait:g} s)",))
    hangs = "it hangs" if records else "it hangs, and has asked nothing"
    return Judgement("red", tuple(filter(None, (hangs, ran.trouble))))


async def _all(work: Iterable[Coroutine[Any, Any, None]]) -> None:
    """All at once; where one fails, or all are stopped, none goes on."""
    try:
        async with asyncio.TaskGroup() as group:
            for each in work:
                group.create_task(each)
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
