"""What a session has of its own, without a server: queue, stops, other ends, idleness, verdicts."""

from __future__ import annotations

import json

import pytest

from fakeserver.engine import Engine
from fakeserver.engine.holding import STOP, Holding, Stops
from fakeserver.engine.onward import ended
from fakeserver.engine.queue import LIMIT, Full, Queue
from fakeserver.engine.repertoire import OWN_LIMIT, OWN_SIZE, TooMuch
from fakeserver.engine.sessions import IDLE, Sessions
from fakeserver.engine.showing import load_own, timeline_of
from fakeserver.engine.verify import Wanted, verify
from fakeserver.match.facts import Facts
from fakeserver.match.route import route_of
from fakeserver.plan.model import Burst, End, Gate, Plan, Write
from fakeserver.play.notes import Ending
from fakeserver.script.library import load
from tests.play.stand_ins import MS, Show

CHAT = "/v1/chat/completions"


@pytest.fixture
def engine(tmp_path):
    for name, text in {"hello": "reply: Hello.\n", "turns": "attempts: [{reply: A}, {reply: B}]\n"}.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    return Engine(load([tmp_path]))


def asked(model="hello", session="a"):
    path = f"/session/{session}{CHAT}"
    body = {"model": model, "stream": True, "messages": [{"role": "user", "content": "Hi"}]}
    return Facts("POST", path, route_of(path), {}, json.dumps(body).encode())


# Queue.


def test_a_queue_gives_each_answer_its_times_and_then_what_is_used():
    queue = Queue()
    queue.add("a", 2)
    queue.add("b")
    queue.use = "c"
    assert [queue.take() for _ in range(4)] == [("a", "queue"), ("a", "queue"), ("b", "queue"), ("c", "use")]
    queue.use = None
    assert queue.take() == ("", "")


def test_a_queue_is_bounded_by_its_answers_not_its_entries():
    queue = Queue()
    queue.add("a", LIMIT)
    with pytest.raises(Full):
        queue.add("b")
    assert (len(queue), queue.clear(), len(queue)) == (LIMIT, LIMIT, 0)


def test_a_queued_name_that_is_gone_since_is_a_404_that_says_so(engine, tmp_path):
    engine.enter("a", 0).queue.add("turns")
    (tmp_path / "turns.yaml").unlink()
    engine.swap(load([tmp_path]))
    chosen = engine.answer(asked(), 0).record.chosen
    assert (chosen.status, chosen.why) == (404, "no such scenario")
    assert "It is asked for by the queue." in chosen.unmatched.message


# Generations.


class Stream:
    """Nothing waits in it."""

    gate = None


def test_a_late_end_of_an_old_generation_changes_nothing_in_the_new_one(engine):
    old = engine.answer(asked("turns"), 0)
    stopped = []
    old.plays(lambda: stopped.append(1), Stream())
    session = engine.reset("a", 0)
    assert stopped == [1]
    new = engine.answer(asked("turns"), 0)
    old.record.ended(Ending("stopped", 5))
    assert engine.journal.of("a") == (new.record,)
    assert list(session.playing) == [new.record.number]
    assert new.record.chosen.attempt == 1


def test_sessions_that_nobody_uses_are_forgotten_but_for_the_one_at_the_desk():
    gone = []
    sessions = Sessions(forget=gone.append)
    for name in ("default", "old", "busy"):
        sessions.get(name, 0)
    sessions.get("busy").reading = 1
    sessions.get("young", IDLE)
    assert gone == ["old"]
    assert [session.name for session in sessions] == ["default", "busy", "young"]
    assert sessions.get("old", IDLE).generation == 1
    assert sessions.renew("old", IDLE).generation == 2
    assert sessions.drop("old")
    assert not sessions.drop("old")


def test_a_session_holds_so_many_scenarios_of_its_own(engine):
    session = engine.enter("a", 0)
    for number in range(OWN_LIMIT):
        entry, _ = load_own(engine.library, f"s{number}", "reply: Hi.\n")
        engine.own(session, entry)
    entry, _ = load_own(engine.library, "more", "reply: Hi.\n")
    with pytest.raises(TooMuch):
        engine.own(session, entry)
    engine.own(session, load_own(engine.library, "s0", "reply: Other.\n")[0])
    long = load_own(engine.library, "s0", f"reply: Hi.\n#{'x' * OWN_SIZE}\n")[0]
    with pytest.raises(TooMuch):
        engine.own(session, long)


def test_own_scenarios_stand_over_whatever_library_is_served(engine, tmp_path):
    session = engine.enter("a", 0)
    engine.own(session, load_own(engine.library, "mine", "reply: Mine.\n")[0])
    first = engine.repertoire(session)
    assert engine.repertoire(session) is first
    (tmp_path / "more.yaml").write_text("reply: More.\n")
    engine.swap(load([tmp_path]))
    assert set(engine.repertoire(session).plans.names()) == {"hello", "mine", "more", "turns"}


def test_own_names_are_names(engine):
    entry, (problem,) = load_own(engine.library, "Bad Name", "reply: Hi.\n")
    assert (entry, problem.code) == (None, "name")


# Stops and ends.


def events(*moments):
    return [Write(at * MS, b"%d" % number, events=number + 1) for number, at in enumerate(moments)]


