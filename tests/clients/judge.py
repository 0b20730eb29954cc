"""An outcome and what a scenario expects -> where they differ; and the table of the differences that are known.

It must not know how a client was run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from fakeserver.speech.expect import matches
from fakeserver.speech.reading import Choice, Outcome, Reading, ToolCall
from tests.clients.cases import Case

TABLE = Path(__file__).with_name("departures.yaml")
HANGS = "nothing: it hangs"  # as node/run.mjs says it

_STATUSES = {
    400: "BadRequestError", 401: "AuthenticationError", 403: "PermissionDeniedError", 404: "NotFoundError",
    409: "ConflictError", 422: "UnprocessableEntityError", 429: "RateLimitError",
}  # fmt: skip


@dataclass(frozen=True)
class Manners:
    """The exceptions by which a client tells of a lost connection, an error in the stream, a status."""

    lost: tuple[str, ...]
    in_stream: tuple[str, ...]
    other_4xx: str
    by_status: Mapping[int, str]
    from_500: str

    def for_status(self, status: int) -> str:
        return self.by_status.get(status) or (self.from_500 if status >= 500 else self.other_4xx)


_PYTHON = Manners(("APIConnectionError", "APITimeoutError"), ("APIError",), "APIStatusError", _STATUSES,
                  "InternalServerError")  # fmt: skip
_NODE = Manners(("TypeError: terminated",), ("APIError",), "APIError", _STATUSES, "InternalServerError")
_UNFINISHED = (
    "OpenAIError: missing finish_reason for choice 0",
    "OpenAIError: request ended without sending any chunks",
)
_NODE_HELPER = Manners(("OpenAIError: terminated", *_UNFINISHED), ("APIError",), "APIError", _STATUSES,
                       "InternalServerError")  # fmt: skip
_HTTPX = Manners(("RemoteProtocolError", "ReadError", "ReadTimeout"), ("ErrorEvent", "JSONDecodeError", "SSEError"),
                 "HTTPStatusError", {}, "HTTPStatusError")  # fmt: skip
_FETCH = Manners(("TypeError: terminated",), ("ErrorEvent", "SyntaxError"), "StatusError", {}, "StatusError")

CLIENTS = {
    "python": _PYTHON, "python async": _PYTHON, "python helper": _PYTHON, "python helper async": _PYTHON,
    "httpx-sse": _HTTPX, "node": _NODE, "node helper": _NODE_HELPER, "eventsource-parser": _FETCH,
}  # fmt: skip
PYTHON = [client for client in CLIENTS if "python" in client or "httpx" in client]
NODE = [client for client in CLIENTS if client not in PYTHON]


def disagreements(client: str, case: Case, outcome: Mapping[str, Any]) -> list[str]:
    """None if the client makes of the answer what one of the scenario's expectations says."""
    found = [_against(CLIENTS[client], case, expected, outcome) for expected in case.expects]
    return min(found, key=len, default=[])


def _against(manners: Manners, case: Case, expected: Mapping[str, object], outcome: Mapping[str, Any]) -> list[str]:
    lines = matches(expected, reading(manners, outcome))
    if expected.get("outcome") == "failed" and outcome["raised"]:
        status = case.status or 0
        right = manners.in_stream if 200 <= status < 300 else (manners.for_status(status),) if status else manners.lost
        if outcome["raised"] not in right:
            lines.append(f"raised: expected {' or '.join(right)}, read {outcome['raised']}")
    return lines


def reading(manners: Manners, outcome: Mapping[str, Any]) -> Reading:
    """An outcome in the words of the scenario language, so that it can be compared with an `expect`."""
    drafts = outcome["choices"] or [{"index": 0}]
    choices = tuple(_choice(draft, _told(manners, outcome, draft), outcome["error"]) for draft in drafts)
    return Reading(choices, outcome["usage"])


def _told(manners: Manners, outcome: Mapping[str, Any], draft: Mapping[str, Any]) -> Outcome:
    """What a caller of this client learns: one that ends by itself says complete, or that the model refused."""
    if outcome["raised"]:
        return "truncated" if outcome["raised"] in manners.lost else "failed"
    refused = draft.get("refusal") or draft.get("finish_reason") == "content_filter"
    return "refused" if refused else "complete"


