"""The verdict as a whole: nothing from nothing, one order, JSON; whatever the records are, it answers."""

from __future__ import annotations

import json
import random
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import fakeserver.verdict
from fakeserver.verdict import CODES, Report, verdict
from tests.verdict.making import answer, asked, codes, failure, found, record, told

CUT = "{reply: Hello there., break: {at: 3, with: reset}}"
BAD = [
    told(1, 0, 60, status=400, took=0),
    *(failure(n, n / 1000, status=400, took=0) for n in range(2, 7)),
    answer(7, 0.9, "{reply: Hi., break: {at: 100%, with: hang}}", 60, ask=asked(b"[]"), end_marked_at=10**9),
    answer(8, 1, CUT, ask=asked(b"{}")),
    answer(9, 2, CUT, 60, ask=asked(b"{}")),
]

outcomes = st.sampled_from([None, "complete", "refused", "truncated", "failed"])
moments = st.none() | st.floats(-10, 100)
reports = st.builds(Report, outcomes, st.none() | st.text(), moments, moments)
records = st.lists(
    st.builds(
        lambda at, took, status, how, kind, wait, body, manual: record(
            1, at, took, how=how, kind=kind, status=status, retry_after=wait, ask=asked(body), manual=manual
        ),
        st.floats(0, 5),
        st.none() | st.floats(0, 5),
        st.sampled_from([None, 200, 400, 401, 429, 500]),
        st.sampled_from(["complete", "ended", "gone", "stopped", "broken"]),
        st.sampled_from([None, "end", "close", "reset", "reset-now", "hang"]),
        st.none() | st.floats(-5, 5),
        st.sampled_from([b"{}", b"[]"]),
        st.booleans(),
    ),
    max_size=12,
)


@given(reports)
def test_no_records_no_findings(report):
    assert verdict([], report, 10**18) == ()


@given(records, reports)
def test_whatever_happened_it_is_told_in_one_order(made, report):
    made = sorted(made, key=lambda each: each.at)
    for number, each in enumerate(made, 1):
        each.number = number
    told = verdict(made, report, 10**19)
    assert told == verdict(iter(made), report, 10**19)
    places = [CODES.index(finding.code) for finding in told]
    assert places == sorted(places)
    for code in CODES:
        firsts = [finding.evidence["records"][-1] for finding in told if finding.code == code]
        assert code in ("retry-storm", "no-back-off") or firsts == sorted(firsts)
    json.dumps([finding.as_dict() for finding in told], allow_nan=False)


def test_all_at_once_and_all_of_the_list():
    seen = codes(*BAD, outcome="complete", shown="HelloHello there", cancelled_at=2.5)
    whole = codes(answer(1, 0, "reply: Hello there."), outcome="complete", shown="Hello")  # one call has but one end
    assert list(dict.fromkeys([*seen, *whole])) == [*CODES]


def test_a_finding_as_json():
    (finding,) = found(told(1, 0, 60), record(2, 0.5))
    assert finding.as_dict() == {
        "code": "ignored-retry-after",
        "says": "Request #2 came 0.499 s after #1 was answered, which asked for 60 s (retry-after).",
        "evidence": {"records": [1, 2], "told": 60, "waited": 0.499},
    }


def test_each_finding_has_a_file_of_its_name():
    names = {path.stem for path in Path(fakeserver.verdict.__file__).parent.glob("*.py")}
    assert {code.replace("-", "_") for code in CODES} <= names


def test_what_others_do_changes_nothing():
    """The findings about one request are the same among many others."""
    others = [record(n, n / 100, ask=asked(b"%d" % n)) for n in range(10, 60)]
    random.Random(1).shuffle(others)
    mixed = sorted([*BAD, *others], key=lambda each: each.at)
    retries = ("ignored-retry-after", "retried-what-must-not-be", "retry-storm", "no-back-off")
    assert [each for each in found(*mixed) if each.code in retries] == [
        each for each in found(*BAD) if each.code in retries
    ]
