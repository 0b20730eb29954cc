import errno
import os
from pathlib import Path

import pytest

from fakeserver.script import library
from fakeserver.script.library import builtin, load


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file

    return write


def codes(loaded):
    return [(Path(problem.path).name, problem.code) for problem in loaded.problems]


def test_without_a_path_the_library_that_ships():
    shipped = load()
    assert not shipped.problems
    assert {"openai", "groq", "azure"} <= set(shipped.dialects)
    assert {"slow", "one-byte"} <= set(shipped.overlays)


def test_overlays_and_dialects_that_ship_are_always_there(write):
    write("a.yaml", "reply: a\ndialect: groq")
    mine = load([write("a.yaml", "reply: a\ndialect: groq").parent])
    assert set(mine.scenarios) == {"a"}
    assert set(mine.overlays) == set(load().overlays)


def test_some_that_ship_may_be_asked_for(write, tmp_path, monkeypatch):
    write("ships/echo.yaml", "reply: a")
    write("ships/other.yaml", "reply: a")
    write("ships/dialects/openai.yaml", "about: x")
    write("mine/a.yaml", "reply: a")
    monkeypatch.setattr(library, "builtin", lambda: tmp_path / "ships")
    assert set(load([tmp_path / "mine"], also=["echo"]).scenarios) == {"a", "echo"}
    assert set(load().scenarios) == {"echo", "other"}


def test_folders_are_read_all_the_way_down_and_both_endings_count(write, tmp_path):
    for name in ("a.yaml", "b.yml", "deep/er/c.yaml", "not.json", "not.yaml.bak"):
        write(name, "reply: a")
    assert set(load([tmp_path]).scenarios) == {"a", "b", "c"}


def test_a_file_is_what_its_folder_says(write, tmp_path):
    write("overlays/net/slow-net.yaml", "timing: {every: 1s}")
    write("dialects/mine.yaml", "base: openai")
    write("a.yaml", "reply: a\ndialect: mine")
    mine = load([tmp_path])
    assert not mine.problems
    assert mine.overlays["slow-net"].kind == "overlay"
    assert mine.dialects["mine"].kind == "dialect"


def test_the_nearest_folder_counts_and_none_above_the_one_asked_for(write, tmp_path):
    write("dialects/project/a.yaml", "reply: a")
    write("dialects/project/dialects/overlays/b.yaml", "timing: {every: 1s}")
    mine = load([tmp_path / "dialects" / "project"])
    assert not mine.problems
    assert "a" in mine.scenarios
    assert "b" in mine.overlays


def test_a_folder_may_be_asked_for_by_its_own_name(write, tmp_path, monkeypatch):
    file = write("overlays/b.yaml", "timing: {every: 1s}")
    assert "b" in load([tmp_path / "overlays"]).overlays
    assert "b" in load([file]).overlays
    monkeypatch.chdir(tmp_path / "overlays")
    assert "b" in load(["."]).overlays


def test_a_users_file_takes_the_place_of_one_that_ships(write):
    write("dialects/groq.yaml", "about: Mine.")
    mine = load([write("overlays/slow.yaml", "about: Mine.").parents[1]])
    assert not mine.problems
    assert mine.dialects["groq"].body.about == "Mine."
    assert mine.overlays["slow"].body.about == "Mine."


def test_a_name_stands_once(write, tmp_path):
    write("one/a.yaml", "reply: a")
    write("two/a.yml", "reply: b")
    mine = load([tmp_path])
    assert codes(mine) == [("a.yml", "same-name")]
    assert "one" in mine.problems[0].remedy
    assert mine.scenarios["a"].body.reply == "a"


def test_a_scenario_and_an_overlay_may_share_a_name(write, tmp_path):
    write("a.yaml", "reply: a")
    write("overlays/a.yaml", "timing: {every: 1s}")
    assert not load([tmp_path]).problems


def test_one_file_by_two_paths_is_one_file(write, tmp_path, monkeypatch):
    file = write("a.yaml", "repyl: a")
    monkeypatch.chdir(tmp_path)
    assert codes(load([tmp_path, file, "a.yaml", "."])) == [("a.yaml", "unknown-key")]


