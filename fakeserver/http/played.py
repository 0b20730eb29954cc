"""An answer -> bytes on a connection, played; and what aiohttp is handed afterwards, so that it adds nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from aiohttp import web

from fakeserver.engine import Answer
from fakeserver.play.clock import Clock
from fakeserver.play.notes import Ending
from fakeserver.play.peer import Diagnosis, Peer
from fakeserver.play.player import Player
from fakeserver.play.stage import Stage

if TYPE_CHECKING:
    from fakeserver.http.connection import Connection


class Played(web.StreamResponse):
    """What a handler returns once everything has been written: only whether the connection stays is left to say."""

    def __init__(self, keep_alive: bool) -> None:
        super().__init__()
        self._stays = keep_alive

    @property
    def keep_alive(self) -> bool | None:
        return self._stays

    async def prepare(self, request: web.BaseRequest) -> Any:
        return None

    async def write_eof(self, data: bytes = b"") -> None:
        return None


async def play(connection: Connection, answer: Answer, epoch: int, clock: Clock, diagnosis: Diagnosis) -> bool:
    """Play it to its end, whatever that is. Whether the connection may serve another request."""
    transport = connection.transport
    if transport is None:
        answer.record.ended(Ending("gone", clock.now() - epoch, by=connection.left_by or "lost"))
        return False
    over: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    if answer.clock is not None:  # the session's own time; the moment at which it was read is now there
        clock, epoch = answer.clock, answer.clock.now()
    peer = Peer(transport.get_extra_info("socket"), diagnosis)
    stage = Stage(transport, clock, answer.gates, answer.record, peer, answer.speed)

    def tell(stays: bool) -> None:
        if not over.done():  # cancelled: the server stops
            over.set_result(stays)

    player = Player(answer.plan, answer.values, stage, epoch, tell, connection.writing_paused)
    connection.player = player
    answer.plays(connection.cut, player)
    player.start()
    try:
        return await over
    except asyncio.CancelledError:
        player.stop()
        raise
