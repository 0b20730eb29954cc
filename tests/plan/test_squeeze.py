"""Compression and buffers; what they hold is lost where the end is not clean (sections 3 and 5)."""

from __future__ import annotations

import gzip
import zlib

import pytest

from fakeserver.plan import Broken, Gate, coders
from fakeserver.plan.coders import inflated
from tests.plan.making import NS, body, dues, plan, sent, writes

CLOSE = "head: {framing: close}\n"
STEPS = "stream: [{raw: aaaa}, {wait: 10ms}, {raw: bbbb}, {wait: 10ms}, {raw: cc}"


def packed(said: str, end: str = "]", more: str = "") -> list[bytes]:
    return sent(f"{CLOSE}{STEPS}{end}\nwire: {{compress: {said}{more}}}", filled=True)


def test_per_event_each_write_can_be_read_at_once() -> None:
    inflate = zlib.decompressobj(31)
    assert [inflate.decompress(data) for data in packed("gzip")] == [b"aaaa", b"bbbb", b"cc", b""]
    assert inflate.eof
    assert zlib.decompress(b"".join(packed("deflate"))) == b"aaaabbbbcc"
    assert packed("gzip") == packed("{with: gzip, flush: event}")


def test_never_holds_all_until_a_clean_end() -> None:
    assert gzip.decompress(b"".join(packed("{with: gzip, flush: never}"))) == b"aaaabbbbcc"
    for end in (", close]", ", reset]", ", hang]"):
        assert inflated(b"".join(packed("{with: gzip, flush: never}", end)), "gzip") == (b"", True)
        assert inflated(b"".join(packed("gzip", end)), "gzip") == (b"aaaabbbbcc", True)


def test_keep_and_flip() -> None:
    whole = b"".join(packed("gzip"))
    assert b"".join(packed("{with: gzip, keep: 15B}")) == whole[:15]
    flipped = b"".join(packed("{with: gzip, flip: 12B}"))
    assert [i for i, (a, b) in enumerate(zip(whole, flipped)) if a != b] == [12]
    assert flipped[12] == whole[12] ^ 0xFF


def test_the_header_says_it_and_a_cut_cuts_the_compressed_bytes() -> None:
    text = f"{STEPS}]\nwire: {{compress: gzip, cut: {{size: 3B}}}}"
    made = plan(text, filled=True)
    assert b"\r\ncontent-encoding: gzip\r\n" in writes(made)[0].data
    assert (
        b"\r\ncontent-encoding: deflate\r\n"
        in writes(plan("respond: server-error\nwire: {compress: {with: deflate}}", filled=True))[0].data
    )
    assert body(text, filled=True) == b"aaaabbbbcc"
    assert {len(write.data) for write in writes(made)[1:]} <= {
        len(b"3\r\nabc\r\n"),
        len(b"2\r\nab\r\n"),
        len(b"1\r\na\r\n"),
    }


def test_a_named_point_in_compressed_bytes_finds_nothing() -> None:
    with pytest.raises(Broken, match="nothing to cut"):
        plan("reply: naïve\nwire: {cut: {inside: utf8}}", "wire: {compress: gzip}", filled=True)
    assert body("reply: naïve", "wire: {compress: gzip}", "wire: {cut: {inside: utf8}}", filled=True)


@pytest.mark.parametrize("coding", ["br", "zstd"])
def test_the_codings_of_the_extra(coding: str) -> None:
    pieces = packed(coding)
    assert inflated(b"".join(pieces), coding) == (b"aaaabbbbcc", False)
    assert inflated(b"".join(pieces[:1]), coding) == (b"aaaa", True)  # flushed after each event
    assert inflated(b"".join(packed(f"{{with: {coding}, flush: never}}", ", close]")), coding) == (b"", True)
    assert inflated(b"no such coding at all", coding)[1]


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(coders, "import_module", missing)
    with pytest.raises(Broken, match=r"missing-extra compress: br needs the package brotli") as raised:
        plan("reply: a\nwire: {compress: br}", filled=True)
    assert "pip install 'fakeserver[compress]'" in str(raised.value)


