"""The models -> the JSON Schema (draft-07) by which editors complete and check scenario files.

Closed objects under `oneOf`, titled by their verbs; what a model only knows when it is made, a schema cannot say, so
`check` stays the judge. It must not know YAML.
"""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from fakeserver.script.dialect import Dialect
from fakeserver.script.hover import HOVER
from fakeserver.script.layers import Overlay
from fakeserver.script.made import DEFINED, FORMS
from fakeserver.script.scenario import AnyScenario
from fakeserver.script.units import DURATION, SIZE

Json = dict[str, Any]


def schema() -> Json:
    """One schema for all files: a scenario, an overlay or a dialect."""
    files: Any = TypeAdapter(AnyScenario | Overlay | Dialect)  # any file has one of these three forms
    out: Json = _linked(files.json_schema(schema_generator=_Draft7, ref_template="#/definitions/{model}"))
    definitions: Json = {**out.pop("$defs"), **_json()}
    for name, hover in HOVER.items():
        for key, words in hover.items():
            definitions[name]["properties"][key]["description"] = words
    head = {"$schema": "http://json-schema.org/draft-07/schema#", "title": "A scenario, an overlay or a dialect"}
    return {**head, **out, "definitions": definitions}


class _Draft7(GenerateJsonSchema):
    """pydantic's export without what only OpenAPI knows, and with what its models know of verbs."""

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> Json:
        return self.generate_inner(schema["schema"])  # a default in nanoseconds helps nobody

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> Json:
        return {"oneOf": [self.generate_inner(choice) for choice in schema["choices"].values()]}

    def dict_schema(self, schema: core_schema.DictSchema) -> Json:
        out: Json = {"type": "object", "additionalProperties": self.generate_inner(schema["values_schema"])}
        keys = self.generate_inner(schema["keys_schema"])
        if keys != {"type": "string"}:
            out["propertyNames"] = keys
        return out | ({"minProperties": schema["min_length"]} if "min_length" in schema else {})

    def model_schema(self, schema: core_schema.ModelSchema) -> Json:
        out = super().model_schema(schema)
        verbs: tuple[str, ...] = getattr(schema["cls"], "VERBS", ())
        if len(verbs) == 1:  # its value may have a default, since the verb may stand bare
            out["required"] = [*verbs, *(key for key in out.get("required", ()) if key not in verbs)]
        elif verbs:
            out["anyOf"] = [{"required": [verb]} for verb in verbs]
        return out | ({"title": " / ".join(verbs)} if verbs else {})


def _linked(part: Any) -> Any:
    """The schema with its marks turned into references."""
    if isinstance(part, list):
        return [_linked(each) for each in part]
    if not isinstance(part, dict):
        return part
    if DEFINED in part:
        return {"$ref": f"#/definitions/{part[DEFINED]}"}
    return {key: _linked(value) for key, value in part.items()}


def _json() -> Json:
    """Any JSON value in which made values may stand."""
    made = [_maker("$count", {"type": "integer"}), _maker("$text", {"type": "string", "pattern": _TEMPLATE}),
            _maker("$copy", {"type": "string", "pattern": "^([^~]|~[01])+$"}),
            _maker("$fill", {"type": "string", "minLength": 1}, size={"type": "string", "pattern": f"^{SIZE}$"}),
            _maker("$time", {"type": "string", "pattern": f"^-?{DURATION}$"}, **{"as": {"enum": list(FORMS)}}),
            _maker("$hex", {"type": "string", "pattern": r"^\s*([0-9a-fA-F]{2}\s*)*$"}),
            _maker("$base64", {"type": "string", "pattern": r"^[A-Za-z0-9+/]*={0,2}$"})]  # fmt: skip
    value = {"$ref": "#/definitions/json"}
    plain = {"type": "object", "propertyNames": {"not": {"pattern": r"^\$(?!\$)"}}, "additionalProperties": value}
    return {
        "made": {"oneOf": made},
        "json_map": plain,
        "json": {"anyOf": [{"type": ["string", "number", "boolean", "null"]}, {"type": "array", "items": value},
                           {"$ref": "#/definitions/json_map"}, {"$ref": "#/definitions/made"}]},
    }  # fmt: skip


_HOLE = r"\$\{(count|so_far|last_user|model|request\./[^}]*)\}"
_TEMPLATE = rf"^([^$]|\$(?!\$?\{{)|\$\$\{{|{_HOLE})*$"


def _maker(verb: str, value: Json, **options: Json) -> Json:
    properties = {verb: value, **options}
    return {"title": verb, "type": "object", "properties": properties, "required": list(properties),
            "additionalProperties": False}  # fmt: skip