def test_the_library_that_ships_may_be_asked_for():
    assert not load([builtin()]).problems


@pytest.mark.parametrize("name", ["Upper", "a b", "-a", "é", "a+b"])
def test_a_name_has_its_letters(write, name):
    mine = load([write(f"{name}.yaml", "reply: a")])
    assert [problem.code for problem in mine.problems] == ["name"]
    assert not mine.scenarios


def test_a_broken_file_takes_no_other_with_it(write, tmp_path):
    write("a.yaml", "reply: a")
    write("b.yaml", "reply: [")
    write("c.yaml", "repyl: a")
    mine = load([tmp_path])
    assert set(mine.scenarios) == {"a"}
    assert codes(mine) == [("b.yaml", "yaml"), ("c.yaml", "unknown-key")]
    assert mine.errors == mine.problems


def test_warnings_are_no_errors(write, tmp_path):
    write("a.yaml", "stream: [raw: 'x\\n']")
    mine = load([tmp_path])
    assert len(mine.problems) == 1
    assert not mine.errors
    assert "a" in mine.scenarios


def test_a_dialect_must_be_there(write, tmp_path):
    write("a.yaml", "reply: a\ndialect: opnai")
    write("b.yaml", "attempts: [{reply: a, dialect: nope}, 3, {reply: b, dialect: groq}]")
    write("c.yaml", "attempts: 3\ndialect: [x]")
    write("dialects/d.yaml", "base: nope")
    write("overlays/e.yaml", "dialect: nope")
    mine = load([tmp_path])
    assert [code for code in codes(mine) if code[1] == "unknown-dialect"] == [
        ("a.yaml", "unknown-dialect"), ("b.yaml", "unknown-dialect"), ("d.yaml", "unknown-dialect"),
    ]  # fmt: skip
    assert not mine.scenarios
    assert "d" not in mine.dialects


def test_a_dialect_with_mistakes_is_no_unknown_one(write, tmp_path):
    write("dialects/d.yaml", "shapes: {}")
    write("a.yaml", "reply: a\ndialect: d")
    assert codes(load([tmp_path])) == [("d.yaml", "unknown-key")]


def test_a_dialect_stands_on_no_circle(write, tmp_path):
    write("dialects/a.yaml", "base: b")
    write("dialects/b.yaml", "base: a")
    write("dialects/c.yaml", "base: c")
    write("dialects/d.yaml", "base: openai")
    mine = load([tmp_path])
    assert codes(mine) == [("a.yaml", "cycle"), ("b.yaml", "cycle"), ("c.yaml", "cycle")]
    assert "d" in mine.dialects


def test_what_is_not_there_is_said_by_name():
    with pytest.raises(FileNotFoundError) as error:
        load(["no/such/folder"])
    assert error.value.filename == "no/such/folder"
    assert error.value.strerror == "no such file or folder"


def test_a_folder_that_cannot_be_read_is_said(tmp_path, monkeypatch):
    real = os.scandir

    def scandir(path):
        if Path(path).name == "locked":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path)

    (tmp_path / "locked").mkdir()
    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(PermissionError) as error:
        load([tmp_path])
    assert error.value.filename == str(tmp_path / "locked")


def test_a_file_that_cannot_be_read_is_said(write, monkeypatch):
    file = write("a.yaml", "reply: a")

    def read_bytes(self):
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    with pytest.raises(PermissionError) as error:
        load([file])
    assert error.value.filename


def test_what_is_no_file_is_passed_by(tmp_path, write):
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "gone.yaml").symlink_to(tmp_path / "nowhere.yaml")
    write("a.yaml", "reply: a")
    assert set(load([tmp_path]).scenarios) == {"a"}


def test_without_a_checkout_the_wheels_copy(tmp_path, monkeypatch):
    monkeypatch.setattr(library, "__file__", str(tmp_path / "a" / "b" / "c.py"))
    assert builtin().parts[-2:] == ("fakeserver", "scenarios")


def test_views_cannot_be_changed():
    with pytest.raises(TypeError):
        load().scenarios["a"] = None
