"""Cues -> cues with every edit done (section 5: 4). Selectors look at the chunks as they were made.

Order: dialect, scenario, attempt, the step's own, overlays; within one edit: drop, set, remove, fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from fakeserver.plan import pointers
from fakeserver.plan.cues import Cue
from fakeserver.plan.draw import Around, Drawer
from fakeserver.plan.ledger import Ledger
from fakeserver.plan.settle import Laid, Settled
from fakeserver.script.steps import Edits

Json = Any
_LAYOUT = ("fields", "newline", "keep", "cut")
_OPTIONS = {"set", "remove", *_LAYOUT}


def counts_from_end(settled: Settled) -> bool:
    """Whether a selector needs to know how many chunks there are."""
    return any(_from_end(laid.edit.only) for laid in settled.patch)


def _from_end(only: Any) -> bool:
    if isinstance(only, tuple):
        return any(map(_from_end, only))
    return only == "last" or (isinstance(only, int) and only < 0)


def owe(settled: Settled, ledger: Ledger) -> None:
    """Each edit of a scenario or an attempt must touch something."""
    for laid in settled.patch:
        if laid.strict:
            ledger.owe(id(laid.edit), laid.entry, laid.edit, "touches-nothing", "this edit touches nothing",
                       "see `fakeserver show` for the chunks; mind the selector and the pointers")  # fmt: skip


class Editor:
    """The edits of one pass."""

    def __init__(self, settled: Settled, drawer: Drawer, ledger: Ledger, total: Callable[[], int]):
        self.settled = settled
        self.drawer = drawer
        self.ledger = ledger
        self.total = total() if counts_from_end(settled) else 0
        self.before = [laid for laid in settled.patch if laid.rank < 3]
        self.after = [laid for laid in settled.patch if laid.rank > 3]
        owe(settled, ledger)

    def edited(self, cues: Iterable[Cue]) -> Iterator[Cue]:
        place = 0
        for cue in cues:
            place += cue.kind == "chunk"
            if not self._patched(cue, place, self.before):
                self._own(cue)
                if not self._patched(cue, place, self.after):
                    yield cue

    def _patched(self, cue: Cue, place: int, patch: list[Laid]) -> bool:
        """Do these edits; whether one of them drops the cue."""
        if cue.kind not in ("chunk", "done"):
            return False
        for laid in patch:
            if self._selected(laid.edit.only, cue, place):
                if laid.edit.drop:
                    self.ledger.pay(id(laid.edit))
                    return True
                self._do(laid.edit, cue, _same(id(laid.edit)))
        return False

    def _own(self, cue: Cue) -> None:
        """The step's own edits, each option of which must find something; those of a dialect's opening may not."""
        step = cue.step
        if step is None or not step.model_fields_set & _OPTIONS:
            return
        for option in step.model_fields_set & _OPTIONS if not cue.opening else ():
            self.ledger.owe((id(step), option), self.settled.entry, step, "touches-nothing",
                            f"'{option}' finds nothing to act on in this step",
                            "see `fakeserver show` for the bytes; mend it or take it away", option)  # fmt: skip
        self._do(step, cue, lambda option: (id(step), option))

    def _selected(self, only: Any, cue: Cue, place: int) -> bool:
        if isinstance(only, tuple):
            return any(self._selected(each, cue, place) for each in only)
        if cue.kind == "done":
            return bool(only == "done")
        if isinstance(only, int):
            return place == (only if only > 0 else self.total + 1 + only)
        if only.endswith(".."):
            return place >= int(only[:-2])
        by_place = {"all": True, "first": place == 1, "rest": place > 1, "last": place == self.total}
        return by_place.get(only, only in cue.kinds)

    def _do(self, edit: Any, cue: Cue, key: Callable[[str], Any]) -> None:
        if cue.kind == "chunk" and isinstance(edit, Edits):
            if edit.set is not None and self._set(edit.set, cue):
                self.ledger.pay(key("set"))
            if edit.remove is not None and _remove(edit.remove, cue.value):
                self.ledger.pay(key("remove"))
        for option in _LAYOUT:
            value = getattr(edit, option, None)
            if value is not None:
                cue.layout[option] = self._fields(value, cue) if option == "fields" else value
                cue.owners[option] = key(option)
                if option in ("fields", "newline") or value == "whole":
                    self.ledger.pay(key(option))

    def _fields(self, fields: dict[str, Json], cue: Cue) -> dict[str, Json]:
        """The fields so far and these; what copies nothing is left out, a key without a value stays."""
        around = Around(_said(cue, cue.value), _look_up(cue.value, cue.value))
        drawn = {name: self.drawer.entry(value, around) for name, value in fields.items()}
        return {**cue.layout.get("fields", {}), **{name: value for name, (there, value) in drawn.items() if there}}

    def _set(self, values: dict[str, Json], cue: Cue) -> bool:
        hit = False
        for pointer, value in values.items():
            for root in list(pointers.roots(cue.value, pointer)):
                around = Around(_said(cue, root), _look_up(cue.value, root))
                there, drawn = self.drawer.entry(value, around)
                hit |= there and pointers.put(root, pointer, drawn)
        return hit


def _same(key: Any) -> Callable[[str], Any]:
    """The key of an edit as a whole, whichever of its options acts."""
    return lambda option: key


def _said(cue: Cue, root: Json) -> str:
    """The text of the choice that an edit stands in; of the chunk's first one where it stands in none."""
    choice = root if root is not cue.value else next(pointers.roots(root, "index"), {})
    index = choice.get("index", 0) if isinstance(choice, dict) else 0
    return cue.said.get(index, "") if isinstance(index, int) else ""


def _look_up(chunk: Json, choice: Json) -> Callable[[str], Json]:
    """How a copy finds its source: from the chunk, or from the choice that the edit stands in."""

    def look_up(pointer: str) -> Json:
        if pointer.startswith("/"):
            return pointers.get(chunk, pointer)
        if choice is not chunk:
            return pointers.get(choice, pointer)
        first = next(iter(pointers.roots(chunk, pointer)), None)
        return pointers.get(first if first is not None else {}, pointer)

    return look_up


def _remove(names: Iterable[str], chunk: Json) -> bool:
    hits = [pointers.drop(root, name) for name in names for root in list(pointers.roots(chunk, name))]
    return any(hits)
