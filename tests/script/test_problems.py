from fakeserver.script.problems import Broken, Problem, a, either, near


def test_a_problem_is_shown_with_its_line_a_caret_and_the_remedy():
    problem = Problem("f.yaml", 3, 5, "unknown-key", "unknown key 'x'", "did you mean 'y'?", "    x: 1")
    assert str(problem) == ("f.yaml:3:5: unknown-key unknown key 'x'\n        x: 1\n        ^\n    did you mean 'y'?")


def test_without_a_line_or_a_remedy_there_is_one_row():
    assert str(Problem("f.yaml", 1, 1, "same-name", "twice")) == "f.yaml:1:1: same-name twice"


def test_a_warning_says_so():
    assert str(Problem("f", 1, 1, "no-escapes", "m", warning=True)) == "f:1:1: no-escapes (warning) m"


def test_the_caret_stands_under_its_character_after_tabs():
    assert str(Problem("f", 1, 3, "c", "m", text="\t\tx")).splitlines()[1:] == ["    \t\tx", "    \t\t^"]


def test_of_a_long_line_the_part_around_the_column_is_shown():
    rows = str(Problem("f", 1, 5001, "c", "m", text="a" * 5000 + "b" + "c" * 5000)).splitlines()
    assert rows[1] == "    " + "a" * 80 + "b" + "c" * 79
    assert rows[2] == "    " + " " * 80 + "^"


def test_any_terminal_can_show_it():
    text = str(Problem("f", 1, 1, "c", "m \ud83d\x07", "r\n2", "\u2028"))
    assert text.encode("utf-8")
    assert "\x07" not in text
    assert len(text.splitlines()) == 4


def test_as_json():
    assert Problem("f", 1, 2, "c", "m", "r", "t", True).as_json() == {
        "file": "f", "line": 1, "column": 2, "severity": "warning", "code": "c", "message": "m", "remedy": "r",
    }  # fmt: skip
    assert Problem("f", 1, 2, "c", "m").as_json()["severity"] == "error"


def test_problems_stand_in_the_order_of_their_files_and_lines():
    problems = [Problem("b", 1, 1, "c", "m"), Problem("a", 10, 1, "c", "m"), Problem("a", 9, 2, "c", "m")]
    assert [(p.path, p.line) for p in sorted(problems)] == [("a", 9), ("a", 10), ("b", 1)]


def test_an_exception_carries_its_problem():
    problem = Problem("f", 1, 1, "c", "m")
    assert Broken(problem).problem is problem
    assert str(Broken(problem)) == str(problem)


def test_words():
    assert near("sya", ["say", "call"]) == "did you mean 'say'?"
    assert near("zzz", ["say", "call"], "a step has one of") == "a step has one of: call or say"
    assert either(["a"]) == "a"
    assert either(["a", "", "c"]) == 'a, "" or c'
    assert either(["a", "b"], "and") == "a and b"
    assert (a("attempt"), a("step")) == ("an attempt", "a step")
