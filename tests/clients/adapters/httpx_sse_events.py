"""httpx-sse: events read by hand over httpx, as its README has it. It has no retries."""

from __future__ import annotations

import json
from typing import Any

import httpx
import httpx_sse
from fold import Fold
from loop import Case, Told, run

CLIENT = httpx.Client()


def ask(case: Case, fold: Fold) -> None:
    body = {**case.body(), "stream": True}
    with httpx_sse.connect_sse(
        CLIENT, "POST", f"{case.base_url}/chat/completions", json=body, timeout=case.time_limit
    ) as source:
        _check_status(source.response)
        for event in source.iter_sse():
            if event.data == "[DONE]":
                break
            _take(event, fold)


def _check_status(response: httpx.Response) -> None:
    if response.status_code >= 300:
        response.read()
        raise Told("HTTPStatusError", str(response.status_code), _error_in(response))


def _error_in(response: httpx.Response) -> Any:
    try:
        return response.json().get("error")
    except (ValueError, AttributeError):
        return None


def _take(event: httpx_sse.ServerSentEvent, fold: Fold) -> None:
    """Named events are for those who ask for them; an error, by name or in the data, is for everyone."""
    if event.event not in ("message", "error"):
        return
    data = json.loads(event.data)
    error = data.get("error") if isinstance(data, dict) else None
    if error or event.event == "error":
        raise Told("ErrorEvent", "an error in the stream", error or data)
    fold.take(data)


if __name__ == "__main__":
    run(ask)
