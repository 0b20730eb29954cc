import pytest

from fakeserver.script.loader import load_text


def codes(text, kind="scenario"):
    return [problem.code for problem in load_text(text, "f.yaml", kind)[1].problems]


@pytest.mark.parametrize(
    "step",
    [
        "{say: a, finish: stop, usage: {prompt_tokens: 1}}",
        "{say: a, think: b}",
        "{say: a, think: b, by: whole}",
        "{say: a, call: {name: f, arguments: '{}'}}",
        "{say: [a, b], role: assistant, delta: {x: 1}, every: 1ms}",
        "{say: abc, by: char, every: 1ms}",
        "{say: [a, b], by: whole, every: 1ms}",
        "{call: {name: f, arguments: {a: 1}}, every: 1ms, by: token}",
        "{call: [{name: f}], every: 1ms}",
        "{role: assistant, choice: 1, logprobs: null}",
        "{finish: stop, choice: 1}",
        "{delta: {a: 1}, logprobs: {content: []}}",
        "{fail: null}",
        "{done: , fields: {id: 1}, keep: -1B, cut: {at: [1]}}",
        "{raw: a, cut: {size: 1B}, keep: {framed: 3B}}",
        "{together: [{say: [a, b]}, done, {raw: x}]}",
        "{repeat: [{say: a}, {wait: 1s}, {gate: g}], times: 0}",
        "{comment: a, newline: cr}",
        "{reset: now}",
        "hang",
    ],
)
def test_steps_that_are_right(step):
    assert codes(f"stream: [{step}]") == []


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ("{say: [a, b], think: c}", "one-chunk"),
        ("{say: a, think: [c]}", "one-chunk"),
        ("{say: a, think: c, by: word}", "one-chunk"),
        ("{say: a, call: {arguments: [a]}}", "one-chunk"),
        ("{say: a, call: [{name: f}]}", "one-chunk"),
        ("{role: assistant, by: word}", "nothing-to-act-on"),
        ("{say: a, every: 1ms}", "nothing-to-act-on"),
        ("{say: [a], every: 1ms}", "nothing-to-act-on"),
        ("{say: a, by: whole, every: 1ms}", "nothing-to-act-on"),
        ("{say: a, think: b, every: 1ms}", "nothing-to-act-on"),
        ("{usage: null, choice: 0}", "nothing-to-act-on"),
        ("{fail: a, logprobs: null}", "nothing-to-act-on"),
        ("{wait: 1s, cut: {size: 1B}}", "nothing-to-act-on"),
        ("{together: [{wait: 1s}]}", "together"),
        ("{together: [{gate: a}]}", "together"),
        ("{together: [{repeat: [{wait: 1s}], times: 2}]}", "together"),
        ("{together: [{say: [a, b], every: 1ms}]}", "together"),
        ("{together: [{reset: now}]}", "end-inside"),
        ("{repeat: [hang], times: 2}", "end-inside"),
        ("{say: a, cut: {size: 0B}}", "size"),
        ("{raw: a, cut: {inside: frame-end}}", "nothing-to-act-on"),
    ],
)
def test_steps_that_cannot_be(step, code):
    assert codes(f"stream: [{step}]") == [code]


def test_after_an_end_each_step_is_shown_once():
    assert codes("stream: [close, done, {say: a}]") == ["after-end"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("reply: {finish: stop}", []),
        ("reply: {fail: {message: x}}", []),
        ("reply: {call: {name: f}, by: whole}", []),
        ("reply: [{}, {say: a}, {by: word, finish: stop}]", ["empty-reply", "nothing-to-act-on"]),
        ("reply: a\nwire: {compress: gzip, cut: {size: 1B}}", []),
        ("reply: a\nwire: {compress: gzip, cut: {at: [3]}}", []),
        ("reply: a\nwire: {compress: none, cut: {inside: utf8}}", []),
        ("reply: a\nwire: {compress: gzip, cut: {inside: frame-size, framed: true}}", []),
        ("reply: a\nwire: {compress: gzip, cut: {inside: utf8}}", ["cut-compressed"]),
        ("reply: a\nwire: {compress: {with: br}}\npatch: [{cut: {inside: utf8}}]", ["cut-compressed"]),
        ("wire: {compress: gzip}\nstream: [{together: [{say: a, cut: {inside: lines}}]}]", ["cut-compressed"]),
        ("wire: {compress: gzip}\nattempts: [{reply: a, wire: {cut: {inside: utf8}}}]", ["cut-compressed"]),
        ("wire: {compress: gzip}\nattempts: [{reply: a, wire: {compress: none, cut: {inside: utf8}}}]", []),
        ("attempts: [{reply: {}}, {stream: [end, end]}]", ["empty-reply", "after-end"]),
        ("patch: [{}, {only: first}, {drop: true}]\nreply: a", ["nothing-to-do", "nothing-to-do"]),
        ("patch: none\nreply: a", []),
        ("when: {}\nrespond: rate-limited", []),
        ("when: [{header: {a: {}}}, {system: a}]\nreply: a", ["no-test"]),
    ],
)
def test_scenarios(text, expected):
    assert codes(text) == expected


def test_the_opening_of_a_dialect_is_checked():
    assert codes("script: {opening: [comment: a, end]}", "dialect") == ["end-inside"]
    assert codes("script: {opening: [{role: assistant, by: word}]}", "dialect") == ["nothing-to-act-on"]
    assert codes("break: {at: 1}", "dialect") == ["unknown-key"]


def test_overlays_are_checked():
    assert codes("wire: {cut: {inside: frame-size}}", "overlay") == ["nothing-to-act-on"]
