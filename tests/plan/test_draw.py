"""Made values, wherever one stands."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakeserver.plan import Ask, Broken, Write
from fakeserver.plan.draw import fill
from tests.plan.making import body, chunks, deltas, plan, writes

STREAM = "stream: [{say: [a, b, c]}]\n"


def said(steps: str, more: str = "", **options: object) -> list[Any]:
    found: list[Any] = deltas(f"stream: {steps}\n{more}", **options)
    return [delta.get("content") for delta in found]


def test_count_is_one_counter_a_place() -> None:
    assert said("[{repeat: [{say: {$count: 197}}], times: 3}, {say: {$count: 197}}]") == ["197", "198", "199", "197"]
    assert [chunk["n"] for chunk in chunks(STREAM + "patch: [{set: {/n: {$count: 0}}}]")] == [0, 1, 2]
    assert [chunk["n"] for chunk in chunks(STREAM + "envelope: {n: {$count: 5}}")] == [5, 6, 7]


def test_count_in_a_template_is_from_one() -> None:
    assert said('[{repeat: [{say: {$text: "${count}. "}}], times: 2}]') == ["1. ", "2. "]


def test_so_far_is_what_this_choice_said_before_this_piece() -> None:
    assert said('[{say: [a, {$text: "<${so_far}>"}, {$text: "${so_far}"}]}]') == ["a", "<a>", "a<a>"]
    assert said('[{say: a}, {think: x}, {say: b, choice: 1}, {say: {$text: "${so_far}"}}]')[-1] == "a"
    assert chunks('stream: [{say: a}, {chunk: {x: {$text: "${so_far}"}}}, {json: {y: {$text: "${so_far}"}}}]')[1:] == [
        {**chunks("stream: [{chunk: {}}]")[0], "x": "a"}, {"y": "a"},
    ]  # fmt: skip


def test_so_far_in_an_edit_is_with_this_chunk() -> None:
    edits = 'patch: [{set: {/all: {$text: "${so_far}"}, own: {$text: "${so_far}"}}}]'
    edited = chunks("stream: [{say: [a, b]}, {say: c, choice: 1}]\n" + edits)
    assert [(chunk["all"], chunk["choices"][0]["own"]) for chunk in edited] == [("a", "a"), ("ab", "ab"), ("c", "c")]
    assert chunks('stream: [{usage: {a: 1}}]\npatch: [{set: {/all: {$text: "(${so_far})"}}}]')[0]["all"] == "()"
    assert chunks('stream: [{json: {index: []}}]\npatch: [{set: {/all: {$text: "(${so_far})"}}}]')[0]["all"] == "()"
    odd = 'stream: [{json: {choices: [{index: []}, 3]}}]\npatch: [{set: {/all: {$text: "(${so_far})"}}}]'
    assert chunks(odd)[0]["all"] == "()"


def test_so_far_in_a_reply_is_only_what_is_said() -> None:
    reply = 'reply: {think: aa, say: [b, {$text: "<${so_far}>"}]}'
    assert [delta.get("content") for delta in deltas(reply)[2:-1]] == ["b", "<b>"]


def test_facts_of_the_request() -> None:
    ask = Ask(model="gpt", texts=(("last_user", "Hi"), ("request./user", "me")))
    text = '[{say: {$text: "${model} ${last_user} ${request./user} ${request./nope} $${x}"}}]'
    assert said(text, ask=ask) == ["gpt Hi me  ${x}"]


def test_copy_and_a_copy_of_nothing() -> None:
    edits = """patch: [{set: {/b: {$copy: /model}, /c: {$copy: /nope}, delta/z: {$copy: index}, /q: {$copy: index},
                /d: {e: {$copy: /nope}, f: [{$copy: delta/content}]}}}]"""
    made = chunks("stream: [{say: a}]\n" + edits)[0]
    assert (made["b"], made["d"], made["choices"][0]["delta"]["z"], made["q"]) == ("m", {"f": ["a"]}, 0, 0)
    assert "c" not in made
    with pytest.raises(Broken, match="touches nothing"):
        chunks("stream: [{say: a}]\npatch: [{set: {/c: {$copy: /nope}}}]")
    with pytest.raises(Broken, match="touches nothing"):
        chunks("stream: [{usage: {a: 1}}]\npatch: [{set: {/c: {$copy: index}}}]")


def test_a_copy_where_there_is_no_chunk_is_nothing() -> None:
    assert said("[{say: {$copy: /model}}]") == [""]
    assert chunks("stream: [{json: {a: {$copy: /model}, b: 1}}, {json: {$copy: /a}}]") == [{"b": 1}]


def test_a_copied_map_is_another_map() -> None:
    edits = "patch: [{set: {/a: {x: 1}}}, {set: {/b: {$copy: /a}}}, {set: {/b/x: 2}}]"
    assert [chunks(STREAM + edits)[0][key] for key in "ab"] == [{"x": 1}, {"x": 2}]


def test_made_values_that_are_json_where_a_text_stands() -> None:
    assert body("stream: [{comment: {$count: 3}}]") == b": 3\n\n"


@given(st.text(min_size=1, max_size=5), st.integers(0, 99))
def test_fill_ends_at_a_character(text: str, size: int) -> None:
    made = fill(text, size)
    endless = text * 100
    assert endless.startswith(made)
    assert len(made.encode()) <= size < len(endless[: len(made) + 1].encode())


def test_fill_where_a_text_stands() -> None:
    assert said("[{say: {$fill: ab🌍, size: 11B}}]") == ["ab🌍ab"]
    assert fill("\ud83d", 9) == "\ud83d" * 3


def test_a_time_in_json_is_a_number_of_fixed_length_and_elsewhere_a_text() -> None:
    times = "created: {$time: 60s, as: epoch}, ms: {$time: -1s, as: epoch-ms}, d: {$time: 1ms, as: http-date}"
    made = chunks(f"stream: [{{say: a}}]\nenvelope: {{{times}}}")
    assert made[0]["created"] == 1770000060
    assert made[0]["ms"] == 1769999999000
    assert made[0]["d"] == "Mon, 02 Feb 2026 02:40:01 GMT"
    assert said("[{say: {$time: 0s, as: epoch}}]") == ["1770000000"]
    event = "stream: [{event: {id: {$time: 0s, as: epoch}, data: {t: {$time: 0s, as: epoch}}}}]"
    assert body(event) == b'id: 1770000000\ndata: {"t":1770000000}\n\n'
    assert (
        body("stream: [{call: {name: f, arguments: {t: {$time: 0s, as: epoch}}}}]").count(b'{\\"t\\":1770000000}') == 1
    )
    retry = "head: {headers: {x-at: {$time: 60s, as: http-date}, x-s: {$time: 0s, as: epoch}}}\n" + STREAM
    head = plan(retry).actions([b"i" * 38, b"r" * 36, b"D" * 29, b"E" * 10])
    assert b"x-at: " + b"D" * 29 + b"\r\nx-s: EEEEEEEEEE\r\n" in writes(head)[0].data


def test_bytes_inside_say_raw_and_socket() -> None:
    assert b'"content":"\xff\xfe"' in body('stream: [{say: {$hex: "ff fe"}}]')
    assert body('head: {framing: close}\nstream: [{raw: {$base64: "AAE="}}, {socket: {$hex: "02"}}]') == b"\x00\x01\x02"


def test_a_made_value_is_a_piece_that_is_not_cut() -> None:
    assert [d["content"] for d in deltas("reply: {say: {$time: 0s, as: epoch}, finish: null}")[1:]] == ["1770000000"]
    steps = 'stream: [{say: {$time: 0s, as: epoch}}, {say: {$text: "a b${so_far}c"}, by: char}]'
    assert [d["content"] for d in deltas(steps)[1:]] == ["a", " ", "b", "1770000000", "c"]


def test_a_key_that_begins_with_a_dollar() -> None:
    assert chunks("stream: [{json: {$$a: 1}}]") == [{"$a": 1}]


def test_ids_differ_by_request_and_are_the_same_in_each_run() -> None:
    made = plan("reply: a")
    assert [blank.kind for blank in made.blanks] == ["id", "request-id"]
    assert all(isinstance(action, Write) or action for action in made)
