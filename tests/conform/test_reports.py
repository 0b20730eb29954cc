"""What is written of an examination: each format can be read by those who read it, whatever the client has said."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from fakeserver.conform.cases import Case
from fakeserver.conform.examination import Examination, Manner, Result
from fakeserver.conform.judging import Judgement, Mark
from fakeserver.conform.outcome import outcome_of
from fakeserver.conform.report import FORMATS, terminal
from fakeserver.script.library import Library
from fakeserver.verdict import Finding
from tests.conform.conftest import adapter

NASTY = '\x00 \x1b[2J ]]> <script>alert(1)</script> & "quoted" | `code` \ud83d \ufffe \x9b naïve 🌍\nnext'
MARKS: tuple[Mark, ...] = ("green", "waiting", "amber", "red", "broken")


def result(mark: Mark, kind: str = "answers") -> Result:
    case = Case(f"{mark}-one", kind, NASTY, ({"outcome": "complete", "content": NASTY},))
    outcome = None if mark == "broken" else outcome_of({"content": NASTY, "raised": NASTY})
    reasons = () if mark == "green" else (NASTY, "second")
    findings = (Finding("no-back-off", NASTY, {"records": [1], "said": NASTY}),) if mark == "red" else ()
    return Result(case, case.expected, Judgement(mark, reasons), outcome, findings, 0.5, (), NASTY, 0)


@pytest.fixture
def nasty(shipped: Library) -> Examination:
    results = [result(mark) for mark in MARKS] + [result("red", "tools")]
    return Examination(shipped, [each.case for each in results], Manner(("run", NASTY)), results=results, seconds=1.25)


@pytest.fixture
async def real(shipped: Library) -> Examination:
    """Of a client that is wrong, with records."""
    from fakeserver.conform.cases import cases_of

    cases = cases_of(shipped, ["hello", "clean-eof-mid-answer", "rst-mid-stream", "fails-twice-then-succeeds"])
    manner = Manner(tuple(adapter("doubles_text", "--stay")), stay=True, jobs=1, time_limit=1)
    examination = Examination(shipped, cases, manner)
    await examination.run()
    return examination


# JUnit: what its schema allows, of the elements that are used here.

ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "time"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testcase": {"name", "classname", "time"},
    "properties": set(), "property": {"name", "value"}, "failure": {"message", "type"}, "error": {"message", "type"},
    "skipped": {"message"}, "system-out": set(), "system-err": set(),
}  # fmt: skip
CHILDREN = {
    "testsuites": "(testsuite )*",
    "testsuite": "(properties )?(testcase )*",
    "testcase": "(properties )?((failure|error|skipped) )?(system-out )?(system-err )?",
    "properties": "(property )*",
}


def test_junit_is_as_its_schema_has_it(nasty: Examination) -> None:
    root = ElementTree.fromstring(FORMATS[".xml"](nasty))
    for element in root.iter():
        assert set(element.attrib) == ATTRIBUTES[element.tag]
        children = "".join(f"{child.tag} " for child in element)
        assert re.fullmatch(CHILDREN.get(element.tag, ""), children), element.tag
    assert [suite.attrib["name"] for suite in root] == ["answers", "tools"]
    for suite in (root, *root):
        for tag in ("failures", "errors", "skipped"):
            told = suite.attrib.get(tag)
            assert told in (None, str(len(list(suite.iter(tag.removesuffix("s")))))) or tag == "skipped"
        assert suite.attrib["tests"] == str(len(list(suite.iter("testcase"))))
        float(suite.attrib["time"])


def test_junit_has_each_mark_in_its_place(nasty: Examination) -> None:
    cases = {case.attrib["name"]: case for case in ElementTree.fromstring(FORMATS[".xml"](nasty))[0].iter("testcase")}
    told = {name: [child.tag for child in case if child.tag not in ("properties", "system-err")]
            for name, case in cases.items()}  # fmt: skip
    assert told == {"green-one": [], "waiting-one": ["skipped"], "amber-one": ["system-out"], "red-one": ["failure"],
                    "broken-one": ["error"]}  # fmt: skip
    assert "second" in (cases["amber-one"].findtext("system-out") or "")
    text = cases["red-one"].findtext("failure") or ""
    assert all(word in text for word in ("second", "expected: ", "read: ", "no-back-off: ", '"records": [1]'))
    assert "naïve 🌍\nnext" in text


def test_junit_fails_what_the_exit_code_counts(nasty: Examination) -> None:
    assert ElementTree.fromstring(FORMATS[".xml"](nasty)).attrib["failures"] == "2"
    nasty.fail_on = "amber"
    root = ElementTree.fromstring(FORMATS[".xml"](nasty))
    assert root.attrib["failures"] == "3"
    assert [each.attrib["type"] for each in root.iter("failure")] == ["amber", "red", "red"]


def test_no_report_carries_what_a_terminal_would_obey(nasty: Examination) -> None:
    texts = [make(nasty) for make in FORMATS.values()]
    texts.append("\n".join(terminal.rows(nasty, lambda text, colour: text)))
    for text in texts:
        text.encode("utf-8")
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe]", text)


def test_the_json_has_what_is_documented(nasty: Examination) -> None:
    said = json.loads(FORMATS[".json"](nasty))
    assert list(said) == ["version", "command", "seconds", "planned", "interrupted", "cases", "totals"]
    assert said["version"] == 1
    assert said["command"] == ["run", NASTY]
    assert said["totals"] == {"cases": 6, "green": 1, "waiting": 1, "amber": 1, "red": 2, "broken": 1}
    case = said["cases"][3]
    assert list(case) == ["case", "kind", "mark", "reasons", "expected", "outcome", "findings", "seconds", "attempts",
                          "stderr"]  # fmt: skip
    assert case["expected"] == [{"outcome": "complete", "content": NASTY}]
    assert case["outcome"]["raised"] == NASTY
    assert case["findings"][0]["code"] == "no-back-off"
    assert said["cases"][4]["outcome"] is None


def test_what_was_interrupted_says_so_wherever_it_is_read(nasty: Examination) -> None:
    nasty.results.pop()
    said = json.loads(FORMATS[".json"](nasty))
    assert (said["planned"], said["interrupted"], said["totals"]["cases"]) == (6, True, 5)
    assert [*terminal.rows(nasty, lambda text, colour: text)][-1].startswith("interrupted: 5 of 6 cases: 1 green, ")
    for ending in (".html", ".md", ".xml"):
        assert "interrupted: 5 of 6 cases" in FORMATS[ending](nasty)


def test_markdown_is_text_whatever_the_client_has_said(nasty: Examination) -> None:
    lines = FORMATS[".md"](nasty).splitlines()
    assert "6 cases: 1 green, 1 waiting, 1 amber, 2 red, 1 broken, in 1.2 s." in lines
    rows = [line for line in lines if line.startswith("| 🔴")]
    assert len(rows) == 2
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 4 for row in rows)
    assert all("\\<script\\>" in row for row in rows)
    assert r"naïve 🌍\\nnext<br>second" in rows[0]


class Page(HTMLParser):
    """What a browser would find."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        self.ids += [said["id"] or ""] if "id" in said else []
        if tag not in ("meta", "col", "th", "td"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("which", ["nasty", "real"])
def test_the_page_needs_nothing_else_and_runs_nothing(which: str, request: pytest.FixtureRequest) -> None:
    page = Page(FORMATS[".html"](request.getfixturevalue(which)))
    assert page.open == []
    assert not {"script", "link", "iframe", "img"} & {*page.tags}
    assert page.links
    assert {link.removeprefix("#") for link in page.links} == {*page.ids}


async def test_the_page_draws_what_was_sent(real: Examination) -> None:
    text = FORMATS[".html"](real)
    (article,) = re.findall(r'<article class="red" id="fails-twice-then-succeeds">.*?</article>', text, re.DOTALL)
    (svg,) = re.findall("<svg.*</svg>", article, re.DOTALL)
    drawing = ElementTree.fromstring(svg)
    bars = [float(each.attrib["x"].removesuffix("%")) for each in drawing.iter("rect")]
    assert len(bars) == 3
    assert bars == sorted(bars)
    assert bars[2] - bars[1] > 30  # the second time it had been told to wait
    words = [each.text or "" for each in drawing.iter("text")]
    told = [f"#{number}  {status}" for number, status in zip(_numbers(real), (500, 429, 200))]
    assert [word.partition(":")[0] for word in words if word.startswith("#")] == told
    assert "played to its end" in " ".join(words)
    assert "data: [DONE]" in article
    assert "third time it works" in article


def _numbers(examination: Examination) -> list[int]:
    found = {each.case.selector: each for each in examination.results}
    return [record.number for record in found["fails-twice-then-succeeds"].records]


async def test_the_drawing_is_as_wide_as_its_place(real: Examination) -> None:
    """In shares of the width, none of them beyond it: a telephone has it whole."""
    for drawing in re.findall("<svg.*</svg>", FORMATS[".html"](real)):
        found = ElementTree.fromstring(drawing)
        assert "viewBox" not in found.attrib
        for element in found.iter():
            places = [value for name, value in element.attrib.items() if name in ("x", "x1", "x2", "cx", "width")]
            assert all(value.endswith("%") and 0 <= float(value[:-1]) <= 100 for value in places)


async def test_a_cut_is_drawn_as_one(real: Examination) -> None:
    (article,) = re.findall(
        r'<article class="amber" id="rst-mid-stream">.*?</article>', FORMATS[".html"](real), re.DOTALL
    )
    assert 'class="cut"' in article
    assert "cut: reset" in article


def test_the_table_says_how_each_kind_went_and_why(nasty: Examination) -> None:
    rows = [*terminal.rows(nasty, lambda text, colour: f"<{colour}>{text}")]
    assert rows[0] == "answers  <green>1 green, <cyan>1 waiting, <yellow>1 amber, <red>1 red, <magenta>1 broken"
    assert rows[1] == "tools    <red>1 red"
    assert "<red>red     answers/red-one" in rows
    assert "green-one" not in "".join(rows)
    assert rows[-1] == "6 cases: 1 green, 1 waiting, 1 amber, 2 red, 1 broken, in 1.2 s"
