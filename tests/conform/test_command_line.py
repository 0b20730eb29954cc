"""`fakeserver conform` as users meet it: one line for what cannot be done, exit codes, files, Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

from tests.cli.conftest import PLAIN
from tests.conform.conftest import Conform, adapter, gone

REFUSED = {
    "--only hello": "the command stands behind --: fakeserver conform [PATH ...] -- COMMAND [ARG ...]",
    "python adapter.py": "nothing to examine: the command stands behind --: fakeserver conform -- python adapter.py",
    "mine.yaml node a.mjs": "the command stands behind --: fakeserver conform mine.yaml -- node a.mjs",
    "mine.yaml": "the command stands behind --: fakeserver conform mine.yaml -- COMMAND [ARG ...]",
    "python -m adapter": "The command to examine stands behind --.",
    "--only hello -- nosuch": "fakeserver: cannot start nosuch: it is not there",
    "--only hello -- ./data": "fakeserver: cannot start ./data: it is not executable: chmod +x, or name what runs it",
    "--only hello -- .": "fakeserver: cannot start .: it is a folder",
    "--only helo -- true": "fakeserver: no cases: there is no case 'helo': did you mean 'hello'?",
    "--kind tol -- true": "fakeserver: no cases: there is no kind 'tol' with cases: did you mean 'tools'?",
    "nosuch.yaml -- true": "fakeserver: cannot read nosuch.yaml: no such file or folder",
    "mine.yaml -- true": "fakeserver: no cases: no scenario has an expect, which says what is right",
    "--report a.pdf -- true": "'a.pdf' says no format: end it in .html, .xml, .md or .json",
    "--report no/a.md -- true": "there is no folder no for 'no/a.md'",
    "--at-once 2 -- true": "--at-once is for a command that stays: add --stay",
    "--speed 0 -- true": "'0' is no speed",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_be_done_is_one_line_and_exit_2(conform: Conform, tmp_path: Path, words: str) -> None:
    (tmp_path / "data").write_text("no program")
    (tmp_path / "mine.yaml").write_text("reply: Hi\n")
    options, dashes, command = words.partition("-- ")
    done = conform(options.split(), command.split() if dashes else None)
    assert (done.returncode, done.stdout) == (2, "")
    assert REFUSED[words] in done.stderr.splitlines()[-1]


def test_what_the_system_cannot_start_is_one_line_too(conform: Conform, tmp_path: Path) -> None:
    (tmp_path / "odd").write_text("#!/no/such/interpreter\n")
    (tmp_path / "odd").chmod(0o755)
    done = conform(["--only", "hello"], ["./odd"])
    assert (done.returncode, done.stderr) == (2, "fakeserver: cannot start ./odd: no such file or directory\n")
    staying = conform(["--only", "hello", "--stay"], ["./odd"])
    assert (staying.returncode, staying.stderr) == (2, done.stderr)


def test_the_exit_code_says_whether_something_failed(conform: Conform) -> None:
    cases = ["--only", "hello", "--only", "retry-duplicates-shown-text", "--stay"]  # green and amber
    command = adapter("right", "--stay")
    assert conform(cases, command).returncode == 0
    assert conform([*cases, "--fail-on", "amber"], command).returncode == 1
    assert conform(cases, command, FAKESERVER_FAIL_ON="amber").returncode == 1
    assert conform(["--only", "hello"], ["true"]).returncode == 1


def test_reports_are_written_beside_the_table(conform: Conform, tmp_path: Path) -> None:
    names = ["r.html", "r.xml", "r.md", "r.json"]
    options = [word for name in names for word in ("--report", name)]
    done = conform(["--only", "hello", *options], adapter("right"))
    assert done.stdout.splitlines()[0] == "answers  1 green"
    assert done.stdout.splitlines()[-1].startswith("1 case: 1 green, in ")
    assert (tmp_path / "r.html").read_text().startswith("<!doctype html>")
    assert "| answers | 1 |" in (tmp_path / "r.md").read_text()
    assert ElementTree.parse(tmp_path / "r.xml").getroot().attrib["tests"] == "1"
    assert json.loads((tmp_path / "r.json").read_text())["cases"][0]["mark"] == "green"


def test_json_alone_and_quiet(conform: Conform) -> None:
    done = conform(["--only", "hello", "--json"], adapter("right"))
    assert json.loads(done.stdout)["totals"]["green"] == 1
    assert done.stderr == ""
    assert conform(["--only", "hello", "-q"], adapter("right")).stdout == ""


def test_the_json_is_whole_however_large_and_slowly_read(conform: Conform, tmp_path: Path) -> None:
    (tmp_path / "big.py").write_text("print('{\"content\": \"' + 'x' * 8_000_000 + '\"}')\n")
    words = [sys.executable, "-m", "fakeserver", "conform", "--only", "hello", "--json", "--", sys.executable, "big.py"]
    with subprocess.Popen(words, cwd=tmp_path, env=PLAIN, stdout=subprocess.PIPE) as running:
        assert running.stdout
        first = running.stdout.read(1)  # it is written now, and nobody reads
        with pytest.raises(subprocess.TimeoutExpired):
            running.wait(timeout=1)
        said = json.loads(first + running.stdout.read())
    assert len(said["cases"][0]["outcome"]["content"]) == 8_000_000


def test_a_report_that_cannot_be_written_is_told_after_the_table(conform: Conform, tmp_path: Path) -> None:
    (tmp_path / "r.md").mkdir()
    done = conform(["--only", "hello", "--report", "r.md"], adapter("right"))
    assert done.returncode == 2
    assert "1 case: 1 green" in done.stdout
    assert done.stderr == "fakeserver: cannot write r.md: is a directory\n"


def test_a_file_of_ones_own(conform: Conform, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("reply: Hi\nexpect: {outcome: complete, content: Hi}\n")
    (tmp_path / "other.yaml").write_text("reply: Hi\n")
    done = conform(["mine.yaml", "other.yaml"], adapter("right"))
    assert done.returncode == 0
    assert "Left out, for nothing says what is right (expect): other\n" in done.stderr


def test_scenarios_with_errors_are_not_played(conform: Conform, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("reply: Hi\nexpect: {outcome: complete, content: Ho}\n")
    done = conform(["mine.yaml"], adapter("right"))
    assert done.returncode == 1
    assert "mine.yaml:2:1: expect" in done.stderr


def test_list_names_cases_and_runs_nothing(conform: Conform) -> None:
    done = conform(["--kind", "reasoning", "--list"])
    assert done.returncode == 0
    assert "reasoning/think-tag-split-across-deltas" in done.stdout.splitlines()


def test_the_schema_is_one(conform: Conform) -> None:
    done = subprocess.run([sys.executable, "-m", "fakeserver", "schema", "--outcome"], capture_output=True, check=True)
    jsonschema.Draft202012Validator.check_schema(json.loads(done.stdout))


def test_its_options_end_where_the_command_begins(conform: Conform, tmp_path: Path) -> None:
    conform(["--only", "hello", "--grace", "5"], ["sh", "-c", 'echo "$@" > said', "x", "--only", "--", "-q"])
    assert (tmp_path / "said").read_text() == "--only -- -q\n"


@pytest.mark.parametrize("stay", [[], ["--stay"]])
def test_ctrl_c_ends_the_command_and_prints_what_is_there(tmp_path: Path, stay: list[str]) -> None:
    (tmp_path / "mine.yaml").write_text("stream: [role: assistant, hang]\nexpect: {outcome: truncated}\n")
    wait = f"echo $$ > pid.part; mv pid.part pid; exec {' '.join(adapter('waits_for_ever', *stay))}"
    words = ["conform", *stay, "mine.yaml", "--", "sh", "-c", wait]
    os.mkfifo(tmp_path / "pid.part")
    with subprocess.Popen([sys.executable, "-m", "fakeserver", *words], cwd=tmp_path, env=PLAIN, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:  # fmt: skip
        pid = int((tmp_path / "pid.part").read_text())  # until it is there
        running.send_signal(signal.SIGINT)
        out, errors = running.communicate(timeout=20)
    assert running.returncode == 130
    assert out == "interrupted: 0 of 1 case, in " + out.partition("in ")[2]
    assert errors == ""
    assert gone(pid)


def test_on_a_terminal_one_line_is_written_anew(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    words = ["conform", "--only", "hello", "--", *adapter("right")]
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        done = subprocess.run([sys.executable, "-m", "fakeserver", *words], env=PLAIN, stderr=theirs, timeout=60,
                              stdout=subprocess.PIPE, check=True)  # fmt: skip
        os.close(theirs)
        said = terminal.read(4096).decode()
    assert said.startswith("\r\x1b[2K0/1 | hello")
    assert said.endswith("\r\x1b[2K")
    assert "\n" not in said
    assert b"\x1b" not in done.stdout
