"""Maps whose key begins with `$` -> values that are made when an answer is: counters, templates, copies, bytes.

Each made value is one place in the file: its counter belongs to the object itself. It must not know how it is made.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from fakeserver.script import units
from fakeserver.script.problems import Finding, Loc, near

HOLES = ("count", "so_far", "last_user", "model", "request./pointer")


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


class _Bad(Exception):
    def __init__(self, code: str, message: str, remedy: str):
        super().__init__(message)
        self.finding = (code, message, remedy)


def parse(value: Any) -> Json:
    """A JSON value with its `$` maps turned into made values and `$$` keys into `$` keys; all errors at once."""
    findings: list[Finding] = []
    out = _walk(value, (), findings)
    if findings:
        raise PydanticCustomError("made", "made", {"findings": findings})
    return out


def _walk(value: Any, loc: Loc, findings: list[Finding]) -> Json:
    if isinstance(value, list):
        return [_walk(item, (*loc, i), findings) for i, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    verb = next((key for key in value if key.startswith("$") and not key.startswith("$$")), None)
    if verb is None:
        return {_unescaped(key): _walk(item, (*loc, key), findings) for key, item in value.items()}
    try:
        return _make(verb, value)
    except _Bad as bad:
        findings.append(Finding((*loc, verb), *bad.finding))
    except PydanticCustomError as error:
        context = error.context or {}
        findings.append(Finding((*loc, verb), error.type, str(context.get("said")), str(context.get("remedy"))))
    return None


def _unescaped(key: str) -> str:
    return key[1:] if key.startswith("$$") else key


def _make(verb: str, value: Mapping[str, Any]) -> Made:
    if verb not in _MAKERS:
        raise _Bad("made", f"unknown made value '{verb}'", f"{near(verb, _MAKERS)}; a key that really begins with $ is $$")
    options, make = _MAKERS[verb]
    odd = next((key for key in value if key != verb and key not in options), None)
    if odd is not None:
        raise _Bad("unknown-key", f"'{odd}' does not go with {verb}", f"{verb} takes {', '.join(options) or 'nothing else'}")
    missing = next((key for key in options if key not in value), None)
    if missing is not None:
        raise _Bad("missing", f"{verb} needs {missing}", f"write {{{verb}: ..., {missing}: ...}}")
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
            raise _Bad("hole", "a hole ${ without its }", "close it; for a literal ${ write $${")
        if hole not in HOLES[:-1] and not re.fullmatch(r"request\./.*", hole):
            raise _Bad("hole", f"unknown hole ${{{hole}}}", near(hole, HOLES))
        parts += [hole, ""]


def _copied(pointer: Any) -> Made:
    return Copied(units.pointer(pointer))


def _filled(text: Any, size: Any) -> Made:
    if not units.text(text):
        raise _Bad("fill", "an empty text fills nothing", "give at least one character")
    return Filled(text, units.size(size))


def _moment(offset: Any, form: Any) -> Made:
    if form not in ("http-date", "epoch", "epoch-ms"):
        raise _Bad("value", f"unknown form '{form}'", near(form, ("http-date", "epoch", "epoch-ms")))
    said = units.text(offset)
    if said.startswith("-"):
        return Moment(-units.duration(said[1:]), form)
    return Moment(units.duration(said), form)


def _hex(said: Any) -> Made:
    try:
        return Bytes(bytes.fromhex(units.text(said)))
    except ValueError:
        raise _Bad("hex", f"'{said}' is not hexadecimal", 'pairs of 0-9 a-f, spaces allowed: "ff fe"; quote them') from None


def _base64(said: Any) -> Made:
    try:
        return Bytes(base64.b64decode(units.text(said), validate=True))
    except (binascii.Error, ValueError):
        raise _Bad("base64", "not base64", "letters, digits, + and /, padded with =") from None


_MAKERS: Mapping[str, tuple[tuple[str, ...], Callable[..., Made]]] = {
    "$count": ((), _counted),
    "$text": ((), _template),
    "$copy": ((), _copied),
    "$fill": (("size",), _filled),
    "$time": (("as",), _moment),
    "$hex": ((), _hex),
    "$base64": ((), _base64),
}


def _map(value: Any) -> Any:
    if not isinstance(value, dict):
        from fakeserver.script.shapes import kind, wanted, wrong

        raise wrong("type", f"expected a map, got {kind(value)}", wanted(value, False))
    return value


AnyJson = Annotated[Any, BeforeValidator(parse), WithJsonSchema({})]
JsonMap = Annotated[dict[str, Any], BeforeValidator(parse), BeforeValidator(_map), WithJsonSchema({"type": "object"})]
MadeMap = Annotated[Made, BeforeValidator(parse), WithJsonSchema(
    {"type": "object", "patternProperties": {r"^\$[a-z0-9]+$": {}, "^(size|as)$": {}}, "additionalProperties": False}
)]  # fmt: skip
