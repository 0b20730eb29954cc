import pytest
from pydantic_core import PydanticCustomError

from fakeserver.script import made


def wrong(value):
    with pytest.raises(PydanticCustomError) as error:
        made.parse(value)
    return [(finding.loc, finding.code, finding.key) for finding in error.value.context["findings"]]


def test_plain_json_stays_as_it_is():
    value = {"a": [1, "x", None, True, {"b": {}}]}
    assert made.parse(value) == value


def test_each_kind():
    out = made.parse(
        {
            "count": {"$count": 197},
            "text": {"$text": "a ${count} b $${x} ${request./a/b}"},
            "copy": {"$copy": "delta/content"},
            "fill": {"$fill": "ab", "size": "64KiB"},
            "time": {"$time": "-60s", "as": "epoch-ms"},
            "date": {"$time": "0ms", "as": "http-date"},
            "hex": {"$hex": "ff fe"},
            "base64": {"$base64": "aGk="},
        }
    )
    assert out["count"].start == 197
    assert out["text"].parts == ("a ", "count", " b ${x} ", "request./a/b", "")
    assert out["text"].holes == ("count", "request./a/b")
    assert out["copy"].pointer == "delta/content"
    assert (out["fill"].text, out["fill"].size) == ("ab", 65536)
    assert (out["time"].offset, out["time"].form) == (-60_000_000_000, "epoch-ms")
    assert (out["date"].offset, out["date"].form) == (0, "http-date")
    assert out["hex"].data == b"\xff\xfe"
    assert out["base64"].data == b"hi"


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("", ("",)),
        ("plain $5 {x}", ("plain $5 {x}",)),
        ("${model}", ("", "model", "")),
        ("$${model}", ("${model}",)),
        ("$$${model}", ("$${model}",)),
        ("${count}${so_far}", ("", "count", "", "so_far", "")),
        ("end $", ("end $",)),
    ],
)
def test_templates(said, parts):
    assert made.parse({"$text": said}).parts == parts


def test_two_made_values_are_two_places():
    first, second = made.parse([{"$count": 1}, {"$count": 1}])
    assert first != second


def test_a_doubled_sign_is_a_plain_key():
    assert made.parse({"$$ref": {"$$": 1}}) == {"$ref": {"$": 1}}


@pytest.mark.parametrize(
    ("value", "loc", "code", "key"),
    [
        ({"$": 1}, ("$",), "made", True),
        ({"$Count": 1}, ("$Count",), "made", True),
        ({"$count": "1"}, ("$count",), "type", False),
        ({"$count": 1, "x": 1}, ("x",), "unknown-key", True),
        ({"x": 1, "$fill": "a", "size": "1B"}, ("x",), "unknown-key", True),
        ({"$fill": "a"}, ("$fill",), "missing", True),
        ({"$fill": "", "size": "1B"}, ("$fill",), "fill", False),
        ({"$fill": "a", "size": 3}, ("size",), "size", False),
        ({"$time": "60s"}, ("$time",), "missing", True),
        ({"$time": 60, "as": "epoch"}, ("$time",), "duration", False),
        ({"$time": "--6s", "as": "epoch"}, ("$time",), "duration", False),
        ({"$time": "60s", "as": "iso"}, ("as",), "value", False),
        ({"$time": "60s", "as": None}, ("as",), "value", False),
        ({"$text": 3}, ("$text",), "type", False),
        ({"$text": "${"}, ("$text",), "hole", False),
        ({"$text": "${}"}, ("$text",), "hole", False),
        ({"$text": "${request.model}"}, ("$text",), "hole", False),
        ({"$copy": ""}, ("$copy",), "pointer", False),
        ({"$hex": "f"}, ("$hex",), "hex", False),
        ({"$hex": "é"}, ("$hex",), "hex", False),
        ({"$base64": "é"}, ("$base64",), "base64", False),
        ({"$base64": "abc"}, ("$base64",), "base64", False),
        ([0, {"a": float("nan")}], (1, "a"), "value", False),
        (float("-inf"), (), "value", False),
    ],
)
def test_mistakes_and_their_places(value, loc, code, key):
    assert wrong(value) == [(loc, code, key)]


def test_all_mistakes_at_once():
    assert len(wrong([{"$a": 1}, {"x": {"$hex": "zz"}}, float("inf")])) == 3
