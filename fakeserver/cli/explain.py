"""`fakeserver explain`: a request's body -> which scenario answers it and why, or the nearest rules. No server."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fakeserver.cli.common import library_of, paths_argument, refuse_broken
from fakeserver.cli.serve import ECHO

if TYPE_CHECKING:
    from fakeserver.engine.choosing import Chooser, Picked
    from fakeserver.engine.plans import Plans
    from fakeserver.match.facts import Facts, Fault
    from fakeserver.match.rules import Rule
    from fakeserver.match.seen import Seen

Said = dict[str, Any]


@click.command()
@click.argument("request_file", metavar="REQUEST.json", type=click.Path(allow_dash=True))
@paths_argument
@click.option("--header", "headers", multiple=True, metavar="NAME:VALUE",
              help="A header of the request; may be repeated.")  # fmt: skip
@click.option("--url-path", default="/v1/chat/completions", show_default=True, envvar="FAKESERVER_URL_PATH",
              show_envvar=True, help="The path it is sent to, with /session/ID or /scenario/NAME in it.")  # fmt: skip
@click.option("--fallback", metavar="NAME[+OVERLAY...]", envvar="FAKESERVER_FALLBACK", show_envvar=True,
              help="As of serve: the scenario for what nothing else answers. Without PATH: echo.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, envvar="FAKESERVER_JSON", show_envvar=True, help="One JSON object.")
def explain(
    request_file: str, paths: tuple[str, ...], headers: tuple[str, ...], url_path: str, fallback: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Say which scenario answers a request, and why; or the rules that are nearest, and all that differs.

    REQUEST.json is the request's body; - reads it from stdin. Exit code 1 if nothing answers.

    \b
    fakeserver explain request.json scenarios/
    fakeserver explain request.json scenarios/ --header x-tenant:acme
    """
    fallback = fallback or (None if paths else ECHO)
    facts = _facts(_body(request_file), headers, url_path)
    library = library_of(paths, [fallback.split("+")[0]] if fallback else [])
    refuse_broken(library.errors)
    said = _said(facts, *_chooser(library, fallback))
    click.echo(json.dumps(said, indent=2, ensure_ascii=False) if as_json else "\n".join(_rows(said)))
    sys.exit(0 if said["answered"] else 1)


def _body(file: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise click.UsageError(f"cannot read {file}: {(error.strerror or str(error)).lower()}") from None


def _facts(body: bytes, headers: Iterable[str], path: str) -> Facts:
    from fakeserver.match.facts import Facts
    from fakeserver.match.route import route_of

    split = [header.partition(":") for header in headers]
    for name, colon, _ in split:
        if not (name.strip() and colon):
            raise click.BadParameter(f"'{name}' is no NAME:VALUE", param_hint="--header")
    return Facts("POST", path, route_of(path), {name.strip().lower(): value.strip() for name, _, value in split}, body)


def _chooser(library: Any, fallback: str | None) -> tuple[Plans, Chooser]:
    from fakeserver.engine.choosing import Chooser
    from fakeserver.engine.plans import Plans
    from fakeserver.plan import Unknown

    plans = Plans(library)
    try:
        return plans, Chooser(plans, fallback)
    except Unknown as unknown:
        raise click.BadParameter(unknown.message, param_hint="--fallback") from None


def _said(facts: Facts, plans: Plans, chooser: Chooser) -> Said:
    """What the engine would decide, in its order: the address, the body, then the choice."""
    from fakeserver.match.access import address_fault
    from fakeserver.match.facts import Fault
    from fakeserver.match.seen import Seen
    from fakeserver.match.unmatched import Unmatched
    from fakeserver.match.validate import read_request

    request = address_fault(facts) or read_request(facts.body, facts.route.model)
    if isinstance(request, Fault):
        return _refused(request)
    picked = chooser.choose(facts, request)
    if isinstance(picked, Unmatched):
        return {"answered": False, **picked.as_json()}
    seen = Seen.of(facts, request.body)
    return {**_answered(picked, list(plans.rules.matching(seen))), **_why_not(picked, plans, seen)}


def _refused(fault: Fault) -> Said:
    words = f"{fault.name}: {fault.message}" if fault.message else fault.name
    message = f"The request is refused before any scenario is asked: {words}"
    return {"answered": False, "reason": "refused", "message": message, "nearest": []}


def _answered(picked: Picked, matching: list[Rule]) -> Said:
    entry = picked.choice.scenario
    won = picked.why.startswith("when ")
    later = [{"scenario": rule.name, "file": rule.entry.path, "line": rule.line, "priority": rule.priority,
              "conditions": len(rule.conditions)} for rule in matching]  # fmt: skip
    rule = later[0] if won else None
    return {"answered": True, "scenario": picked.choice.selector, "file": entry.path, "why": picked.why, "rule": rule,
            "later": later[1:] if won else later}  # fmt: skip


def _why_not(picked: Picked, plans: Plans, seen: Seen) -> Said:
    """Where the fallback has to answer, why nothing else does."""
    from fakeserver.match.unmatched import no_rule

    if picked.why != "fallback" or not plans.rules.ranked:
        return {}
    missed = no_rule("The model is no scenario's name.", plans.rules, seen)
    return {"message": missed.message, "nearest": missed.as_json()["nearest"]}


def _rows(said: Said) -> Iterator[str]:
    if said["answered"]:
        yield f"{said['scenario']} answers ({said['file']})"
        yield f"why: {said['why']}{_rank(said['rule'])}"
        if said["later"]:
            yield "these rules match too, and come later:"
        for rule in said["later"]:
            yield f"  {rule['scenario']} at {rule['file']}:{rule['line']}{_rank(rule)}"
    if "message" in said:
        yield said["message"]


def _rank(rule: Said | None) -> str:
    if rule is None:
        return ""
    return f", priority {rule['priority']}, {rule['conditions']} condition{'s' * (rule['conditions'] != 1)}"
