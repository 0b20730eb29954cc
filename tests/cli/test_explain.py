from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from fakeserver.cli.commands import group

WEATHER = 'when: {model: "gpt-*", header: {x-tenant: acme}}\npriority: 2\nreply: Sunny.\n'
OTHER = "when: {model: gpt-5}\nreply: Hello.\n"


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "lib"
    folder.mkdir()
    (folder / "weather.yaml").write_text(WEATHER)
    (folder / "other.yaml").write_text(OTHER)

    def explain(*options, body=None, paths=(str(folder),)):
        file = tmp_path / "request.json"
        said = {"model": "gpt-5", "messages": [{"role": "user", "content": "Hello"}], **(body or {})}
        file.write_text(json.dumps(said))
        result = CliRunner().invoke(group, ["explain", str(file), *paths, *options])
        return result.exit_code, result.output.replace(str(folder), "lib")

    return explain


def test_a_rule_answers_and_others_would(run):
    assert run("--header", "X-Tenant: acme") == (
        0,
        "weather answers (lib/weather.yaml)\n"
        "why: when at lib/weather.yaml:1, priority 2, 2 conditions\n"
        "these rules match too, and come later:\n"
        "  other at lib/other.yaml:1, priority 0, 1 condition\n",
    )


def test_a_name_answers(run):
    code, said = run("--url-path", "/scenario/weather/v1/chat/completions")
    assert (code, said.splitlines()[:2]) == (0, ["weather answers (lib/weather.yaml)", "why: base URL"])
    assert run("--json", body={"model": "other+slow"})[0] == 0


def test_nothing_answers(run):
    code, said = run(body={"model": "gpt-4"})
    assert code == 1
    assert "weather at lib/weather.yaml:1, 1 of 2 conditions fails:\n   - header x-tenant: must be" in said


def test_the_fallback_answers_and_says_what_else_was_near(run):
    code, said = run("--fallback", "echo", body={"model": "gpt-4"})
    assert code == 0
    assert said.splitlines()[1] == "why: fallback"
    assert "2. weather at lib/weather.yaml:1" in said


def test_without_a_path_echo_answers_as_in_serve(run):
    code, said = run(paths=())
    assert (code, said.splitlines()[1:]) == (0, ["why: fallback"])


def test_for_machines(run):
    code, said = run("--json", "--header", "x-tenant:acme")
    assert code == 0
    assert json.loads(said) == {
        "answered": True,
        "scenario": "weather",
        "file": "lib/weather.yaml",
        "why": "when at lib/weather.yaml:1",
        "rule": {"scenario": "weather", "file": "lib/weather.yaml", "line": 1, "priority": 2, "conditions": 2},
        "later": [{"scenario": "other", "file": "lib/other.yaml", "line": 1, "priority": 0, "conditions": 1}],
    }
    code, said = run("--json", body={"model": "o1"})
    assert (code, json.loads(said)["reason"], len(json.loads(said)["nearest"])) == (1, "no-rule", 2)


@pytest.mark.parametrize(
    ("options", "body", "words"),
    [
        (("--url-path", "/v1/foo"), {}, "not-found: Invalid URL (POST /v1/foo)"),
        ((), {"messages": []}, "empty-messages"),
        ((), {"temperature": "1"}, "bad-request: Invalid type for 'temperature'"),
    ],
)
def test_a_request_that_is_refused(run, options, body, words):
    code, said = run(*options, body=body)
    assert (code, said.startswith(f"The request is refused before any scenario is asked: {words}")) == (1, True)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--header", "x"), "'x' is no NAME:VALUE"),
        (("--fallback", "ech"), "There is no scenario 'ech'"),
        (("/nowhere",), "cannot read /nowhere"),
    ],
)
def test_usage(run, options, words):
    code, said = run(*options)
    assert code == 2
    assert words in said


def test_a_file_that_is_not_there():
    result = CliRunner().invoke(group, ["explain", "/nowhere.json"])
    assert (result.exit_code, "cannot read /nowhere.json" in result.output) == (2, True)


def test_stdin(run, tmp_path):
    body = json.dumps({"model": "gpt-5", "messages": [{"role": "user", "content": "Hello"}]})
    result = CliRunner().invoke(group, ["explain", "-", str(tmp_path / "lib")], input=body)
    assert (result.exit_code, result.output.startswith("other answers")) == (0, True)


def test_scenarios_with_errors(run, tmp_path):
    (tmp_path / "lib" / "bad.yaml").write_text("reply: \n")
    code, said = run()
    assert code == 1
    assert "bad.yaml:1:1: no-text" in said
