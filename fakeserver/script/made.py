"""Maps whose key begins with `$` -> values that are made when an answer is: counters, templates, copies, bytes.

Each made value is one place in the file: its counter belongs to the object itself. It must not know how it is made.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from fakeserver.script import units
from fakeserver.script.problems import WRITTEN, Finding, Loc, either, near
from fakeserver.script.shapes import kind, wanted, wrong

HOLES = ("count", "so_far", "last_user", "model", "request./pointer")
DEFINED = "x-defined"
FORMS = ("http-date", "epoch", "epoch-ms")
_OF_KEYS = ("made", "unknown-key", "missing")  # errors that are shown at the key


@dataclass(frozen=True, eq=False)
class Made:
    """Any made value; two of them are never the same place."""


@dataclass(frozen=True, eq=False)
class Counted(Made):
    """`{$count: 197}`: 197, 198, ... each time it is used."""

    start: int


@dataclass(frozen=True, eq=False)
class Template(Made):
    """`{$text: "..."}`: literal texts and the names of holes in turn, a text first."""

    parts: tuple[str, ...]

    @property
    def holes(self) -> tuple[str, ...]:
        return self.parts[1::2]


@dataclass(frozen=True, eq=False)
class Copied(Made):
    """`{$copy: pointer}`: what stands there in the same chunk."""

    pointer: str


@dataclass(frozen=True, eq=False)
class Filled(Made):
    """`{$fill: text, size: 64KiB}`: the text over and over, `size` bytes of UTF-8, ending at a character."""

    text: str
    size: int


@dataclass(frozen=True, eq=False)
class Moment(Made):
    """`{$time: 60s, as: epoch}`: so many nanoseconds after the request came, in one of three forms."""

    offset: int
    form: str


@dataclass(frozen=True, eq=False)
class Bytes(Made):
    """`{$hex: "ff fe"}` and `{$base64: "..."}`: bytes that may be no text."""

    data: bytes


Json = Any  # a JSON value in which a Made may stand anywhere


def parse(value: Any) -> Json:
    """A JSON value with its `$` maps turned into made values and `$$` keys into `$` keys; all errors at once."""
    findings: list[Finding] = []
    out = _walk(value, (), findings)
    if findings:
        raise PydanticCustomError("findings", "several", {"findings": findings})
    return out


def has_made(value: Json) -> bool:
    """Whether a made value stands anywhere in it."""
    if isinstance(value, dict | list):
        return any(map(has_made, value.values() if isinstance(value, dict) else value))
    return isinstance(value, Made)


def _walk(value: Any, loc: Loc, findings: list[Finding]) -> Json:
    if isinstance(value, list):
        return [_walk(item, (*loc, i), findings) for i, item in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        findings.append(Finding(loc, "value", f"JSON has no {WRITTEN}", "raw: sends any bytes; a text is quoted"))
    if not isinstance(value, dict):
        return value
    verb = next((key for key in value if key.startswith("$") and not key.startswith("$$")), None)
    if verb is None:
        return {_unescaped(key): _walk(item, (*loc, key), findings) for key, item in value.items()}
    try:
        return _make(verb, value)
    except PydanticCustomError as error:
        said: dict[str, Any] = error.context or {}
        inside = said["inside"] or (verb,)
        findings.append(Finding((*loc, *inside), error.type, said["said"], said["remedy"], key=error.type in _OF_KEYS))
    return None


def _unescaped(key: str) -> str:
    return key[1:] if key.startswith("$$") else key


def _make(verb: str, value: Mapping[str, Any]) -> Made:
    if verb not in _MAKERS:
        raise wrong(
            "made", f"unknown made value '{verb}'", f"{near(verb, _MAKERS)} (a key that begins with $ is written $$)"
        )
    options, make = _MAKERS[verb]
    odd = next((key for key in value if key != verb and key not in options), None)
    if odd is not None:
        takes = either(options, "and") if options else "nothing else"
        raise wrong("unknown-key", f"'{odd}' does not go with {verb}", f"{verb} takes {takes}", odd)
    missing = next((key for key in options if key not in value), None)
    if missing is not None:
        raise wrong("missing", f"{verb} needs '{missing}'", f"write {{{verb}: ..., {missing}: ...}}")
    return make(value[verb], *(value[key] for key in options))


def _counted(start: Any) -> Made:
    return Counted(units.integer(start))


def _template(said: Any) -> Made:
    parts: list[str] = [""]
    rest = units.text(said)
    while True:
        text, mark, rest = rest.partition("${")
        if text.endswith("$") and mark:  # $${ is a literal ${
            parts[-1] += text[:-1] + "${"
            continue
        parts[-1] += text
        if not mark:
            return Template(tuple(parts))
        hole, close, rest = rest.partition("}")
        if not close:
            raise wrong("hole", "a hole ${ without its }", "close it; for a literal ${ write $${")
        if hole not in HOLES[:-1] and not hole.startswith("request./"):
            raise wrong("hole", f"unknown hole ${{{hole}}}", near(hole, HOLES))
        parts += [hole, ""]


def _copied(pointer: Any) -> Made:
    return Copied(units.pointer(pointer))


def _filled(text: Any, size: Any) -> Made:
    if not units.text(text):
        raise wrong("fill", "an empty text fills nothing", "give at least one character")
    return Filled(text, _option("size", units.size, size))


def _moment(offset: Any, form: Any) -> Made:
    if form not in FORMS:
        raise wrong("value", f"unknown form {units.shown(form)}", near(form, FORMS), "as")
    if isinstance(offset, str) and offset.startswith("-"):
        return Moment(-units.duration(offset[1:]), form)
    return Moment(units.duration(offset), form)


def _option(key: str, read: Callable[[Any], int], value: Any) -> int:
    try:
        return read(value)
    except PydanticCustomError as error:  # the same words at another place
        said: dict[str, Any] = error.context or {}
        raise wrong(error.type, said["said"], said["remedy"].replace(WRITTEN, str(value)), key) from None


def _hex(said: Any) -> Made:
    try:
        return Bytes(bytes.fromhex(units.text(said)))
    except ValueError:
        raise wrong(
            "hex", f"'{said}' is not hexadecimal", 'pairs of 0-9 a-f, spaces allowed: "ff fe"; quote them'
        ) from None


def _base64(said: Any) -> Made:
    try:
        return Bytes(base64.b64decode(units.text(said), validate=True))
    except ValueError:
        raise wrong(
            "base64", f"'{said}' is not base64", "it has letters, digits, + and /, padded with = to groups of four"
        ) from None


_MAKERS: Mapping[str, tuple[tuple[str, ...], Callable[..., Made]]] = MappingProxyType(
    {
        "$count": ((), _counted),
        "$text": ((), _template),
        "$copy": ((), _copied),
        "$fill": (("size",), _filled),
        "$time": (("as",), _moment),
        "$hex": ((), _hex),
        "$base64": ((), _base64),
    }
)


def _map(value: Any) -> Any:
    if not isinstance(value, dict):
        raise wrong("type", f"expected a map, got {kind(value)}", wanted(value, "map"))
    return value


def _json_map(value: Any) -> Any:
    made = parse(value)
    if isinstance(made, Made):
        raise wrong("type", "a made value cannot be this whole map", "write the map, and made values inside of it")
    return made


def _made_map(value: Any) -> Made:
    made = parse(value)
    if not isinstance(made, Made):
        raise wrong("made", "a map where a text belongs", f"a text that is made is a map with {either(list(_MAKERS))}")
    return made


def named(name: str) -> WithJsonSchema:
    """The mark of a definition that `schema` adds by itself; pydantic takes a `$ref` to its own only."""
    return WithJsonSchema({DEFINED: name})


AnyJson = Annotated[Any, BeforeValidator(parse), named("json")]
JsonMap = Annotated[
    dict[str, Any],
    BeforeValidator(_json_map),
    BeforeValidator(_map),
    named("json_map"),
]
MadeMap = Annotated[Made, PlainValidator(_made_map), named("made")]
