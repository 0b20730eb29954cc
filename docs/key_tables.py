"""The models and their JSON Schema -> Markdown tables: each key, what it takes, its default, what it does."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, get_args

import yaml

from fakeserver.script import dialect, layers, scenario, steps
from fakeserver.script.dump import duration
from fakeserver.script.schema import schema
from fakeserver.script.units import BreakAt, Buffer, Duration, Name, Pointer, Selector, SignedSize, Size, Turn

Json = dict[str, Any]

# Models -> the word for one of them, and the heading that tells of it.
LINKS = {
    "Timing": "[timing](#timing)", "Head": "[head](#head)", "Wire": "[wire](#wire)", "Edit": "[edit](#patch-edits)",
    "Break": "[break](#break)", "Expect": "[expect](#expect-the-right-reading)", "KeepAlive": "[keep-alive](#timing)",
    "Reading": "[reading](#expect-the-right-reading)", "Compress": "[map](#wire)", "Early": "[early head](#head)",
    "CutSize": "[cut](#cut-and-keep)", "CutAt": "[cut](#cut-and-keep)", "CutInside": "[cut](#cut-and-keep)",
    "KeepInside": "[keep](#cut-and-keep)", "KeepFramed": "[keep](#cut-and-keep)", "Call": "[call](#tool-calls)",
    "ReplyMap": "[reply map](#reply)", "Respond": "[respond map](#respond)", "When": "[when](#when)",
    "Test": "[test](#when)", "ReplyAttempt": "[attempt](#attempts)", "StreamAttempt": "[attempt](#attempts)",
    "RespondAttempt": "[attempt](#attempts)", "Shape": "[shape](#dialects)", "Manner": "[script](#dialects)",
    "ErrorAnswer": "[error](#dialects)", "Known": "[known](#dialects)", "Silences": "[silences](#dialects)",
    "KeyOrder": "[key order](#dialects)", "made": "[made value](#made-values)", "json": "any JSON",
    "json_map": "map of any JSON",
}  # fmt: skip
PATTERNS = {"duration": Duration, "size": Size, "size, `-` size": SignedSize, "name": Name, "pointer": Pointer,
            "[selector](#selectors)": Selector, "[place](#break)": BreakAt, "turn": Turn,
            "`none`, `all`, size, duration": Buffer}  # fmt: skip


@cache
def definitions() -> Json:
    """The JSON Schema of each model, by its name."""
    return dict(schema()["definitions"])


def table(head: list[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """Markdown rows; a bar in a cell is escaped."""
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |".replace("  |", " |")


# Models.


def model_table(name: str) -> Iterator[str]:
    """Key, value, default and meaning of each key of one model."""
    described = definitions()[name]
    required = described.get("required", [])
    said_of = described["properties"]
    rows = (
        (f"`{key}`", words(said_of[key]), _default(name, key, required), said_of[key].get("description", ""))
        for key in _own_first(name, said_of)
        if not (name == "Dialect" and key == "break")  # inherited by the model, refused by its check
    )
    return table(["key", "value", "default", "what it does"], rows)


def _own_first(name: str, keys: Iterable[str]) -> list[str]:
    """The keys that a model has of itself, before those that it has from others."""
    order = {key: place for place, key in reversed([*enumerate(_written(_model(name)))])}
    return sorted(keys, key=lambda key: order[key])


def _written(model: Any) -> Iterator[str]:
    for each in model.__mro__:
        names = (name for name in inspect.get_annotations(each) if name in model.model_fields)
        yield from dict.fromkeys(model.model_fields[name].alias or name for name in names)


def _model(name: str) -> Any:
    return next(getattr(room, name) for room in (scenario, steps, layers, dialect) if hasattr(room, name))


def verb_table() -> Iterator[str]:
    """Each step: its verb, its value, its own options, what it sends."""
    rows = []
    for model in get_args(get_args(steps.Step)[0]):
        keys = definitions()[model.__name__]["properties"]
        said = model is steps.Speech
        verbs = ", ".join(f"`{verb}`" for verb in model.VERBS)
        value = "see [speech](#speech-steps)" if said else words(keys[model.VERBS[0]])
        about = "One run of chunks." if said else keys[model.VERBS[0]]["description"]
        options = ", ".join(f"`{key}`" for key in sorted(keys) if key not in model.VERBS)
        bare = "no value" if value == "`null`" else value.replace("`now` or `null`", "no value, or `now`")
        rows.append((verbs, bare, options, about))
    return table(["verb", "value", "options", "what it sends"], rows)


def words(said: Json) -> str:
    """A JSON Schema as the kinds of values it takes."""
    return _either(_kinds(said))


def _either(kinds: list[str]) -> str:
    return " or ".join(filter(None, [", ".join(kinds[:-1]), kinds[-1]]))


def _kinds(said: Json) -> list[str]:
    name = _by_pattern(said)
    if name:
        return [name]
    if "$ref" in said:
        return [LINKS[said["$ref"].rpartition("/")[2]]]
    if "enum" in said or "const" in said:
        return [_literal(each) for each in said.get("enum", [said.get("const")])]
    branches = said.get("oneOf") or said.get("anyOf")
    if branches:
        return ["step"] if len(branches) > 12 else _alternatives(branches)
    return [_plain(said)]


def _alternatives(branches: list[Json]) -> list[str]:
    """The kinds of each branch, once; a list of what may stand alone too is said last, and shortly."""
    alone = list(dict.fromkeys(kind for each in branches if each.get("type") != "array" for kind in _kinds(each)))
    lists = [each for each in branches if each.get("type") == "array"]
    short = ("a list of these" if set(_kinds(each["items"])) <= set(alone) else _plain(each) for each in lists)
    return [*alone, *short]


def _by_pattern(said: Json) -> str:
    for word, unit in PATTERNS.items():
        known = _unit(unit)[1].json_schema
        if all(said.get(key) == known[key] for key in known):
            return word
    return ""


def _unit(annotated: Any) -> tuple[Any, ...]:
    """What reads a text of this kind, and its JSON Schema."""
    return tuple(annotated.__metadata__)


def _plain(said: Json) -> str:
    match said.get("type"):
        case "array":
            return f"list of {words(said['items'])}"
        case "object":
            return f"map of {words(said['additionalProperties'])}" if "additionalProperties" in said else "map"
        case "integer":
            return "count" if said.get("minimum") == 0 else "whole number"
        case "boolean":
            return "`true`, `false`"
        case "null":
            return "`null`"
    return "text"


def _literal(value: Any) -> str:
    return f"`{flow(value)}`"


def flow(value: Any) -> str:
    if isinstance(value, str) and not re.fullmatch(r"[\w-]*[a-z][\w-]*", value):
        return json.dumps(value)
    return yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=1000).removesuffix("\n...\n").strip()


def _default(name: str, key: str, required: list[str]) -> str:
    fields = _model(name).model_fields.items()
    field = next(field for field_name, field in fields if key in (field_name, field.alias))
    if key in required or field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    if hasattr(value, "model_fields_set") or value in ((), {}) or name == "When" or (value is None and name != "Shape"):
        return ""
    if name == "Shape" and key == "first_call":
        return "as `first`"
    if isinstance(value, int) and not isinstance(value, bool) and _unit(Duration)[0] in field.metadata:
        return f"`{duration(value)}`" if value else "`0`"
    return _literal(list(value) if isinstance(value, tuple) else value)
