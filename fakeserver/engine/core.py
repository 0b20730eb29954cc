"""One request's facts -> the answer: its plan, the values of its blanks, its record. And what a test does to sessions.

It must not know aiohttp, sockets or a clock: moments are passed in. `finding` says which plan answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus

from fakeserver.engine import bodies
from fakeserver.engine.answer import Answer
from fakeserver.engine.editions import Editions
from fakeserver.engine.feed import Feed
from fakeserver.engine.finding import JSON, Finder
from fakeserver.engine.heads import without_body
from fakeserver.engine.onward import failed
from fakeserver.engine.plans import Planner
from fakeserver.engine.repertoire import Own, Repertoire
from fakeserver.engine.sessions import Session, Sessions
from fakeserver.journal import BODY_KEPT, Asked, Chosen, Journal, Record
from fakeserver.match.facts import Facts, Fault
from fakeserver.match.route import DEFAULT_SESSION
from fakeserver.plan import Ask, Plan, filled, key_of, plain
from fakeserver.play.gates import Onward, Released
from fakeserver.script.library import Library
from fakeserver.script.loader import Entry
from fakeserver.script.problems import Problem


class Engine:
    """Answers requests from one library. `speed` None is instant; `fallback` is the selector that answers a miss."""

    def __init__(
        self,
        library: Library,
        *,
        fallback: str | None = None,
        speed: float | None = 1.0,
        api_key: str | None = None,
        journal: Journal | None = None,
        plans: Planner | None = None,
    ) -> None:
        """Raises Unknown if the fallback is not in the library."""
        self.journal = Journal() if journal is None else journal  # an empty one is false
        self.speed = speed
        self.problems: tuple[Problem, ...] = ()  # of files that were not taken in
        self._api_key, self._fallback = api_key, fallback
        self._repertoire = Repertoire.of(library, fallback, plans)
        self.sessions = Sessions(forget=self.journal.forget)
        self.feed = Feed()
        self._editions = Editions()
        self._playing: dict[int, Session] = {}  # by record
        self.journal.follow(self.feed.follow)
        self.journal.watch(self._ended)

    # Requests.

    def enter(self, name: str, now: int) -> Session:
        """The session in which a request begins `now`, in nanoseconds since 1970."""
        return self.sessions.get(name, now)

    def answer(self, facts: Facts, now: int, session: Session | None = None) -> Answer:
        """The answer to a request that was read `now`. It belongs to the generation in which it began."""
        session = session or self.enter(facts.route.session, now)
        found = Finder(self.repertoire(session), session, self._api_key, now).find(facts)
        plan = without_body(found.plan) if facts.method == "HEAD" else found.plan
        asked = Asked.of(facts.method, facts.path, facts.headers, facts.body)
        answer = self._answer(plan, filled(plan.blanks, found.key, now), session, now, asked, found.chosen)
        answer.record.key = found.key
        if asked.body_size <= BODY_KEPT:  # a plan holds texts of its request, which the journal bounds
            answer.record.replan = found.replan
        return answer

    def unreadable(self, status: int, message: str, now: int) -> Answer:
        """The answer to what is no HTTP request, or to one that this server failed on. It ends the connection."""
        session = self.enter(DEFAULT_SESSION, now)
        kind = "server_error" if status >= 500 else "invalid_request_error"
        body = bodies.error(message, kind)
        plan = plain(status, HTTPStatus(status).phrase, (*JSON, ("connection", "close")), body)
        return self._answer(plan, (), session, now, Asked.of("", "", {}, b""), Chosen(message, status=status))

    def _answer(
        self, plan: Plan, values: tuple[bytes, ...], session: Session, now: int, asked: Asked, chosen: Chosen
    ) -> Answer:
        record = self.journal.open(session.name, now, asked, chosen)
        record.manual = session.clock is not None
        speed = self.speed if session.speed == 0 else session.speed
        answer = Answer(plan, values, record, session.gates, speed, session.clock, session.holding)
        session.playing[record.number] = answer
        self._playing[record.number] = session
        return answer

    def _ended(self, record: Record) -> None:
        session = self._playing.pop(record.number, None)
        if session is not None:
            session.ended(record.number)

    def in_flight(self, number: int) -> Answer | None:
        """The answer to the request of this number, while it is played."""
        session = self._playing.get(number)
        return None if session is None else session.playing.get(number)

    # What answers.

    @property
    def library(self) -> Library:
        return self._repertoire.library

    def repertoire(self, session: Session | None = None) -> Repertoire:
        """All that answers in this session; without one, in those that have nothing of their own."""
        if session is None or session.own is None:
            return self._repertoire
        return session.own.over(self._repertoire)

    def own(self, session: Session, entry: Entry) -> None:
        """A scenario of this session's own. Raises TooMuch."""
        own = session.own or Own()
        own.put(entry)
        session.own = own
        self.journal.forget_plans(own.editions.begin(self.journal.last), session.name)

    def swap(self, library: Library) -> None:
        """From the next request on, another library; what is played keeps its plan. Raises Unknown (the fallback)."""
        self._repertoire = Repertoire.of(library, self._fallback)
        self.journal.forget_plans(self._editions.begin(self.journal.last))
        self.problems = ()
        self.feed.tell("library", "", {"ok": True, "scenarios": len(library.scenarios), "problems": []})

    def refuse(self, problems: Sequence[Problem]) -> None:
        """The files have become something that cannot be served: the library stays, and this is why."""
        self.problems = tuple(problems)
        told = [problem.as_json() for problem in problems]
        self.feed.tell("library", "", {"ok": False, "scenarios": len(self.library.scenarios), "problems": told})

    # Sessions.

    def reset(self, name: str, now: int) -> Session:
        """The session's next generation; what is in flight is ended, and its records are forgotten."""
        session = self.sessions.renew(name, now)
        self.feed.tell("reset", name, {"generation": session.generation})
        return session

    def release(self, session: str, gate: str, onward: Onward | None = None, now: int = 0) -> Released:
        """Let go whatever waits at this gate of the session."""
        return self.sessions.get(session, now).gates.release(gate, onward)

    def failure(self, name: str, now: int) -> Onward:
        """The end of a stream by this error. Raises Broken if there is none of that name."""
        fault, error = Fault(name), self._repertoire.plans.error
        plan, bare = error(fault, Ask(stream=False)), error(fault, Ask(stream=False, http="1.0"))
        return failed(Plan(tuple(plan.actions(filled(plan.blanks, key_of("", name, now), now)))), bare)
