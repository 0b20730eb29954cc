"""How long a case may take: each of the first requests begins it anew, and a storm of them does not go on for ever."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from fakeserver.conform.cases import lasts
from fakeserver.conform.examination import Manner
from fakeserver.conform.patience import Patience
from fakeserver.script.library import Library, load


def test_a_grace_that_is_given_goes_for_all() -> None:
    without, given = Manner(("x",), time_limit=2), Manner(("x",), time_limit=2, grace=40)
    assert (without.most(), without.most(warm=True)) == (12, 7)
    assert (given.most(), given.most(warm=True)) == (42, 42)


def test_a_request_begins_it_anew_and_never_makes_it_shorter() -> None:
    patience = Patience(first=10, then=5, began=100)
    assert patience.end == 110
    patience.asked(101)
    assert patience.end == 110
    patience.asked(108)
    assert patience.end == 113


def test_only_the_first_requests_do() -> None:
    patience = Patience(first=1, then=5, began=0)
    for second in range(1, 50):
        patience.asked(second)
    assert patience.end == 6 + 5
    assert patience.requests == 49


async def test_it_outlasts_what_is_done_in_time_and_no_more() -> None:
    loop = asyncio.get_running_loop()
    waited: asyncio.Future[None] = loop.create_future()
    patience = Patience(first=0.01, then=30, began=loop.time())
    assert not await patience.outlasts(waited)
    patience.asked(loop.time())
    loop.call_later(0.05, waited.set_result, None)
    assert await patience.outlasts(waited)


@pytest.mark.parametrize(
    ("yaml", "seconds"),
    [
        ("reply: Hi\n", 0),
        ("reply: Hi\ntiming: {head: 2s, first: 1s}\n", 3),
        ("stream: [role: assistant, wait: 2s, gate: one, wait: 3s, finish: stop, done]\n", 5),
        ("attempts: [respond: overloaded, {reply: Hi, timing: {head: 4s}}, respond: overloaded]\n", 4),
    ],
)
def test_played_slowly_it_may_take_as_long_as_it_is_scripted(tmp_path: Path, yaml: str, seconds: int) -> None:
    (tmp_path / "mine.yaml").write_text(yaml)
    assert lasts(load([tmp_path]), "mine") == seconds


def test_a_silence_for_good_adds_nothing(shipped: Library) -> None:
    assert lasts(shipped, "headers-then-silence") < 1
