"""The few bodies that no scenario and no dialect makes: `/v1/models`, and the error of a request that is none.

It must not know how an answer is framed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

CREATED = 1770000000  # a constant: answers are the same in every run


def model_list(names: Iterable[str]) -> bytes:
    return _body({"object": "list", "data": [_model(name) for name in names]})


def model(name: str) -> bytes:
    return _body(_model(name))


def error(message: str, kind: str) -> bytes:
    return _body({"error": {"message": message, "type": kind, "param": None, "code": None}})


def _model(name: str) -> dict[str, object]:
    return {"id": name, "object": "model", "created": CREATED, "owned_by": "fakeserver"}


def _body(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=2).encode()  # two spaces, as recorded from the real API
