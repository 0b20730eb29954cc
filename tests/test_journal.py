from __future__ import annotations

import json

import pytest

from fakeserver.journal import Asked, Chosen, Journal
from fakeserver.play.notes import Ending

HEADERS = {"authorization": "Bearer sk-secret", "api-key": "secret", "cookie": "secret", "x-a": "b"}


def opened(journal: Journal, body: bytes = b"{}"):
    asked = Asked.of("POST", "/v1/chat/completions", HEADERS, body)
    return journal.open("default", 5, asked, Chosen("model", "hello+slow", 2, 200))


def test_the_oldest_are_dropped_and_counted():
    journal = Journal(limit=3)
    records = [opened(journal) for _ in range(5)]
    assert list(journal) == records[2:]
    assert [record.number for record in journal] == [3, 4, 5]
    assert (journal.dropped, len(journal)) == (2, 3)


def test_secrets_are_out_and_the_body_is_bounded():
    record = opened(Journal(), b"x" * 200_000)
    assert "secret" not in json.dumps(record.as_dict())
    assert record.asked.headers["x-a"] == "b"
    assert (len(record.asked.body), record.asked.body_size) == (65536, 200_000)


def test_what_is_written_adds_up():
    record = opened(Journal())
    record.wrote(0, 10, 1, 100, 0, False)
    record.wrote(50, 50, 64, 900, 64, True)
    record.idled(70, 5)
    record.wrote(80, 90, 1, 5, 0, False)
    record.waited(7)
    record.waited(3)
    record.reached("half", 60)
    assert (record.writes, record.bytes, record.events, record.end_marked) == (67, 1010, 64, True)
    told = record.as_dict()
    assert told["times_ns"] == [[0, 10], [50, 50], [80, 90]]
    assert told["lateness_ns"] == {"p50": 10, "p99": 10, "max": 10}
    assert (told["stalled_ns"], told["gates"], told["scenario"], told["attempt"]) == (
        10,
        [{"gate": "half", "at": 60}],
        "hello+slow",
        2,
    )
    assert told["how"] == "in flight"
    json.dumps(told)


def test_gates_and_idles_are_bounded():
    record = opened(Journal())
    for number in range(10_000):
        record.reached(f"g{number}", number)
        record.idled(number, 1)
    assert len(record.gates) < 100
    assert len(record.idles) < 1000
    assert record.bytes == 10_000


@pytest.mark.parametrize(
    ("ending", "how"),
    [
        (Ending("complete", 1, "end"), "complete"),
        (Ending("complete", 1, by="FIN"), "complete"),
        (Ending("ended", 1, "close"), "ended: close"),
        (Ending("ended", 1, "reset", detail="read"), "ended: reset (read)"),
        (Ending("gone", 1_234_000_000, by="RST", acked=3), "client gone after event 2, byte 30, by RST, at 1.234 s"),
        (Ending("stopped", 1), "server stopped"),
        (Ending("broken", 1, detail="ValueError: x"), "broken: ValueError: x"),
    ],
)
def test_endings_in_words(ending, how):
    journal, told = Journal(), []
    unwatch = journal.watch(told.append)
    record = opened(journal)
    record.wrote(0, 0, 2, 30, 2, False)
    record.ended(ending)
    assert record.how == how
    assert told == [record]
    json.dumps(record.as_dict())
    unwatch()
    opened(journal).ended(ending)
    assert told == [record]