def test_holes_are_filled_before_they_are_compressed() -> None:
    made = plan("stream: [{say: a}]\nwire: {compress: gzip}", filled=True)
    assert made.blanks == ()
    assert b"#" * 38 in body("stream: [{say: a}]\nwire: {compress: gzip}", filled=True)


def test_keep_alives_go_through_the_compressor_where_the_silence_is_known() -> None:
    text = """
      timing: {keepalive: {every: 4ms, comment: k}}
      wire: {compress: gzip}
      stream: [{raw: a}, {wait: 9ms}, {raw: b}]
    """
    assert body(text, filled=True) == b"a: k\n\n: k\n\nb"
    assert plan(text, filled=True).idle is None


@pytest.mark.parametrize(
    ("buffer", "expected"),
    [
        ("none", [(0, b"aaaa"), (10, b"bbbb"), (20, b"cc")]),
        ("all", [(20, b"aaaabbbbcc")]),
        ("4B", [(0, b"aaaa"), (10, b"bbbb"), (20, b"cc")]),
        ("5B", [(10, b"aaaabbbb"), (20, b"cc")]),
        ("10ms", [(10, b"aaaa"), (20, b"bbbb"), (20, b"cc")]),
        ("15ms", [(15, b"aaaabbbb"), (20, b"cc")]),
        ("1s", [(20, b"aaaabbbbcc")]),
    ],
)
def test_buffer(buffer: str, expected: list[tuple[float, bytes]]) -> None:
    text = f"{CLOSE}{STEPS}]\nwire: {{buffer: {buffer}}}"
    assert list(zip(dues(text), sent(text))) == expected


def test_what_is_held_goes_out_before_a_gate_and_is_lost_at_any_other_end() -> None:
    text = f"{CLOSE}wire: {{buffer: all}}\nstream: [{{raw: a}}, {{raw: b}}, {{gate: g}}, {{raw: c}}, %s]"
    made = list(plan(text % "end"))
    assert isinstance(made[2], Gate)
    assert sent(text % "end") == [b"ab", b"c"]
    assert [sent(text % end) for end in ("close", "reset", "hang")] == [[b"ab"]] * 3
    assert sent(f"{CLOSE}wire: {{buffer: all}}\nstream: [{{raw: a}}, {{socket: s}}, close]") == [b"a", b"s"]


def test_a_buffer_carries_holes_marks_and_counts() -> None:
    made = writes(plan("wire: {buffer: all}\nstream: [{say: [a, b]}, done]"))[1]
    assert (made.events, made.marks_end, len(made.holes)) == (3, True, 2)
    assert b"chatcmpl-" in body("wire: {buffer: all}\nstream: [{say: [a, b]}]")


def test_a_buffer_holds_compressed_bytes_and_a_cut_cuts_what_it_lets_go() -> None:
    text = f"{STEPS}]\nwire: {{compress: gzip, buffer: all, cut: {{size: 20B, gap: 1ms}}}}"
    assert body(text, filled=True) == b"aaaabbbbcc"
    assert dues(text, filled=True)[:2] == [20, 21]


def test_gaps_of_cuts_behind_a_buffer_keep_the_order() -> None:
    text = f"{CLOSE}{STEPS}]\nwire: {{buffer: 4B, cut: {{size: 1B, gap: 8ms}}}}"
    at = dues(text)
    assert at == sorted(at)
    assert b"".join(sent(text)) == b"aaaabbbbcc"
    assert at[3] == 24
    assert NS == 10**6


def test_inflated() -> None:
    assert inflated(b"x", None) == (b"x", False)
    assert inflated(b"x", "odd") == (b"x", False)
    assert inflated(zlib.compress(b"x"), "deflate") == (b"x", False)
    assert inflated(b"no gzip", "gzip") == (b"", True)


@pytest.mark.parametrize(
    ("said", "wanted"), [("gzip", [1, 2, 3, 3]), ("deflate", [1, 2, 3, 3]), ("{with: gzip, flush: never}", [0, 3])]
)
def test_the_events_that_can_be_read_are_counted(said: str, wanted: list[int]) -> None:
    made = plan(f"{CLOSE}{STEPS}]\nwire: {{compress: {said}}}", filled=True)
    assert [write.events for write in writes(made)[1:]] == wanted
