"""Processes -> what the kernel knows of them: CPU time, memory. And on which core each may run. Linux only."""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import signal
from collections.abc import Callable
from pathlib import Path

SERVER, CLIENT = 0, 1  # cores
_PR_SET_PDEATHSIG = 1  # <linux/prctl.h>


def pinned(core: int) -> Callable[[], None]:
    """For subprocess's `preexec_fn`: the process stays on this core, if there are two, and does not outlive us."""
    libc = ctypes.CDLL(None)

    def pin() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        os.sched_setaffinity(0, {core if core < (os.cpu_count() or 1) else 0})

    return pin


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
