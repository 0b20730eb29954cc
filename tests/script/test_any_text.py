"""No text and no bytes make the loader raise, and each problem has its place in the file."""

import re
from pathlib import Path

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakeserver.script.loader import load_bytes, load_text

TESTS = Path(__file__).parents[1]
SOURCES = [file.read_text("utf-8") for file in sorted((TESTS / "examples").rglob("*.yaml"))]
SOURCES += [file.read_text("utf-8", "replace") for file in sorted((TESTS / "bad_scenarios").glob("*.yaml"))]
KINDS = st.sampled_from(["scenario", "overlay", "dialect"])
PIECES = st.one_of(
    st.text(max_size=4),
    st.sampled_from(
        ["\t", "\r", "\n", "\r\n", "\x00", "\ufeff", "\u2028", "\u0085", "\ud83d", '"\\ud83d"', '"\\udc00": ',
         "*a", "&a ", "<<: *a", "- ", ": ", "{", "}", '{a: "\\ud83d"}', "[", "]", "#", "!!set ", "---\n", "? ", "|",
         ">", "%", "@", ".nan", "1e999", "9" * 5000, "null", "'", '"', "$", "{$text: '${", "~", "[key]", "\\0stream",
         "{$count: 0x" + "f" * 4000 + "}", "😀", " " * 9]
    ),
)  # fmt: skip
KEYS = sorted(set(re.findall(r"[a-z_]+(?=:)|\$[a-z]+", "\n".join(SOURCES))))
VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-5, 5), st.floats(), st.text(max_size=5),
        st.sampled_from(["1B", "20ms", "\ud83d", "utf8", "done", "first", "2..", "/a/b", "openai", "whole", "50%"]),
        st.sampled_from(KEYS),
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=25,
)  # fmt: skip
many = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))


def check(text, kind="scenario"):
    entry, document = load_text(text, "f.yaml", kind)
    rows = re.split("\r\n|\n|\r", text.removeprefix("\ufeff"))
    for problem in document.problems:
        assert problem.path == "f.yaml"
        assert problem.code
        assert problem.message
        assert problem.remedy
        assert 1 <= problem.line <= len(rows), problem
        assert 1 <= problem.column <= len(rows[problem.line - 1]) + 1, problem
        assert problem.text == rows[problem.line - 1]
        assert "\0" not in str(problem)
        assert str(problem).encode("utf-8")
        assert "pydantic" not in str(problem)
    assert (entry is None) == any(not problem.warning for problem in document.problems)
    return entry


@given(st.text(), KINDS)
@many
def test_any_text(text, kind):
    check(text, kind)


@given(st.lists(PIECES, max_size=30).map("".join), KINDS)
@many
def test_any_pieces_of_yaml(text, kind):
    check(text, kind)


@given(st.binary(max_size=200))
@many
def test_any_bytes(data):
    load_bytes(data, "f.yaml")


@st.composite
def mutated(draw):
    text = draw(st.sampled_from(SOURCES))
    for _ in range(draw(st.integers(1, 3))):
        by_line = draw(st.booleans())
        parts = text.splitlines(keepends=True) if by_line else list(text)
        at = draw(st.integers(0, max(0, len(parts) - 1)))
        match draw(st.sampled_from(["drop", "double", "put", "swap"])):
            case "drop":
                del parts[at : at + 1]
            case "double":
                parts[at:at] = parts[at : at + 1]
            case "put":
                parts.insert(at, draw(PIECES))
            case _:
                other = draw(st.sampled_from(SOURCES))
                parts[at : at + 1] = [draw(st.sampled_from(other.splitlines(keepends=True) or [""]))]
        text = "".join(parts)
    return text


@given(mutated(), KINDS)
@many
def test_mutated_files(text, kind):
    check(text, kind)


@given(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6), KINDS)
@many
def test_any_data_of_known_keys(data, kind):
    check(yaml.safe_dump(data, allow_unicode=True), kind)


@given(VALUES, st.sampled_from(["reply", "stream", "respond", "attempts"]), st.sampled_from(KEYS), VALUES)
@many
def test_any_value_of_a_body(value, body, key, other):
    check(yaml.safe_dump({body: value, key: other}, default_flow_style=True, width=200))


@given(st.lists(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=3), max_size=4))
@many
def test_any_steps(steps):
    check(yaml.safe_dump({"stream": steps}))


def test_every_example_loads():
    for file in (TESTS / "examples").rglob("*.yaml"):
        kind = {"overlays": "overlay", "dialects": "dialect"}.get(file.parent.name, "scenario")
        assert check(file.read_text("utf-8"), kind), file
