from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakeserver.match.seen import MISSING
from fakeserver.match.wants import Equal, Glob, Is, Offers, TextTest, Turn
from tests.match.jsons import JSON

SOME = [
    Glob("*"),
    Glob("gpt-*"),
    Glob("gpt-4?"),
    Glob("gpt-4*"),
    Glob("gpt-4o"),
    Glob("[gh]pt-4o"),
    TextTest("a b"),
    TextTest(contains="a"),
    TextTest(contains="a b"),
    TextTest(matches="a"),
    TextTest(contains="b", matches="a"),
    TextTest("a b", contains="a"),
    Is(True),
    Is(False),
    Offers(("a",)),
    Offers(("b", "a")),
    Offers(()),
    Turn(1, False),
    Turn(1, True),
    Turn(2, False),
    Turn(2, True),
    Equal(1),
    Equal({"a": [1]}),
    Equal(None),
]
VALUES = {
    Glob: st.sampled_from(["gpt-4o", "gpt-4", "gpt-41", "hpt-4o", "gpt-", "x", MISSING]),
    TextTest: st.text("ab ", max_size=6) | st.just(MISSING),
    Is: st.sampled_from([True, False, (), ("a",)]),
    Offers: st.lists(st.sampled_from("abc"), max_size=3).map(tuple),
    Turn: st.integers(1, 4),
    Equal: JSON | st.just(MISSING),
}


@pytest.mark.parametrize(
    ("want", "right", "wrong"),
    [
        (Glob("gpt-4o"), ["gpt-4o"], ["gpt-4", "GPT-4o", "gpt-4o-mini", MISSING]),
        (Glob("gpt-*o"), ["gpt-4o", "gpt-o", "gpt-a/b\nco"], ["gpt-4", "xgpt-4o"]),
        (Glob("gpt-?[0-9]"), ["gpt-a1"], ["gpt-1", "gpt-ab"]),
        (TextTest(""), [""], ["a", MISSING]),
        (TextTest(contains="a"), ["bab"], ["b", "A"]),
        (TextTest(matches=r"^a\d"), ["a1b"], ["ba1"]),
        (TextTest(matches=r"b$", contains="a"), ["ab", "ba b"], ["b", "a"]),
        (Is(True), [True, ("a",)], [False, ()]),
        (Is(False), [False, ()], [True, ("a",)]),
        (Offers(("a", "b")), [("b", "c", "a")], [("a",), ()]),
        (Turn(2, False), [2], [1, 3]),
        (Turn(2, True), [2, 9], [1]),
        (Equal([1, {"a": None}]), [[1.0, {"a": None}]], [[1, {}], [True, {"a": None}], MISSING]),
        (Equal(None), [None], [MISSING, 0, "", False]),
    ],
)
def test_what_holds(want, right, wrong):
    assert all(want.holds(value) for value in right)
    assert not any(want.holds(value) for value in wrong)


COVERS = {
    ("*", "gpt-*"), ("*", "gpt-4?"), ("*", "gpt-4*"), ("*", "gpt-4o"), ("*", "[gh]pt-4o"),
    ("gpt-*", "gpt-4?"), ("gpt-*", "gpt-4*"), ("gpt-*", "gpt-4o"), ("gpt-4?", "gpt-4o"), ("gpt-4*", "gpt-4?"),
    ("gpt-4*", "gpt-4o"), ("[gh]pt-4o", "gpt-4o"),
}  # fmt: skip


def test_globs_that_cover_others():
    globs = [want for want in SOME if isinstance(want, Glob)]
    found = {(one.text, other.text) for one in globs for other in globs if one.covers(other) and one != other}
    assert found == COVERS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (TextTest(contains="a"), TextTest(contains="a b")),
        (TextTest(contains="a"), TextTest("a b")),
        (TextTest(matches="a"), TextTest("a b", contains="a")),
        (TextTest(matches="a"), TextTest(contains="b", matches="a")),
        (Is(True), Offers(("a",))),
        (Offers(("a",)), Offers(("b", "a"))),
        (Turn(1, True), Turn(2, True)),
        (Turn(1, True), Turn(2, False)),
        (Equal({"a": [1]}), Equal({"a": [1.0]})),
    ],
)
def test_wants_that_cover_others(one, other):
    assert one.covers(other)
    assert not other.covers(one) or isinstance(one, Equal)


def test_one_covers_itself_and_no_other_kind():
    for one in SOME:
        assert one.covers(one)
        assert not any(one.covers(other) for other in SOME if type(one) is not type(other) and not isinstance(one, Is))


@given(st.data())
def test_what_is_covered_is_covered(data):
    one = data.draw(st.sampled_from(SOME))
    other = data.draw(st.sampled_from(SOME))
    value = data.draw(VALUES[type(other)])
    if one.covers(other) and other.holds(value):
        assert one.holds(value)


def test_plain():
    assert [want.plain() for want in (Glob("a*"), TextTest("a"), TextTest("a", matches="b"), Is(True))] == [
        "a*", "a", {"equals": "a", "matches": "b"}, True]  # fmt: skip
    assert [want.plain() for want in (Offers(("a",)), Turn(2, True), Turn(2, False), Equal([1]))] == [
        ["a"], "2..", 2, [1]]  # fmt: skip


def test_a_pattern_that_python_warns_of_is_one():
    assert TextTest(matches="[[a]").holds("[")
