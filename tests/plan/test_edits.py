"""Selectors, edits and what finds nothing (the language's section 4; order: section 5, point 4)."""

from __future__ import annotations

import pytest

from fakeserver.plan import Broken, Plan, exhaust
from tests.plan.making import body, chunks, library, plan

STREAM = """
stream:
  - role: assistant
  - think: T
  - say: [A, B]
  - refuse: R
  - call: {name: f, arguments: [x]}
  - {say: E, finish: stop, usage: {prompt_tokens: 1}}
  - fail: {message: m}
  - done
"""
NAMES = ["role", "T", "A", "B", "R", "head", "rest", "end", "error", "done"]


def marked(only: str) -> list[str]:
    """Which of the events a selector takes."""
    got = body(f"{STREAM}\npatch: [{{only: {only}, fields: {{id: hit}}}}]").decode().split("\n\n")
    return [name for name, event in zip(NAMES, got) if event.startswith("id: hit\n")]


@pytest.mark.parametrize(
    ("only", "names"),
    [
        ("all", NAMES[:-1]), ("first", ["role"]), ("last", ["error"]), ("rest", NAMES[1:-1]),
        ("1", ["role"]), ("3", ["A"]), ("-1", ["error"]), ("-3", ["rest"]), ("7..", ["rest", "end", "error"]),
        ("role", ["role"]), ("content", ["A", "B", "end"]), ("reasoning", ["T"]), ("refusal", ["R"]),
        ("call", ["head", "rest"]), ("call-rest", ["rest"]), ("finish", ["end"]), ("usage", ["end"]),
        ("error", ["error"]), ("done", ["done"]), ("[done, 2, reasoning]", ["T", "done"]), ("[last, 4..]", NAMES[3:-1]),
    ],
)  # fmt: skip
def test_a_selector(only: str, names: list[str]) -> None:
    assert marked(only) == names


def test_an_error_is_one_in_whatever_form_it_is_told() -> None:
    flat = {"flat": "shape: {error: flat}"}
    text = "dialect: flat\nstream: [{say: a}, {fail: {message: m}}]\npatch: [{only: error, set: {/hit: 1}}]"
    assert chunks(text, dialects=flat)[1] == {"message": "m", "hit": 1}
    with pytest.raises(Broken, match="touches nothing"):
        chunks(text.replace("{message: m}", "{}"), dialects=flat)


def test_selectors_look_at_chunks_as_they_were_made() -> None:
    edits = "patch: [{only: content, remove: [delta/content]}, {only: content, set: {/was: content}}]"
    assert [chunk.get("was") for chunk in chunks(f"stream: [{{say: [a, b]}}, {{finish: stop}}]\n{edits}")] == [
        "content",
        "content",
        None,
    ]


def test_dropped_chunks_still_count() -> None:
    edits = "patch: [{only: 1, drop: true}, {only: 2, set: {/second: 1}}, {only: last, set: {/last: 1}}]"
    assert [("second" in c, "last" in c) for c in chunks(f"stream: [{{say: [a, b, c]}}]\n{edits}")] == [
        (True, False),
        (False, True),
    ]
    assert body("stream: [{say: a}, done]\npatch: [{only: done, drop: true}]").count(b"data") == 1


def test_within_one_edit_drop_set_remove_fields() -> None:
    assert (
        body("stream: [{say: a}, {say: b}]\npatch: [{only: 1, drop: true, set: {/x: 1}, fields: {id: 1}}]").count(
            b"data"
        )
        == 1
    )
    edit = "patch: [{drop: false, set: {/x: 1, /y: 1}, remove: [/x], fields: {id: {$copy: /y}}}]"
    [only] = body(f"stream: [{{json: {{a: 0}}}}]\n{edit}").decode().split("\n\n")[:-1]
    assert only == 'id: 1\ndata: {"a":0,"y":1}'


