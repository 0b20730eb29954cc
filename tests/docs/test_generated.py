"""The generated pages are what docs/build.py makes of the code; links lead somewhere; nothing private is told."""

import importlib.util
import json
import os
import re

import pytest
from click.testing import CliRunner

from docs.key_tables import definitions
from fakeserver.cli.commands import group
from tests.docs.pages import PAGES, ROOT


@pytest.fixture(scope="module")
def build():
    spec = importlib.util.spec_from_file_location("docs_build", ROOT / "docs" / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_generated_page_is_stale(build):
    stale = [str(path.relative_to(ROOT)) for path, text in build.pages().items()
             if not path.is_file() or path.read_text("utf-8") != text]  # fmt: skip
    assert not stale, f"{', '.join(stale)} are not what the code says now: run `make docs`"


def test_every_key_is_described():
    lacking = [f"{name}.{key}" for name, said in definitions().items()
               for key, value in said.get("properties", {}).items()
               if "description" not in value and (name, key) != ("Dialect", "break")]  # fmt: skip
    assert not lacking, "fakeserver/script/hover.py says nothing about these"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = _without_code(page.read_text("utf-8"))
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", text):
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        if anchor:
            assert anchor in _anchors(there.read_text("utf-8")), target


def _without_code(text: str) -> str:
    return re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)


def _anchors(text: str) -> set[str]:
    """As GitHub makes them of headings."""
    heads = re.findall(r"^#+ (.+)$", _without_code(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_each_page_is_on_the_map(page):
    if page.parent == ROOT or page.name == "index.md":
        return
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    assert f"]({os.path.relpath(page, ROOT / 'docs')})" in index


@pytest.mark.parametrize("command", ["list --json", "show hello --json", "check --format json"])
def test_each_key_of_the_output_for_programs_is_told(command):
    said = CliRunner().invoke(group, [*command.split(), str(ROOT / "scenarios" / "answers" / "hello.yaml")])
    page = (ROOT / "docs" / "reference" / "cli.md").read_text("utf-8")
    assert [key for key in _keys(json.loads(said.stdout)) if f"`{key}`" not in page] == []


def _keys(value):
    if isinstance(value, dict):
        return {*value} | {key for each in value.values() for key in _keys(each)}
    return {key for each in value for key in _keys(each)} if isinstance(value, list) else set()
