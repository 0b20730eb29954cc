"""Half characters (lone surrogates) in the texts of a file -> findings: no bytes can say one but a JSON escape.

Works on plain data, so that a file with other mistakes hears of this one too. It must not know the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from fakeserver.script.problems import Finding, Loc

_SENT = ("timing", "head", "patch", "envelope", "reply", "stream", "respond", "attempts", "shape", "script", "errors")
_NEVER_JSON = ("raw", "socket", "comment", "head", "fields", "reason", "headers")
_NOTHING: Mapping[str, Any] = MappingProxyType({})


def halves(data: Any) -> Iterator[Finding]:
    """The findings of one file."""
    if isinstance(data, dict):
        for key in _SENT:
            yield from _in(data.get(key), (key,), _ascii(data))


def _ascii(data: Any, outer: bool = False) -> bool:
    wire = data.get("wire")
    # What a dialect's wire says is not known here: with one, the answer's maker is left to decide.
    default = outer or "dialect" in data
    return bool(wire.get("escape") == "ascii") if isinstance(wire, dict) and "escape" in wire else default


def _in(value: Any, loc: Loc, escaped: bool) -> Iterator[Finding]:
    if isinstance(value, str) and _is_half(value) and (not escaped or _is_bytes(loc)):
        remedy = "write bytes as {$hex: ...}" if _is_bytes(loc) else "only wire: {escape: ascii} can send it"
        yield Finding(loc, "half-character", "half of a surrogate pair is no character", remedy)
    elif isinstance(value, dict):
        attempt = loc[0] == "attempts" and len(loc) == 2
        for key, item in value.items():
            yield from _in(key, (*loc, key), escaped)
            yield from _in(item, (*loc, key), _ascii(value, escaped) if attempt else escaped)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from _in(item, (*loc, i), escaped)


def has_halves(value: Any) -> bool:
    """Whether any text or key of the data holds one."""
    if isinstance(value, dict):
        return any(has_halves(key) or has_halves(item) for key, item in value.items())
    return any(map(has_halves, value)) if isinstance(value, list) else isinstance(value, str) and _is_half(value)


def without_halves(value: Any) -> Any:
    """The same data with U+FFFD for each half, for those who cannot bear them."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {without_halves(key): without_halves(item) for key, item in value.items()}
    return [without_halves(item) for item in value] if isinstance(value, list) else value


def _is_half(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text)


def _is_bytes(loc: Loc) -> bool:
    return any(key in _NEVER_JSON for key in loc)
