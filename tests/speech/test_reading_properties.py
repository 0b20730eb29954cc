"""What holds for any reply whatsoever."""

from __future__ import annotations

import json
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from fakeserver.speech.accumulator import read, readings
from fakeserver.speech.expect import matches
from fakeserver.speech.reader.jsontext import joined
from fakeserver.speech.reading import WORST_LAST, Ended, Received

KEY = (
    "choices index delta message text content refusal reasoning reasoning_content reasoning_details tool_calls id name "
    "function function_call arguments finish_reason usage error object type response output item output_index "
    "annotations logprobs role incomplete_details reason summary thinking code"
)
WORD = (
    "stop length error abort content_filter thinking refusal reasoning function_call message chat.completion response "
    "response.completed response.incomplete response.failed response.output_item.added response.output_item.done "
    "response.output_text.delta response.function_call_arguments.delta response.function_call_arguments.done"
)
KEYS = st.sampled_from(KEY.split())
WORDS = st.sampled_from(WORD.split())
LEAVES = st.none() | st.booleans() | st.integers(-2, 3) | st.floats(allow_nan=False) | WORDS | st.text(max_size=3)
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=20
)
LIKELY = st.fixed_dictionaries(
    {"choices": st.lists(st.dictionaries(KEYS, JSON, max_size=5), max_size=2)}, optional={"usage": JSON, "error": JSON}
)
DATA = st.builds(json.dumps, JSON | LIKELY) | st.just("[DONE]") | st.text(max_size=5)
NAMES = st.sampled_from(["", "event: error\n", "event: ping\n", "event: response.completed\n", ": hi\n", "id: 1\n"])
EVENT = st.builds(lambda name, data: f"{name}data: {data}\n\n".encode(errors="replace"), NAMES, DATA)
STREAMS = st.lists(EVENT | st.binary(max_size=4), max_size=5).map(b"".join)
ENDS = st.sampled_from(get_args(Ended))
REPLIES = st.builds(
    Received,
    st.sampled_from([None, 200, 200, 200, 204, 404]),
    st.sampled_from([None, "text/event-stream", "application/json", "text/html"]),
    st.binary() | STREAMS | st.builds(lambda value: json.dumps(value).encode(), JSON | LIKELY),
    ENDS,
    st.booleans(),
)


@given(REPLIES)
def test_every_reply_has_a_reading(received: Received) -> None:
    found = readings(received)
    assert read(received) == found[0]
    assert len(found) == len([one for place, one in enumerate(found) if one not in found[:place]])
    for reading in found:
        assert reading.outcome in WORST_LAST
        assert matches({"outcome": reading.outcome, "content": reading.content}, reading) == []


@given(st.text(), st.data())
def test_a_cut_anywhere_never_adds_and_never_completes(text: str, data: st.DataObject) -> None:
    pieces = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in text]
    finish = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    body = b"".join(f"data: {json.dumps(piece)}\n\n".encode() for piece in [*pieces, finish]) + b"data: [DONE]\n\n"
    whole = read(Received(200, "text/event-stream", body))
    assert (whole.outcome, whole.content) == ("complete", text)
    cut = read(Received(200, "text/event-stream", body[: data.draw(st.integers(0, len(body)))], "close"))
    assert text.startswith(cut.content)
    assert cut.outcome == ("truncated" if cut.finish_reason is None else "complete")


@given(STREAMS, ENDS)
def test_line_ends_make_no_difference_to_a_reading(body: bytes, end: Ended) -> None:
    lf = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    kinds = [lf, lf.replace(b"\n", b"\r"), lf.replace(b"\n", b"\r\n")]
    first, *others = [readings(Received(200, "text/event-stream", kind, end)) for kind in kinds]
    assert all(other == first for other in others)


@given(st.text(st.characters()), st.data())
def test_a_text_is_the_sum_of_its_utf_16_units(text: str, data: st.DataObject) -> None:
    units = text.encode("utf-16-le", "surrogatepass")
    pieces = [units[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(units), 2)]
    assert joined(pieces) == units.decode("utf-16-le", "surrogatepass")
