"""`fakeserver schema`: the JSON Schema that editors use."""

from __future__ import annotations

import json

import click


@click.command()
def schema() -> None:
    """Write the JSON Schema (draft-07) of scenario files, for editors.

    \b
    fakeserver schema > fakeserver.schema.json
    # yaml-language-server: $schema=./fakeserver.schema.json
    """
    from fakeserver.script.schema import schema as made

    click.echo(json.dumps(made(), indent=2, ensure_ascii=False))
