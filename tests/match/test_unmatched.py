"""The texts are in tests/golden/misses; here is what machines read."""

from __future__ import annotations

from fakeserver.match.rules import Rules
from fakeserver.match.unmatched import no_rule, unknown_name
from tests.match.jsons import asked, library_of


def test_an_unknown_name():
    miss = unknown_name("There is no scenario 'a'; there are none.", "base URL")
    assert (miss.reason, miss.why, miss.nearest) == ("unknown-name", "no such scenario", ())
    assert miss.message.startswith("There is no scenario 'a'; there are none. It is asked for by the base URL.")


def test_no_rules():
    miss = no_rule("No.", Rules(), asked())
    assert (miss.reason, miss.why, miss.as_json()["nearest"]) == ("no-rules", "no such scenario", [])


def test_the_nearest(tmp_path):
    rules = Rules.of(library_of(tmp_path, a="about: x\nwhen: {model: o1, turn: 1}"))
    miss = no_rule("No.", rules, asked())
    assert (miss.reason, miss.why) == ("no-rule", "no rule matches")
    assert miss.as_json() == {
        "reason": "no-rule",
        "message": miss.message,
        "nearest": [
            {
                "scenario": "a",
                "file": f"{tmp_path}/a.yaml",
                "line": 2,
                "conditions": 2,
                "differences": [
                    {
                        "field": "model",
                        "wanted": "o1",
                        "got": "gpt-5",
                        "missing": False,
                        "said": 'model: must be "o1", is "gpt-5"',
                    }
                ],
            }
        ],
    }
