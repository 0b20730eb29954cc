"""Where more than one reading of a reply is right: each such row of the language's section 6 is one boolean.

All false is the reading that the row names first. A `Judge` answers for one set of policies and remembers what it was
asked: it is asked only where the answer matters, so what it was asked leads to every other permitted reading.
It must not know how a reply is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

Question = Literal[
    "bad_bytes_fail",
    "open_event_dropped",
    "object_fails",
    "doubtful_error_ignored",
    "unreadable_event_skipped",
    "failed_finish_completes",
    "usage_completes",
    "done_after_chunks_truncates",
    "done_alone_completes",
    "cut_after_finish_truncates",
]


@dataclass(frozen=True, slots=True)
class Policies:
    """What a client has chosen."""

    bad_bytes_fail: bool = False
    """Bytes that are not UTF-8 fail the reply, rather than becoming U+FFFD."""

    open_event_dropped: bool = False
    """A whole last event without its blank line is thrown away, as WHATWG says, rather than read."""

    object_fails: bool = False
    """One completion object where events were asked is a failure, rather than an answer in one piece."""

    doubtful_error_ignored: bool = False
    """An error with or after the finish, one inside a choice, and `error: {}` do not fail the reply."""

    unreadable_event_skipped: bool = False
    """An event that is no JSON is passed over, rather than the end of everything."""

    failed_finish_completes: bool = False
    """A finish reason that names a failure (error, abort, ...) is a finish like another."""

    usage_completes: bool = False
    """Without finish and end marker, having seen usage makes an answer whole."""

    done_after_chunks_truncates: bool = False
    """`[DONE]` after chunks does not stand in for the finish reason that is missing."""

    done_alone_completes: bool = False
    """`[DONE]` with nothing before it is an empty answer, rather than none."""

    cut_after_finish_truncates: bool = False
    """A connection that breaks between the finish and the end marker spoils an answer, as does a body too short."""


FIRST_NAMED = Policies()


@dataclass(slots=True)
class Judge:
    """Answers questions by one set of policies."""

    policies: Policies
    asked: set[Question] = field(default_factory=set)

    def __call__(self, question: Question) -> bool:
        self.asked.add(question)
        return bool(getattr(self.policies, question))

    def others(self) -> Iterator[Policies]:
        """The policies that answer one of the questions asked the other way: from none, all can be reached."""
        for question in get_args(Question):
            if question in self.asked and not getattr(self.policies, question):
                yield replace(self.policies, **{question: True})
