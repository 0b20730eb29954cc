"""Control routes about what is served: health, and the library's scenarios."""

from __future__ import annotations

import asyncio

from aiohttp import web

from fakeserver import __version__
from fakeserver.engine.showing import dialect_row, overlay_row, scenario_row, timeline_of
from fakeserver.http.control.routing import Call, Query, Refused, Route, reply
from fakeserver.http.control.schemas import COUNT, TEXT, listed, made, maybe, named, of
from fakeserver.http.control.values import names, text, up_to
from fakeserver.match.names import near_names
from fakeserver.match.shorten import clipped
from fakeserver.plan import Broken, Unknown, turns
from fakeserver.plan.choice import choose
from fakeserver.script.library import Library


async def health(call: Call) -> web.StreamResponse:
    engine = call.engine
    scenarios = sum(1 for _ in engine.repertoire().plans.names())
    problems = [problem.as_json() for problem in engine.problems]
    return reply({"status": "ok", "version": __version__, "scenarios": scenarios, "problems": problems})


async def scenarios(call: Call) -> web.StreamResponse:
    library = call.engine.library
    return reply({"scenarios": [scenario_row(entry) for entry in library.scenarios.values()]})


async def overlays(call: Call) -> web.StreamResponse:
    return reply({"overlays": [overlay_row(entry) for _, entry in sorted(call.engine.library.overlays.items())]})


async def dialects(call: Call) -> web.StreamResponse:
    return reply({"dialects": [dialect_row(entry) for _, entry in sorted(call.engine.library.dialects.items())]})


async def scenario(call: Call) -> web.StreamResponse:
    """What cannot be played has no timeline, and a problem that says why."""
    library, query = call.engine.library, call.query
    selector = "+".join([call.names["name"].partition("+")[0], *query.get("overlays", ())])
    dialect = known_dialect(library, query.get("dialect", ""))
    try:
        choice = choose(library, selector)
        timeline = await asyncio.to_thread(timeline_of, library, selector, dialect, query.get("attempt", 1))
        problems = []
    except Unknown as unknown:
        raise Refused(404, "unknown-scenario", unknown.message) from None
    except Broken as broken:
        timeline, problems = None, [broken.problem.as_json()]
    entry = choice.scenario
    return reply({**scenario_row(entry), "yaml": entry.text, "attempts": turns(choice).count, "timeline": timeline,
                  "problems": problems})  # fmt: skip


def known_dialect(library: Library, name: str) -> str:
    """The name, if it is a dialect's or nothing. Raises Refused."""
    if name and name not in library.dialects:
        near = near_names(name, library.dialects)
        raise Refused(404, "unknown-dialect", f"There is no dialect '{clipped(name)}'; {near}")
    return name


_HEALTH = made(status={"const": "ok"}, version=TEXT, scenarios=COUNT, problems=listed(of("Problem")))
_WHOLE = made(
    name=TEXT, kind=TEXT, about=maybe(TEXT), tags=listed(TEXT), source=listed(TEXT), protocol=TEXT, dialect=maybe(TEXT),
    file=TEXT, yaml=TEXT, attempts=COUNT, timeline=maybe(of("Timeline")), problems=listed(of("Problem")),
)  # fmt: skip
_OVERLAY = made(name=TEXT, about=maybe(TEXT), tags=listed(TEXT), file=TEXT)
_DIALECT = made(name=TEXT, about=maybe(TEXT), base=maybe(TEXT), source=listed(TEXT), known=named(listed(TEXT)),
                file=TEXT)  # fmt: skip
_QUERY = (
    Query("overlays", names, {"type": "string"}, "Overlays by name, with commas between them."),
    Query("dialect", text, {"type": "string"}, "The dialect in which it is told, in the place of its own."),
    Query("attempt", up_to(999_999), {"type": "string", "pattern": "^[1-9][0-9]{0,5}$"}, "Which attempt, from 1."),
)

ROUTES = (
    Route("GET", "/health", "Whether it serves, and what is wrong with files that were not taken in.", health,
          {200: _HEALTH}),
    Route("HEAD", "/health", "The same without a body, for those who only wait.", health, {200: {}}),
    Route("GET", "/scenarios", "The scenarios that can be asked for.", scenarios,
          {200: made(scenarios=listed(of("Scenario")))}),
    Route("GET", "/scenarios/{name}", "One scenario: its file's text, and what it sends when.", scenario, {200: _WHOLE},
          query=_QUERY, refusals=(404,)),
    Route("GET", "/overlays", "The overlays that can be added to a scenario's name.", overlays,
          {200: made(overlays=listed(_OVERLAY))}),
    Route("GET", "/dialects", "The dialects, and how well each is known.", dialects,
          {200: made(dialects=listed(_DIALECT))}),
)  # fmt: skip
