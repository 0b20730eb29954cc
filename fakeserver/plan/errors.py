"""The name of an error, and what a request adds to it -> a plan: the answers that no scenario scripts."""

from __future__ import annotations

from typing import Any

from fakeserver.plan.ask import Ask
from fakeserver.plan.choice import Choice
from fakeserver.plan.compiler import compile_plan
from fakeserver.plan.model import Plan
from fakeserver.plan.settle import settle
from fakeserver.script.library import Library
from fakeserver.script.loader import Entry
from fakeserver.script.problems import near
from fakeserver.script.scenario import RespondScenario


def error_plan(
    library: Library,
    name: str,
    ask: Ask,
    *,
    message: str | None = None,
    param: str | None = None,
    code: str | None = None,
) -> Plan:
    """The dialect openai's answer of that name; what is given takes the place of the recorded words. Raises Broken."""
    settled = settle(library, _choice({"respond": {"status": 500}}), 0)
    if name not in settled.errors:
        raise settled.entry.broken(settled.body, "unknown-error", f"unknown error '{name}'",
                                   near(name, settled.errors), "respond")  # fmt: skip
    if message is None and param is None and code is None:
        return compile_plan(library, _choice({"respond": name}), 0, ask)
    recorded = settled.errors[name].json_["error"]
    given = {"message": message, "param": param, "code": code}
    error = {**recorded, **{key: value for key, value in given.items() if value is not None}}
    return compile_plan(library, _choice({"respond": {"error": name, "json": {"error": error}}}), 0, ask)


def _choice(data: dict[str, Any]) -> Choice:
    body = RespondScenario.model_validate(data)
    return Choice("", Entry("an answer of the server itself", "<server>", "", "scenario", body))
