"""A selector -> the scenario and overlays it names, and which body of the scenario a request gets."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fakeserver.match.names import near_names
from fakeserver.match.shorten import clipped
from fakeserver.script.library import Library
from fakeserver.script.loader import Entry
from fakeserver.script.scenario import AnyBody, AttemptsScenario, RespondAttempt


class Unknown(Exception):
    """A selector names something that the library does not have; the message says what is near."""

    @property
    def message(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """What was chosen: a scenario, and overlays from left to right. `dialect` is what it was told to speak, if any."""

    selector: str
    scenario: Entry
    overlays: tuple[Entry, ...] = ()
    dialect: str = ""


@dataclass(frozen=True, slots=True)
class Turns:
    """How many bodies a scenario has, what follows the last, and what counts them."""

    count: int = 1
    then: str = "last"
    by: str = "request"

    def index(self, n: int) -> int:
        """Which body the request number `n` (from 0) gets; -1: none, the answer of `then: fail`."""
        if n < self.count:
            return n
        return {"last": self.count - 1, "again": n % self.count}.get(self.then, -1)


def choose(library: Library, selector: str) -> Choice:
    """`name+overlay+overlay` -> Choice. Raises Unknown."""
    name, *overlays = selector.split("+")
    if name not in library.scenarios:
        raise Unknown(f"There is no scenario '{clipped(name)}'; {near_names(name, library.scenarios)}")
    missing = next((each for each in overlays if each not in library.overlays), None)
    if missing is not None:
        raise Unknown(f"There is no overlay '{clipped(missing)}'; {near_names(missing, library.overlays)}")
    return Choice(selector, library.scenarios[name], tuple(library.overlays[each] for each in overlays))


def spoken(choice: Choice, dialect: str) -> Choice:
    """The same as if the scenario's `dialect` were this one. An attempt's own stays in its place."""
    scenario = choice.scenario
    body = scenario.body.model_copy(update={"dialect": dialect})
    return replace(choice, scenario=replace(scenario, body=body), dialect=dialect)


def turns(choice: Choice) -> Turns:
    body = choice.scenario.body
    if not isinstance(body, AttemptsScenario):
        return Turns()
    return Turns(len(body.attempts), body.then, body.attempts_by)


def body_of(choice: Choice, turn: int) -> AnyBody:
    """The body of one turn; after the last one of `then: fail`, a 500 that says so."""
    scenario = choice.scenario.body
    if not isinstance(scenario, AttemptsScenario):
        return scenario  # type: ignore[no-any-return]  # an Entry's body is typed by its kind alone
    if turn >= 0:
        return scenario.attempts[turn]
    message = (
        f"The scenario '{choice.scenario.name}' has {len(scenario.attempts)} attempts, and all of them are used up."
    )
    return RespondAttempt.model_validate(
        {
            "respond": {
                "status": 500,
                "json": {
                    "error": {"message": message, "type": "server_error", "param": None, "code": "attempts_used_up"}
                },
            }
        }
    )
