"""Scenario + Ask -> Plan. Pure: no asyncio, no clock, no file, no socket; no randomness without a seed."""

from fakeserver.plan.ask import Ask
from fakeserver.plan.choice import Choice, Turns, Unknown, choose, turns
from fakeserver.plan.compiler import compile_plan, exhaust, needs
from fakeserver.plan.errors import error_plan
from fakeserver.plan.fill import Identity, filled
from fakeserver.plan.model import Blank, Burst, End, Gate, Idle, Plan, Write
from fakeserver.plan.plain import plain
from fakeserver.script.problems import Broken

__all__ = [
    "Ask", "Blank", "Broken", "Burst", "Choice", "End", "Gate", "Identity", "Idle", "Plan", "Turns", "Unknown", "Write",
    "choose", "compile_plan", "error_plan", "exhaust", "filled", "needs", "plain", "turns",
]  # fmt: skip
