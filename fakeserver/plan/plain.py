"""Status, headers and a body -> Plan: an answer that no scenario scripts (a list of models, a preflight)."""

from __future__ import annotations

from collections.abc import Sequence

from fakeserver.plan.model import End, Plan, Write


def plain(status: int, reason: str, headers: Sequence[tuple[str, str]], body: bytes, http: str = "1.1") -> Plan:
    """One head with a content length, one body, a clean end. HTTP/1.0 and `connection: close` end with FIN."""
    rows = [*headers] if status == 204 else [*headers, ("content-length", str(len(body)))]
    keep_alive = http == "1.1" and ("connection", "close") not in rows
    if not keep_alive and ("connection", "close") not in rows:
        rows.append(("connection", "close"))
    head = f"HTTP/{http} {status} {reason}\r\n" + "".join(f"{name}: {value}\r\n" for name, value in rows) + "\r\n"
    writes = (Write(0, head.encode("latin-1") + body, "head"),)
    return Plan((*writes, End(0, "end", b"", keep_alive)), status=status)
