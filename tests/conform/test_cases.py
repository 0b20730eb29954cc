"""Which cases there are, and what is said where there are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakeserver.conform.cases import NoCases, cases_of
from fakeserver.script.library import Library, load


@pytest.fixture(scope="module")
def library() -> Library:
    return load()


def test_every_scenario_of_chat_that_says_what_is_right(library: Library) -> None:
    wanted = {name for name, entry in library.scenarios.items()
              if (entry.body.protocol or "chat") == "chat" and entry.body.expects}  # fmt: skip
    assert {case.selector for case in cases_of(library)} == wanted


@pytest.mark.parametrize(
    ("only", "kinds", "found"),
    [
        (["hello"], [], ["answers/hello"]),
        (["hello", "hello+one-byte", "hello"], [], ["answers/hello", "answers/hello+one-byte"]),
        (["tool-id-*"], ["tools"], [f"tools/tool-id-{each}" for each in
                                    ("empty-on-continuation", "null-on-continuation", "repeated")]),
        (["bytes/eof-inside-an-event", "answers/hel?o+crlf"], [], ["answers/hello+crlf", "bytes/eof-inside-an-event"]),
        (["tools/tool-id-n*", "*/hello"], [], ["answers/hello", "tools/tool-id-null-on-continuation"]),
        (["status-50?+crlf+one-byte"], [], ["status/status-500+crlf+one-byte", "status/status-503+crlf+one-byte"]),
    ],
)  # fmt: skip
def test_they_are_chosen(library: Library, only: list[str], kinds: list[str], found: list[str]) -> None:
    assert [case.place for case in cases_of(library, only, kinds)] == found


def test_a_kind_is_a_folder_and_its_order_is_by_name(library: Library) -> None:
    found = cases_of(library, kinds=["usage", "tools"])
    assert [case.place for case in found] == sorted(case.place for case in found)
    assert {case.kind for case in found} == {"tools", "usage"}


@pytest.mark.parametrize(
    ("only", "kinds", "said"),
    [
        (["helo"], [], "there is no case 'helo': did you mean 'hello'?"),
        (["answers/helo"], [], "there is no case 'answers/helo': did you mean 'answers/hello'"),
        (["tools/hello"], [], "there is no case 'tools/hello'"),
        (["hello+on-byte"], [], "there is no overlay 'on-byte': did you mean 'one-byte'?"),
        (["hello+"], [], "there is no overlay ''"),
        (["zzz*"], [], "there is no case 'zzz*'"),
        ([], ["tol"], "there is no kind 'tol' with cases: did you mean 'tools'?"),
        (["hello"], ["tools"], "none of these is of the kind tools"),
        (["responses-data-without-type"], [], "the scenario has a protocol that is not played yet"),
    ],
)
def test_where_there_are_none_it_says_what_is_near(
    library: Library, only: list[str], kinds: list[str], said: str
) -> None:
    with pytest.raises(NoCases) as nothing:
        cases_of(library, only, kinds)
    assert said in str(nothing.value)


def test_a_folder_without_expectations_has_no_cases(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("reply: Hi\n")
    with pytest.raises(NoCases, match="no scenario has an expect"):
        cases_of(load([tmp_path]))
    with pytest.raises(NoCases, match="the scenario has no expect"):
        cases_of(load([tmp_path]), ["mine"])
