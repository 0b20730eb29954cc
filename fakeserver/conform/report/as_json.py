"""An examination -> one JSON object, stable and documented."""

from __future__ import annotations

import json
from typing import Any

from fakeserver.conform.examination import Examination, Result

VERSION = 1


def report(examined: Examination) -> str:
    return json.dumps(as_object(examined), indent=2) + "\n"


def as_object(examined: Examination) -> dict[str, Any]:
    return {
        "version": VERSION,
        "command": list(examined.manner.command),
        "seconds": round(examined.seconds, 3),
        "planned": len(examined.cases),
        "interrupted": examined.interrupted,
        "cases": [_case(result) for result in examined.results],
        "totals": examined.totals,
    }


def _case(result: Result) -> dict[str, Any]:
    outcome = result.outcome
    return {
        "case": result.case.selector,
        "kind": result.case.kind,
        "mark": result.mark,
        "reasons": list(result.judged.reasons),
        "expected": [dict(each) for each in result.expected],
        "outcome": None if outcome is None else outcome.model_dump(mode="json", by_alias=True),
        "findings": [found.as_dict() for found in result.findings],
        "seconds": round(result.seconds, 3),
        "attempts": result.attempts,
        "stderr": result.stderr,
    }
