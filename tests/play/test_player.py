"""The pump: what is written, when, in which order, and how it ends. A clock that stands still, no socket."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakeserver.plan.model import Action, Blank, Burst, End, Gate, Hole, Idle, Plan, Write
from fakeserver.play.gates import Released
from fakeserver.play.player import CHECK, SLICE
from tests.play.stand_ins import MS, Show, StillClock


def writes(*moments: int) -> list[Write]:
    return [Write(at * MS, b"%d;" % number, events=number + 1) for number, at in enumerate(moments)]


def test_each_write_at_its_moment_then_the_end():
    show = Show(*writes(0, 20, 20, 60), End(60 * MS, "end", b"0\r\n\r\n")).start()
    assert show.said == [(0, b"0;")]
    show.clock.advance(19 * MS)
    assert len(show.said) == 1
    show.clock.advance(1 * MS)
    assert show.said[1:] == [(20, b"1;"), (20, b"2;")]
    show.clock.advance(100 * MS)
    assert show.said[3:] == [(60, b"3;"), (60, b"0\r\n\r\n")]
    assert show.over == [True]
    assert show.transport.state == "open"
    assert show.how == "complete"


def test_a_late_write_moves_no_later_one():
    show = Show(*writes(0, 10, 20, 30), End(30 * MS, "end")).start()
    show.clock.time += 25 * MS  # the machine was busy
    show.clock.run_due()
    show.clock.advance(5 * MS)
    assert show.said == [(0, b"0;"), (25, b"1;"), (25, b"2;"), (30, b"3;")]
    assert [(planned, actual) for planned, actual, *_ in show.notes.writes] == [
        (0, 0),
        (10 * MS, 25 * MS),
        (20 * MS, 25 * MS),
        (30 * MS, 30 * MS),
    ]


def test_writes_of_one_moment_are_calls_of_their_own_in_order():
    burst = Burst(5 * MS, tuple(Write(5 * MS, b"%d," % n, events=n + 1) for n in range(200)))
    show = Show(burst, End(5 * MS, "end")).start()
    show.clock.advance(5 * MS)
    assert [data for _, data in show.said] == [b"%d," % n for n in range(200)]
    assert [told[2] for told in show.notes.writes] == [64, 64, 64, 8]
    assert [told[4] for told in show.notes.writes] == [64, 128, 192, 200]


def test_a_flood_lets_the_loop_in_after_each_slice_and_the_clock_more_often():
    clock = StillClock()
    flood = Show(Burst(0, tuple(Write(0, b"x") for _ in range(1000))), End(0, "end"), clock=clock).start()
    assert len(flood.said) == SLICE
    assert clock.looks >= SLICE // CHECK
    clock.turn()
    assert len(flood.said) == 2 * SLICE


@pytest.mark.parametrize("in_one_burst", [True, False])
def test_a_timed_stream_keeps_its_moments_beside_a_flood(in_one_burst):
    """Each flood write takes a tenth of a millisecond; a timed write may be late by a few of them, not by a slice."""
    clock = StillClock()
    flood = [Write(0, b"x") for _ in range(500)]
    actions: list[Action] = [Burst(0, tuple(flood))] if in_one_burst else list(flood)
    loud, timed = Show(*actions, End(0, "end"), clock=clock), Show(*writes(1, 2, 3), End(3 * MS, "end"), clock=clock)

    def takes_time() -> None:
        clock.time += MS // 10

    loud.transport.on_write = takes_time
    timed.start()
    loud.start()
    clock.settle()
    assert [round(at, 6) for at, _ in timed.said] == pytest.approx([1, 2, 3], abs=CHECK / 10)
    assert len(loud.said) == 500


def test_twice_as_fast():
    show = Show(*writes(0, 20, 60), End(80 * MS, "end"), speed=2.0).start()
    show.clock.advance(40 * MS)
    assert show.said == [(0, b"0;"), (10, b"1;"), (30, b"2;")]
    assert show.over == [True]
    assert show.notes.endings[0].at == 40 * MS


def test_instant_waits_for_nothing():
    show = Show(*writes(0, 20_000, 60_000), Burst(90_000 * MS, (Write(0, b"b"),)), End(99_000 * MS, "end"), speed=None)
    show.start()
    show.clock.settle()
    assert show.said == [(0, b"0;"), (0, b"1;"), (0, b"2;"), (0, b"b")]
    assert show.over == [True]


def test_instant_keeps_the_gaps_inside_cuts():
    pieces = [Write(1000 * MS, b"a"), Write(1001 * MS, b"b", gap=MS), Write(1002 * MS, b"c", gap=MS)]
    show = Show(*pieces, Write(3000 * MS, b"d"), End(3000 * MS, "end"), speed=None).start()
    show.clock.advance(10 * MS)
    assert show.said == [(0, b"a"), (1, b"b"), (2, b"c"), (2, b"d")]


def test_instant_says_no_keep_alive():
    idle = Write(500 * MS, b":\n\n", "idle")
    burst = Burst(700 * MS, (idle, Write(700 * MS, b"b")))
    only_idle = Burst(800 * MS, (idle,))
    show = Show(
        Write(0, b"a"), idle, burst, only_idle, Gate(0, "g"), End(0, "end"), speed=None, idle=Idle(MS, b":i\n\n")
    )
    show.start()
    show.clock.advance(100 * MS)
    assert show.bytes == b"ab"
    show.gates.release("g")
    assert show.over == [True]


def test_scripted_keep_alives_are_said_at_any_other_speed():
    show = Show(Write(0, b"a"), Write(500 * MS, b":\n\n", "idle"), End(700 * MS, "end")).start()
    show.clock.advance(700 * MS)
    assert show.said == [(0, b"a"), (500, b":\n\n")]


def test_a_gate_holds_and_moments_count_anew_from_its_release():
    show = Show(
        *writes(0, 10), Gate(10 * MS, "half"), Write(0, b"on"), Write(5 * MS, b"ward"), End(5 * MS, "end")
    ).start()
    show.clock.advance(10_000 * MS)
    assert show.bytes == b"0;1;"
    assert show.notes.gates == [("half", 10 * MS)]
    assert show.gates.release("half") == Released(1, False)
    show.clock.advance(5 * MS)
    assert show.said[2:] == [(10_000, b"on"), (10_005, b"ward")]
    assert show.notes.writes[-1][:2] == (10_005 * MS, 10_005 * MS)
    assert show.over == [True]


def test_two_gates_of_one_name_need_two_releases():
    show = Show(Gate(0, "g"), Write(0, b"a"), Gate(0, "g"), Write(0, b"b"), End(0, "end")).start()
    assert show.gates.release("g").released == 1
    assert show.bytes == b"a"
    assert show.gates.release("g").released == 1
    assert show.bytes == b"ab"


def test_a_release_in_advance_lets_the_next_one_through():
    show = Show(Gate(0, "g"), Write(3 * MS, b"a"), Gate(3 * MS, "g"), Write(0, b"b"), End(0, "end"))
    show.gates.release("g")
    show.start()
    show.clock.advance(3 * MS)
    assert show.said == [(3, b"a")]
    assert show.how == "in flight"


def test_keep_alives_at_a_gate_each_so_often_after_the_last_event():
    gate = [Write(0, b"a"), Write(3 * MS, b"b"), Gate(5 * MS, "g"), Write(4 * MS, b"c"), End(4 * MS, "end")]
    show = Show(*gate, idle=Idle(10 * MS, b":\n\n")).start()
    show.clock.advance(34 * MS)
    assert show.said == [(0, b"a"), (3, b"b"), (13, b":\n\n"), (23, b":\n\n"), (33, b":\n\n")]
    assert show.notes.idles == [(13 * MS, 3), (23 * MS, 3), (33 * MS, 3)]
    show.gates.release("g")
    show.clock.advance(50 * MS)
    assert show.said[5:] == [(38, b"c")]


def test_keep_alives_after_hang_go_on_until_the_peer_leaves():
    show = Show(Write(0, b"a"), End(0, "hang"), idle=Idle(10 * MS, b"."), speed=2.0).start()
    show.clock.advance(20 * MS)
    assert show.bytes == b"a...."
    show.player.left("FIN")
    show.clock.advance(100 * MS)
    assert show.bytes == b"a...."


def test_no_keep_alive_before_the_head():
    show = Show(Gate(0, "g"), Write(0, b"head", "head"), End(0, "hang"), idle=Idle(10 * MS, b".")).start()
    show.clock.advance(100 * MS)
    assert show.bytes == b""


def test_holes_are_filled_with_this_requests_values():
    plan = Plan((Write(0, b"id=....;", holes=(Hole(3, 0, 0, 4),)), End(0, "end")), blanks=(Blank("id", 4),))
    show = Show(plan=plan, values=(b"1234",)).start()
    assert show.bytes == b"id=1234;"


# Ends.


def test_close_is_a_fin_after_the_last_byte():
    show = Show(Write(0, b"a"), End(7 * MS, "close")).start()
    assert show.transport.state == "open"
    show.clock.advance(7 * MS)
    assert (show.transport.state, show.over, show.how) == ("closed", [False], "ended")
    assert show.notes.endings[0].kind == "close"


def test_a_clean_end_that_does_not_keep_the_connection_is_a_fin():
    show = Show(Write(0, b"a"), End(0, "end", b"z", keep_alive=False)).start()
    assert (show.bytes, show.transport.state, show.over, show.how) == (b"az", "closed", [False], "complete")


def test_reset_now_aborts_at_once():
    show = Show(Write(0, b"a"), End(0, "reset-now")).start()
    assert (show.transport.state, show.over, show.how) == ("aborted", [False], "ended")


def test_hang_stays_until_the_server_stops():
    show = Show(Write(0, b"a"), End(0, "hang")).start()
    show.clock.advance(10**15)
    assert (show.transport.state, show.over) == ("open", [])
    show.player.stop()
    assert (show.over, show.how) == ([False], "stopped")


def test_a_recipe_that_fails_halfway_breaks_its_own_stream_only():
    def recipe() -> Iterator[Action]:
        yield Write(0, b"a")
        raise ValueError("line 7")

    show = Show(plan=Plan(recipe)).start()
    assert (show.bytes, show.transport.state, show.over, show.how) == (b"a", "aborted", [False], "broken")
    assert show.notes.endings[0].detail == "ValueError: line 7"


# The peer leaves.


def test_leaving_in_a_silence():
    show = Show(*writes(0, 10, 5000), End(5000 * MS, "end")).start()
    show.clock.advance(100 * MS)
    show.player.left("RST")
    assert show.notes.endings == [show.notes.endings[0]]
    ending = show.notes.endings[0]
    assert (ending.how, ending.by, ending.at, show.over) == ("gone", "RST", 100 * MS, [False])
    assert len(show.clock.schedule) == 0
    show.clock.advance(10_000 * MS)
    assert len(show.said) == 2


def test_leaving_after_the_end_marker_has_missed_nothing():
    show = Show(Write(0, b"[DONE]", marks_end=True), Write(10 * MS, b"more"), End(20 * MS, "end")).start()
    show.player.left("FIN")
    assert show.how == "complete"


def test_leaving_between_the_last_byte_and_the_end_has_missed_nothing():
    show = Show(Write(0, b"last"), End(50 * MS, "end")).start()
    show.player.left("FIN")
    assert show.how == "complete"


def test_giving_up_on_a_hang_is_leaving():
    show = Show(Write(0, b"last"), End(0, "hang")).start()
    show.player.left("FIN")
    assert show.how == "gone"


def test_leaving_at_a_gate_is_forgotten_by_the_gate():
    show = Show(Write(0, b"a"), Gate(0, "g"), End(0, "end")).start()
    show.player.left("FIN")
    assert show.gates.release("g") == Released(0, True)
    assert show.how == "gone"


def test_what_comes_after_the_end_changes_nothing():
    show = Show(Write(0, b"a"), End(0, "end")).start()
    show.player.left("FIN")
    show.player.stop()
    assert (show.over, len(show.notes.endings)) == ([True], 1)


def test_nothing_is_written_to_a_transport_that_has_failed():
    show = Show(Burst(0, tuple(Write(0, b"x") for _ in range(300))), End(0, "end"))

    def fail_at_the_third() -> None:
        if len(show.said) == 3:
            show.transport.state = "failed"

    show.transport.on_write = fail_at_the_third
    show.start()
    show.clock.settle()
    assert len(show.said) == 3
    show.player.left("RST")
    assert show.how == "gone"


# A reader that does not read.


@pytest.mark.parametrize("in_one_burst", [True, False])
def test_pausing_stops_at_once_and_resuming_goes_on(in_one_burst):
    flood = [Write(0, b"x") for _ in range(300)]
    show = Show(*([Burst(0, tuple(flood))] if in_one_burst else flood), End(0, "end"))

    def full_at_ten() -> None:
        if len(show.said) == 10:
            show.player.pause()

    show.transport.on_write = full_at_ten
    show.start()
    show.clock.settle()
    assert len(show.said) == 10
    show.clock.time += 5 * MS
    show.player.resume()
    show.player.pause()
    show.player.resume()
    show.clock.settle()
    assert len(show.said) == 300
    assert show.over == [True]
    assert show.notes.stalled == 5 * MS


def test_a_pause_during_a_wait_holds_the_next_write():
    show = Show(*writes(0, 10), End(10 * MS, "end")).start()
    show.player.pause()
    show.clock.advance(50 * MS)
    assert len(show.said) == 1
    show.player.resume()
    show.clock.settle()
    assert show.said[1:] == [(50, b"1;")]
    assert show.notes.stalled == 40 * MS


def test_a_stalled_reader_is_not_sent_keep_alives():
    show = Show(Write(0, b"a"), Gate(0, "g"), End(0, "end"), idle=Idle(10 * MS, b".")).start()
    show.player.pause()
    show.clock.advance(100 * MS)
    show.player.resume()
    show.clock.advance(10 * MS)
    assert show.bytes == b"a."


def test_a_connection_that_is_full_already_waits():
    show = Show(Write(0, b"a"), End(0, "end"), paused=True).start()
    assert show.said == []
    show.player.resume()
    show.clock.settle()
    assert show.over == [True]


# Whatever the plan.

sizes = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 150)), max_size=12)


@given(sizes, st.sampled_from([0.5, 1.0, 3.0, None]))
def test_any_plan_is_played_whole_in_order_and_never_early(steps, speed):
    actions: list[Action] = []
    due = 0
    for number, (wait, count) in enumerate(steps):
        due += wait * 7 * MS
        data = [b"%d.%d " % (number, part) for part in range(count)]
        actions.append(Burst(due, tuple(Write(due, one) for one in data)) if count > 1 else Write(due, data[0]))
    plan = Plan((*actions, End(due, "end", b"!")))
    show = Show(plan=plan, speed=speed).start()
    show.clock.advance(10**12)
    assert show.bytes == b"".join(write.data for write in plan.writes()) + b"!"
    assert all(actual >= planned for planned, actual, *_ in show.notes.writes)
    assert show.over == [True]
