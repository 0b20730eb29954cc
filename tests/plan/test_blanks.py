"""Tokens keep the lengths of what they stand for, through any encoding; a user's own DEL is left alone."""

from __future__ import annotations

import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from fakeserver.plan import Blank, Write, filled, key_of
from fakeserver.plan.blanks import ID_FORM, Blanks, moved, part
from fakeserver.plan.model import Hole, Idle

KEY = key_of("s", "n", 1)


def test_a_blank_is_a_hole_of_its_own_length() -> None:
    blanks = Blanks()
    data, holes = blanks.encoded(f"a{blanks.ident()}b{blanks.moment(5, 'epoch')}c")
    assert data == b"a" + b"?" * 38 + b"b" + b"?" * 10 + b"c"
    assert holes == (Hole(1, 0, 0, 38), Hole(40, 1, 0, 10))
    assert blanks.blanks == [Blank("id", 38, form=ID_FORM), Blank("time", 10, 5, "epoch")]


def test_the_same_value_is_the_same_blank() -> None:
    blanks = Blanks()
    assert blanks.request_id() == blanks.request_id()
    assert blanks.moment(0, "epoch", number=True)[2:] == blanks.moment(0, "epoch")[2:]
    assert len(blanks.blanks) == 2


def test_a_number_in_json_loses_its_quotes() -> None:
    blanks = Blanks()
    text = blanks.numbers(
        json.dumps({"t": blanks.moment(0, "epoch-ms", number=True)}, separators=(",", ":")).replace("\\u007f", "\x7f")
    )
    assert blanks.encoded(text)[0] == b'{"t":' + b"?" * 13 + b"}"
    assert blanks.numbers('"a"') == '"a"'


def test_bytes_are_put_in_at_once() -> None:
    blanks = Blanks()
    assert blanks.encoded(blanks.raw(b"\xff\x00") + blanks.raw(b"") + blanks.raw(b"\xff\x00")) == (
        b"\xff\x00" * 2,
        (),
    )


def test_values_that_must_be_known_now() -> None:
    blanks = Blanks(lambda blank: b"#" * blank.size)
    assert blanks.encoded(blanks.ident()) == (b"#" * 38, ())


def test_a_del_of_the_users_own() -> None:
    blanks = Blanks()
    blanks.ident()
    for text in ("\x7f", "\x7fT00000", "\x7fT00000" + "\x7f" * 30, "\x7fB00000" + "\x7f" * 99, "\x7fT99999"):
        assert blanks.encoded(text) == (text.encode(), ())
        assert list(blanks.parts(text)) == [(text, False)]


def test_tokens_side_by_side_and_parts() -> None:
    blanks = Blanks()
    one, two = blanks.ident(), blanks.raw(b"x")
    text = f"a{one}{two}\x7fb"
    assert list(blanks.parts(text)) == [("a", False), (one, True), ("", False), (two, True), ("\x7fb", False)]
    assert blanks.encoded(text)[0] == b"a" + b"?" * 38 + b"x\x7fb"


def test_a_token_may_hide_in_no_other() -> None:
    blanks = Blanks()
    token = blanks.moment(0, "epoch")
    text = token + "T00000" + token[7:]
    assert blanks.encoded(text) == (b"?" * 10 + b"T00000" + b"\x7f" * 3, (Hole(0, 0, 0, 10),))


def test_more_kinds_of_bytes_than_a_thousand() -> None:
    blanks = Blanks()
    text = "".join(blanks.raw(str(i).encode()) for i in range(1200))
    assert blanks.encoded(text)[0] == b"".join(str(i).encode() for i in range(1200))


@given(st.lists(st.integers(0, 40), max_size=6))
def test_parts_of_holes_fill_to_the_same_bytes(cuts: list[int]) -> None:
    blanks = Blanks()
    data, holes = blanks.encoded(f"ab{blanks.ident()}cd")
    values = filled(blanks.blanks, KEY)
    edges = [0, *sorted(cuts), len(data)]
    pieces = [
        Write(0, data[low:high], holes=part(holes, low, high)).filled(values).data for low, high in pairwise(edges)
    ]
    assert b"".join(pieces) == Write(0, data, holes=holes).filled(values).data
    assert Idle(1, b"xy" + data, moved(holes, 2)).filled(values).data[2:] == b"".join(pieces)


def test_the_bytes_alone() -> None:
    blanks = Blanks()
    texts = ["a", f"a{blanks.ident()}b", f"{blanks.ident()}{blanks.request_id()}"]
    values = filled(blanks.blanks, KEY)
    for data, holes in (blanks.encoded(text) for text in texts):
        assert Write(0, data, holes=holes).said(values) == Write(0, data, holes=holes).filled(values).data


def test_without_holes_nothing_is_made_anew() -> None:
    assert Idle(1, b"a").filled([]) == Idle(1, b"a")
