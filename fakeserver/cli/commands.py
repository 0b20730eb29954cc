"""The commands of the command line, and how an error of one becomes a line and an exit code.

Each command's own imports are late, so that `--help` and `--version` are quick and `check` never loads a server.
"""

from __future__ import annotations

import os
import sys

import click

from fakeserver import __version__
from fakeserver.cli.check import check
from fakeserver.cli.conform import conform
from fakeserver.cli.early import Early
from fakeserver.cli.explain import explain
from fakeserver.cli.listing import list_
from fakeserver.cli.new import new
from fakeserver.cli.ready import ready
from fakeserver.cli.schema import schema
from fakeserver.cli.serve import serve
from fakeserver.cli.show import show


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, epilog="Start with: fakeserver serve")
@click.version_option(__version__, prog_name="fakeserver")
def group() -> None:
    """A fake OpenAI-compatible streaming server: exact bytes, exact timing, exact endings.

    \b
    fakeserver serve                     the built-in library, at http://127.0.0.1:8437/v1
    fakeserver serve scenarios/          your own files
    fakeserver show hello                the bytes and times of one answer
    """


for command in (serve, check, show, explain, list_, new, schema, ready, conform):
    group.add_command(command)


def run(early: Early | None = None) -> None:
    """Run the command line and exit with its code. `early` is the socket that `serve` may find bound already."""
    try:
        code = group.main(standalone_mode=False, obj=early)
    except click.exceptions.Abort:
        code = 130
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        # Whoever read our output has gone (`| head`): that is no error. Nothing more can be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code if isinstance(code, int) else 0)
