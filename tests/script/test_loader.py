import pytest

from fakeserver.script.loader import load_bytes, load_text, locate
from fakeserver.script.problems import Broken, Finding


def loaded(text, kind="scenario"):
    entry, document = load_text(text, "f.yaml", kind)
    assert not document.problems, document.problems
    return entry


def told(text, kind="scenario"):
    entry, document = load_text(text, "f.yaml", kind)
    assert entry is None
    return [(problem.line, problem.column, problem.code) for problem in document.problems]


def test_an_entry_has_the_name_of_its_file():
    assert load_text("reply: a", "some/where/two-words.yaml")[0].name == "two-words"
    assert load_text("reply: a", "f.yaml", name="other")[0].name == "other"


def test_what_a_file_says_is_known_from_what_it_leaves_out():
    body = loaded("reply: a\nwire: {cut: whole}").body
    assert body.has("wire")
    assert not body.has("timing")
    assert body.wire.has("cut")
    assert body.wire.newline == "lf"


def test_models_never_change():
    body = loaded("stream: [{say: [a, b]}]").body
    with pytest.raises(ValueError, match="frozen"):
        body.priority = 3
    assert body.stream[0].say == ("a", "b")


@pytest.mark.parametrize("key", ["json_", "break_", "with_"])
def test_names_of_attributes_are_no_keys(key):
    assert told(f"reply: a\n{key}: 1") == [(2, 1, "unknown-key")]


def test_a_warning_leaves_the_entry():
    entry, document = load_text("stream: [raw: 'a\\n']")
    assert entry is not None
    assert [problem.warning for problem in document.problems] == [True]


def test_bytes_that_are_no_utf8_have_their_place():
    entry, document = load_bytes(b"about: x\r\nreply: caf\xe9", "f.yaml")
    assert entry is None
    (problem,) = document.problems
    assert (problem.line, problem.column, problem.code) == (2, 11, "not-utf8")
    assert problem.text == "reply: caf\ufffd"


def test_bytes_that_are_utf8_load():
    assert load_bytes("\ufeffreply: é".encode(), "f.yaml")[0].body.reply == "é"


def test_a_part_of_a_model_is_found_by_identity():
    body = loaded("stream:\n  - say: a\n  - together: [{json: 1}, {say: a, cut: {size: 1B}}]\n").body
    inner = body.stream[1].together[1]
    assert locate(body, inner) == ("stream", 1, "together", 1)
    assert locate(body, inner.cut) == ("stream", 1, "together", 1, "cut")
    assert locate(body, body) == ()
    assert locate(body, object()) is None


def test_a_part_in_a_map_is_found():
    body = loaded("head: {headers: {a: {$count: 1}}}\nbreak: {at: 1}\nreply: a").body
    assert locate(body, body.head.headers["a"]) == ("head", "headers", "a")
    assert locate(body, body.break_) == ("break",)


def test_what_is_found_when_an_answer_is_made_has_its_place():
    entry = loaded("reply: a\npatch:\n  - {only: first, remove: [a, b]}\n")
    edit = entry.body.patch[0]
    broken = entry.broken(edit, "touches-nothing", "this edit touches nothing", "take it away")
    assert isinstance(broken, Broken)
    assert (broken.problem.line, broken.problem.column) == (3, 5)
    at_key = entry.broken(edit, "touches-nothing", "m", "r", "only").problem
    assert (at_key.line, at_key.column) == (3, 6)
    assert entry.broken(object(), "c", "m", "r").problem.line == 1
    assert entry.problem(Finding(("patch", 0, "remove", 1), "c", "m")).column == 31


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("stream:\n  - sayy: a\n  - close\n  - done", [(2, 5, "unknown-step"), (4, 5, "after-end")]),
        ("stream:\n  - {say: a, every: 1s}\n  - 3", [(2, 14, "nothing-to-act-on"), (3, 5, "type")]),
        ("patch: [{}, 3]\nreply: a", [(1, 9, "nothing-to-do"), (1, 13, "type")]),
        ("patch: 3\nreply: {}", [(1, 8, "type"), (2, 8, "empty-reply")]),
        ("reply: 3\nwire: {cut: {size: 0B}}", [(1, 8, "type"), (2, 20, "size")]),
        ("foo: 1\nstream: [end, end]", [(1, 1, "unknown-key"), (2, 15, "after-end")]),
        ("reply: {}\nstream: []", [(1, 8, "empty-reply"), (2, 1, "two-verbs")]),
        (
            "attempts: [{stream: [x, end, end]}, {reply: {}}, 3]",
            [(1, 22, "unknown-step"), (1, 30, "after-end"), (1, 45, "empty-reply"), (1, 50, "type")],
        ),
        ("attempts: [{stream: [end, end], dialekt: x}]", [(1, 27, "after-end"), (1, 33, "unknown-key")]),
        ("attempts: [{reply: a, respond: {}}, {reply: {}}]", [(1, 23, "two-verbs"), (1, 45, "empty-reply")]),
    ],
)
def test_one_kind_of_mistake_hides_no_other(text, problems):
    assert told(text) == problems


@pytest.mark.parametrize("text", ["[]", "3", ".nan", "text", "null: 1", "{}", "- reply: a", '"\\ud83d"'])
def test_a_file_that_is_no_scenario_has_one_problem(text):
    assert len(told(text)) == 1


def test_overlays_and_dialects():
    assert loaded("break: none", "overlay").body.break_ == "none"
    assert loaded("shape: {silent: null, logprobs: null, native_finish: true}", "dialect").body.shape.silent is None
    assert told("reply: a", "overlay") == [(1, 1, "unknown-key")]
    assert told("break: {at: 1}", "dialect") == [(1, 1, "unknown-key")]
    assert told("[a]", "dialect") == [(1, 1, "type")]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ('reply: "\\ud83d"', 1),
        ('reply: "\\ud83d"\nwire: {escape: ascii}', 0),
        ('reply: "\\ud83d"\ndialect: openai', 0),
        ('reply: "\\ud83d"\ndialect: openai\nwire: {escape: utf8}', 1),
        ('reply: "\\ud83d"\nwire: {cut: whole}', 1),
        ('reply: "\\ud83d"\nwire: 3', 2),
        ('about: "\\ud83d"\nreply: a', 0),
        ('wire: {escape: ascii}\nstream: [{say: ["\\ud83d"]}, {raw: "\\ud83d"}]', 1),
        ('attempts: [{reply: "\\ud83d", wire: {escape: ascii}}, {reply: "\\ud83d"}]', 1),
        ('wire: {escape: ascii}\nattempts: [{reply: "\\ud83d"}, {reply: "\\ud83d", wire: {escape: utf8}}]', 1),
        ('envelope: {"\\ud83d": 1}\nreply: a', 1),
        ('reply: "\\ud83d\\ude00"', 0),
    ],
)
def test_half_characters_can_only_be_escapes(text, problems):
    assert len(load_text(text)[1].problems) == problems
