"""Five times each; `python -m tests.ends` does it a hundred times."""

from __future__ import annotations

from tests.ends.run import run


def test_no_byte_is_lost_and_each_client_tells_of_each_end_in_one_way() -> None:
    tally = run(5, 5)
    assert list(tally.problems()) == []
    assert sum(row.tried for row in tally.rows.values()) == 1700
