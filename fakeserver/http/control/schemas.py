"""The JSON Schemas of what the control routes answer with. Data, and nothing else."""

from __future__ import annotations

from typing import Any

from fakeserver.verdict import CODES

Json = dict[str, Any]

TEXT: Json = {"type": "string"}
COUNT: Json = {"type": "integer", "minimum": 0}
NUMBER: Json = {"type": "number"}
FLAG: Json = {"type": "boolean"}
ANY_MAP: Json = {"type": "object"}


def maybe(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}


def listed(schema: Json) -> Json:
    return {"type": "array", "items": schema}


def named(schema: Json) -> Json:
    """A map whose keys are names of the user's."""
    return {"type": "object", "additionalProperties": schema}


def of(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def made(open_: bool = False, **keys: Json) -> Json:
    """An object in which all of these keys are there; `open_` if there may be others."""
    return {"type": "object", "properties": keys, "required": list(keys), "additionalProperties": open_}


PROBLEM = made(file=TEXT, line=COUNT, column=COUNT, severity={"enum": ["error", "warning"]}, code=TEXT, message=TEXT,
               remedy=TEXT)  # fmt: skip
ERROR = made(error={**made(open_=True, message=TEXT, code=TEXT), "description": "`code` never changes; words may."})
SCENARIO = made(name=TEXT, kind=TEXT, about=maybe(TEXT), tags=listed(TEXT), source=listed(TEXT), protocol=TEXT,
                dialect=maybe(TEXT), file=TEXT)  # fmt: skip
TIMELINE = made(selector=TEXT, about=maybe(TEXT), status=maybe({"type": "integer"}), actions=listed(ANY_MAP),
                more=FLAG, idle=maybe(ANY_MAP))  # fmt: skip
ROW = made(
    number=COUNT, session=TEXT, at=COUNT, method=TEXT, path=TEXT, scenario=TEXT, attempt=COUNT, why=TEXT,
    status=maybe({"type": "integer"}), unmatched=FLAG, how=TEXT, ended=TEXT, end=maybe(TEXT), by=maybe(TEXT),
    events=COUNT, bytes=COUNT, took_ns=maybe(COUNT), lateness_p99_ns=COUNT, gate=maybe(TEXT),
)  # fmt: skip
QUEUED = made(scenario=TEXT, times=COUNT)
SESSION = made(
    id=TEXT, generation=COUNT, base_url=TEXT, in_flight=COUNT, use=maybe(TEXT), queue=listed(of("Queued")),
    scenarios=listed(TEXT), gates=named(COUNT), hold=FLAG, clock={"enum": ["wall", "manual"]},
    speed={"anyOf": [NUMBER, {"const": "instant"}]}, dialect=maybe(TEXT), counts=named(COUNT), records=COUNT,
)  # fmt: skip
RELEASED = made(released=COUNT, kept=FLAG)
CLOCK = made(mode={"enum": ["wall", "manual"]}, now=NUMBER, waiting=COUNT)
RECORD = {
    **made(
        open_=True, number=COUNT, session=TEXT, at=COUNT, request=ANY_MAP, scenario=TEXT, attempt=COUNT, why=TEXT,
        status=maybe({"type": "integer"}), unmatched=maybe(ANY_MAP), writes=COUNT, bytes=COUNT, events=COUNT,
        how=TEXT, ending=maybe(ANY_MAP),
    ),
    "description": "Moments are nanoseconds since the request was read; `at` is nanoseconds since 1970.",
}  # fmt: skip
FINDING = made(
    code={"enum": list(CODES)}, says=TEXT,
    evidence={**made(open_=True, records=listed(COUNT)), "description": "Which requests, and what proves it."},
)  # fmt: skip

NAMED: dict[str, Json] = {
    "Clock": CLOCK, "Error": ERROR, "Finding": FINDING, "Problem": PROBLEM, "Queued": QUEUED, "Record": RECORD,
    "Released": RELEASED, "Row": ROW, "Scenario": SCENARIO, "Session": SESSION, "Timeline": TIMELINE,
}  # fmt: skip
