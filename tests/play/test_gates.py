from __future__ import annotations

from fakeserver.play.gates import Gates, Pass, Released


def ignore(onward):
    pass


def test_release_lets_everyone_at_the_gate_go_in_order():
    gates, gone = Gates(), []
    assert gates.arrive("a", lambda onward: gone.append(1)) is None
    assert gates.arrive("a", lambda onward: gone.append(2)) is None
    assert gates.arrive("b", lambda onward: gone.append(3)) is None
    assert gates.held() == {"a": 2, "b": 1}
    assert gates.release("a") == Released(2, False)
    assert gone == [1, 2]
    assert gates.waiting("a") == 0


def test_releases_in_advance_do_not_add_up():
    gates = Gates()
    assert gates.release("a") == Released(0, True)
    assert gates.release("a") == Released(0, True)
    assert gates.kept() == ["a"]
    assert gates.arrive("a", ignore) == Pass(None)
    assert gates.arrive("a", ignore) is None


def test_names_kept_in_advance_are_bounded():
    gates = Gates()
    kept = sum(gates.release(f"name-{number}").kept for number in range(10_000))
    assert kept == 256


def test_a_watcher_is_told_once_when_the_gate_is_reached():
    gates, told = Gates(), []
    gates.when_reached("a", lambda: told.append("first"))
    gates.arrive("a", ignore)
    gates.when_reached("a", lambda: told.append("second"))
    gates.arrive("a", ignore)
    assert told == ["first", "second"]


def test_a_watcher_that_is_taken_back_hears_nothing():
    gates, told = Gates(), []
    gates.when_reached("a", lambda: told.append(1))()
    gates.arrive("a", ignore)
    assert told == []


def test_a_release_in_advance_keeps_the_end_that_it_names():
    gates = Gates()

    def onward(plan, started):
        return ()

    gates.release("a", onward)
    assert gates.arrive("a", ignore) == Pass(onward)
    gone = []
    gates.arrive("a", gone.append)
    gates.release("a", onward)
    assert gone == [onward]


def test_forgetting_one_who_never_came():
    gates = Gates()
    gates.forget("a", ignore)
    assert gates.held() == {}
