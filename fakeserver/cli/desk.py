"""Where `serve` runs and what it was told -> what a person there gets: a banner, a line a request, files watched.

A person is there where standard output is a terminal. A program that reads standard output often leaves standard error
to its own terminal, so lines are said where both are one.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fakeserver.cli.greeting import greeting

if TYPE_CHECKING:
    from fakeserver.engine import Engine


@dataclass(frozen=True, slots=True)
class Desk:
    """`watched` are the files and folders whose changes are taken in."""

    banner: bool
    lines: bool
    watched: tuple[str, ...]

    @classmethod
    def of(cls, paths: Sequence[str], watch: bool | None, quiet: bool, verbose: bool) -> Desk:
        """`watch` None: nothing was said of it."""
        there = sys.stdout.isatty()
        lines = (verbose or (there and sys.stderr.isatty())) and not quiet
        return cls(there and not quiet, lines, _watched(paths, there if watch is None else watch, watch))

    def tell(self, engine: Engine, sock: socket.socket, locked: bool) -> None:
        """A line a request, from now on."""
        from fakeserver.cli.telling import Telling
        from fakeserver.http.bind import url_of

        Telling(engine, url_of(sock), locked)

    def greeting(self, said: dict[str, Any], engine: Engine, fallback: str | None, made: bool) -> str:
        return greeting(said, len(engine.library.scenarios), fallback, self.watched, made)


def _watched(paths: Sequence[str], on: bool, asked: bool | None) -> tuple[str, ...]:
    """The library that was installed never changes, so nobody needs to watch it; a checkout's does."""
    from fakeserver.script.library import builtin

    if not on:
        return ()
    if paths:
        return tuple(paths)
    own = builtin()
    installed = own.parent == Path(__file__).parents[1]
    return () if installed and not asked else (os.path.relpath(own),)
