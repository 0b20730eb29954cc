"""check, list, show and schema from the outside: outputs, formats, exit codes; one line for what cannot be done."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import jsonschema
import pytest
import yaml

from tests.cli.conftest import PLAIN, Run

File = Callable[[str, str], Path]
GOOD = "about: Two words.\nreply: Hello there.\nexpect: {outcome: complete, content: Hello there.}\n"
BAD = "reply: Hello there.\nwire: {newlin: crlf}\n"


def test_version(run: Run) -> None:
    assert run("--version").stdout == f"fakeserver, version {version('fakeserver')}\n"


def test_help_names_every_command(run: Run) -> None:
    said = run("--help").stdout
    assert all(name in said for name in ("serve", "check", "show", "list", "schema"))


def test_check_says_nothing_on_stdout_where_all_is_well(run: Run, file: File) -> None:
    file("good.yaml", GOOD)
    done = run("check", "good.yaml")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "1 scenario checked, no problems\n"


def test_check_as_text(run: Run, file: File) -> None:
    file("bad.yaml", BAD)
    done = run("check", "bad.yaml")
    assert done.returncode == 1
    assert done.stdout == (
        "bad.yaml:2:8: unknown-key unknown key 'newlin'\n"
        "    wire: {newlin: crlf}\n"
        "           ^\n"
        "    did you mean 'newline'?\n"
    )


def test_check_as_json(run: Run, file: File) -> None:
    file("bad.yaml", BAD)
    done = run("check", "--format", "json", ".")
    said = json.loads(done.stdout)
    assert done.returncode == 1
    assert said["problems"] == [
        {
            "file": "bad.yaml",
            "line": 2,
            "column": 8,
            "severity": "error",
            "code": "unknown-key",
            "message": "unknown key 'newlin'",
            "remedy": "did you mean 'newline'?",
        }
    ]


def test_check_for_github_escapes_what_workflow_commands_would_read(run: Run, file: File) -> None:
    file("50%,a.yaml", BAD)
    done = run("check", "--format", "github", "50%,a.yaml")
    assert "::error file=50%25%2Ca.yaml,line=2,col=8,title=unknown-key::unknown key 'newlin'" in done.stdout


def test_check_reads_the_answer_that_expect_speaks_of(run: Run, file: File) -> None:
    file("wrong.yaml", "reply: Hello there.\nexpect: {outcome: complete, content: Good bye.}\n")
    done = run("check", "wrong.yaml")
    assert done.returncode == 1
    assert done.stdout.startswith("wrong.yaml:2:1: expect ")
    assert "Good bye." in done.stdout
    assert "Hello there." in done.stdout


def test_check_makes_every_attempt(run: Run, file: File) -> None:
    file("x.yaml", "attempts:\n  - reply: a\n  - stream:\n      - say: b\n        set: {delta/tool_calls/0/id: x}\n")
    done = run("check", "x.yaml")
    assert done.returncode == 1
    assert done.stdout.startswith("x.yaml:5:9: touches-nothing ")


def test_a_protocol_of_later_is_skipped_by_name(run: Run, file: File) -> None:
    file("later.yaml", "protocol: responses\nreply: Hello.\n")
    done = run("check", "later.yaml")
    assert done.returncode == 0
    assert "later: skipped" in done.stderr


def test_the_shipped_library_has_no_problems(run: Run) -> None:
    done = run("check")
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    "words", [("check", "missing"), ("list", "missing"), ("show", "x", "missing"), ("serve", "missing")]
)
def test_a_path_that_is_not_there_is_one_line(run: Run, words: tuple[str, ...]) -> None:
    done = run(*words, *(["--port", "0"] if words[0] == "serve" else []))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "fakeserver: cannot read missing: no such file or folder\n"


def test_an_unknown_scenario_and_an_unknown_overlay_are_one_line(run: Run, file: File) -> None:
    file("good.yaml", GOOD)
    for selector, meant in (("goood", "'good'"), ("good+no-don", "'no-done'")):
        done = run("show", selector, "good.yaml")
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert meant in done.stderr


def test_list_by_kind_and_as_json(run: Run, file: File) -> None:
    file("fruit/apple.yaml", "about: An apple.\ntags: [red]\nreply: Apple.\n")
    file("overlays/loud.yaml", "about: Loud.\ntiming: {first: 1s}\n")
    text = run("list", ".").stdout
    assert "fruit\n  apple  An apple.\n" in text
    assert "  loud" in text
    said = json.loads(run("list", "--json", ".").stdout)
    assert said["scenarios"] == [
        {"name": "apple", "kind": "fruit", "about": "An apple.", "tags": ["red"], "source": [], "protocol": "chat",
         "dialect": "openai", "file": "fruit/apple.yaml"}
    ]  # fmt: skip
    assert {"loud", "one-byte"} <= {overlay["name"] for overlay in said["overlays"]}
    assert "openai" in {dialect["name"] for dialect in said["dialects"]}


def test_list_by_kind_tag_and_text(run: Run, file: File) -> None:
    file("fruit/apple.yaml", "about: An apple.\ntags: [red, round]\nsource: [tree/tree#7]\nreply: Apple.\n")
    file("fruit/pear.yaml", "about: A pear.\ntags: [round]\nreply: Pear.\n")
    file("roots/beet.yaml", "about: A beet.\ntags: [red]\nreply: Beet.\n")

    def names(*words: str) -> list[str]:
        said = json.loads(run("list", "--json", *words, ".").stdout)
        return [scenario["name"] for scenario in said["scenarios"]]

    assert names("--kind", "fruit") == ["apple", "pear"]
    assert names("--tag", "red") == ["apple", "beet"]
    assert names("--tag", "red", "--tag", "round") == ["apple"]
    assert names("--kind", "fruit", "--tag", "red") == ["apple"]
    assert names("--search", "TREE#7") == ["apple"]
    assert names("--search", "a pear") == names("--search", "Pear") == ["pear"]
    assert run("list", "--kind", "fruit", "--search", "pear", ".").stdout == "fruit\n  pear  A pear.\n\n"
    assert run("list", "--tag", "blue", ".").stdout == ""
    assert run("list", "--tag", "blue", ".").stderr == "nothing is like that\n"
    odd = run("list", "--kind", "fruits", ".")
    assert (odd.returncode, odd.stdout) == (2, "")
    assert odd.stderr == "fakeserver: there is no kind 'fruits': did you mean 'fruit'?\n"


def test_list_dialects_side_by_side(run: Run, file: File) -> None:
    file("dialects/acme.yaml", "base: openai\nshape: {silent: {content: ''}}\nknown: {weak: [silent]}\n")
    blocks = run("list", "--dialects", ".").stdout.split("\n\n")
    assert [block.split("\n")[0] for block in blocks[:-1]] == [
        "first chunk", "role", "silence", "reasoning", "finish", "usage", "calls", "error", "done", "known",
    ]  # fmt: skip
    assert [row for row in blocks[2].split("\n") if "acme" in row] == [
        '  acme               ? text "", reasoning no key'
    ]
    assert "  gemini               with the last, stop after calls" in blocks[4]
    [row] = run("list", "--dialects", "--search", "acme", ".").stdout.split("\n\n")[0].split("\n")[1:]
    assert row.endswith(", a lone call with it")
    said = json.loads(run("list", "--dialects", "--json", ".").stdout)
    [acme] = [each for each in said["dialects"] if each["name"] == "acme"]
    assert (said["scenarios"], said["overlays"]) == ([], [])
    assert (acme["base"], acme["traits"]["usage"]) == ("openai", "own chunk if asked, null before")
    assert (acme["known"]["silent"], acme["known"]["finish"]) == ("weak", "recorded")


def test_who_chooses_a_dialect_that_is_not_known_well_is_told(run: Run, file: File) -> None:
    told = "dialect moonshot: nothing confirms its comments, error, headers"
    file("a.yaml", "reply: a\n")
    file("b.yaml", "dialect: moonshot\nreply: b\n")
    file("c.yaml", "attempts: [{reply: c, dialect: moonshot}, {reply: c}]\n")
    done = run("check", ".")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"{told} (b, c)\n3 scenarios checked, no problems\n"
    assert json.loads(run("check", "--format", "json", ".").stdout)["notes"] == [f"{told} (b, c)"]
    assert run("check", "--format", "github", ".").stdout == f"::notice ::{told} (b, c)\n"
    assert run("check", "a.yaml").stderr == "1 scenario checked, no problems\n"
    assert [run("show", name, ".").stderr for name in "abc"] == ["", f"{told}\n", f"{told}\n"]
    assert run("show", "--attempt", "2", "c", ".").stderr == ""


def test_show_steps_are_a_stream_that_says_the_same(run: Run, file: File) -> None:
    file("good.yaml", "reply: {think: Hm., say: Hello there., call: {name: f, arguments: {a: 1}}}\n")
    steps = run("show", "--steps", "good", "good.yaml").stdout
    file("again.yaml", yaml.safe_dump({"stream": yaml.safe_load(steps)}))
    raw = [run("show", "--raw", name, ".").stdout.replace(name, "") for name in ("good", "again")]
    good, again = ([json.loads(row[6:])["choices"] for row in body.splitlines() if "data: {" in row] for body in raw)
    assert good == again


def test_show_takes_a_request_and_an_attempt(run: Run, file: File) -> None:
    file("tries.yaml", "attempts:\n  - respond: overloaded\n  - reply: {$nothing: 1}\n")
    assert run("show", "tries", "tries.yaml").returncode == 1
    file("tries.yaml", 'attempts:\n  - respond: overloaded\n  - reply: {say: {$text: "${last_user}!"}}\n')
    file("request.json", '{"model": "m", "stream": true, "messages": [{"role": "user", "content": "Ahoy"}]}')
    assert '"status": 503' in run("show", "--json", "tries", "tries.yaml").stdout
    second = run("show", "--raw", "--attempt", "2", "--request", "request.json", "tries", "tries.yaml").stdout
    assert "Ahoy" in second
    file("request.json", "{}")
    refused = run("show", "--request", "request.json", "tries", "tries.yaml")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)


def test_schema_is_a_draft_07_schema_that_takes_the_scenario(run: Run) -> None:
    schema = json.loads(run("schema").stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.validate(yaml.safe_load(GOOD), schema)


def test_colour_only_where_it_is_asked_for(run: Run, file: File) -> None:
    file("bad.yaml", BAD)
    assert "\x1b[" not in run("check", "bad.yaml").stdout
    assert "\x1b[" in run("check", "bad.yaml", FORCE_COLOR="1").stdout
    assert "\x1b[" not in run("check", "bad.yaml", FORCE_COLOR="1", NO_COLOR="1").stdout


def test_a_reader_that_leaves_early_is_no_error(file: File, tmp_path: Path) -> None:
    command = f"{sys.executable} -m fakeserver list | head -n 1"
    done = subprocess.run(
        command, shell=True, cwd=tmp_path, env=PLAIN, capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stderr == ""


def test_a_folder_without_a_scenario_is_a_wrong_path(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = run("check", "empty")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "fakeserver: no scenario files (*.yaml, *.yml) in empty\n"


def test_show_hints_at_a_file_that_is_here(run: Run, file: File) -> None:
    file("half.yaml", GOOD)
    for named in ("half", "half.yaml"):
        done = run("show", named)
        assert done.returncode == 2
        assert "fakeserver show half half.yaml" in done.stderr


def test_show_says_that_a_request_is_no_json(run: Run, file: File) -> None:
    file("good.yaml", GOOD)
    file("request.json", "{bad")
    done = run("show", "good", "good.yaml", "--request", "request.json")
    assert (done.returncode, done.stderr) == (2, "fakeserver: request.json: this is no JSON\n")


def test_a_misspelt_body_is_recognised_wherever_it_stands(run: Run, file: File) -> None:
    file("bad.yaml", "about: x\nrely: Hi\n")
    assert "bad.yaml:2:1: unknown-key 'rely' is no key of a scenario" in run("check", "bad.yaml").stdout
    file("bad.yaml", "reply: Hi\nwire: {cut: 1}\n")
    assert "write {size: 1B}" in run("check", "bad.yaml").stdout
