"""`fakeserver schema`: the JSON Schemas of what people write for fakeserver: scenarios, and outcomes for conform."""

from __future__ import annotations

import json

import click


@click.command()
@click.option("--outcome", is_flag=True, help="Of what an adapter prints for `fakeserver conform` instead.")
def schema(outcome: bool) -> None:
    """Write the JSON Schema (draft-07) of scenario files, for editors.

    \b
    fakeserver schema > fakeserver.schema.json
    # yaml-language-server: $schema=./fakeserver.schema.json
    """
    click.echo(json.dumps(_made(outcome), indent=2, ensure_ascii=False))


def _made(outcome: bool) -> object:
    if outcome:
        from fakeserver.conform.outcome import schema as of_outcome

        return of_outcome()
    from fakeserver.script.schema import schema as of_scenarios

    return of_scenarios()
