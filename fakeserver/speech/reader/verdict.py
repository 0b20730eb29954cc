"""A choice as it was read, and how its reply ended -> the outcome: the rows of the language's section 6, in order.

It must not know how either was found out.
"""

from __future__ import annotations

from dataclasses import dataclass

from fakeserver.speech.reader.draft import Draft
from fakeserver.speech.reader.policies import Judge
from fakeserver.speech.reading import Outcome

FAILED_FINISHES = ("error", "abort", "failed", "network_error")


@dataclass(frozen=True, slots=True)
class Ending:
    """What is the same for all choices of a reply: were `[DONE]`, a chunk and usage seen, and how was it cut off.

    `cut`: the reply broke off, so what is not there may have been meant. `short`: it is below its announced length.
    """

    done: bool = False
    chunks: bool = False
    usage: bool = False
    cut: bool = False
    short: bool = False


def outcome(draft: Draft, ending: Ending, judge: Judge) -> Outcome:
    """The outcome of a choice that no error has failed."""
    if draft.finish_reason is None:
        return "complete" if _whole_without_finish(ending, judge) else "truncated"
    if draft.finish_reason in FAILED_FINISHES and not judge("failed_finish_completes"):
        return "failed"
    if _cut_after_finish(ending) and judge("cut_after_finish_truncates"):
        return "truncated"
    refused = draft.finish_reason == "content_filter" or any(draft.refusal)
    return "refused" if refused else "complete"


def _whole_without_finish(ending: Ending, judge: Judge) -> bool:
    if ending.done:
        return not judge("done_after_chunks_truncates") if ending.chunks else judge("done_alone_completes")
    return ending.usage and judge("usage_completes")


def _cut_after_finish(ending: Ending) -> bool:
    """A client has left at `[DONE]` and sees no break behind it; a length that was promised is a promise still."""
    return ending.short or (ending.cut and not ending.done)
