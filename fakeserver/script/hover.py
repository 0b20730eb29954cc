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
_LAYOUT = {key: _EDITS[key] for key in ("keep", "cut", "newline")}
_CUT = {
    "gap": "Between one piece and the next.",
    "framed": "Cuts the bytes with HTTP's framing around them.",
    "lockstep": "Each piece waits until the client has read the one before, where the kernel can tell.",
}
_READING = {
    "outcome": "complete, refused, truncated or failed.",
    "content": "The whole text.",
    "content_size": "The text's size in bytes of UTF-8.",
    "reasoning": "The whole reasoning.",
    "refusal": "The whole text of the refusal.",
    "tool_calls": "The calls, put together; arguments as a map is the JSON they are equal to.",
    "finish_reason": "The first finish reason that is neither null nor empty.",
    "usage": "The token counts.",
    "error": "The error; a text is its message.",
}
_ANSWER = {
    "status": "The HTTP status.",
    "headers": "Headers of this answer, over those of head.",
    "json": "The body as JSON.",
    "text": "The body as text, text/plain unless the headers say otherwise.",
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
    "Overlay": {**_LAYERS, "about": "What this overlay does, for people.", "tags": "Words to find it by."},
    "Dialect": {
        **{key: words for key, words in _LAYERS.items() if key != "break"},
        "about": "What is special about this provider, for people.",
        "source": "Where it was seen.",
        "known": "How well each of its traits is known.",
        "base": "The dialect that this one is laid over.",
        "envelope": "Top-level keys of each chunk.",
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
    "Call": {
        "index": "The call's place; the next free one where a name opens a call, else the last one used.",
        "id": "The call's id; call_1, call_2, ... where a name opens a call.",
        "type": "The call's type; function where a name opens a call.",
        "name": "The function's name. A name that is not empty opens a call.",
        "arguments": "The arguments: a text, a list of pieces, or a map that is sent as compact JSON.",
    },
    "ChunkStep": {**_EDITS, "chunk": "One chunk: these keys over the envelope."},
    "JsonStep": {**_EDITS, "json": "One event whose data is this JSON, as it is."},
    "EventStep": {
        **_LAYOUT,
        "event": "One event: data, event, id and retry in the order written; data is text or JSON.",
    },
    "CommentStep": {**_LAYOUT, "comment": "An SSE comment, which clients skip."},
    "DoneStep": {**_LAYOUT, "fields": _EDITS["fields"], "done": "The end marker, data: [DONE]."},
    "EndStep": {"end": "The clean end of the answer."},
    "CloseStep": {"close": "The connection is closed by a FIN, without the framing's end."},
    "ResetStep": {"reset": "The connection is reset (RST) once the client has every byte; now: at once."},
    "HangStep": {"hang": "Nothing more is sent, and the connection stays open."},
    "CutSize": {**_CUT, "size": "Pieces of so many bytes."},
    "CutAt": {**_CUT, "at": "Cuts at these offsets, in bytes."},
    "CutInside": {**_CUT, "inside": "Cuts at each such place."},
    "KeepInside": {"inside": "Keeps what stands before the first such place."},
    "KeepFramed": {"framed": "Keeps the first bytes of the event with HTTP's framing around it."},
    "WaitStep": {"wait": "Silence of this length, such as 20ms."},
    "GateStep": {"gate": "Holds until the test releases this gate."},
    "RawStep": {"raw": "Bytes of the body; nothing is added.", "keep": _EDITS["keep"], "cut": _EDITS["cut"]},
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
    "KeepAlive": {
        "every": "So much silence brings one.",
        "comment": "An SSE comment.",
        "event": "An event of these fields.",
        "json": "An event whose data is this JSON.",
        "delta": "A chunk with this delta.",
        "raw": "These bytes.",
    },
    "Early": {"status": "A status from 100 to 199, such as 103.", "headers": "Its headers."},
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
    "Compress": {
        "with": "The coding; only gzip and deflate are played yet.",
        "flush": "event: each event can be read at once; never: nothing before the end is sure to come out.",
        "keep": "Only so many bytes of the compressed body are sent.",
        "flip": "The byte at this place of the compressed body is inverted.",
    },
    "Break": {
        "at": "After n events, a share of them, or before the first of a kind.",
        "plus": "So many bytes of the next event still go out.",
        "with": "How the connection ends.",
    },
    "Respond": {
        **_ANSWER,
        "error": "The name of an error, whose answer this one is laid over.",
        "reason": "The text beside the status.",
    },
    "ErrorAnswer": _ANSWER,
    "When": {
        "model": "A glob that the request's model matches.",
        "path": "A glob that the request's path matches.",
        "stream": "Whether a stream is asked for.",
        "tools": "Whether there are tools; a list: the names among them.",
        "turn": "1 and the assistant messages so far; 2.. is the second and all later turns.",
        "header": "Header names, and a test for each.",
        "system": "A test of the system message's text.",
        "last_user": "A test of the last user message's text.",
        "tool_result": "A test of the last tool message's text.",
        "body": "JSON Pointers into the request's body, and the value at each.",
    },
    "Test": {
        "equals": "The text is this.",
        "contains": "This stands somewhere in the text.",
        "matches": "This regular expression of Python's is found in the text.",
    },
    "Reading": _READING,
    "Expect": {**_READING, "choices": "The reading of each choice, in the order of their indices."},
    "Known": {
        "recorded": "Traits seen in recordings of real answers.",
        "source": "Traits read in the server's own source.",
        "documentation": "Traits that the provider's documentation tells.",
        "reported": "Traits that users tell.",
        "weak": "Traits that nothing confirms; check, show and list say so.",
    },
    "Silences": {"content": "Of the text.", "reasoning": "Of the reasoning, where it has one field of its own."},
    "KeyOrder": {
        "chunk": "Keys around the choices.",
        "choice": "Keys of a choice.",
        "delta": "Keys of a delta.",
        "call": "Keys of a call's fragment.",
        "usage": "Keys of usage.",
    },
    "Shape": {
        "first": "The delta of the chunk that holds the role.",
        "first_call": "The same for a reply that is calls and nothing else.",
        "role": "once: as the steps have it; always: on each chunk; never: not even where a step says role.",
        "silent": "What content (and the reasoning field) hold in a delta that does not use them; a map: each for "
        "itself.",
        "reasoning": "The field of reasoning; a list: several at once; content-list: parts of content; "
        "think-tags: <think> inside of content.",
        "quiet_finish": "finish_reason before the finish; absent leaves the key out.",
        "call_keys": "The keys of a call's fragment, in their order; others are sent only where written.",
        "call_field": "function_call: the older field, of one call without index, id and type.",
        "call_id": "The id of a call that has none: {n} is its number, {index} its index, {name} the function's name.",
        "id": "The form of the made id: # is a digit, * a hexadecimal digit, ? a letter or digit.",
        "keys": "sorted: all keys in alphabetical order; a map: which keys come first, where.",
        "padding": "The key of a random-looking text by which chunks get near-equal sizes; none: no such key. "
        "A request leaves it out by include_obfuscation: false.",
        "logprobs": "logprobs where a step has none; absent leaves the key out.",
        "native_finish": "true: native_finish_reason beside finish_reason.",
        "error": "An error alone. data: {error: ...}; event: the same, named error; chunk: in a chunk; flat: bare.",
        "content_type": "The content type of a stream.",
    },
    "Manner": {
        "opening": "Steps that are sent together with the head.",
        "opening_role": "alone: the role has a chunk of its own; with-lone-call: the same, but the head of a lone call "
        "rides on it; with-text: it rides on the first piece.",
        "finish": "own: a chunk of its own; with-last: on the last piece.",
        "call_finish": "The finish reason of a reply that calls.",
        "reasoning_tokens": "within: a part of completion_tokens; beside: counted in the total only.",
        "finish_delta": "The delta of the finish chunk.",
        "usage": "asked: own chunk, when asked; always: own chunk; finish: on the finish chunk; every: running totals; "
        "every-asked: the same, when asked; "
        "with-choice: own chunk that has a silent choice.",
        "usage_details": "Further keys of a usage that is counted.",
        "null_usage": "Whether the other chunks hold usage: null.",
        "calls": "fragments: head, then arguments in pieces; whole: a call a chunk; whole-with-finish: the same, with "
        "the finish on it.",
        "done": "Whether [DONE] ends the stream.",
    },
}
