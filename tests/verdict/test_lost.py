"""The finding about text of a whole answer that the app has not shown, on records made by hand."""

from __future__ import annotations

import pytest

from tests.verdict.making import answer, codes, found

WHOLE = "reply: Hello there."


def test_the_end_is_lost():
    (finding,) = found(answer(1, 0, WHOLE), outcome="complete", shown="Hello")
    assert finding.code == "text-lost"
    assert finding.says == "The app told that its answer is complete, but did not show ' there.' of request #1."
    assert finding.evidence == {"records": [1], "lost": " there."}


@pytest.mark.parametrize(
    ("shown", "lost"), [("there.", "Hello "), ("Helthere.", "lo "), ("Hello ere.", "th"), ("", "Hello there.")]
)
def test_any_one_stretch_of_it(shown, lost):
    (finding,) = found(answer(1, 0, WHOLE), outcome="complete", shown=shown)
    assert finding.evidence["lost"] == lost


def test_an_emoji_is_text():
    assert codes(answer(1, 0, "reply: 😀😁"), outcome="complete", shown="😀") == ["text-lost"]


@pytest.mark.parametrize(
    "shown", ["Hello there.", " Hello there.\n", "Hello there", "Hellothere.", "Hllo ther.", None, "Hi"]
)
def test_trimmed_drawn_or_made_into_another(shown):
    assert codes(answer(1, 0, WHOLE), outcome="complete", shown=shown) == []


@pytest.mark.parametrize("outcome", [None, "refused", "truncated", "failed"])
def test_only_of_what_is_told_to_be_complete(outcome):
    assert codes(answer(1, 0, WHOLE), outcome=outcome, shown="Hello") == []


def test_only_of_a_whole_answer_that_went_out_to_its_end():
    left = answer(1, 0, WHOLE, how="gone", kind=None, by="FIN")
    assert codes(left, outcome="complete", shown="Hello") == [], "the client may have had enough"
    cut = answer(1, 0, "{reply: Hello there., break: {at: 3, with: reset}}")
    assert codes(cut, outcome="complete", shown="Hello") == ["truncated-taken-for-complete"]
    assert codes(answer(1, 0, WHOLE, None), outcome="complete", shown="Hello") == []


def test_of_several_choices_the_app_shows_what_it_likes():
    said = "{role: assistant, say: Hello there.}, {role: assistant, say: Hi., choice: 1}"
    both = f"stream: [{said}, finish: stop, {{finish: stop, choice: 1}}, done]"
    assert codes(answer(1, 0, both), outcome="complete", shown="Hello") == []
