"""The text of one file -> its model, or every problem of it. It must not know folders or other files."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from fakeserver.script.halves import halves, has_halves, without_halves
from fakeserver.script.nodes import Document, read
from fakeserver.script.problems import WRITTEN, Broken, Finding, Loc, Problem
from fakeserver.script.remains import remains

Kind = Literal["scenario", "overlay", "dialect"]


@dataclass(frozen=True, eq=False)
class Entry:
    """A file that was read: its name in the library, where it stands, and what it says."""

    name: str
    path: str
    text: str
    kind: Kind
    body: Any  # one of Scenario, Overlay, Dialect; read by `plan`, never changed
    whens: tuple[int, ...] = ()  # the line of each `when` map

    def problem(self, finding: Finding) -> Problem:
        """A finding about this file with its line and column."""
        return place(read(self.text, self.path), finding)

    def broken(self, thing: object, code: str, message: str, remedy: str, *more: str | int) -> Broken:
        """The exception for something found while an answer is made: `thing` is the part of the model it is about."""
        loc = (*(locate(self.body, thing) or ()), *more)
        return Broken(self.problem(Finding(loc, code, message, remedy, key=bool(more))))


def place(document: Document, finding: Finding) -> Problem:
    """The problem of a finding; what the file has there is put where the words ask for it."""
    written = document.written(finding.loc)
    message, remedy = finding.message.replace(WRITTEN, written), finding.remedy.replace(WRITTEN, written)
    return document.problem(document.at(finding.loc, finding.key), finding.code, message, remedy)


def locate(model: Any, thing: object) -> tuple[str | int, ...] | None:
    """The keys that lead from a model to a part of it, by identity."""
    if model is thing:
        return ()
    for key, value in _parts(model):
        found = locate(value, thing)
        if found is not None:
            return (key, *found)
    return None


def _parts(model: Any) -> list[tuple[str | int, Any]]:
    if isinstance(model, list | tuple):
        return list(enumerate(model))
    if isinstance(model, dict):
        return list(model.items())
    fields = getattr(type(model), "model_fields", None)
    return [(fields[name].alias or name, getattr(model, name)) for name in model.model_fields_set] if fields else []


@cache
def adapters() -> dict[Kind, tuple[Any, Any]]:
    """Annotation and validator of each kind of file. Made late: pydantic costs 150 ms."""
    from pydantic import TypeAdapter

    from fakeserver.script.dialect import Dialect
    from fakeserver.script.layers import Overlay
    from fakeserver.script.scenario import AnyScenario

    kinds: dict[Kind, Any] = {"scenario": AnyScenario, "overlay": Overlay, "dialect": Dialect}
    return {kind: (annotation, TypeAdapter(annotation)) for kind, annotation in kinds.items()}


def load_text(
    text: str, path: str = "<text>", kind: Kind = "scenario", name: str = ""
) -> tuple[Entry | None, Document]:
    """One file's text -> its entry, and the document that holds all its problems. Errors leave no entry."""
    document = read(text, path)
    if document.root is None:
        return None, document
    model, findings = _validate(document.data, kind)
    findings += halves(document.data)
    document.problems = sorted({*document.problems, *(place(document, finding) for finding in findings)})
    if model is None or any(not problem.warning for problem in document.problems):
        return None, document
    return Entry(name or Path(path).stem, path, text, kind, model, _whens(document)), document


def _whens(document: Document) -> tuple[int, ...]:
    # Kept with the entry, so that what is told of a rule while a server runs reads no file again.
    if "when" not in document.data:
        return ()
    when = document.data["when"]
    locs: list[Loc] = [("when", i) for i in range(len(when))] if isinstance(when, list) else [("when",)]
    return tuple(document.at(loc, key=True)[0] for loc in locs)


def _validate(data: Any, kind: Kind) -> tuple[Any, list[Finding]]:
    from pydantic import ValidationError

    from fakeserver.script.checks import check
    from fakeserver.script.explain import explain

    annotation, adapter = adapters()[kind]
    try:
        model = adapter.validate_python(data)
    except ValidationError as error:
        if has_halves(data):  # pydantic can tell no error about a text that holds half a character
            return None, _validate(without_halves(data), kind)[1]
        findings = explain(annotation, error.errors(include_url=False))
    else:
        return model, list(check(model))
    if isinstance(data, dict):
        left = remains(data, [finding.loc for finding in findings], answers=kind == "scenario")
        with suppress(ValidationError):  # what is not wrong in itself may still not fit together
            findings += check(adapter.validate_python(left))
    return None, findings


def load_bytes(data: bytes, path: str, kind: Kind = "scenario", name: str = "") -> tuple[Entry | None, Document]:
    """A file's bytes; what is not UTF-8 is a problem with its place."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        document = Document(path, data.decode("utf-8", "replace"))
        at = document.place(len(data[: error.start].decode("utf-8")))
        document.report(at, "not-utf8", f"the byte 0x{data[error.start]:02x} is not UTF-8",
                        "save the file as UTF-8; to send such bytes write {$hex: ...}")  # fmt: skip
        return None, document
    return load_text(text, path, kind, name)
