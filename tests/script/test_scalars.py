import math

import pytest

from fakeserver.script.scalars import resolve


@pytest.mark.parametrize("text", ["", "~", "null", "Null", "NULL"])
def test_null(text):
    assert resolve(text) is None


@pytest.mark.parametrize(("text", "value"), [("true", True), ("True", True), ("TRUE", True), ("false", False)])
def test_truth(text, value):
    assert resolve(text) is value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0), ("-17", -17), ("+3", 3), ("0123", 123), ("0o17", 15), ("0xFf", 255),
        ("1.5", 1.5), (".5", 0.5), ("1.", 1.0), ("1e3", 1000.0), ("-1.5E-2", -0.015), ("1e999", math.inf),
        (".inf", math.inf), ("-.INF", -math.inf), ("+.Inf", math.inf),
    ],
)  # fmt: skip
def test_numbers(text, value):
    assert resolve(text) == value
    assert type(resolve(text)) is type(value)


@pytest.mark.parametrize("text", [".nan", ".NaN", ".NAN"])
def test_not_a_number(text):
    assert math.isnan(resolve(text))


@pytest.mark.parametrize(
    "text",
    ["no", "yes", "on", "Off", "y", "nUll", "tRue", "1:30", "2024-01-01", "1_000", "0b11", "0o8", "0xg", "1e", ".",
     "-", "+", "--1", "1 2", "1.2.3", "+.nan", "\u0663", "1\n"],
)  # fmt: skip
def test_all_else_is_text(text):
    assert resolve(text) == text


def test_numbers_of_any_length_can_be_shown():
    for text in ("9" * 4000, "9" * 5000, "0x" + "f" * 3000, "0x" + "f" * 9000, "0o" + "7" * 9000, "1e999999"):
        assert str(resolve(text))
