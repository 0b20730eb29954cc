"""The real API's refusals, by hand from reference/wire.md section 5."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakeserver.match.facts import Fault
from fakeserver.match.validate import Request, read_request

USER = {"role": "user", "content": "Hello"}
GOOD = {"model": "m", "messages": [USER]}


def read(**changes):
    body = {**GOOD, **changes}
    return read_request(json.dumps({key: value for key, value in body.items() if value is not ...}).encode())


def test_a_good_request():
    request = read()
    assert (request.model, request.stream, request.usage, request.messages) == ("m", False, False, [USER])
    request = read(stream=True, stream_options={"include_usage": True}, n=2, temperature=1, top_p=0.5, foo="bar")
    assert (request.stream, request.usage, request.padding) == (True, True, True)
    assert read(stream=True, stream_options={"include_obfuscation": False}).padding is False


def test_the_model_that_the_path_names():
    body = json.dumps({"model": None, "messages": [USER]}).encode()
    assert read_request(body) == Fault("missing-model")
    assert read_request(body, "d").body["model"] == "d"
    assert read_request(json.dumps({"model": "m", "messages": [USER]}).encode(), "d").model == "m"


@pytest.mark.parametrize(
    "changes",
    [
        {"stream": None, "stream_options": None, "n": None},
        {"messages": [{"role": "assistant", "content": None, "tool_calls": []}, {"role": "tool", "content": "x"}]},
        {"messages": [{"role": "developer", "content": [{"type": "text", "text": "a"}]}]},
        {"stream": True, "stream_options": {}},
        {"stream": True, "stream_options": {"include_usage": None}},
        {"messages": [{"role": "user", "content": "\U0001f600"}]},
    ],
)
def test_what_is_let_through(changes):
    assert isinstance(read(**changes), Request)


ROLES = "'system', 'assistant', 'user', 'function', 'tool'"
CONTENT = "one of a string or array of objects"


def wrong(place: str, expected: str, got: str) -> Fault:
    message = f"Invalid type for '{place}': expected {expected}, but got {got} instead."
    return Fault("bad-request", message, place, "invalid_type")


def below(name: str, kind: str, least: str, got: str) -> Fault:
    message = f"Invalid '{name}': {kind} below minimum value. Expected a value >= {least}, but got {got} instead."
    return Fault("bad-request", message, name, f"{kind}_below_min_value")


def above(name: str, kind: str, most: str, got: str) -> Fault:
    message = f"Invalid '{name}': {kind} above maximum value. Expected a value <= {most}, but got {got} instead."
    return Fault("bad-request", message, name, f"{kind}_above_max_value")


NO_ROLE = Fault(
    "bad-request",
    "Missing required parameter: 'messages[0].role'.",
    "messages[0].role",
    "missing_required_parameter",
)
BAD_ROLE = Fault("bad-role", f"Invalid value: 'x'. Supported values are: {ROLES}, and 'developer'.", "messages[1].role")


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"model": ...}, Fault("missing-model")),
        ({"model": None}, Fault("missing-model")),
        ({"model": ""}, Fault("missing-model")),
        ({"model": 5}, wrong("model", "a string", "an integer")),
        ({"messages": ...}, Fault("missing-messages")),
        ({"messages": []}, Fault("empty-messages")),
        ({"messages": "hi"}, wrong("messages", "an array of objects", "a string")),
        ({"messages": [USER, 1.5]}, wrong("messages[1]", "an object", "a decimal")),
        ({"messages": [{"content": "x"}]}, NO_ROLE),
        ({"messages": [USER, {"role": "x", "content": ""}]}, BAD_ROLE),
        ({"messages": [{"role": 1}]}, wrong("messages[0].role", f"one of {ROLES}, or 'developer'", "an integer")),
        ({"messages": [{"role": "user", "content": 7}]}, wrong("messages[0].content", CONTENT, "an integer")),
        ({"messages": [{"role": "user"}]}, wrong("messages[0].content", CONTENT, "null")),
        ({"messages": [{"role": "user", "content": ["a"]}]}, wrong("messages[0].content[0]", "an object", "a string")),
        ({"stream": "yes"}, wrong("stream", "a boolean", "a string")),
        ({"stream_options": {"include_usage": True}}, Fault("stream-options")),
        ({"stream": False, "stream_options": {}}, Fault("stream-options")),
        ({"stream": True, "stream_options": []}, wrong("stream_options", "an object", "an array")),
        (
            {"stream": True, "stream_options": {"include_usage": 1}},
            wrong("stream_options.include_usage", "a boolean", "an integer"),
        ),
        (
            {"stream": True, "stream_options": {"include_obfuscation": "no"}},
            wrong("stream_options.include_obfuscation", "a boolean", "a string"),
        ),
        ({"temperature": -1}, below("temperature", "decimal", "0", "-1")),
        ({"n": 129}, above("n", "integer", "128", "129")),
        ({"n": True}, wrong("n", "an integer", "a boolean")),
        ({"top_p": {}}, wrong("top_p", "a decimal", "an object")),
    ],
)
def test_what_is_refused(changes, fault):
    assert read(**changes) == fault


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"{'a': 1}",
        b"\xff\xfe{}",
        b'{"model": NaN}',
        b"[" * 100_000,
        b'{"model": "\\ud83d", "messages": []}',
        b"1" * 9000,
    ],
)
def test_bad_json(body):
    assert read_request(body) == Fault("bad-json")


@pytest.mark.parametrize(
    ("body", "kind"), [(b"[]", "an array"), (b"null", "null"), (b'"a"', "a string"), (b"1", "an integer")]
)
def test_no_object(body, kind):
    message = f"Invalid type for request body: expected an object, but got {kind} instead."
    assert read_request(body) == Fault("bad-request", message, None, "invalid_type")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
keys = st.sampled_from(["model", "messages", "stream", "stream_options", "n", "temperature"])


@given(st.dictionaries(keys, json_values))
def test_any_body_is_a_request_or_a_fault(body):
    assert isinstance(read_request(json.dumps(body).encode()), Request | Fault)


@given(st.binary())
def test_any_bytes_are_a_fault_or_a_request(body):
    assert isinstance(read_request(body), Request | Fault)