def _choice(draft: Mapping[str, Any], told: Outcome, error: Any) -> Choice:
    calls = tuple(_call(call) for call in draft.get("tool_calls", ()))
    texts = {name: draft.get(name, "") for name in ("content", "refusal", "reasoning")}
    problem = error if isinstance(error, dict) else {"message": error} if error else None
    return Choice(
        draft["index"], told, tool_calls=calls, finish_reason=draft.get("finish_reason"), error=problem, **texts
    )


def _call(call: Mapping[str, Any]) -> ToolCall:
    try:
        json.loads(call["arguments"] or "{}")
    except ValueError:
        return ToolCall(call["id"], call["name"], call["arguments"], False, call["index"])
    return ToolCall(call["id"], call["name"], call["arguments"], True, call["index"])


@dataclass(frozen=True)
class Departure:
    """What these clients make of a scenario instead: `does` has the keys that say so. `why` is a fact of the table."""

    clients: tuple[str, ...]
    does: Mapping[str, object]
    why: str


@cache
def table() -> Mapping[str, tuple[Departure, ...]]:
    """By scenario. A client's sync and async forms stand in it by one name, for they are to do the same."""
    return {name: tuple(_departure(row) for row in rows) for name, rows in _said()["departures"].items()}


def facts() -> Mapping[str, str]:
    """What is known of the clients, each under the name by which the rows give it as their reason."""
    found: Mapping[str, str] = _said()["facts"]
    return found


@cache
def _said() -> Mapping[str, Any]:
    found: Mapping[str, Any] = yaml.safe_load(TABLE.read_text())
    return found


def _departure(row: Mapping[str, Any]) -> Departure:
    does = {key: value for key, value in row.items() if key not in ("clients", "why")}
    return Departure(tuple(row["clients"]), does, row["why"])


def departure(client: str, name: str) -> Departure | None:
    family = client.removesuffix(" async")
    return next((each for each in table().get(name, ()) if family in each.clients), None)


def observed(outcome: Mapping[str, Any]) -> dict[str, object]:
    """An outcome as a row of the table says it: of several choices, the first."""
    first = outcome["choices"][0] if outcome["choices"] else {}
    calls = [{key: value for key, value in call.items() if value != ""} for call in first.get("tool_calls", ())]
    texts = {name: first.get(name) or "" for name in ("content", "refusal", "reasoning")}
    return {"raised": outcome["raised"], "error": outcome["error"], **texts, "tool_calls": calls,
            "finish_reason": first.get("finish_reason"), "usage": outcome["usage"]}  # fmt: skip


def problem(client: str, case: Case, outcome: Mapping[str, Any]) -> str | None:
    """What is wrong with this outcome: it is neither as expected nor as the table says, or the table is out of date."""
    lines, known, seen = disagreements(client, case, outcome), departure(client, case.selector), observed(outcome)
    place = f"{case.selector}, {client}"
    if known is None:
        return _printable(f"{place}: {'; '.join(lines)}\n{_row(client, lines, seen)}") if lines else None
    if not lines:
        return f"{place}: it does what the scenario expects: take it out of {TABLE.name}\n  {known}\n  {seen}"
    # What the row does not speak of is as the scenario expects.
    wrong = {key: seen.get(key) for key in known.does.keys() | _keys(lines) if seen.get(key) != known.does.get(key)}
    return _printable(f"{place}: {TABLE.name} says {dict(known.does)}, but it does {wrong}") if wrong else None


def _printable(text: str) -> str:
    """Half a surrogate pair can be read from a stream, but not printed."""
    return text.encode("utf-8", "backslashreplace").decode()


def _row(client: str, lines: Sequence[str], seen: Mapping[str, object]) -> str:
    """The row that would stand in the table, for whoever finds that it is right."""
    does = {key: value for key, value in seen.items() if key == "raised" or key in _keys(lines)}
    return yaml.safe_dump([{"clients": [client.removesuffix(" async")], **does, "why": "?"}], sort_keys=False,
                          default_flow_style=None, allow_unicode=True, width=1000).strip()  # fmt: skip


def _keys(lines: Sequence[str]) -> set[str]:
    """What an outcome disagrees about. Its word for the whole is told by what was raised, or that nothing was."""
    return {re.split(r"[:.[]", line)[0] for line in lines} - {"outcome"}
