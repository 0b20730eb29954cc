"""The second half of `check`: what is only found when an answer is made, or read."""

from __future__ import annotations

from pathlib import Path

from fakeserver.plan.trial import try_all
from fakeserver.script.library import load

FOLDER = Path(__file__).parents[1] / "bad_scenarios" / "compiled"
GOLDEN = Path(__file__).parents[1] / "golden" / "compiled.txt"


def test_each_mistake_in_plain_words_at_its_place() -> None:
    trial = try_all(load([FOLDER]))
    said = "\n".join(str(problem).replace(f"{FOLDER}/", "") for problem in trial.problems) + "\n"
    assert said == GOLDEN.read_text()
    assert {Path(problem.path) for problem in trial.problems} == set(FOLDER.glob("*.yaml"))


def test_the_library_that_ships_is_sound() -> None:
    library = load()
    trial = try_all(library)
    assert trial.problems == ()
    assert trial.checked == len(library.scenarios)


def checked(tmp_path: Path, text: str) -> list[str]:
    (tmp_path / "one.yaml").write_text(text)
    return [f"{problem.line}:{problem.column} {problem.message}" for problem in try_all(load([tmp_path])).problems]


def test_an_expect_that_is_wrong_is_told(tmp_path: Path) -> None:
    [said] = checked(tmp_path, "reply: a\nexpect: {content: b}\n")
    assert said.startswith("2:1 the right reading is another: ")
    assert checked(tmp_path, "reply: a\nexpect: [{content: b}, {content: a}]\n") == []


def test_an_attempts_expect_is_of_its_own(tmp_path: Path) -> None:
    [said] = checked(tmp_path, "attempts:\n  - {reply: a, expect: {content: b}}\n  - reply: c\nexpect: {content: c}\n")
    assert said.startswith("2:16 ")


def test_later_protocols_are_skipped_by_name(tmp_path: Path) -> None:
    (tmp_path / "later.yaml").write_text("protocol: responses\nreply: a\n")
    assert try_all(load([tmp_path])).skipped == ("later",)


def test_a_lazy_plan_is_tried_to_its_end(tmp_path: Path) -> None:
    text = "stream: [{repeat: [{say: a}], times: 9000}, {say: b}]\npatch: [{only: reasoning, drop: true}]\n"
    assert checked(tmp_path, text) == ["2:9 this edit touches nothing"]


def test_a_server_that_starts_makes_the_beginning_of_a_long_answer_and_reads_none(tmp_path: Path) -> None:
    endless = "stream: [{repeat: [say: a], times: 100000000}, {say: x, set: {delta/tool_calls/0/id: y}}]"
    (tmp_path / "endless.yaml").write_text(endless)
    (tmp_path / "wrong.yaml").write_text("reply: a\nexpect: {content: b}\n")
    (tmp_path / "broken.yaml").write_text("stream: [{say: x, set: {delta/tool_calls/0/id: y}}]\n")
    found = try_all(load([tmp_path]), whole=False).problems
    assert [Path(problem.path).name for problem in found] == ["broken.yaml"]
