"""The finding about text that the app has shown twice, on records made by hand."""

from __future__ import annotations

import pytest

from tests.verdict.making import answer, asked, codes, found, record

CUT = "{reply: Hello there., break: {at: 3, with: reset}}"  # Hello, there
WHOLE = "reply: Hello there."


def test_a_piece_and_then_the_whole():
    (finding,) = found(answer(1, 0, CUT), answer(2, 1, WHOLE), shown="Hello thereHello there.")
    assert finding.code == "text-shown-twice"
    assert finding.says == "The app showed 'Hello there' of request #1, and again with the answer to #2."
    assert finding.evidence == {"records": [1, 2], "repeated": "Hello there"}


@pytest.mark.parametrize("shown", ["HelloHello there.", "Hello there\n\nHello there.\n", "HHello there."])
def test_less_of_it_and_white_space_between(shown):
    assert codes(answer(1, 0, CUT), answer(2, 1, WHOLE), shown=shown) == ["text-shown-twice"]


@pytest.mark.parametrize(
    "shown",
    ["Hello there.", "Hello there", "", None, "Goodbye", "Hello there (asking again) Hello there.", "Hm. Hello there."],
)
def test_once_or_among_words_of_the_apps_own(shown):
    assert codes(answer(1, 0, CUT), answer(2, 1, WHOLE), shown=shown) == []


def test_two_broken_answers():
    third = found(answer(1, 0, CUT), answer(2, 1, CUT), answer(3, 2, WHOLE), shown="HelloHello there Hello there.")
    assert [finding.evidence for finding in third] == [{"records": [1, 2, 3], "repeated": "Hello there"}]
    second = found(answer(1, 0, CUT), answer(2, 1, CUT), answer(3, 2, WHOLE), shown="Hello there Hello there.")
    assert [finding.code for finding in second] == ["text-shown-twice"]


def test_a_failure_without_text_between():
    limited = answer(2, 1, "respond: server-error")
    assert codes(answer(1, 0, CUT), limited, answer(3, 3, WHOLE), shown="HelloHello there.") == ["text-shown-twice"]


def test_the_client_gave_up_and_asked_again():
    left = answer(1, 0, WHOLE, how="gone", kind=None, by="RST", events=2)
    assert codes(left, answer(2, 1, WHOLE), shown="HelloHello there.") == ["text-shown-twice"]


def test_another_text_is_not_the_same_twice():
    other = answer(2, 1, "reply: Good day.")
    assert codes(answer(1, 0, CUT), other, shown="HelloGood day.") == []


@pytest.mark.parametrize("shown", ["Hello there.Hello there.", "Hello there.\n\nHello there.\n"])
def test_a_whole_answer_that_was_sent_once(shown):
    (finding,) = found(answer(1, 0, "respond: server-error"), answer(2, 1, WHOLE), outcome="complete", shown=shown)
    assert finding.code == "text-shown-twice"
    assert finding.says == "The app showed 'Hello there.' of request #2 2 times, and it was sent once."
    assert finding.evidence == {"records": [2], "repeated": "Hello there."}


def test_three_times_is_more_than_twice():
    assert codes(answer(1, 0, WHOLE), shown="Hello there." * 3) == ["text-shown-twice"]


@pytest.mark.parametrize("shown", ["Hello there. Hello there", "Hello there. Hello", "Hello there.Again:Hello there."])
def test_of_one_answer_whole_texts_alone(shown):
    assert codes(answer(1, 0, WHOLE), shown=shown) == []


def test_one_answer_that_says_it_twice_itself():
    twice = answer(1, 0, "reply: HaHa")
    assert codes(twice, shown="HaHa", outcome="complete") == []
    assert codes(twice, shown="HaHaHa") == []
    assert codes(twice, shown="HaHaHaHa") == ["text-shown-twice"]


def test_another_call_may_have_brought_the_same_text():
    shown = "Hello there.Hello there."
    assert codes(answer(1, 0, "reply: Well. Hello there.", ask=asked(b"{}")), answer(2, 1, WHOLE), shown=shown) == []
    assert codes(record(1, 0, ask=asked(b"{}")), answer(2, 1, WHOLE), shown=shown) == [], "what it brought is not known"
    assert codes(answer(1, 0, "reply: Good day.", ask=asked(b"{}")), answer(2, 1, WHOLE), shown=shown) == [
        "text-shown-twice"
    ]


def test_two_whole_answers_are_two_answers():
    assert codes(answer(1, 0, WHOLE), answer(2, 1, WHOLE), shown="Hello there.Hello there.") == []
    assert codes(answer(1, 0, CUT), answer(2, 1, WHOLE), answer(3, 2, WHOLE), shown="HelloHello there.") == []


def test_an_answer_that_says_it_twice_itself():
    """It was sent so."""
    assert codes(answer(1, 0, CUT), answer(2, 1, "reply: HelloHello there."), shown="HelloHello there.") == []


def test_only_of_the_same_request():
    assert codes(answer(1, 0, CUT, ask=asked(b"{}")), answer(2, 1, WHOLE), shown="HelloHello there.") == []
    assert codes(record(1, 0), answer(2, 1, WHOLE), shown="HelloHello there.") == []
