from __future__ import annotations

import pytest

from fakeserver.match.hints import hint
from fakeserver.match.seen import MISSING
from fakeserver.match.wants import Equal, Glob, Is, Offers, TextTest, Turn

LONG = "You are a careful assistant. " * 2


@pytest.mark.parametrize(
    ("want", "value", "said"),
    [
        (Glob("a"), MISSING, ""),
        (Glob("GPT-*"), "gpt-5", "only case differs"),
        (Glob("o1"), "gpt-5", ""),
        (TextTest("a"), "A", "only case differs"),
        (TextTest("a"), " a\n", "only space around it differs"),
        (TextTest("a"), "b", ""),
        (TextTest(LONG + "a"), LONG + "b", "they first differ at character 59"),
        (TextTest(contains="A"), "bab", "it is there in another case"),
        (TextTest(contains="x"), "bab", ""),
        (TextTest(contains="A", matches="B"), "bab",
         "it is there in another case; it would match if case is ignored: begin with (?i)"),
        (TextTest(matches="a.b"), "a\nb", "it would match if . takes line ends: begin with (?s)"),
        (TextTest(matches="^b"), "a\nb", "it would match if ^ and $ are a line's: begin with (?m)"),
        (TextTest(matches=r"\Ab\Z"), "abc", "it would match without ^ and $"),
        (TextTest(matches=r"weather (\d+)"), "the weather is", 'it matches as far as /weather /, then comes "is"'),
        (TextTest(matches=r"weather now"), "the weather", "it matches as far as /weather/, then the text ends"),
        (TextTest(matches="xyz"), "abc", ""),
        (TextTest(matches="b" * 90), "b" * 80, ""),
        (TextTest(matches="b"), "B" * 20_000, ""),
        (TextTest(matches=r"a(?i:b)"), "xyz", ""),
        (TextTest(matches=r"(?:cost|price) 5\$"), "cost 5",
         "it matches as far as /(?:cost|price) 5/, then the text ends"),
        (Offers(("a", "b", "c")), ("b",), "lacks a, c"),
        (Offers(("a",)), (), ""),
        (Is(True), False, ""),
        (Turn(2, False), 1, "1 and the assistant messages so far"),
        (Equal(1), "1", "a number is wanted, not a text"),
        (Equal(True), 1, "true or false is wanted, not a number"),
        (Equal(None), [], "null is wanted, not a list"),
        (Equal({}), None, "a map is wanted, not null"),
        (Equal({"a": [1]}), {"a": [2]}, "they first differ at /a/0"),
        (Equal(1), 2, ""),
    ],
)  # fmt: skip
def test_hints(want, value, said):
    assert hint(want, value) == said
