"""The engine's small parts by themselves: its sessions, a head with one header more, the memory of plans."""

from __future__ import annotations

import pytest

from fakeserver.engine.heads import with_header, without_body
from fakeserver.engine.memory import Memory
from fakeserver.engine.sessions import Sessions
from fakeserver.plan import Burst, End, Plan, Write
from fakeserver.plan.model import Hole


def test_sessions_are_bounded_and_busy_ones_stay():
    gone = []
    sessions = Sessions(limit=3, forget=gone.append)
    busy = sessions.get("busy")
    busy.playing[1] = None
    for number in range(10):
        sessions.get(f"s{number}").count("x")
    assert len(sessions) == 3
    assert sessions.get("busy") is busy
    assert sessions.get("s9").count("x") == 2
    busy.ended(1)
    for number in range(3):
        sessions.get(f"t{number}")
    assert sessions.get("busy") is not busy
    assert gone[-1] == "t0"
    assert "busy" in gone


def test_a_header_more_moves_the_holes_behind_it():
    data = b"HTTP/1.1 200 OK\r\na: ??\r\n\r\n??"
    plan = Plan((Burst(0, (Write(0, data, holes=(Hole(20, 0, 0, 2), Hole(26, 0, 0, 2))),)), End(0, "end")))
    changed = with_header(plan, "b", "c")
    filled = next(iter(changed)).filled((b"xy",))
    assert filled.data == b"HTTP/1.1 200 OK\r\na: xy\r\nb: c\r\n\r\nxy"
    headless = next(iter(without_body(changed))).filled((b"xy",))
    assert headless.data == b"HTTP/1.1 200 OK\r\na: xy\r\nb: c\r\n\r\n"


def test_memory_forgets_the_least_used():
    memory: Memory[int, str] = Memory(2)
    made = []

    def make(key: int) -> str:
        return memory.get(key, lambda: made.append(key) or str(key))

    assert [make(key) for key in (1, 2, 1, 3, 1, 2)] == ["1", "2", "1", "3", "1", "2"]
    assert made == [1, 2, 3, 2]
    with pytest.raises(ZeroDivisionError):
        memory.get(9, lambda: 1 // 0)
    assert len(memory) == 2
