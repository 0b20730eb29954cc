"""Each file of bad_scenarios holds one kind of mistake; expected.txt is what a reader is told about each."""

from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from fakeserver.script.library import load
from fakeserver.script.loader import load_bytes
from fakeserver.script.nodes import read
from fakeserver.script.schema import schema

BAD = Path(__file__).parents[1] / "bad_scenarios"
FILES = sorted(file for file in BAD.rglob("*.y*ml") if file.parent.name != "compiled")
# What only the file's text, its neighbours or the order of its parts can tell.
BEYOND_A_SCHEMA = {
    "Bad Name", "same-name", "top-no-body", "top-unknown-dialect", "top-unknown-dialect-in-attempt", "unknown-base",
    "built-on-itself", "built-in-a-ring", "ring", "manner-opening", "overlay-with-a-body", "step-after-end",
    "step-half-character", "step-half-character-in-bytes", "step-not-a-number", "step-raw-escapes",
    "step-two-texts-in-pieces", "cut-under-compress-in-attempt", "yaml-duplicate-key", "yaml-duplicate-key-inside",
    "yaml-key-is-a-list", "yaml-merge-key", "yaml-tag",
}  # fmt: skip


@pytest.fixture(scope="module")
def validator():
    return Draft7Validator(schema())


def test_all_problems_of_all_files_are_told_at_once_word_for_word(monkeypatch):
    monkeypatch.chdir(BAD)
    told = "\n\n".join(str(problem) for problem in load(["."]).problems) + "\n"
    assert told == (BAD / "expected.txt").read_text("utf-8")


def test_each_file_has_a_problem(monkeypatch):
    monkeypatch.chdir(BAD)
    told = {Path(problem.path) for problem in load(["."]).problems}
    assert told >= {file.relative_to(BAD) for file in FILES if "same-name" not in file.name}


def test_what_is_found_when_compiled_loads():
    library = load([BAD / "compiled"])
    assert not library.problems
    assert len(library.scenarios) == len(list((BAD / "compiled").iterdir()))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_schema_rejects_what_a_schema_can(file, validator):
    document = load_bytes(file.read_bytes(), str(file))[1]
    if document.root is not None:
        assert validator.is_valid(document.data) == (file.stem in BEYOND_A_SCHEMA)


def test_ten_kinds_of_mistakes_in_one_file_are_told_at_once():
    text = (BAD / "many.yaml").read_text("utf-8")
    codes = {problem.code for problem in load([BAD / "many.yaml"]).problems}
    assert len(codes) >= 10
    assert read(text).root is not None
