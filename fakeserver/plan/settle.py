"""Built-in < dialect < scenario < attempt < overlays -> what holds for one answer (the language's section 5, point 1).

One level deep: `timing.every`, `wire.cut`, `head.status` win one by one, headers by name with case ignored; deeper
values and `break` replace as a whole; `patch` lists join.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

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
    """An edit and the file it stands in. One of a scenario that touches nothing is an error; others may."""

    edit: Edit
    entry: Entry
    rank: int  # 0 dialect, 1 scenario, 2 attempt, 4 overlay; a step's own edits have 3

    @property
    def strict(self) -> bool:
        return self.rank in (1, 2)


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
    manner_entry: Entry
    form: str
    protocol: str
    written: set[str] = field(default_factory=set)  # head keys that some file writes

    @property
    def entry(self) -> Entry:
        return self.choice.scenario


def settle(library: Library, choice: Choice, turn: int) -> Settled:
    """What holds for this turn of this choice."""
    scenario, body = choice.scenario.body, body_of(choice, turn)
    attempt = body if isinstance(scenario, AttemptsScenario) else None
    name = attempt.dialect if attempt is not None and attempt.has("dialect") else scenario.dialect
    dialects = list(_bases(library, name, choice.scenario))
    layers = [*((each.body, each, 0) for each in dialects), (scenario, choice.scenario, 1)]
    if attempt is not None:
        layers.append((attempt, choice.scenario, 2))
    layers += [(overlay.body, overlay, 4) for overlay in choice.overlays]
    broken, strict = _break(layers)
    return Settled(
        choice=choice,
        body=body,
        timing=_stack(Timing(), [layer.timing for layer, *_ in layers]),
        head=_head([layer.head for layer, *_ in layers]),
        wire=_stack(Wire(), [layer.wire for layer, *_ in layers]),
        patch=_patches(layers),
        end=broken,
        end_strict=strict,
        cut_strict=_cut_strict(layers),
        envelope={k: v for layer in (*(e.body for e in dialects), scenario) for k, v in (layer.envelope or {}).items()},
        shape=_stack(Shape(), [each.body.shape for each in dialects]),
        manner=_stack(Manner(), [each.body.script for each in dialects]),
        errors=_errors(dialects),
        manner_entry=next((e for e in reversed(dialects) if e.body.has("script")), choice.scenario),
        form=attempt.form if attempt is not None and attempt.has("form") else scenario.form,
        protocol=scenario.protocol or "chat",
        written={key for layer, *_ in layers for key in layer.head.model_fields_set},
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
        for name, value in layer.headers.items():
            same = next((known for known in headers if known.lower() == name.lower()), None)
            if same is not None and same != name:
                # Written anew in other letters: the newer spelling, in the old place.
                headers = {name if known == same else known: old for known, old in headers.items()}
            headers[name] = value
    return head.model_copy(update={"headers": headers})


def _patches(layers: list[tuple[Any, Entry, int]]) -> list[Laid]:
    laid: list[Laid] = []
    for layer, entry, rank in layers:
        if layer.patch == "none":
            laid.clear()
        else:
            laid += [Laid(edit, entry, rank) for edit in layer.patch]
    return laid


def _break(layers: list[tuple[Any, Entry, int]]) -> tuple[Break | None, bool]:
    found, strict = None, False
    for layer, _, rank in layers:
        if layer.has("break_"):
            found, strict = (None if layer.break_ == "none" else layer.break_), rank in (1, 2)
    return found, strict


def _cut_strict(layers: list[tuple[Any, Entry, int]]) -> bool:
    ranks = [rank for layer, _, rank in layers if layer.wire.has("cut")]
    return bool(ranks) and ranks[-1] in (1, 2)


def _errors(dialects: list[Entry]) -> dict[str, ErrorAnswer]:
    errors: dict[str, ErrorAnswer] = {}
    for entry in dialects:
        for name, answer in (entry.body.errors or {}).items():
            errors[name] = over(errors[name], answer) if name in errors else answer
    return errors
