import json
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from fakeserver.script.library import builtin, load
from fakeserver.script.nodes import read
from fakeserver.script.schema import schema

EXAMPLES = Path(__file__).parents[1] / "examples"
FILES = [*sorted(EXAMPLES.rglob("*.yaml")), *sorted(builtin().rglob("*.yaml"))]
SCHEMA = schema()
VALIDATOR = Draft7Validator(SCHEMA)


def accepts(text: str) -> bool:
    return VALIDATOR.is_valid(read(text).data)


def test_it_is_a_schema_of_draft_7():
    Draft7Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA


def test_it_is_the_same_each_time():
    assert json.dumps(schema()) == json.dumps(SCHEMA)


def test_nothing_of_openapi_and_no_default_is_left():
    text = json.dumps(SCHEMA)
    assert "discriminator" not in text
    assert '"default"' not in text
    assert "$defs" not in text


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_it_accepts_each_example_and_each_shipped_file(file):
    assert VALIDATOR.is_valid(read(file.read_text("utf-8")).data)


def test_the_loader_accepts_each_example():
    library = load([EXAMPLES])
    assert not library.problems
    assert len(library.scenarios) + len(library.overlays) + len(library.dialects) >= 119


def test_titles_are_the_verbs():
    titles = {each["title"] for each in SCHEMA["definitions"].values() if "title" in each}
    assert {"wait", "gate", "raw", "done", "together", "reply", "attempts"} <= titles


def test_keys_say_what_they_are_for():
    wait = SCHEMA["definitions"]["WaitStep"]["properties"]["wait"]
    assert wait["description"].startswith("Silence")


@pytest.mark.parametrize(
    "text",
    [
        "reply: no",
        "stream: [done, end]",
        "stream: [{together: [done, {say: a}]}, {repeat: [done, {say: a}, {wait: 1s}], times: 2}]",
        "stream: [{done: }, {reset: }, {reset: now}]",
        "stream: [{say: {$text: '${count} $${x} ${request./model} 5$'}}]",
        'stream: [{say: [a, {$copy: /model}]}, {raw: {$hex: "ff fe"}}, {json: {a: {$time: -60s, as: epoch}}}]',
        "stream: [{delta: {$$ref: 1}}, {json: null}, {usage: null, finish: null, say: a, logprobs: null}]",
        "head: {headers: {a: 1, b: null, c: [x, 1], d: {$time: 60s, as: http-date}}}\nreply: a",
        "wire: {compress: gzip, cut: {inside: frame-size, framed: true}}\nreply: a",
        "patch: [{only: [1, -1, 2.., content, response.created], set: {/a: 1, b/0/c: null}}]\nreply: a",
    ],
)
def test_it_accepts(text):
    assert accepts(text)


@pytest.mark.parametrize(
    "text",
    [
        "reply: ",
        "reply: a\ntiming: null",
        "reply: a\ntiming: {every: null}",
        "stream: [{say: a, by: null}]",
        "stream: [{cut: {size: 1B}}]",
        "stream: [say]",
        "stream: [{done: 1}]",
        "stream: [{say: {$nope: 1}}]",
        "stream: [{say: {$text: '${nope}'}}]",
        "stream: [{say: {$text: 'open ${'}}]",
        "stream: [{json: [{a: {$hex: zz}}]}]",
        "stream: [{say: a, set: {'': 1}}]",
        "stream: [{role: assistant, by: word}]",
        "stream: [{together: [wait: 1s]}]",
        "stream: [{together: [end]}]",
        "stream: [{repeat: [{reset: now}], times: 2}]",
        "wire: {compress: {with: gzip}, cut: {inside: utf8}}\nreply: a",
        "respond: {json: 1, text: a}",
        "about: nothing else\nrespond:",
    ],
)
def test_it_rejects(text):
    assert not accepts(text)


# Where null means something: a part left out, a JSON value, or a verb that takes no value.
NULL_MEANS_SOMETHING = {
    "Call": {"index", "id", "type", "name", "arguments"},
    "CloseStep": {"close"}, "DoneStep": {"done"}, "EndStep": {"end"}, "HangStep": {"hang"}, "ResetStep": {"reset"},
    "JsonStep": {"json"}, "KeepAlive": {"json"}, "Respond": {"json"}, "ErrorAnswer": {"json"},
    "Expect": {"finish_reason", "usage", "error"}, "Reading": {"finish_reason", "usage", "error"},
    "ReplyMap": {"finish", "usage", "fail"}, "Speech": {"finish", "usage", "fail", "logprobs"},
    "Shape": {"silent", "quiet_finish", "logprobs"}, "Silences": {"content", "reasoning"},
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(SCHEMA["definitions"]))
def test_null_is_refused_where_it_means_nothing(name):
    accepted = {
        key
        for key, part in SCHEMA["definitions"][name].get("properties", {}).items()
        if Draft7Validator({**part, "definitions": SCHEMA["definitions"]}).is_valid(None)
    }
    assert accepted == NULL_MEANS_SOMETHING.get(name, set())