def test_from_each_of_its_choices() -> None:
    both = "stream: [{json: {choices: [{i: 1}, {i: 2}, 3]}}]\npatch: [{set: {delta/x: {$copy: i}}, remove: [i]}]"
    assert chunks(both) == [{"choices": [{"delta": {"x": 1}}, {"delta": {"x": 2}}, 3]}]


def test_an_edit_does_not_reach_the_next_chunk() -> None:
    text = "envelope: {deep: {a: 1}}\nstream: [{say: [a, b]}]\npatch: [{only: 1, set: {/deep/a: 2}}]"
    assert [chunk["deep"]["a"] for chunk in chunks(text)] == [2, 1]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("stream: [{say: a}]\npatch:\n  - {only: reasoning, set: {/x: 1}}", 3),
        ("stream: [{say: a}]\npatch:\n  - {set: {/choices/3/x: 1}}", 3),
        ("stream: [{say: a}]\npatch:\n  - {remove: [/nope]}", 3),
        ("stream: [{say: a}]\npatch:\n  - {only: done, set: {/x: 1}}", 3),
        ("stream: [{say: a}]\npatch:\n  - {only: 2, drop: true}", 3),
        ("stream: [{say: a}]\npatch:\n  - {keep: 4KiB}", 3),
        ("stream: [{say: a}]\npatch:\n  - {cut: {inside: utf8}}", 3),
        ("stream:\n  - {say: a, remove: [/nope]}", 2),
        ("stream:\n  - {say: a, set: {/choices/7/a: 1}}", 2),
        ("stream:\n  - {say: a, keep: 4KiB}", 2),
        ("stream:\n  - {say: a, keep: {inside: utf8}}", 2),
        ("stream:\n  - {say: a, keep: {framed: 4KiB}}", 2),
        ("stream:\n  - {say: a, cut: {size: 4KiB}}", 2),
        ("stream:\n  - {raw: a, cut: {at: [1]}}", 2),
        ("attempts:\n  - {reply: a, patch: [{only: reasoning, drop: true}]}", 2),
        ("respond: server-error\npatch:\n  - {set: {/x: 1}}", 3),
        ("reply: a\nwire:\n  cut: {inside: utf8}", 3),
        ("reply: a\nwire:\n  compress: gzip\n  buffer: all\npatch:\n  - {cut: {size: 1B}}", 6),
    ],
)
def test_what_finds_nothing_is_an_error_with_its_place(text: str, line: int) -> None:
    with pytest.raises(Broken) as caught:
        exhaust(plan(text))
    assert caught.value.problem.line == line


@pytest.mark.parametrize(
    "overlay", ["patch: [{only: reasoning, set: {/x: 1}}]", "wire: {cut: {inside: utf8}}", "patch: [{keep: 4KiB}]"]
)
def test_an_overlay_that_finds_nothing_is_not(overlay: str) -> None:
    assert body("reply: a", overlay) == body("reply: a")


def test_nor_is_a_dialect_or_what_stands_above_attempts() -> None:
    dialect = {"d": "patch: [{only: reasoning, set: {/x: 1}}]\nscript: {opening: [{comment: a, keep: 4KiB}]}"}
    assert body("dialect: d\nreply: a", dialects=dialect)
    above = "patch: [{only: reasoning, set: {/x: 1}}]\nwire: {cut: {inside: utf8}}\nbreak: {at: 99}\n"
    assert body(above + "attempts: [{reply: a}, {respond: server-error}]")


def test_whole_takes_a_step_out_of_a_cut() -> None:
    long = "{$fill: x, size: 300B}"
    text = f"wire: {{cut: {{size: 400B}}}}\nstream: [{{say: {long}, cut: whole}}, {{say: {long}}}]"
    assert len([write for write in plan(text).writes() if write.part == "body"]) == 3


def test_a_long_plan_complains_only_about_what_it_has_come_to() -> None:
    long: Plan = plan("stream: [{repeat: [{say: a}], times: 9000}]\npatch: [{only: reasoning, set: {/x: 1}}]")
    exhaust(long)
    assert library().dialects
