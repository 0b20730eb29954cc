"""The figures, in the order of the report. Each is a module with `TITLE` and `measure(bench) -> Figure`."""

from __future__ import annotations

from benchmarks.figures import (
    coalesced,
    drift,
    flood,
    length,
    lockstep,
    memory,
    one_byte,
    pace,
    startup,
    throughput,
)

ALL = {
    "throughput": throughput,
    "coalesced": coalesced,
    "one-byte": one_byte,
    "pace": pace,
    "flood": flood,
    "drift": drift,
    "lockstep": lockstep,
    "memory": memory,
    "startup": startup,
    "length": length,
}
