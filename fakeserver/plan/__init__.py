"""Scenario + Ask -> Plan. Pure: no asyncio, no clock, no file, no socket; no randomness without a seed."""

from fakeserver.plan.ask import Ask
from fakeserver.plan.choice import Choice, Turns, Unknown, choose, spoken, turns
from fakeserver.plan.compiler import compile_plan, exhaust, payload
from fakeserver.plan.errors import error_plan
from fakeserver.plan.fill import fill, filled, key_of
from fakeserver.plan.heard import heard
from fakeserver.plan.model import Action, Blank, Burst, End, Gate, Idle, Plan, Write
from fakeserver.plan.needs import needs
from fakeserver.plan.plain import plain
from fakeserver.plan.replies import script_of
from fakeserver.script.problems import Broken

__all__ = [
    "Action", "Ask", "Blank", "Broken", "Burst", "Choice", "End", "Gate", "Idle", "Plan", "Turns", "Unknown", "Write",
    "choose", "compile_plan", "error_plan", "exhaust", "fill", "filled", "heard", "key_of", "needs", "payload", "plain",
    "script_of", "spoken", "turns",
]  # fmt: skip
