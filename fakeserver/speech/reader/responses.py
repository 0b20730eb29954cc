"""Events of the Responses API -> the draft of a choice that chat chunks fill too, its finish reason in chat's words.

Deltas are what counts; the final object fills in what no delta said (cases responses-completed-with-empty-output and
responses-annotation-events-lost). It must not know events of other kinds, nor what makes an answer whole.
"""

from __future__ import annotations

from collections.abc import Callable

from fakeserver.speech.reader.calls import argument_text
from fakeserver.speech.reader.draft import Draft
from fakeserver.speech.reader.jsontext import Json, items, mapping, text

Payload = dict[str, Json]
PREFIX = "response."


def absorb(draft: Draft, kind: str, payload: Payload) -> None:
    """One event of this type; a type that nobody knows says nothing."""
    if handler := HANDLERS.get(kind):
        handler(draft, payload)


def absorb_object(draft: Draft, response: Payload) -> None:
    """A whole `response` object, as a request without streaming gets it. A status of another kind is no finish."""
    absorb(draft, PREFIX + text(response.get("status")), {"response": response})


def _key(payload: Payload, item_id: Json) -> str:
    """What tells the items apart: the place in the output or, where that is missing, the item's own id."""
    return f"output {payload.get('output_index', item_id)}"


def _text(draft: Draft, payload: Payload) -> None:
    draft.content.append(text(payload.get("delta")))


def _refusal(draft: Draft, payload: Payload) -> None:
    draft.refusal.append(text(payload.get("delta")))


def _reasoning(draft: Draft, payload: Payload) -> None:
    draft.reasoning.append(text(payload.get("delta")))


def _arguments(draft: Draft, payload: Payload) -> None:
    draft.calls.add(_key(payload, payload.get("item_id")), arguments=text(payload.get("delta")))


def _all_arguments(draft: Draft, payload: Payload) -> None:
    _call(draft, _key(payload, payload.get("item_id")), payload)


def _item(draft: Draft, payload: Payload) -> None:
    """An item as it is opened or closed. Of messages and reasoning the deltas speak."""
    item = mapping(payload.get("item"))
    if item.get("type") == "function_call":
        _call(draft, _key(payload, item.get("id")), item)


def _call(draft: Draft, key: str, item: Payload) -> None:
    draft.calls.add(key, text(item.get("call_id")), text(item.get("name")))
    draft.calls.settle(key, argument_text(item.get("arguments")))


def _annotation(draft: Draft, payload: Payload) -> None:
    draft.note([payload.get("annotation")])


def _completed(draft: Draft, payload: Payload) -> None:
    _fill(draft, _response(payload))
    draft.finish("tool_calls" if draft.calls.whole() else "stop")


def _incomplete(draft: Draft, payload: Payload) -> None:
    """Whatever stopped it but the filter, the answer is too short (case responses-incomplete-or-failed)."""
    response = _response(payload)
    _fill(draft, response)
    reason = mapping(response.get("incomplete_details")).get("reason")
    draft.finish("content_filter" if reason == "content_filter" else "length")


def _response(payload: Payload) -> Payload:
    """The nested object or, where a proxy dropped it, the payload itself (case responses-data-without-type)."""
    return mapping(payload.get("response")) or payload


def _fill(draft: Draft, response: Payload) -> None:
    """Each channel that is still empty gets what the final object says; annotations are merged."""
    final = _final(items(response.get("output")))
    draft.content = draft.content if any(draft.content) else final.content
    draft.refusal = draft.refusal if any(draft.refusal) else final.refusal
    draft.reasoning = draft.reasoning if any(draft.reasoning) else final.reasoning
    draft.calls = draft.calls if draft.calls.whole() else final.calls
    draft.note(final.annotations)


def _final(output: list[Json]) -> Draft:
    final = Draft()
    for place, item in enumerate(map(mapping, output)):
        _item(final, {"output_index": place, "item": item})
        for part in map(mapping, items(item.get("content"))):
            final.part({**part, "type": item["type"]} if item.get("type") == "reasoning" else part)
            final.note(part.get("annotations"))
        final.reasoning += [text(mapping(part).get("text")) for part in items(item.get("summary"))]
    return final


HANDLERS: dict[str, Callable[[Draft, Payload], None]] = {
    "response.output_text.delta": _text,
    "response.refusal.delta": _refusal,
    "response.reasoning_text.delta": _reasoning,
    "response.reasoning_summary_text.delta": _reasoning,
    "response.output_item.added": _item,
    "response.output_item.done": _item,
    "response.function_call_arguments.delta": _arguments,
    "response.function_call_arguments.done": _all_arguments,
    "response.output_text.annotation.added": _annotation,
    "response.completed": _completed,
    "response.incomplete": _incomplete,
}
