from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fakeserver.play.lateness import _BUCKETS, Lateness, _bucket, _edge


def filled(*late: int) -> Lateness:
    memory = Lateness()
    for number, one in enumerate(late):
        memory.add(number * 1000, number * 1000 + one)
    return memory


def test_few_are_kept_whole():
    memory = filled(5, 1, 3)
    assert list(memory.stamps()) == [(0, 5), (1000, 1001), (2000, 2003)]
    assert (memory.percentile(0.5), memory.percentile(0.99), memory.worst) == (3, 5, 5)


def test_many_are_kept_at_both_ends():
    memory = filled(*range(100))
    stamps = [planned // 1000 for planned, _ in memory.stamps()]
    assert stamps == [*range(32), *range(68, 100)]


def test_nothing_yet():
    assert (list(Lateness().stamps()), Lateness().percentile(0.99)) == ([], 0)


def test_early_counts_as_on_time():
    memory = Lateness()
    memory.add(100, 90)
    assert memory.worst == 0


@given(st.lists(st.integers(0, 10**12), min_size=1, max_size=400), st.sampled_from([0.0, 0.5, 0.99, 1.0]))
def test_percentiles_are_never_too_low_and_a_quarter_too_high_at_most(late, share):
    exact = sorted(late)[min(len(late) - 1, int(len(late) * share))]
    told = filled(*late).percentile(share)
    assert exact <= told <= max(exact * 1.25, exact + 1)


@given(st.integers(0, 2**62))
def test_a_bucket_holds_its_own_lateness(late):
    bucket = _bucket(late)
    assert 0 <= bucket < _BUCKETS
    assert _edge(bucket) >= late
    assert bucket == 0 or _edge(bucket - 1) < late


@given(st.integers(1, 200))
def test_stamps_stay_in_order(count):
    stamps = list(filled(*[0] * count).stamps())
    assert stamps == sorted(stamps)
    assert len(stamps) == min(count, 64)
