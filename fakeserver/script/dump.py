"""Steps -> the YAML that would load as them. The way back of the loader; it must not know what steps mean."""

from __future__ import annotations

import base64
from typing import Any

import yaml

from fakeserver.script.made import Bytes, Copied, Counted, Filled, Made, Moment, Template

_UNITS = (("s", 10**9), ("ms", 10**6), ("us", 10**3))


class _Dumper(yaml.SafeDumper):
    """Texts that another YAML version would read as something else are quoted by PyYAML's own 1.1 rules."""


def dump(steps: list[Any]) -> str:
    """A list of steps as YAML, a step a line where it fits."""
    return yaml.dump(steps, Dumper=_Dumper, default_flow_style=None, allow_unicode=True, sort_keys=False, width=120)


def plain_step(step: Any) -> Any:
    """A step's model as the data that a file would hold; a verb without a value stands bare."""
    out = _fields(step)
    verb = type(step).VERBS[0]
    return verb if verb in getattr(type(step), "BARE", ()) and out == {verb: None} else out


def _fields(model: Any) -> dict[str, Any]:
    """What is written: the verbs first, then the options in the order in which the model has them."""
    fields, verbs = type(model).model_fields, getattr(type(model), "VERBS", ())
    written = [(fields[name].alias or name, name) for name in fields if name in model.model_fields_set]
    return {
        key: _plain(name, getattr(model, name)) for key, name in sorted(written, key=lambda row: row[0] not in verbs)
    }


def _plain(name: str, value: Any) -> Any:
    if isinstance(value, Made):
        return _made(value)
    if name in ("wait", "every", "gap") and isinstance(value, int):
        return duration(value)
    if name in ("size", "keep", "framed") and isinstance(value, int) and not isinstance(value, bool):
        return f"{value}B"
    if hasattr(value, "model_fields_set"):
        return _fields(value)
    if isinstance(value, dict):
        return {key: _plain("", item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        nested = name in ("together", "repeat")
        return [plain_step(item) if nested else _plain("", item) for item in value]
    return value


def _made(made: Made) -> dict[str, Any]:
    match made:
        case Counted():
            return {"$count": made.start}
        case Template():
            parts = (f"${{{part}}}" if i % 2 else part.replace("${", "$${") for i, part in enumerate(made.parts))
            return {"$text": "".join(parts)}
        case Copied():
            return {"$copy": made.pointer}
        case Filled():
            return {"$fill": made.text, "size": f"{made.size}B"}
        case Moment():
            return {"$time": duration(made.offset), "as": made.form}
    assert isinstance(made, Bytes)
    return {"$base64": base64.b64encode(made.data).decode()}


def duration(ns: int) -> str:
    """Nanoseconds as a file writes them: in the largest unit that gives a whole number."""
    return next((f"{ns // size}{unit}" for unit, size in _UNITS if ns % size == 0), f"{ns / 1000:.3f}us")
