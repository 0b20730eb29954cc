"""What an editor shows over a key: one sentence for each, by model. Text only; `schema` puts it in its place."""

from __future__ import annotations

from collections.abc import Mapping

_EDITS = {
    "set": "JSON Pointers and what to put there; without a leading slash, in each choice.",
    "remove": "JSON Pointers of what to take away.",
    "fields": "SSE fields of the event, in this order, before the made ones.",
    "keep": "How much of each event is sent: 40B, -2B, {inside: utf8}, {framed: 60B}.",
    "cut": "Where the event is cut into writes: whole, {size: 1B}, {at: [1, 7]}, {inside: utf8}.",
    "newline": "The line ends of the event.",
}
_TEXTS = {
    "say": "The answer's text: one text, or a list of pieces, a chunk each.",
    "think": "Reasoning, in the field of the dialect.",
    "refuse": "The text of a refusal.",
    "call": "A tool call, or a list of them.",
    "by": "How a text is cut into pieces.",
    "usage": "Token counts; total_tokens is added.",
    "fail": "An error in the dialect's shape.",
}
_LAYERS = {
    "timing": "When things go out.",
    "head": "Status line and headers.",
    "wire": "Line ends, cuts, escapes, compression.",
    "patch": "Edits of the chunks, one after another.",
    "break": "Where the answer breaks off, and how.",
}
_BODY = {
    **_LAYERS,
    "dialect": "The provider whose shapes are used.",
    "form": "Events or one JSON object; asked: as the request wants it.",
    "expect": "The right reading of the answer, or a list of right ones.",
}
_TOP = {
    **_BODY,
    "about": "What this scenario is, for people.",
    "tags": "Words to find it by.",
    "source": "Where it was seen: owner/repo#1, or a URL.",
    "when": "Which requests it answers; without it, by name only.",
    "priority": "Among the scenarios that match, the highest wins.",
    "protocol": "What the verbs turn into.",
    "envelope": "Top-level keys of each chunk.",
}
_REPLY = "A well-formed answer; all that belongs to one is implied."
_STREAM = "The exact script; nothing is implied."
_RESPOND = "One HTTP answer: an error's name, or status, headers and body."

HOVER: Mapping[str, Mapping[str, str]] = {
    "ReplyScenario": {**_TOP, "reply": _REPLY},
    "StreamScenario": {**_TOP, "stream": _STREAM},
    "RespondScenario": {**_TOP, "respond": _RESPOND},
    "AttemptsScenario": {
        **_TOP,
        "attempts": "The n-th request gets the n-th of these.",
        "then": "What requests after the last attempt get.",
        "attempts_by": "What counts the requests.",
    },
    "ReplyAttempt": {**_BODY, "reply": _REPLY},
    "StreamAttempt": {**_BODY, "stream": _STREAM},
    "RespondAttempt": {**_BODY, "respond": _RESPOND},
    "Overlay": _LAYERS,
    "Dialect": {
        **{key: words for key, words in _LAYERS.items() if key != "break"},
        "base": "The dialect that this one is laid over.",
        "shape": "What each chunk looks like.",
        "script": "Which steps a plain reply becomes.",
        "errors": "The answers of respond, by name.",
    },
    "ReplyMap": {
        **_TEXTS,
        "finish": "The finish reason; null leaves it out.",
        "done": "Whether [DONE] is sent.",
    },
    "Speech": {
        **_TEXTS,
        **_EDITS,
        "role": "The role, on the run's first chunk.",
        "finish": "The finish reason, on the run's last chunk.",
        "delta": "Further keys of the first delta.",
        "every": "The gap between this step's own pieces.",
        "choice": "The choice's index.",
        "logprobs": "The choice's logprobs, on each chunk of the run.",
    },
    "Edit": {
        **_EDITS,
        "only": "Which chunks: all, first, last, rest, 3, 2.., a kind, or a list of these.",
        "drop": "Leaves these chunks out.",
    },
    "WaitStep": {"wait": "Silence of this length, such as 20ms."},
    "GateStep": {"gate": "Holds until the test releases this gate."},
    "RawStep": {"raw": "Bytes of the body; nothing is added."},
    "SocketStep": {"socket": "Bytes outside of HTTP's framing."},
    "TogetherStep": {"together": "Steps whose events leave in one write."},
    "RepeatStep": {"repeat": "Steps that are said again and again.", "times": "How many times."},
    "Timing": {
        "head": "From the request to the head.",
        "first": "From the head to the first chunk.",
        "every": "Between one chunk and the next.",
        "jitter": "At most this much is added to or taken from a gap.",
        "keepalive": "What is said into silences.",
        "precision": "spin: exact to microseconds, at the price of a busy processor.",
    },
    "Head": {
        "status": "The HTTP status.",
        "reason": "The text beside the status.",
        "headers": "A text or whole number; a list repeats the header, null leaves it out.",
        "framing": "How the body's length is told.",
        "length": "The content-length, true or not.",
        "http": "The HTTP version, quoted.",
        "keep_alive": "Whether the connection lives on.",
        "raw": "These bytes in place of the whole head.",
        "early": "Interim answers before the head.",
        "sndbuf": "The size of the socket's send buffer.",
    },
    "Wire": {
        "newline": "The line ends of the events.",
        "space": "What stands after a field's colon.",
        "indent": "Pretty JSON, one data line for each of its lines.",
        "bom": "Whether a byte order mark comes first.",
        "escape": "ascii: all other characters of JSON as escapes.",
        "cut": _EDITS["cut"],
        "compress": "The content coding.",
        "buffer": "Holds bytes back until so many, or for so long.",
    },
    "Break": {
        "at": "After n events, a share of them, or before the first of a kind.",
        "plus": "So many bytes of the next event still go out.",
        "with": "How the connection ends.",
    },
}
