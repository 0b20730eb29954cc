from __future__ import annotations

from fakeserver.plan import model
from fakeserver.plan.model import Burst, End, Hole, Recipe, Write


def counted(*actions):
    made = []

    def make():
        made.append(True)
        return iter(actions)

    return Recipe(make), made


def test_what_is_asked_for_again_is_made_twice_and_no_more():
    actions = (Write(0, b"a"), Burst(0, (Write(0, b"b"), Write(0, b"c"))), End(0, "end"))
    recipe, made = counted(*actions)
    assert [tuple(recipe()) for _ in range(4)] == [actions] * 4
    assert len(made) == 2


def test_a_player_that_stops_at_the_end_has_heard_all():
    recipe, made = counted(Write(0, b"a"), End(0, "end"))
    for _ in range(4):
        actions = recipe()
        while not isinstance(next(actions), End):
            pass
    assert len(made) == 2


def test_a_player_that_is_left_halfway_tapes_nothing():
    recipe, made = counted(Write(0, b"a"), End(0, "end"))
    for _ in range(3):
        next(recipe())
    assert len(made) == 3


def test_a_long_one_is_always_made_anew(monkeypatch):
    monkeypatch.setattr(model, "TAPED", 3 * 200)
    recipe, made = counted(Burst(0, (Write(0, b"b"), Write(0, b"c"))), End(0, "end"))
    assert [len(tuple(recipe())) for _ in range(4)] == [2] * 4
    assert len(made) == 4


def test_a_write_is_filled_anew_each_time_it_is_played():
    whole = Write(0, b"<??> and <??>", holes=(Hole(1, 0, 0, 2), Hole(10, 0, 0, 2)))
    partly = Write(0, b"<??>", holes=(Hole(1, 0, 1, 3),))
    for value in (b"ab", b"cd"):
        assert whole.said([value]) == b"<" + value + b"> and <" + value + b">" == whole.filled([value]).data
    assert [partly.said([b"xyz"]), partly.said([b"uvw"])] == [b"<yz>", b"<vw>"]
