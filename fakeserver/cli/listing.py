"""`fakeserver list`: the names that can be asked for, by kind, and the dialects side by side."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fakeserver.cli.common import Refused, library_of, out, paint, paths_argument, refuse_broken, say

if TYPE_CHECKING:
    from fakeserver.script.library import Library
    from fakeserver.script.loader import Entry

Shelf = dict[str, list["Entry"]]  # kind -> its entries by name
TITLES = {"overlays": "overlays (name+overlay)", "dialects": "dialects (dialect: name)"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for. Nothing said is everything."""

    kind: str | None
    tags: tuple[str, ...]
    text: str

    def admits(self, kind: str, entry: Entry) -> bool:
        tags = getattr(entry.body, "tags", ())
        words = " ".join((entry.name, entry.body.about or "", *tags, *getattr(entry.body, "source", ())))
        return (
            self.kind in (None, kind)
            and all(tag in tags for tag in self.tags)
            and self.text.casefold() in words.casefold()
        )


@click.command("list")
@paths_argument
@click.option(
    "--kind",
    metavar="KIND",
    envvar="FAKESERVER_KIND",
    show_envvar=True,
    help="Only these: a folder's name, overlays or dialects.",
)
@click.option(
    "--tag",
    "tags",
    metavar="TAG",
    multiple=True,
    envvar="FAKESERVER_TAG",
    show_envvar=True,
    help="Only what has this tag; several: all of them.",
)
@click.option(
    "--search",
    "text",
    metavar="TEXT",
    envvar="FAKESERVER_SEARCH",
    show_envvar=True,
    help="Only what has this text in its name, about, tags or source.",
)
@click.option("--dialects", is_flag=True, envvar="FAKESERVER_DIALECTS", show_envvar=True,
              help="The dialects side by side, trait by trait; a ? marks what nothing confirms.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, envvar="FAKESERVER_JSON", show_envvar=True, help="One JSON object.")
def list_(
    paths: tuple[str, ...], kind: str | None, tags: tuple[str, ...], text: str | None, dialects: bool, as_json: bool
) -> None:
    """List scenarios by kind, and the overlays and dialects that go with them.

    \b
    fakeserver list --kind tools
    fakeserver list --search retry-after
    fakeserver list --dialects
    """
    library = library_of(paths)
    refuse_broken(library.problems)
    found = _found(library, Wanted("dialects" if dialects and kind is None else kind, tags, text or ""))
    if as_json:
        click.echo(json.dumps(_object(library, found), indent=2, ensure_ascii=False))
    elif dialects:
        _print(_side_by_side(library, found.get("dialects", [])))
    else:
        _print(row for each in found for row in _block(TITLES.get(each, each), found[each]))
    if not any(found.values()):
        say("nothing is like that")


def _found(library: Library, wanted: Wanted) -> Shelf:
    """The kinds in their order: folders, overlays, dialects. A kind that is none is one line, and exit 2."""
    from fakeserver.script.problems import near

    shelf: Shelf = {}
    for entry in library.scenarios.values():
        shelf.setdefault(Path(entry.path).parent.name, []).append(entry)
    shelf = dict(sorted(shelf.items()))
    shelf |= {"overlays": list(library.overlays.values()), "dialects": list(library.dialects.values())}
    if wanted.kind is not None and wanted.kind not in shelf:
        raise Refused(f"there is no kind '{wanted.kind}': {near(wanted.kind, shelf)}")
    held = {kind: [entry for entry in entries if wanted.admits(kind, entry)] for kind, entries in shelf.items()}
    return {kind: sorted(entries, key=lambda entry: entry.name) for kind, entries in held.items() if entries}


def _object(library: Library, found: Shelf) -> dict[str, object]:
    from fakeserver.engine.showing import scenario_row

    names = {entry.name for kind, entries in found.items() if kind not in TITLES for entry in entries}
    return {
        "scenarios": [scenario_row(entry) for entry in library.scenarios.values() if entry.name in names],
        "overlays": [_short(entry) | {"tags": list(entry.body.tags)} for entry in found.get("overlays", ())],
        "dialects": [_short(entry) | _dialect(library, entry) for entry in found.get("dialects", ())],
    }


def _short(entry: Entry) -> dict[str, object]:
    return {"name": entry.name, "about": entry.body.about, "file": entry.path}


def _dialect(library: Library, entry: Entry) -> dict[str, object]:
    from fakeserver.cli.sides import known, sides

    made = {"base": entry.body.base, "source": list(entry.body.source)}
    return made | {"traits": sides(library, entry.name), "known": known(library, entry.name)}


def _side_by_side(library: Library, dialects: Iterable[Entry]) -> Iterator[str]:
    """One block a trait, one row a dialect."""
    from fakeserver.cli.sides import COLUMNS, known, sides

    rows = [(entry.name, sides(library, entry.name), known(library, entry.name)) for entry in dialects]
    width = max((len(name) for name, _, _ in rows), default=0)
    for column, trait in COLUMNS.items() if rows else ():
        yield paint(column, sys.stdout, bold=True)
        for name, said, levels in rows:
            mark = "?" if levels.get(trait) == "weak" else " "
            yield f"  {name:{width}} {mark} {said[column]}"
        yield ""


def _block(title: str, entries: Iterable[Entry]) -> Iterator[str]:
    entries = list(entries)
    width = max(len(entry.name) for entry in entries)
    yield paint(title, sys.stdout, bold=True)
    for entry in entries:
        yield f"  {entry.name:{width}}  {entry.body.about or ''}".rstrip()
    yield ""


def _print(rows: Iterable[str]) -> None:
    """Cut to the terminal's width for people; whole where another program reads."""
    room = shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    for row in rows:
        out(row if len(row) <= room else row[: room - 1] + "…")
