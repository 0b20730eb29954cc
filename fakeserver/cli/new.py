"""`fakeserver new`: a name -> a scenario file that explains itself, and the schema by which editors check it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click

from fakeserver.cli.common import Refused, out

SCHEMA = "fakeserver.schema.json"
_TEXT = """\
# yaml-language-server: $schema=./{schema}
#
# What a client gets that asks for the model "{name}".
#   fakeserver show {name} {file}    its bytes and moments
#   fakeserver check {file}    what is wrong with it
#   fakeserver serve {file}    serve it, with --watch while you write

about: One line about what this is for.

# A whole answer in one line would be:
#   reply: Hello there.
# An exact one is a stream of steps, each a chunk unless it says otherwise:
stream:
  - role: assistant
  - say: "Hello, "
  - wait: 200ms # a pause; 1.5s and 2m are durations too
  - say: there.
  # - gate: half # held until a test releases it
  # - raw: ": a comment\\n\\n" # these bytes, as they are
  - finish: stop
  - done # the end marker, data: [DONE]
  # - reset # instead of finish and done: RST once the client has every byte; or close, hang
"""


@click.command("new")
@click.argument("name", metavar="NAME")
def new(name: str) -> None:
    """Write NAME.yaml, a commented scenario to start from.

    NAME may have a folder before it, and .yaml behind it. The JSON Schema for editors is put beside it if it is not
    there. Nothing is overwritten.
    """
    from fakeserver.script.problems import NAME

    path = Path(name if name.endswith((".yaml", ".yml")) else f"{name}.yaml")
    if not re.fullmatch(NAME, path.stem):
        told = "a-z, 0-9, dots, dashes and underscores, a letter or digit first"
        raise Refused(f"'{path.stem}' is no name for a scenario: {told}")
    _write(path, _TEXT.format(name=path.stem, file=path, schema=SCHEMA))
    out(str(path))
    if not (path.parent / SCHEMA).exists():
        from fakeserver.script.schema import schema

        _write(path.parent / SCHEMA, json.dumps(schema(), indent=2) + "\n")
        out(str(path.parent / SCHEMA))


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise Refused(f"{path} is there already: nothing was written") from None
    except OSError as error:
        raise Refused(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None
