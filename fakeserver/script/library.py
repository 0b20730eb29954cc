"""Files and folders -> a library of scenarios, overlays and dialects, and all problems of all files at once."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fakeserver.script.loader import Entry, Kind, load_bytes, place
from fakeserver.script.nodes import Document
from fakeserver.script.problems import NAME, Finding, Loc, Problem, a, near

_FOLDERS: Mapping[str, Kind] = MappingProxyType({"overlays": "overlay", "dialects": "dialect"})
_CYCLE = Finding(("base",), "cycle", "this dialect is built on itself", "give it another base")


@dataclass(frozen=True, eq=False)
class Library:
    """What can be asked for, by name, and what is wrong with the files it came from.

    `menu` is the tag of what is offered to clients that ask what there is; empty: everything is. All can be asked for.
    """

    scenarios: Mapping[str, Entry]
    overlays: Mapping[str, Entry]
    dialects: Mapping[str, Entry]
    problems: tuple[Problem, ...] = ()
    menu: str = ""

    def tagged(self, tag: str) -> tuple[str, ...]:
        """The scenarios with this tag."""
        return tuple(name for name, entry in self.scenarios.items() if tag in entry.body.tags)

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
    for file, kind in _yaml_files(builtin()):
        if kind != "scenario" or not paths or file.stem in also:
            shelf.put(file, kind, shipped=True)
    for path in map(Path, paths):
        for file, kind in _yaml_files(path):
            shelf.put(file, kind)
    return shelf.library()


def _yaml_files(path: Path) -> list[tuple[Path, Kind]]:
    if path.is_file():
        return [(path, _kind(path.parts[:-1]))]
    if not path.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such file or folder", str(path))
    return [(file, _kind(_folders(path, file))) for file in sorted(_below(path))]


def _below(folder: Path) -> Iterator[Path]:
    for here, _, names in os.walk(folder, onerror=_raise):  # unlike rglob, it tells of folders that cannot be read
        files = (Path(here, name) for name in names)
        yield from (file for file in files if file.suffix in (".yaml", ".yml") and file.is_file())


def _raise(error: OSError) -> None:
    raise error


def _folders(root: Path, file: Path) -> tuple[str, ...]:
    # What stands above the folder that was asked for says nothing about the files in it.
    return root.resolve().name, *file.relative_to(root).parts[:-1]


def _kind(folders: Sequence[str]) -> Kind:
    return next((_FOLDERS[name] for name in reversed(folders) if name in _FOLDERS), "scenario")


class _Shelf:
    """The files as they come in; becomes a library once all are there."""

    def __init__(self) -> None:
        self.entries: dict[Kind, dict[str, Entry]] = {"scenario": {}, "overlay": {}, "dialect": {}}
        self.taken: dict[tuple[Kind, str], Path] = {}
        self.dialects: set[str] = set()
        self.documents: list[tuple[Document, Kind]] = []
        self.problems: list[Problem] = []

    def put(self, file: Path, kind: Kind, shipped: bool = False) -> None:
        first = self.taken.get((kind, file.stem))
        if first is not None and first.resolve() == file.resolve():
            return  # the same file by two paths
        if not self._named(file, kind, first):
            return
        if not shipped:  # a user's file of a built-in name takes its place
            self.taken[kind, file.stem] = file
        if kind == "dialect":
            self.dialects.add(file.stem)
        entry, document = load_bytes(file.read_bytes(), str(file), kind, file.stem)
        self.documents.append((document, kind))
        self.problems += document.problems
        if entry:
            self.entries[kind][entry.name] = entry

    def _named(self, file: Path, kind: Kind, first: Path | None) -> bool:
        if not re.fullmatch(NAME, file.stem):
            self._say(file, "name", f"'{file.stem}' is no name for {a(kind)}",
                      "rename the file: a-z, 0-9, dots, dashes and underscores, a letter or digit first")  # fmt: skip
        if first is not None:
            self._say(file, "same-name", f"a second {kind} named '{file.stem}'",
                      f"the first is {first}: rename one of the files")  # fmt: skip
        return first is None

    def _say(self, file: Path, code: str, message: str, remedy: str) -> None:
        self.problems.append(Problem(str(file), 1, 1, code, message, remedy))

    def library(self) -> Library:
        for document, kind in self.documents:
            self.problems += unknown_dialects(document, kind, self.dialects)
        self.problems += [entry.problem(_CYCLE) for entry in self.entries["dialect"].values() if self._circular(entry)]
        lost = {problem.path for problem in self.problems if problem.code in ("unknown-dialect", "cycle", "name")}
        held = {
            kind: MappingProxyType({name: entry for name, entry in entries.items() if entry.path not in lost})
            for kind, entries in self.entries.items()
        }
        problems = tuple(sorted(self.problems))
        return Library(held["scenario"], held["overlay"], held["dialect"], problems)

    def _circular(self, entry: Entry) -> bool:
        seen: set[str] = set()
        here: Entry | None = entry
        while here is not None and here.name not in seen:
            seen.add(here.name)
            here = self.entries["dialect"].get(here.body.base or "")
        return here is not None


def unknown_dialects(document: Document, kind: Kind, known: Collection[str]) -> Iterator[Problem]:
    """Each place where the file names a dialect that there is not."""
    # Read from the plain data, so that a file with other mistakes hears of this one too.
    for loc, name in _dialects_in(document.data, kind):
        if isinstance(name, str) and name not in known and re.fullmatch(NAME, name):
            yield place(document, Finding(loc, "unknown-dialect", f"unknown dialect '{name}'", near(name, known)))


def _dialects_in(data: Any, kind: Kind) -> Iterator[tuple[Loc, Any]]:
    if not isinstance(data, dict) or kind == "overlay":
        return
    key = "base" if kind == "dialect" else "dialect"
    yield (key,), data.get(key)
    attempts = data.get("attempts")
    for i, attempt in enumerate(attempts if isinstance(attempts, list) else ()):
        if isinstance(attempt, dict):
            yield ("attempts", i, "dialect"), attempt.get("dialect")
