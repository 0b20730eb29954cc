"""Control routes about what is served: health, and the library's scenarios."""

from __future__ import annotations

import asyncio

from aiohttp import web

from fakeserver import __version__
from fakeserver.engine.showing import scenario_row, timeline_of
from fakeserver.http.control.routing import Call, Query, Refused, Route, reply
from fakeserver.http.control.schemas import COUNT, TEXT, listed, made, maybe, of
from fakeserver.http.control.values import names
from fakeserver.plan import Broken, Unknown


async def health(call: Call) -> web.StreamResponse:
    engine = call.engine
    scenarios = sum(1 for _ in engine.repertoire().plans.names())
    problems = [problem.as_json() for problem in engine.problems]
    return reply({"status": "ok", "version": __version__, "scenarios": scenarios, "problems": problems})


async def scenarios(call: Call) -> web.StreamResponse:
    library = call.engine.library
    return reply({"scenarios": [scenario_row(entry) for entry in library.scenarios.values()]})


async def scenario(call: Call) -> web.StreamResponse:
    """What cannot be played has no timeline, and a problem that says why."""
    library = call.engine.library
    selector = "+".join([call.names["name"].partition("+")[0], *call.query.get("overlays", ())])
    try:
        timeline, problems = await asyncio.to_thread(timeline_of, library, selector), []
    except Unknown as unknown:
        raise Refused(404, "unknown-scenario", unknown.message) from None
    except Broken as broken:
        timeline, problems = None, [broken.problem.as_json()]
    entry = library.scenarios[selector.partition("+")[0]]
    return reply({**scenario_row(entry), "yaml": entry.text, "timeline": timeline, "problems": problems})


_HEALTH = made(status={"const": "ok"}, version=TEXT, scenarios=COUNT, problems=listed(of("Problem")))
_WHOLE = made(
    name=TEXT, kind=TEXT, about=maybe(TEXT), tags=listed(TEXT), source=listed(TEXT), protocol=TEXT, dialect=maybe(TEXT),
    file=TEXT, yaml=TEXT, timeline=maybe(of("Timeline")), problems=listed(of("Problem")),
)  # fmt: skip
_OVERLAYS = Query("overlays", names, {"type": "string"}, "Overlays by name, with commas between them.")

ROUTES = (
    Route("GET", "/health", "Whether it serves, and what is wrong with files that were not taken in.", health,
          {200: _HEALTH}),
    Route("HEAD", "/health", "The same without a body, for those who only wait.", health, {200: {}}),
    Route("GET", "/scenarios", "The scenarios that can be asked for.", scenarios,
          {200: made(scenarios=listed(of("Scenario")))}),
    Route("GET", "/scenarios/{name}", "One scenario: its file's text, and what it sends when.", scenario, {200: _WHOLE},
          query=(_OVERLAYS,), refusals=(404,)),
)  # fmt: skip
