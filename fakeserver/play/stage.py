"""Where an answer is played and who listens: what a player is given beside its plan."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from fakeserver.play.clock import Clock
from fakeserver.play.gates import Gates
from fakeserver.play.notes import Notes
from fakeserver.play.peer import Peer


@dataclass(frozen=True, slots=True)
class Stage:
    """Where an answer is played: the connection, the time, the session's gates, and who listens.

    `speed` 2.0 is twice as fast; None waits for nothing but gates and the gaps inside cuts, and says nothing into
    silences.
    """

    transport: asyncio.Transport
    clock: Clock
    gates: Gates
    notes: Notes
    peer: Peer
    speed: float | None = 1.0

    def sent_so_far(self) -> int | None:
        """Where the next byte stands in the connection's stream: earlier answers may be under way still."""
        acked, unacked = self.peer.acked(), self.peer.unacked()
        if acked is None or unacked is None:
            return None
        return acked + unacked + self.transport.get_write_buffer_size()
