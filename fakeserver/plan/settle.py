"""Built-in < dialect < scenario < attempt < overlays -> what holds for one answer (the language's section 5, point 1).

One level deep: `timing.every`, `wire.cut`, `head.status` win one by one, headers by name with case ignored; deeper
values and `break` replace as a whole; `patch` lists join.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from fakeserver.plan.ask import Ask
from fakeserver.plan.choice import Choice, body_of
from fakeserver.script.dialect import ErrorAnswer, Manner, Shape
from fakeserver.script.layers import Break, Head, Timing, Wire
from fakeserver.script.library import Library
from fakeserver.script.loader import Entry
from fakeserver.script.scenario import AnyBody, AttemptsScenario
from fakeserver.script.shapes import Closed
from fakeserver.script.steps import Edit

M = TypeVar("M", bound=Closed)


@dataclass(frozen=True, slots=True)
class Laid:
    """An edit and the file it stands in. A strict one that touches nothing is an error."""

    edit: Edit
    entry: Entry
    rank: int  # 0 dialect, 1 scenario, 2 attempt, 4 overlay; a step's own edits have 3
    strict: bool


@dataclass(frozen=True, slots=True)
class Layer:
    """A file's layers, or an attempt's.

    Strict: what it asks for must find something to act on. A dialect and an overlay are laid over many scenarios, and
    what a scenario says above its attempts is meant for those that it fits.
    """

    body: Any
    entry: Entry
    rank: int
    strict: bool


@dataclass(slots=True)
class Settled:
    """All that holds for one answer."""

    choice: Choice
    body: AnyBody
    timing: Timing
    head: Head
    wire: Wire
    patch: list[Laid]
    end: Break | None  # `break`, where one is in force
    end_strict: bool
    cut_strict: bool  # `wire.cut` is the scenario's own: it must find something
    envelope: dict[str, Any]
    shape: Shape
    manner: Manner
    errors: dict[str, ErrorAnswer]
    form: str
    protocol: str
    written: set[str] = field(default_factory=set)  # head keys that some file writes

    @property
    def entry(self) -> Entry:
        return self.choice.scenario

    def in_one_body(self, ask: Ask) -> bool:
        """Whether one object is told in place of a stream."""
        return self.form == "json" or (self.form == "asked" and not ask.stream)

    def tells_usage(self, ask: Ask) -> bool:
        """An object always tells its usage; a stream where it is asked to."""
        return ask.usage or self.in_one_body(ask)


def settle(library: Library, choice: Choice, turn: int) -> Settled:
    """What holds for this turn of this choice."""
    scenario, body = choice.scenario.body, body_of(choice, turn)
    attempt = body if isinstance(scenario, AttemptsScenario) else None
    name = attempt.dialect if attempt is not None and attempt.has("dialect") else scenario.dialect
    dialects = list(_bases(library, name, choice.scenario))
    layers = [Layer(each.body, each, 0, False) for each in dialects]
    layers.append(Layer(scenario, choice.scenario, 1, attempt is None))
    if attempt is not None:
        layers.append(Layer(attempt, choice.scenario, 2, True))
    layers += [Layer(overlay.body, overlay, 4, False) for overlay in choice.overlays]
    broken, strict = _break(layers)
    return Settled(
        choice=choice,
        body=body,
        timing=_stack(Timing(), [layer.body.timing for layer in layers]),
        head=_head([layer.body.head for layer in layers]),
        wire=_stack(Wire(), [layer.body.wire for layer in layers]),
        patch=_patches(layers),
        end=broken,
        end_strict=strict,
        cut_strict=_cut_strict(layers),
        envelope={k: v for layer in (*(e.body for e in dialects), scenario) for k, v in (layer.envelope or {}).items()},
        shape=_stack(Shape(), [each.body.shape for each in dialects]),
        manner=_stack(Manner(), [each.body.script for each in dialects]),
        errors=_errors([library.dialects["openai"], *dialects] if "openai" in library.dialects else dialects),
        form=attempt.form if attempt is not None and attempt.has("form") else scenario.form,
        protocol=scenario.protocol or "chat",
        written={key for layer in layers for key in layer.body.head.model_fields_set},
    )


def _bases(library: Library, name: str, user: Entry) -> Iterator[Entry]:
    """The dialect's chain, the bottom first."""
    entry = library.dialects.get(name)
    if entry is None:
        raise user.broken(user.body, "unknown-dialect", f"the dialect '{name}' could not be loaded",
                          "mend its file, or use another", "dialect")  # fmt: skip
    base = entry.body.base
    if base and base != name:
        yield from _bases(library, base, user)
    yield entry


def over(below: M, above: M) -> M:
    """`below` with what `above` writes."""
    written = {name: getattr(above, name) for name in above.model_fields_set}
    return below.model_copy(update=written) if written else below


def _stack(base: M, layers: list[M]) -> M:
    for layer in layers:
        base = over(base, layer)
    return base


def _head(layers: list[Head]) -> Head:
    head = _stack(Head(), layers)
    headers: dict[str, Any] = {}
    for layer in layers:
        headers = headers_over(headers, layer.headers)
    return head.model_copy(update={"headers": headers})


def headers_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Headers by name, case ignored. One that is written anew takes the old one's place, in its own letters."""
    out = dict(below)
    for name, value in above.items():
        same = next((known for known in out if known.lower() == name.lower()), name)
        if same != name:
            out = {name if known == same else known: old for known, old in out.items()}
        out[name] = value
    return out


def _patches(layers: list[Layer]) -> list[Laid]:
    laid: list[Laid] = []
    for layer in layers:
        if layer.body.patch == "none":
            laid.clear()
        else:
            laid += [Laid(edit, layer.entry, layer.rank, layer.strict) for edit in layer.body.patch]
    return laid


def _break(layers: list[Layer]) -> tuple[Break | None, bool]:
    found, strict = None, False
    for layer in layers:
        if layer.body.has("break_"):
            found, strict = (None if layer.body.break_ == "none" else layer.body.break_), layer.strict
    return found, strict


def _cut_strict(layers: list[Layer]) -> bool:
    said = [layer.strict for layer in layers if layer.body.wire.has("cut")]
    return bool(said) and said[-1]


def _errors(dialects: list[Entry]) -> dict[str, ErrorAnswer]:
    errors: dict[str, ErrorAnswer] = {}
    for entry in dialects:
        for name, answer in (entry.body.errors or {}).items():
            errors[name] = answer_over(errors[name], answer) if name in errors else answer
    return errors


def answer_over(below: ErrorAnswer, above: ErrorAnswer) -> ErrorAnswer:
    """Key by key; one body replaces the other."""
    written = {name: getattr(above, name) for name in above.model_fields_set}
    if "json_" in written or "text" in written:
        below = ErrorAnswer.model_construct(
            _fields_set=below.model_fields_set - {"json_", "text"}, status=below.status, headers=below.headers
        )
    return below.model_copy(update={**written, "headers": headers_over(below.headers, above.headers)})
