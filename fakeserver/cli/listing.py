"""`fakeserver list`: the names that can be asked for, by kind."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fakeserver.cli.common import library_of, out, paint, paths_argument, refuse_broken

if TYPE_CHECKING:
    from fakeserver.script.library import Library
    from fakeserver.script.loader import Entry


@click.command("list")
@paths_argument
@click.option("--json", "as_json", is_flag=True, envvar="FAKESERVER_JSON", show_envvar=True, help="One JSON object.")
def list_(paths: tuple[str, ...], as_json: bool) -> None:
    """List scenarios by kind, and the overlays and dialects that go with them."""
    library = library_of(paths)
    refuse_broken(library.problems)
    if as_json:
        click.echo(json.dumps(_object(library), indent=2, ensure_ascii=False))
        return
    for row in _rows(library):
        out(row)


def _object(library: Library) -> dict[str, object]:
    scenarios = [
        {
            "name": entry.name,
            "kind": _kind(entry),
            "about": entry.body.about,
            "tags": list(entry.body.tags),
            "source": list(entry.body.source),
            "protocol": entry.body.protocol or "chat",
            "dialect": entry.body.dialect,
            "file": entry.path,
        }
        for entry in library.scenarios.values()
    ]
    others = {
        kind: [{"name": entry.name, "about": entry.body.about, "file": entry.path} for entry in shelf.values()]
        for kind, shelf in (("overlays", library.overlays), ("dialects", library.dialects))
    }
    return {"scenarios": scenarios, **others}


def _kind(entry: Entry) -> str:
    """The folder it stands in."""
    return Path(entry.path).parent.name


def _rows(library: Library) -> Iterator[str]:
    kinds: dict[str, list[Entry]] = {}
    for entry in library.scenarios.values():
        kinds.setdefault(_kind(entry), []).append(entry)
    for kind, entries in sorted(kinds.items()):
        yield from _block(kind, entries)
    yield from _block("overlays (name+overlay)", library.overlays.values())
    yield from _block("dialects (dialect: name)", library.dialects.values())


def _block(title: str, entries: Iterable[Entry]) -> Iterator[str]:
    entries = sorted(entries, key=lambda entry: entry.name)
    width = max((len(entry.name) for entry in entries), default=0)
    # Cut to the terminal's width for people; whole where another program reads.
    room = shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    yield paint(title, sys.stdout, bold=True)
    for entry in entries:
        row = f"  {entry.name:{width}}  {entry.body.about or ''}".rstrip()
        yield row if len(row) <= room else row[: room - 1] + "…"
    yield ""
