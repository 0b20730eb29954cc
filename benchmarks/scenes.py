"""The scenarios that are measured, and their plans: as files, as the C server's frames, as moments."""

from __future__ import annotations

import struct
from pathlib import Path

from fakeserver.plan import Ask, Plan, choose, compile_plan, filled, key_of
from fakeserver.plan.model import Burst, End, Write
from fakeserver.script.library import load

_FLAT = """\
stream:
  - role: assistant
  - repeat: [say: "tok "]
    times: {times}
  - finish: stop
  - done
"""
PIECES = 200
SCENES = {
    "flat": _FLAT.format(times=PIECES),
    "whole": "wire: {buffer: all}\n" + _FLAT.format(times=PIECES),
    "bytes": "wire: {cut: {size: 1B, gap: 0ms}}\n" + _FLAT.format(times=PIECES),
    "lockstep": "wire: {cut: {size: 1B, lockstep: true}}\n" + _FLAT.format(times=PIECES),
    "every-20": "timing: {every: 20ms}\n" + _FLAT.format(times=100),
    "every-50": "timing: {every: 50ms}\n" + _FLAT.format(times=60),
    "every-250": "timing: {every: 250ms}\n" + _FLAT.format(times=40),
    "minute": "timing: {every: 20ms}\n" + _FLAT.format(times=3000),
    "moment": "timing: {every: 20ms}\n" + _FLAT.format(times=300),
    "open": "stream:\n  - role: assistant\n  - say: Hello\n  - hang\n",
}
# Each in a folder of its own: `serve` tries what it is given from end to end before it is ready.
LONG = {"long": _FLAT.format(times=150_000), "endless": _FLAT.format(times=1_000_000)}


def written(folder: Path) -> Path:
    """All of them as files below `folder`; the folder of the short ones."""
    scenarios = folder / "scenes"
    scenarios.mkdir()
    for name, text in SCENES.items():
        _write(scenarios / f"{name}.yaml", text)
    for name, text in LONG.items():
        _write(long_one(scenarios, name), text)
    return scenarios


def long_one(scenarios: Path, name: str) -> Path:
    """The file of one of the long ones."""
    return scenarios.parent / f"{name}.yaml"


def _write(file: Path, text: str) -> None:
    file.write_text(f"about: Measured by benchmarks/.\n{text}")


def plan_of(scenarios: Path, name: str) -> Plan:
    """What a request for this scenario is answered with."""
    library = load([scenarios / f"{name}.yaml"])
    return compile_plan(library, choose(library, name), 0, Ask(model=name))


def frames(scenarios: Path, name: str) -> Path:
    """The same writes, byte for byte, as a file for the C server."""
    plan, out = plan_of(scenarios, name), scenarios.parent / f"{name}.frames"
    with out.open("wb") as file:
        for action in plan.actions(filled(plan.blanks, key_of("default", name, 1))):
            for data in _sent(action):
                file.write(struct.pack("=I", len(data)) + data)
    return out


def _sent(action: object) -> list[bytes]:
    if isinstance(action, Burst):
        return [write.data for write in action.writes]
    return [action.data] if isinstance(action, Write | End) else []


def moments(scenarios: Path, name: str) -> list[int]:
    """When each event is due, in nanoseconds from the plan's epoch."""
    out: list[int] = []
    for write in plan_of(scenarios, name).writes():
        out += [write.due] * (write.events - len(out))
    return out
