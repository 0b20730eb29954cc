"""A record -> what was sent of its answer, as a correct client must read it; and whether the script has cut it.

It is read by the project's own reference reader from the plan, made again, as far as the record says that it went out.
"""

from __future__ import annotations

from collections.abc import Iterator

from fakeserver.journal import Record
from fakeserver.plan.heard import listened
from fakeserver.plan.model import Action, Burst, End, EndKind, Plan, Write
from fakeserver.speech import sse
from fakeserver.speech.accumulator import readings
from fakeserver.speech.reader.stream import DONE
from fakeserver.speech.reading import Reading

LONGEST = 512 << 10  # bytes: a longer answer is not read again, since others wait meanwhile
_CUTS = ("close", "reset", "reset-now", "hang")


class Reader:
    """Reads records' answers; those that had the same plan, and ended at the same place in it, once."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, int, EndKind], tuple[Plan, tuple[Reading, ...]]] = {}

    def __call__(self, record: Record) -> tuple[Reading, ...]:
        """Every right reading; none where it is not known what was sent."""
        if record.script is None or record.bytes > LONGEST:
            return ()
        plan = record.script()
        place = id(plan), record.events, _end(record).kind
        if place not in self._found:  # with its plan, so that no other one gets its id
            sent = Plan(tuple(_gone_out(plan, record)), plan.status)
            self._found[place] = plan, readings(listened(sent))
        return self._found[place][1]


def open_at_marker(record: Record) -> bool:
    """The end marker of a stream was sent, and by its framing the body was not over then."""
    if record.script is None or record.bytes > LONGEST:
        return False
    heard = listened(Plan((*_until_marker(record.script()), End(0, "hang"))))
    return heard.end == "open" and any(event.data.strip() == DONE for event in sse.events(heard.body))


def _until_marker(plan: Plan) -> Iterator[Write]:
    for write in plan.writes():
        yield write
        if write.marks_end:
            return


def cut_by_server(record: Record) -> bool:
    """Its script came to a close, a reset or a silence for good, or this server failed on it."""
    ending = record.ending
    return ending is not None and (ending.how == "broken" or ending.kind in _CUTS)


def _gone_out(plan: Plan, record: Record) -> Iterator[Action]:
    """All up to the first event that did not go out whole: the most that can have been sent."""
    for action in plan.actions([b"0" * blank.size for blank in plan.blanks]):
        if isinstance(action, Write | Burst):
            for write in action.writes if isinstance(action, Burst) else (action,):
                if write.events > record.events:
                    yield _end(record)
                    return
                yield write
        elif isinstance(action, End):
            yield action if record.ending is not None and record.ending.kind == action.kind else _end(record)


def _end(record: Record) -> End:
    """How it ended before its script did: by a release, or by whoever left."""
    kind: EndKind = "hang" if record.ending is None else record.ending.kind or "close"
    return End(0, kind)
