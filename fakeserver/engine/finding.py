"""One request's facts, in one session -> the plan that answers it, and why: the order is the real API's.

Address, key, body; then the session's queue, and then what `choosing` says. It must not know the journal or a clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from fakeserver.engine import bodies
from fakeserver.engine.again import again
from fakeserver.engine.asking import ask_of
from fakeserver.engine.choosing import Picked
from fakeserver.engine.cors import SHARED, preflight_headers
from fakeserver.engine.heads import with_header
from fakeserver.engine.plans import Planner
from fakeserver.engine.repertoire import Repertoire
from fakeserver.engine.sessions import Session
from fakeserver.journal import Chosen
from fakeserver.match.access import address_fault, key_fault
from fakeserver.match.facts import Facts, Fault
from fakeserver.match.shorten import clipped
from fakeserver.match.unmatched import Unmatched
from fakeserver.match.validate import Request, read_request
from fakeserver.plan import Ask, Broken, Plan, Unknown, fill, filled, key_of, plain, spoken
from fakeserver.plan.fill import request_id

RETRY_COUNT = "x-stainless-retry-count"
JSON = (("content-type", "application/json"), *SHARED)


@dataclass(frozen=True, slots=True)
class Found:
    """An answer before it is written down. `key` tells this request from all others of the server.

    `replan` makes the plan again. It must not hold on to the request's body.
    """

    plan: Plan
    chosen: Chosen
    key: str
    replan: Callable[[], Plan]


class Finder:
    """Finds the answer to one request that was read `now`."""

    def __init__(self, repertoire: Repertoire, session: Session, api_key: str | None, now: int) -> None:
        self._plans: Planner = repertoire.plans
        self._chooser = repertoire.chooser
        self._session, self._api_key, self._now = session, api_key, now

    def find(self, facts: Facts) -> Found:
        if facts.method == "OPTIONS":
            replan = partial(plain, 204, "No Content", preflight_headers(facts), b"", facts.http)
            return Found(replan(), Chosen("preflight", status=204), "", replan)
        if facts.route.kind == "chat" and facts.method == "POST":
            return self._chat(facts)
        key = key_of(self._session.name, facts.plain_path, self._session.count(f"other {facts.route.kind}"))
        fault = address_fault(facts) or key_fault(facts, self._api_key)
        if fault is not None:
            return self._refusal(fault, facts, key)
        return self._models(facts, key)

    def _chat(self, facts: Facts) -> Found:
        number = self._session.count("chat")
        fault = address_fault(facts) or key_fault(facts, self._api_key)
        request = fault or read_request(facts.body, facts.route.model)
        if isinstance(request, Fault):
            return self._refusal(request, facts, key_of(self._session.name, "", number))
        picked = self._pick(facts, request)
        if isinstance(picked, Unmatched):
            fault = Fault("model-not-found", _miss(request, picked))
            missed = Chosen(picked.why, unmatched=picked)
            return self._refusal(fault, facts, key_of(self._session.name, "", number), missed)
        return self._scripted(facts, request, number, picked)

    def _pick(self, facts: Facts, request: Request) -> Picked | Unmatched:
        selector, where = self._session.queue.take()
        return self._chooser.told(selector, where) if selector else self._chooser.choose(facts, request)

    def _scripted(self, facts: Facts, request: Request, number: int, picked: Picked) -> Found:
        choice, now = picked.choice, self._now
        if self._session.dialect:
            choice = spoken(choice, self._session.dialect)
        name = choice.scenario.name
        key = key_of(self._session.name, name, number)
        turns = self._plans.turns(choice)
        counted = self._session.count(f"scenario {name}")
        attempt = _retries(facts) + 1 if turns.by == "retry-count" else counted
        ask = ask_of(request, facts.http, self._plans.needs(choice), number)
        chosen = Chosen(picked.why, choice.selector, attempt)
        turn = turns.index(attempt - 1)
        replan = partial(self._plans.plan, choice, turn, ask, lambda blank: fill(blank, key, now))
        try:
            plan = replan()
        except Broken as problem:
            return self._refusal(Fault("server-error", str(problem)), facts, key, chosen)
        return Found(plan, self._told(chosen, plan, key), key, replan)

    def _models(self, facts: Facts, key: str) -> Found:
        name = "/".join(facts.route.rest)
        replan = partial(_listed, self._plans, name, key, facts.http)
        try:
            return Found(replan(), Chosen("models", status=200), key, replan)
        except Unknown as miss:
            message = f"The model '{name}' does not exist. {miss}"
            return self._refusal(Fault("model-not-found", message), facts, key)

    def _refusal(self, fault: Fault, facts: Facts, key: str, chosen: Chosen | None = None) -> Found:
        replan = partial(_refused, self._plans, fault, facts.http, facts.route.methods)
        plan = replan()
        return Found(plan, self._told(chosen or Chosen(fault.name), plan, key), key, replan)

    def _told(self, chosen: Chosen, plan: Plan, key: str) -> Chosen:
        """With what the answer's head says of it."""
        if plan.status is None or plan.status < 300:
            return replace(chosen, status=plan.status)
        said = again(plan, filled(plan.blanks, key, self._now), self._now)
        return replace(chosen, status=plan.status, retry_after=said.after, retry_dated=said.dated, may_retry=said.may)


def _listed(plans: Planner, name: str, key: str, http: str) -> Plan:
    """All models, or the one of that name. Raises Unknown."""
    body = bodies.model(plans.choose(name).selector) if name else bodies.model_list(plans.menu())
    return plain(200, "OK", (*JSON, ("x-request-id", request_id(key).decode())), body, http)


def _refused(plans: Planner, fault: Fault, http: str, methods: tuple[str, ...]) -> Plan:
    plan = plans.error(fault, Ask(stream=False, http=http))
    return with_header(plan, "allow", ", ".join((*methods, "OPTIONS"))) if fault.name == "wrong-method" else plan


def _miss(request: Request, miss: Unmatched) -> str:
    """In the real API's words first, unless it is no model that is not there."""
    if miss.reason == "unknown-name":
        return miss.message
    return f"The model `{clipped(request.model)}` does not exist or you do not have access to it. {miss.message}"


def _retries(facts: Facts) -> int:
    told = facts.header(RETRY_COUNT)
    return int(told) if told.isdecimal() and len(told) < 6 else 0