def test_stops_before_each_event_count_what_follows_from_their_release():
    holding = Holding(on=True)
    head, cut = Write(0, b"H", "head"), Write(5 * MS, b"x", events=1)
    plan = Plan((head, Burst(0, tuple(events(0))), cut, Write(10 * MS, b"y", events=2), Gate(12 * MS, "g"),
                 Write(3 * MS, b"z", events=3), End(4 * MS, "end")))  # fmt: skip
    made = [(type(action).__name__, action.due // MS) for action in Stops(holding).over(None, plan, False, 0)]
    assert made == [
        ("Write", 0), ("Gate", 0), ("Write", 0), ("Gate", 5), ("Write", 0), ("Write", 5), ("Gate", 7),
        ("Gate", 3), ("Write", 0), ("End", 1),
    ]  # fmt: skip


def test_a_hand_may_change_its_mind_before_the_next_event_is_due():
    """What the player has taken long before its moment is given out anew: no stop too many, none too few."""
    show = Show(*events(0, 10, 20, 30), End(30 * MS, "end")).start()
    stops = Stops(Holding())

    def hold(on, at):
        show.clock.advance(at * MS - (show.clock.time - show.began))
        stops.own = on
        show.player.amend(lambda taken, rest, inside: stops.over(taken, rest, inside, len(show.bytes)))

    hold(True, at=4)
    hold(False, at=5)
    hold(False, at=12)
    hold(True, at=15)
    show.clock.advance(1000 * MS)
    assert show.said == [(0, b"0"), (10, b"1")]
    assert show.player.gate == STOP
    hold(False, at=1015)
    show.player.let_go()
    show.clock.advance(1000 * MS)
    assert show.said[2:] == [(1015, b"2"), (1025, b"3")]
    assert show.how == "complete"


def test_a_step_of_several_events_and_the_end_of_holding():
    holding = Holding(on=True)
    show = Show(*events(0, 10, 20, 30, 40), End(40 * MS, "end"))
    show.player.amend(lambda taken, rest, inside: Stops(holding).over(taken, rest, inside, 0))
    show.start()
    assert show.bytes == b""
    holding.size = 2
    show.gates.release(STOP)
    show.clock.advance(1000 * MS)
    assert show.bytes == b"01"
    holding.size = 1
    show.gates.release(STOP)
    show.clock.advance(1000 * MS)
    assert show.bytes == b"012"
    holding.on = False
    show.gates.release(STOP)
    show.clock.advance(9 * MS)
    assert show.bytes == b"0123"
    show.clock.advance(1 * MS)
    assert (show.bytes, show.how) == (b"01234", "complete")


@pytest.mark.parametrize(
    ("name", "begun", "said", "how", "state"),
    [
        ("end", True, b"HTTP transfer-encoding: chunked\r\n\r\n0\r\n\r\n", "complete", "open"),
        ("end", False, b"", "ended", "closed"),
        ("close", True, b"HTTP transfer-encoding: chunked\r\n\r\n", "ended", "closed"),
    ],
)
def test_other_ends(name, begun, said, how, state):
    head = Write(0, b"HTTP transfer-encoding: chunked\r\n\r\n", "head")
    actions = (*((head,) if begun else ()), Gate(0, "g"), *(() if begun else (head,)), End(0, "end", b"no"))
    show = Show(*actions).start()
    show.gates.release("g", ended(name))
    assert (show.bytes, show.how, show.transport.state) == (said, how, state)


def test_an_error_is_an_answer_before_the_head_and_an_event_after_it(engine):
    onward = engine.failure("overloaded", 0)
    early = Show(Gate(0, "g"), End(0, "end")).start()
    early.gates.release("g", onward)
    assert early.bytes.startswith(b"HTTP/1.1 503 ")
    assert b"x-request-id: req_" in early.bytes
    coded = Show(
        Write(0, b"transfer-encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n", "head"), Gate(0, "g")
    ).start()
    coded.gates.release("g", onward)
    assert (coded.how, coded.transport.state) == ("ended", "closed")
    bare = Show(Write(0, b"HTTP/1.0 200 OK\r\n\r\n", "head"), Gate(0, "g")).start()
    bare.gates.release("g", onward)
    assert bare.bytes.endswith(b'"code":null}}\n\n')
    assert (bare.how, bare.transport.state) == ("complete", "closed")


# Verdicts and timelines.


def test_a_body_that_was_not_kept_whole_holds_nothing_for_certain(engine):
    long = asked()
    body = json.dumps({"model": "hello", "messages": [{"role": "user", "content": "x" * 100_000}]}).encode()
    engine.answer(Facts("POST", CHAT, route_of(long.path), {}, body), 0)
    engine.answer(Facts("POST", CHAT, route_of(long.path), {}, b"no JSON"), 0)
    engine.answer(asked(), 0)
    records = engine.journal.of("a")
    assert verify(Wanted(body={"/model": "hello"}), records).records == (3,)
    told = verify(Wanted(scenario="turns", ended="gone", body={"/a": 1}, least=2, most=3), records)
    assert told.message.startswith(
        '2 to 3 requests of turns ended as gone with {"/a": 1} expected, 0 of 3 found.\n  #1 '
    )
    assert verify(Wanted(least=0, most=2), records).message.startswith("at most 2 requests expected, 3 of 3 found.")
    assert verify(Wanted(ended="in flight"), records).ok


def test_a_timeline_that_is_long_is_cut(engine):
    entry, problems = load_own(
        engine.library, "long", "stream: [role: assistant, {repeat: [say: x], times: 6000}, done]\n"
    )
    assert not problems
    session = engine.enter("a", 0)
    engine.own(session, entry)
    told = timeline_of(engine.repertoire(session).library, "long")
    assert len(told["actions"]) >= 1000
