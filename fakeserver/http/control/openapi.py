"""The declared routes -> an OpenAPI 3.1 document. It must not know what they do."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from fakeserver import __version__
from fakeserver.http.control.routing import LONGEST_NAME, Query, Route
from fakeserver.http.control.schemas import NAMED, of

Json = dict[str, Any]

_REFUSALS = {
    400: "The query or the body is not as it should be.",
    401: "The token is missing or wrong.",
    403: "The Host or Origin header is not this server's.",
    404: "There is none of that name.",
    409: "It cannot be done now.",
    413: "The body is too large.",
    422: "The scenario has problems; they are listed.",
}
_NAMES = {
    "id": "A session's id: any text, made at first use.",
    "name": "A name.",
    "number": "A request's number, as the journal has it.",
}


def document(routes: Iterable[Route]) -> Json:
    paths: dict[str, Json] = {}
    for route in routes:
        paths.setdefault(f"/_fakeserver{route.path}", {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "fakeserver's control API",
            "version": __version__,
            "description": "What tests and people do with a running server. An error's `code` never changes.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}, {}],
        "paths": paths,
        "components": {
            "schemas": NAMED,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "Needed where serve has printed one."}
            },
        },
    }


def _operation(route: Route) -> Json:
    parameters = [*(_path_parameter(name) for name in re.findall(r"{(\w+)}", route.path)), *map(_query, route.query)]
    operation: Json = {
        "operationId": f"{route.method.lower()}{re.sub('[^a-z]+', '_', route.path)}".strip("_"),
        "summary": route.about,
        "responses": _responses(route),
    }
    if parameters:
        operation["parameters"] = parameters
    if route.body is not None:
        operation["requestBody"] = _body(route)
    return operation


def _responses(route: Route) -> Json:
    said = {str(status): _response("Done." if status < 300 else "Not in that time.", schema, route.content)
            for status, schema in route.answers.items()}  # fmt: skip
    codes = [401, 403, *route.refusals]
    codes += [400] if route.body is not None or route.query or "{" in route.path else []
    codes += [413] if route.body is not None else []
    refused = {str(code): _response(_REFUSALS[code], of("Error"), "application/json") for code in sorted(codes)}
    if route.method == "HEAD":
        refused = {code: _response(_REFUSALS[int(code)], {}, "") for code in refused}
    return {**said, **refused}


def _response(about: str, schema: Json, content: str) -> Json:
    return {"description": about, "content": {content: {"schema": schema}}} if schema else {"description": about}


def _path_parameter(name: str) -> Json:
    schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
    return {"name": name, "in": "path", "required": True, "description": _NAMES[name], "schema": schema}


def _query(query: Query) -> Json:
    return {"name": query.name, "in": "query", "description": query.about, "schema": query.schema}


def _body(route: Route) -> Json:
    if isinstance(route.body, str):
        return {"required": True, "content": {route.body: {"schema": {"type": "string"}}}}
    assert route.body is not None
    schema = _inlined(route.body.model_json_schema())
    if route.nullable:
        schema = {"anyOf": [schema, {"type": "null"}]}
    return {"required": not route.optional, "content": {"application/json": {"schema": schema}}}


def _inlined(schema: Json) -> Json:
    """What pydantic keeps apart, put in its place: these shapes are small."""
    parts = schema.pop("$defs", {})

    def put(value: Any) -> Any:
        if isinstance(value, dict):
            name = str(value.get("$ref", "")).rpartition("/")[2]
            return put(parts[name]) if name in parts else {key: put(each) for key, each in value.items()}
        return [put(each) for each in value] if isinstance(value, list) else value

    inlined: Json = put(schema)
    return inlined
