"""The records of a session, and what the app showed -> findings about the client's behaviour. Pure: it reads no clock.

A finding rests on what the journal has and on what was really sent. Where that proves nothing there is no finding.
"""

from fakeserver.verdict.finding import Finding, Report
from fakeserver.verdict.table import CODES, verdict

__all__ = ["CODES", "Finding", "Report", "verdict"]
