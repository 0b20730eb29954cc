"""Processes -> what the kernel knows of them: CPU time, memory. And on which core each may run. Linux only."""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

SERVER, CLIENT = 0, 1  # cores
ALONE = "FAKESERVER_BENCH_ALONE"  # in the environment: before all other work of the machine
_PR_SET_PDEATHSIG = 1  # <linux/prctl.h>


def pinned(core: int) -> Callable[[], None]:
    """For subprocess's `preexec_fn`: the process stays on this core, if there are two, and does not outlive us."""
    libc = ctypes.CDLL(None)
    how = os.environ.get(ALONE)

    def pin() -> None:
        if how == "first":
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        elif how:
            os.setpriority(os.PRIO_PROCESS, 0, -20)
            Path("/proc/self/autogroup").write_text("-20")  # what counts between sessions
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        os.sched_setaffinity(0, {core if core < (os.cpu_count() or 1) else 0})

    return pin


@contextmanager
def first() -> Iterator[None]:
    """With --alone, what is started in this block waits for no other work at all (SCHED_FIFO).

    Only for loads that leave their core idle now and then: the kernel halts the others for 50 ms of each second.
    """
    before = os.environ.get(ALONE)
    if before:
        os.environ[ALONE] = "first"
    try:
        yield
    finally:
        if before:
            os.environ[ALONE] = before


def cpu(pid: int) -> int:
    """Nanoseconds of CPU that all threads of a process and of its children have used."""
    used = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        used += int((task / "schedstat").read_text().split()[0])
        children = (task / "children").read_text().split()
        used += sum(cpu(int(child)) for child in children)
    return used


def memory(pid: int, what: str = "VmRSS") -> int:
    """Bytes: VmRSS is now, VmHWM the most that it ever was."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{what}:"):
            return int(line.split()[1]) * 1024
    raise LookupError(what)


def many_files() -> None:
    """Thousands of connections need as many descriptors."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def described() -> str:
    """The machine in one line."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine()
    )
    load = os.getloadavg()[0]
    return (
        f"{os.cpu_count()} x {model}, {platform.system()} {platform.release()}, Python {platform.python_version()}, "
        f"load {load:.1f} when the run began"
    )
