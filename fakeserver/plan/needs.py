"""A choice -> the request facts that change its answer's bytes, so that plans are kept by these and no others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fakeserver.plan.choice import Choice
from fakeserver.plan.draw import holes_in
from fakeserver.script.library import Library

_ALWAYS = ("count", "so_far", "model")  # holes that need no request, or what each Ask has


def needs(library: Library, choice: Choice) -> frozenset[str]:
    """The request facts that change this answer's bytes beside the ones that every plan may see.

    Holes of templates by name, "number" (jitter), "values" (compress), "prompt_tokens" (usage is told unasked),
    "padding" (the dialect pads, and a request may say that it must not).
    """
    scenario = choice.scenario.body
    bodies = [scenario, *getattr(scenario, "attempts", ())]
    dialects = list(_dialects(library, {body.dialect for body in bodies}))
    layers = [*bodies, *dialects, *(overlay.body for overlay in choice.overlays)]
    found = {hole for layer in layers for hole in holes_in(layer) if hole not in _ALWAYS}
    if any(layer.timing.jitter for layer in layers):
        found.add("number")
    if any(layer.wire.compress != "none" for layer in layers):
        found.add("values")
    if any(each.script.usage != "asked" for each in dialects) or any(body.form == "json" for body in bodies):
        found.add("prompt_tokens")
    if any(each.shape.padding != "none" for each in dialects):
        found.add("padding")
    return frozenset(found)


def _dialects(library: Library, names: set[str]) -> Iterator[Any]:
    for name in names:
        entry = library.dialects.get(name)
        while entry is not None:
            yield entry.body
            entry = library.dialects.get(entry.body.base or "")
