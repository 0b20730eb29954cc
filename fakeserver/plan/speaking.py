"""A speech step -> the parts of its chunks, one after the other. It must not know events or time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fakeserver.plan.draw import Around, Drawer
from fakeserver.plan.replies import Line
from fakeserver.script.steps import CHANNELS, Call, Speech
from fakeserver.speech.calls import AllCalls
from fakeserver.speech.chat import NOTHING, Chat, Talk

Json = Any
Part = dict[str, Any]  # channel -> a text that may be still to be drawn; call -> its fragments


class Speaker:
    """The voice of one pass: it remembers the calls that are open."""

    def __init__(self, chat: Chat, drawer: Drawer):
        self.chat = chat
        self.drawer = drawer
        self.calls = AllCalls(chat.shape.call_keys, chat.shape.call_id)

    def around(self, choice: int) -> Around:
        return Around(self.chat.said.get(choice, ""))

    def talks(self, line: Line) -> Iterator[Talk]:
        """Role and delta ride on the first chunk, finish, usage and an error on the last.

        Each piece is drawn when the one before it has been said: a template may look back at it.
        """
        parts = self._parts(line.step)
        for i, part in enumerate(parts):
            last = i == len(parts) - 1
            talk = self._talk(line, part, i == 0 and line.opens, last and line.closes)
            if i == 0:
                self._first(talk, line)
            if last:
                self._last(talk, line.step)
            self._every(talk, line)
            yield talk

    def _parts(self, step: Speech) -> list[Part]:
        names = [name for name in CHANNELS if step.has(name)]
        fragments = self._fragments(step) if "call" in names else []
        if names == ["call"]:
            return [{"call": [fragment]} for fragment in fragments]
        if len(names) == 1:
            return [{names[0]: value} for value in self._values(step, getattr(step, names[0]))]
        texts = {name: getattr(step, name) for name in names if name != "call"}
        return [{**{name: _only(text) for name, text in texts.items()}, "call": fragments}]

    def _values(self, step: Speech, value: Any) -> list[Any]:
        """The pieces of a text; those of a list are cut where the step says by what, else each is drawn in its turn."""
        if isinstance(value, tuple) and not step.by:
            return list(value)
        texts = value if isinstance(value, tuple) else (value,)
        around = self.around(step.choice)
        return [piece for text in texts for piece in self.drawer.pieces(self.drawer.text(text, around), step.by)]

    def _fragments(self, step: Speech) -> list[Json]:
        calls: Any = step.call if isinstance(step.call, tuple) else (step.call,)
        around, mine = self.around(step.choice), self.calls.of(step.choice)
        out: list[Json] = []
        for call in calls:
            names = [name for name in Call.model_fields if call.has(name)]
            written = {name: self.drawer.value(getattr(call, name), around) for name in names}
            out += mine.fragments(written, lambda value: self.drawer.arguments(value, step.by), step.by == "whole")
        return out

    def _talk(self, line: Line, part: Part, opens: bool, closes: bool) -> Talk:
        step: Speech = line.step
        chooses = bool(part.keys() - {"call"} or part.get("call")) or any(map(step.has, ("role", "finish", "delta")))
        talk = Talk(step.choice if chooses else None, calls=part.get("call", []))
        around = self.around(step.choice)
        for name in part.keys() - {"call"}:
            setattr(talk, name, self.drawer.text(part[name], around))
        if talk.think is not None and self.chat.shape.reasoning == "think-tags":
            talk.think = f"{'<think>' * opens}{talk.think}{'</think>' * closes}"
        return talk

    def _first(self, talk: Talk, line: Line) -> None:
        step: Speech = line.step
        talk.role = step.role
        talk.calls_only = line.calls_only or bool(talk.calls)
        if step.delta is not None:
            talk.delta = self.drawer.value(step.delta, self.around(step.choice))

    def _last(self, talk: Talk, step: Speech) -> None:
        around = self.around(step.choice)
        if step.has("finish"):
            talk.finish = step.finish
        if step.has("usage"):
            talk.usage = with_total(self.drawer.value(step.usage, around))
        if step.has("fail"):
            talk.fail = self.drawer.value(step.fail, around)

    def _every(self, talk: Talk, line: Line) -> None:
        step: Speech = line.step
        if step.has("logprobs"):
            talk.logprobs = self.drawer.value(step.logprobs, self.around(step.choice))
        if line.null_usage and talk.usage is NOTHING:
            talk.usage = None
        if talk.finish is not NOTHING:
            talk.base = line.base


def _only(value: Any) -> Any:
    return value[0] if isinstance(value, tuple) else value


def with_total(usage: Json) -> Json:
    """`total_tokens` is added where both counts are numbers and it is not written: after the later of the two."""
    if not isinstance(usage, dict) or "total_tokens" in usage:
        return usage
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    if not all(isinstance(count, int | float) and not isinstance(count, bool) for count in counts):
        return usage
    rows = list(usage.items())
    place = max(i for i, (name, _) in enumerate(rows) if name in ("prompt_tokens", "completion_tokens")) + 1
    return dict([*rows[:place], ("total_tokens", sum(counts)), *rows[place:]])
