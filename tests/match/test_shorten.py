from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakeserver.match.shorten import bounded, clipped, json_of, listed, quoted, shortened
from tests.match.jsons import JSON

LONG = "".join(chr(97 + n % 26) for n in range(1000))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (quoted('a "b"\né'), '"a \\"b\\"\\né"'),
        (quoted(LONG), f'"{LONG[:60]}…{LONG[-30:]}" (1,000 characters)'),
        (quoted(LONG, 10), f'"{LONG[:60]}…{LONG[-30:]}" (1,000 characters)'),
        (quoted(LONG, 500), f'"…{LONG[470:560]}…" (1,000 characters)'),
        (quoted(LONG, 990), f'"…{LONG[960:]}" (1,000 characters)'),
        (shortened("a"), '"a"'),
        (shortened({"a": [1, None]}), '{"a": [1, null]}'),
        (shortened([LONG]), f'["{LONG[:58]}…{LONG[-28:]}"] (1,004 characters)'),
        (clipped("gpt-5"), "gpt-5"),
        (clipped("a\nb\u2028"), "a\\nb\\u2028"),
        (listed(["a", "b\n"]), "a, b\\n"),
        (listed("abc", 2), "a, b, ..."),
        (quoted("\x9b31m"), '"\\u009b31m"'),
        (clipped(LONG), f"{LONG[:60]}…"),
        (bounded({"a": 1}), {"a": 1}),
        (bounded(LONG * 2), f"{LONG}…"),
        (bounded([LONG]), f'["{LONG[:998]}…'),
    ],
)
def test_shortened(said, expected):
    assert said == expected


def test_json_that_is_too_deep():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    assert json_of(deep) == "JSON that is too deep"


@given(JSON, st.none() | st.integers(0, 300))
def test_all_fits_in_a_line(value, around):
    assert len(shortened(value).splitlines()) <= 1
    assert len(quoted(str(value) * 50, around)) < 700
