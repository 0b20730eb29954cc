"""Files and folders -> a library of scenarios, overlays and dialects, and all problems of all files at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fakeserver.script.loader import Entry, Kind, load_bytes, place
from fakeserver.script.nodes import Document
from fakeserver.script.problems import Finding, Loc, Problem, near

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
_FOLDERS: Mapping[str, Kind] = MappingProxyType({"overlays": "overlay", "dialects": "dialect"})

_KINDS: tuple[Kind, ...] = ("scenario", "overlay", "dialect")
_CYCLE = Finding(("base",), "cycle", "this dialect is built on itself", "give it another base")


@dataclass(frozen=True, eq=False)
class Library:
    """What can be asked for, by name, and what is wrong with the files it came from."""

    scenarios: Mapping[str, Entry]
    overlays: Mapping[str, Entry]
    dialects: Mapping[str, Entry]
    problems: tuple[Problem, ...] = ()

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if not problem.warning)


def builtin() -> Path:
    """The folder of the library that ships: the checkout's own where there is one, else the wheel's copy."""
    # An editable install leaves a stale copy inside the package, so the tree's own comes first.
    tree = Path(__file__).resolve().parents[2]
    if (tree / "scenarios").is_dir() and (tree / "pyproject.toml").is_file():
        return tree / "scenarios"
    return Path(str(files("fakeserver"))) / "scenarios"


def load(paths: Sequence[str | Path] = (), also: Sequence[str] = ()) -> Library:
    """The library of these files and folders; of the built-in one without any.

    The built-in overlays and dialects are always there; of the built-in scenarios, those named in `also`.
    Raises OSError for a path that cannot be read.
    """
    shelf = _Shelf()
    shipped = builtin()
    for file in _yaml_files(shipped):
        kind = _kind(file)
        if kind != "scenario" or not paths or file.stem in also:
            shelf.put(file, kind, shipped=True)
    for path in map(Path, paths):
        for file in _yaml_files(path):
            shelf.put(file, _kind(file))
    return shelf.library()


def _yaml_files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise FileNotFoundError(2, "no such file or folder", str(path))
    return sorted(file for file in path.rglob("*") if file.suffix in (".yaml", ".yml") and file.is_file())


def _kind(file: Path) -> Kind:
    return next((_FOLDERS[part] for part in reversed(file.parts[:-1]) if part in _FOLDERS), "scenario")


class _Shelf:
    """The files as they come in; becomes a library once all are there."""

    def __init__(self) -> None:
        self.entries: dict[Kind, dict[str, Entry]] = {"scenario": {}, "overlay": {}, "dialect": {}}
        self.taken: dict[tuple[Kind, str], str] = {}
        self.dialects: set[str] = set()
        self.documents: list[tuple[Document, Kind]] = []
        self.problems: list[Problem] = []

    def put(self, file: Path, kind: Kind, shipped: bool = False) -> None:
        path = str(file)
        if not self._named(file, kind, path):
            return
        if not shipped:  # a user's file of a built-in name takes its place
            self.taken[kind, file.stem] = path
        if kind == "dialect":
            self.dialects.add(file.stem)
        entry, document = load_bytes(file.read_bytes(), path, kind, file.stem)
        self.documents.append((document, kind))
        self.problems += document.problems
        if entry:
            self.entries[kind][entry.name] = entry

    def _named(self, file: Path, kind: Kind, path: str) -> bool:
        if not _NAME.fullmatch(file.stem):
            self.problems.append(Problem(path, 1, 1, "name", f"'{file.stem}' is no name for a {kind}",
                                         "small letters, digits, dots, dashes, underscores: rename the file"))  # fmt: skip
        first = self.taken.get((kind, file.stem))
        if first is None:
            return True
        if first != path:
            self.problems.append(Problem(path, 1, 1, "same-name", f"a second {kind} named '{file.stem}'",
                                         f"the first is {first}: rename one of the files"))  # fmt: skip
        return False

    def library(self) -> Library:
        for document, kind in self.documents:
            self.problems += self._unknown_dialects(document, kind)
        self.problems += [entry.problem(_CYCLE) for entry in self.entries["dialect"].values() if self._circular(entry)]
        lost = {problem.path for problem in self.problems if problem.code in ("unknown-dialect", "cycle")}
        held = {kind: {n: e for n, e in shelf.items() if e.path not in lost} for kind, shelf in self.entries.items()}
        views = (MappingProxyType(held[kind]) for kind in _KINDS)
        return Library(*views, tuple(sorted(self.problems)))

    def _unknown_dialects(self, document: Document, kind: Kind) -> Iterator[Problem]:
        # Read from the plain data, so that a file with other mistakes hears of this one too.
        for loc, name in _dialects_in(document.data, kind):
            if isinstance(name, str) and name not in self.dialects:
                yield place(document, Finding(loc, "unknown-dialect", f"unknown dialect '{name}'", near(name, self.dialects)))

    def _circular(self, entry: Entry) -> bool:
        seen: set[str] = set()
        here: Entry | None = entry
        while here is not None and here.name not in seen:
            seen.add(here.name)
            here = self.entries["dialect"].get(here.body.base or "")
        return here is not None


def _dialects_in(data: Any, kind: Kind) -> Iterator[tuple[Loc, Any]]:
    if not isinstance(data, dict) or kind == "overlay":
        return
    key = "base" if kind == "dialect" else "dialect"
    yield (key,), data.get(key)
    attempts = data.get("attempts")
    for i, attempt in enumerate(attempts if isinstance(attempts, list) else ()):
        if isinstance(attempt, dict):
            yield ("attempts", i, "dialect"), attempt.get("dialect")
