"""How fast and how exact: this server beside its peers and beside the machine's limit, in one run.

`python -m benchmarks` (or `make bench`) builds what it needs, measures every figure in interleaved rounds on pinned
cores and writes `benchmarks/report/`. It measures the product from outside, as a process, wherever that is possible.
"""
