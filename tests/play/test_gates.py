from __future__ import annotations

from fakeserver.play.gates import Gates, Released


def test_release_lets_everyone_at_the_gate_go_in_order():
    gates, gone = Gates(), []
    assert gates.hold("a", lambda: gone.append(1))
    assert gates.hold("a", lambda: gone.append(2))
    assert gates.hold("b", lambda: gone.append(3))
    assert gates.held() == {"a": 2, "b": 1}
    assert gates.release("a") == Released(2, False)
    assert gone == [1, 2]
    assert gates.waiting("a") == 0


def test_releases_in_advance_do_not_add_up():
    gates = Gates()
    assert gates.release("a") == Released(0, True)
    assert gates.release("a") == Released(0, True)
    assert not gates.hold("a", lambda: None)
    assert gates.hold("a", lambda: None)


def test_names_kept_in_advance_are_bounded():
    gates = Gates()
    kept = sum(gates.release(f"name-{number}").kept for number in range(10_000))
    assert kept == 256


def test_a_watcher_is_told_once_when_the_gate_is_reached():
    gates, told = Gates(), []
    gates.when_reached("a", lambda: told.append("first"))
    gates.hold("a", lambda: None)
    gates.when_reached("a", lambda: told.append("second"))
    gates.hold("a", lambda: None)
    assert told == ["first", "second"]


def test_forgetting_one_who_never_came():
    gates = Gates()
    gates.forget("a", lambda: None)
    assert gates.held() == {}
