"""Events, one after the other -> drafts of choices, usage, an error: the part of a reading that goes along a stream.

The one mutable thing of the reference accumulator; made for one reply, read once. It must not know status or headers.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fakeserver.speech.reader import responses
from fakeserver.speech.reader.draft import Draft
from fakeserver.speech.reader.failure import Failure, failure
from fakeserver.speech.reader.jsontext import Json, items, joined, loads, mapping, text, whole_number
from fakeserver.speech.reader.policies import Judge
from fakeserver.speech.reader.verdict import Ending, outcome
from fakeserver.speech.reading import Choice, Ended, Reading
from fakeserver.speech.sse import Event

DONE = "[DONE]"


@dataclass(slots=True)
class Stream:
    """What has been read so far. `torn`: the last event broke off inside."""

    judge: Judge
    drafts: dict[int, Draft] = field(default_factory=dict)
    usage: dict[str, Json] | None = None
    error: dict[str, Json] | None = None
    chunks: bool = False
    done: bool = False
    torn: bool = False

    def take(self, event: Event) -> bool:
        """Read one event. False: nothing after it counts."""
        if not _speaks(event):
            return True
        payload = _payload(event)
        if not event.closed and (payload is None or self.judge("open_event_dropped")):
            self.torn = payload is None
            return False
        if event.damaged and self.judge("bad_bytes_fail"):
            return self._fail("an event is not UTF-8", event)
        if _is_done(event):
            self.done = True
            return False
        if payload is None:
            return self.judge("unreadable_event_skipped") or self._fail("an event is not JSON", event)
        self.absorb(event.name, payload)
        return self.error is None

    def broken(self) -> None:
        """What follows could not be decoded: as bad as an event that cannot be read, where more was awaited."""
        if self.done or self.error is not None:
            return
        self.torn = True
        if not self.judge("unreadable_event_skipped"):
            self.error = {"message": "the body could not be decoded"}

    def _fail(self, why: str, event: Event) -> bool:
        self.error = {"message": f"{why}: {event.data[:80]}"}
        return False

    def absorb(self, name: str, payload: dict[str, Json]) -> None:
        """All of one payload is read before its error counts, so that nothing which arrived is lost."""
        self.chunks = True
        kind = text(payload.get("type")) or name
        if kind.startswith(responses.PREFIX):
            self._response(kind, payload)
        else:
            self._chunk(payload)
        found = failure(name, payload)
        if found and not self._pardoned(found):
            self.error = found.error

    def _response(self, kind: str, payload: dict[str, Json]) -> None:
        responses.absorb(self.draft(0), kind, payload)
        self._count(mapping(payload.get("response")).get("usage"))
        self._count(payload.get("usage"))

    def _chunk(self, payload: dict[str, Json]) -> None:
        """Null and missing choices are none; usage may sit in a choice (Moonshot), and the chunk's own is newer."""
        for place, entry in enumerate(map(mapping, items(payload.get("choices")))):
            index = whole_number(entry.get("index"))
            self.draft(place if index is None else index).choice(entry)
            self._count(entry.get("usage"))
        self._count(payload.get("usage"))

    def _count(self, usage: Json) -> None:
        """Newer counts replace older ones (case usage-cumulative-on-every-chunk). Null counts are none."""
        counts: dict[str, Json] = {key: value for key, value in mapping(usage).items() if value is not None}
        self.usage = counts or self.usage

    def draft(self, index: int) -> Draft:
        return self.drafts.setdefault(index, Draft())

    def _pardoned(self, found: Failure) -> bool:
        finished = bool(self.drafts) and all(draft.finish_reason for draft in self.drafts.values())
        return (found.empty or finished) and self.judge("doubtful_error_ignored")

    def reading(self, end: Ended) -> Reading:
        """The sum of it, once the reply has ended like this."""
        ending = Ending(
            done=self.done,
            chunks=self.chunks,
            usage=self.usage is not None,
            cut=self.torn or end != "clean",
            short=end == "short",
        )
        drafts = sorted(self.drafts.items()) or [(0, Draft())]
        return Reading(tuple(self._choice(index, draft, ending) for index, draft in drafts), self.usage)

    def _choice(self, index: int, draft: Draft, ending: Ending) -> Choice:
        own = draft.error is not None and not self.judge("doubtful_error_ignored")
        error = draft.error if own else self.error
        return Choice(
            index=index,
            outcome=outcome(draft, ending, self.judge) if error is None else "failed",
            content=joined(draft.content),
            refusal=joined(draft.refusal),
            reasoning=joined(draft.reasoning),
            tool_calls=draft.calls.whole(),
            finish_reason=draft.finish_reason,
            error=error,
            role=draft.role,
            logprobs=draft.logprobs,
            annotations=tuple(draft.annotations),
        )


def _speaks(event: Event) -> bool:
    """Has data, and a name that a model's stream knows; pings and tool progress are passed over unread."""
    known = event.name in ("message", "error") or event.name.startswith(responses.PREFIX)
    return known and bool(event.data.strip())


def _is_done(event: Event) -> bool:
    # Some write a space behind it (case done-with-trailing-space), some a tab before all data.
    return event.data.strip() == DONE


def _payload(event: Event) -> dict[str, Json] | None:
    """The event's map; {} for JSON that is no map and so holds nothing; None for what cannot be read.

    An event that is named an error is one, whatever its data look like.
    """
    if _is_done(event):
        return {}
    try:
        value = loads(event.data)
    except ValueError:
        return {"error": event.data} if event.name == "error" else None
    if event.name == "error" and not isinstance(value, dict):
        return {"error": value}
    return mapping(value)
