"""`python -m tests.clients.matrix [--accept] [CLIENT...]`: plays every case to the clients, and tells what has changed.

With --accept the table in tests/clients/kept is written from what was read; each `why` that is there stays.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

import click

from tests.clients import raised
from tests.clients.clients import CLIENTS
from tests.clients.kept import UNEXPLAINED, accepted, changes, write
from tests.clients.playing import Report, cells_in, start


@click.command()
@click.argument("clients", metavar="[CLIENT]...", type=click.Choice(list(CLIENTS)), nargs=-1)
@click.option("--accept", is_flag=True, help="Keep what is read now.")
def main(clients: tuple[str, ...], accept: bool) -> None:
    """Play every case of the library to these clients, or to all, and compare with what is kept."""
    began, found = time.monotonic(), False
    playing = start(clients or list(CLIENTS))
    for client, future in playing.items():
        try:
            found |= _told(client, future.result(), accept)
        except AssertionError as problem:
            for each in playing.values():
                each.cancel()
            raise SystemExit(str(problem)) from None
    click.echo(f"{time.monotonic() - began:.0f} seconds", err=True)
    sys.exit(found)


def how_to_accept(client: str) -> str:
    """To be said below changes."""
    return f'If that is right: make matrix ARGS="--accept {client}", and in the rows that are new say why.'


def _told(client: str, report: Report, accept: bool) -> bool:
    """Whether somebody has to do something."""
    read, names = cells_in(report), raised.names_in(report)
    changed = [*changes(client, read), *raised.changes(client, names)]
    counted = Counter(cell["mark"] for cell in read.values())
    click.echo(f"{client}: {', '.join(f'{counted[mark]} {mark}' for mark in sorted(counted))}", err=True)
    for change in changed:
        click.echo(change)
    if not accept:
        if changed:
            click.echo(how_to_accept(client))
        return bool(changed)
    made = accepted(client, read)
    write(client, made)
    raised.write(client, names)
    lacking = [case for case, row in made.items() if row["why"] == UNEXPLAINED]
    for case in lacking:
        click.echo(f"tests/clients/kept/{client}.yaml, {case}: say why, by the name of a fact of facts.yaml")
    return bool(lacking)


if __name__ == "__main__":
    main()
