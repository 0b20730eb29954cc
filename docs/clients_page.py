"""The kept table of tests/clients, and the cases by kind -> docs/reference/clients.md.

It must not know how clients are run, nor judge them: marks and reasons stand in the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from docs.key_tables import table
from tests.clients import raised
from tests.clients.clients import CLIENTS, pins
from tests.clients.kept import Row, cells, facts, rows

SIGNS = {"green": "🟢", "waiting": "🔵", "amber": "🟡", "red": "🔴"}
Shelf = Mapping[str, Sequence[str]]  # names of cases by kind

INTRODUCTION = """\
# The clients

What real clients make of each case of [the built-in library](library.md), [examined](../how-to/examine-a-client.md) by
`fakeserver conform`: nothing is set but the time-out, so they ask again as they do by themselves. What is right is what
the case says it [expects](cases.md).

| sign | the client |
| --- | --- |
| 🟢 | does what is right |
| 🔵 | still waits, as a Retry-After told it to |
| 🟡 | fails loudly where it need not, or loses without a word what is no text: usage, a finish reason, an id |
| 🔴 | loses, doubles or alters text without a word, takes a broken stream for whole, asks again in vain, or hangs |

Two signs in one place: it does not always do the same. The number beside a sign leads to its reason in
[the notes](#notes)."""

AGAIN = """\
## Run it again

`make matrix` plays all cases to all clients, in a few minutes, and tells what is no longer as it was;
`make matrix ARGS="ai-sdk"` takes one of them. It needs what `make test` installs. What each client read or raised, in
each case that is not green, stands in [the table](../../tests/clients/kept/) that it compares with;
[the adapters](../../tests/clients/adapters/) are what is run. With a client's version the table changes, so
`make matrix ARGS="--accept ai-sdk"` writes it anew, and `make docs` this page."""


def clients_page(shelf: Shelf) -> Iterator[str]:
    """`shelf`: the cases that clients are tried with."""
    kept = {client: rows(client) for client in CLIENTS}
    yield INTRODUCTION + "\n"
    yield ", ".join(f"[{kind}](#{kind})" for kind in shelf) + ".\n"
    yield "Besides: [what they raise](#what-they-raise), [notes](#notes), [run it again](#run-it-again).\n"
    yield "## Who was tried\n"
    yield from table(["client", "versions", "how", *SIGNS.values()], _totals(kept, shelf))
    for kind, names in shelf.items():
        yield f"\n## {kind}\n"
        yield from _kind(kept, names)
    yield "\n## What they raise\n"
    yield "Any loud end is right where a failure is to be told. What it is called, by case:\n"
    yield from table(["", *raised.CASES.values()], _names())
    yield "\n## Notes\n"
    yield from (f"{number}. {fact}" for number, fact in enumerate(facts().values(), 1))
    yield f"\n{AGAIN}"


def _totals(kept: Mapping[str, Mapping[str, Row]], shelf: Shelf) -> Iterator[list[str]]:
    names = [name for each in shelf.values() for name in each]
    for client, about in CLIENTS.items():
        worst = [_marks(kept[client].get(name))[-1] for name in names]
        counted = [str(worst.count(mark)) for mark in SIGNS]
        yield [f"`{client}`", ", ".join(pins(about)), about.about, *counted]


def _kind(kept: Mapping[str, Mapping[str, Row]], names: Sequence[str]) -> Iterator[str]:
    told = [name for name in names if any(name in each for each in kept.values())]
    right = [f"`{name}`" for name in names if name not in told]
    if right:
        yield f"🟢 for every client: {', '.join(right)}.\n"
    if told:
        yield from table(["", *CLIENTS], ([f"`{name}`", *(_sign(kept[client].get(name)) for client in CLIENTS)]
                                          for name in told))  # fmt: skip


def _names() -> Iterator[list[str]]:
    yield ["", *(f"`{case}`" for case in raised.CASES)]
    for client, names in raised.kept().items():
        yield [f"`{client}`", *(name if name in (raised.HANGS, raised.NOTHING) else f"`{name}`"
                                for name in names.values())]  # fmt: skip


def _sign(row: Row | None) -> str:
    signs = "".join(SIGNS[mark] for mark in _marks(row))
    return f"{signs} {_number(row['why'])}" if row else signs


def _number(why: str) -> str:
    return f"[{list(facts()).index(why) + 1}](#notes)"


def _marks(row: Row | None) -> list[str]:
    """The mildest first; several where the client does not always do the same."""
    found = {cell["mark"] for cell in cells(row)}
    return [mark for mark in SIGNS if mark in found]
