"""One request's facts -> the answer: its plan, the values of its blanks, its record.

It must not know aiohttp, sockets or a clock: moments are passed in. The order is the real API's: address, key, body;
`choosing` then says which scenario answers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from http import HTTPStatus

from fakeserver.engine import bodies
from fakeserver.engine.asking import ask_of
from fakeserver.engine.choosing import Chooser, Picked
from fakeserver.engine.cors import SHARED, preflight_headers
from fakeserver.engine.heads import with_header, without_body
from fakeserver.engine.plans import Planner, Plans
from fakeserver.engine.sessions import Session, Sessions
from fakeserver.journal import Asked, Chosen, Journal, Record
from fakeserver.match.access import address_fault, key_fault
from fakeserver.match.facts import Facts, Fault
from fakeserver.match.route import DEFAULT_SESSION
from fakeserver.match.shorten import clipped
from fakeserver.match.unmatched import Unmatched
from fakeserver.match.validate import Request, read_request
from fakeserver.plan import Ask, Broken, Plan, Unknown, fill, filled, key_of, plain
from fakeserver.plan.fill import request_id
from fakeserver.play.gates import Gates, Released
from fakeserver.script.library import Library

RETRY_COUNT = "x-stainless-retry-count"
_JSON = (("content-type", "application/json"), *SHARED)


@dataclass(frozen=True, slots=True)
class Answer:
    """All that is needed to play it."""

    plan: Plan
    values: tuple[bytes, ...]
    record: Record
    gates: Gates
    speed: float | None


@dataclass(frozen=True, slots=True)
class _Found:
    """An answer before it is written down. `key` tells this request from all others of the server."""

    plan: Plan
    chosen: Chosen
    key: str


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
        self.journal = journal or Journal()
        self.speed = speed
        self._plans: Planner = plans or Plans(library)
        self._api_key = api_key
        self._chooser = Chooser(self._plans, fallback)
        self._sessions = Sessions()
        self.journal.watch(lambda record: self._sessions.ended(record.session))

    def answer(self, facts: Facts, now: int) -> Answer:
        """The answer to a request that was read `now`, in nanoseconds since 1970."""
        session = self._sessions.get(facts.route.session)
        found = self._find(facts, session, now)
        plan = without_body(found.plan) if facts.method == "HEAD" else found.plan
        asked = Asked.of(facts.method, facts.path, facts.headers, facts.body)
        record = self.journal.open(session.name, now, asked, found.chosen)
        session.playing += 1
        return Answer(plan, filled(plan.blanks, found.key, now), record, session.gates, self.speed)

    def unreadable(self, status: int, message: str, now: int) -> Answer:
        """The answer to what is no HTTP request, or to one that this server failed on. It ends the connection."""
        session = self._sessions.get(DEFAULT_SESSION)
        kind = "server_error" if status >= 500 else "invalid_request_error"
        body = bodies.error(message, kind)
        plan = plain(status, HTTPStatus(status).phrase, (*_JSON, ("connection", "close")), body)
        record = self.journal.open(session.name, now, Asked.of("", "", {}, b""), Chosen(message, status=status))
        session.playing += 1
        return Answer(plan, (), record, session.gates, self.speed)

    def release(self, session: str, gate: str) -> Released:
        """Let go whatever waits at this gate of the session."""
        return self._sessions.get(session).gates.release(gate)

    def _find(self, facts: Facts, session: Session, now: int) -> _Found:
        if facts.method == "OPTIONS":
            plan = plain(204, "No Content", preflight_headers(facts), b"", facts.http)
            return _Found(plan, Chosen("preflight", status=204), "")
        if facts.route.kind == "chat" and facts.method == "POST":
            return self._chat(facts, session, now)
        key = key_of(session.name, facts.plain_path, session.count(f"other {facts.route.kind}"))
        fault = address_fault(facts) or key_fault(facts, self._api_key)
        if fault is not None:
            return self._refusal(fault, facts, key)
        return self._models(facts, key)

    def _chat(self, facts: Facts, session: Session, now: int) -> _Found:
        number = session.count("chat")
        fault = address_fault(facts) or key_fault(facts, self._api_key)
        request = fault or read_request(facts.body)
        if isinstance(request, Fault):
            return self._refusal(request, facts, key_of(session.name, "", number))
        picked = self._chooser.choose(facts, request)
        if isinstance(picked, Unmatched):
            fault = Fault("model-not-found", _miss(request, picked))
            missed = Chosen(picked.why, unmatched=picked)
            return self._refusal(fault, facts, key_of(session.name, "", number), missed)
        return self._scripted(facts, request, session, now, number, picked)

    def _scripted(
        self, facts: Facts, request: Request, session: Session, now: int, number: int, picked: Picked
    ) -> _Found:
        choice = picked.choice
        name = choice.scenario.name
        key = key_of(session.name, name, number)
        turns = self._plans.turns(choice)
        counted = session.count(f"scenario {name}")
        attempt = _retries(facts) + 1 if turns.by == "retry-count" else counted
        ask = ask_of(request, facts.http, self._plans.needs(choice), number)
        chosen = Chosen(picked.why, choice.selector, attempt)
        try:
            plan = self._plans.plan(choice, turns.index(attempt - 1), ask, lambda blank: fill(blank, key, now))
        except Broken as problem:
            return self._refusal(Fault("server-error", str(problem)), facts, key, chosen)
        return _Found(plan, _with_status(chosen, plan), key)

    def _models(self, facts: Facts, key: str) -> _Found:
        name = "/".join(facts.route.rest)
        try:
            body = bodies.model(self._plans.choose(name).selector) if name else bodies.model_list(self._plans.names())
        except Unknown as miss:
            message = f"The model '{name}' does not exist. {miss}"
            return self._refusal(Fault("model-not-found", message), facts, key)
        headers = (*_JSON, ("x-request-id", request_id(key).decode()))
        return _Found(plain(200, "OK", headers, body, facts.http), Chosen("models", status=200), key)

    def _refusal(self, fault: Fault, facts: Facts, key: str, chosen: Chosen | None = None) -> _Found:
        plan = self._plans.error(fault, Ask(stream=False, http=facts.http))
        if fault.name == "wrong-method":
            plan = with_header(plan, "allow", ", ".join((*facts.route.methods, "OPTIONS")))
        return _Found(plan, _with_status(chosen or Chosen(fault.name), plan), key)


def _with_status(chosen: Chosen, plan: Plan) -> Chosen:
    return replace(chosen, status=plan.status)


def _miss(request: Request, miss: Unmatched) -> str:
    """In the real API's words first, unless it is no model that is not there."""
    if miss.reason == "unknown-name":
        return miss.message
    return f"The model `{clipped(request.model)}` does not exist or you do not have access to it. {miss.message}"


def _retries(facts: Facts) -> int:
    told = facts.header(RETRY_COUNT)
    return int(told) if told.isdecimal() and len(told) < 6 else 0
