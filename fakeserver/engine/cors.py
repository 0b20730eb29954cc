"""The headers that let a page of any origin use the OpenAI routes. The control routes send none of them."""

from __future__ import annotations

from fakeserver.match.facts import Facts

SHARED = (("access-control-allow-origin", "*"), ("access-control-expose-headers", "x-request-id"))


def preflight_headers(facts: Facts) -> tuple[tuple[str, str], ...]:
    """What a browser wants to hear before it sends. The names it asks for are echoed: `*` leaves authorization out."""
    asked = facts.header("access-control-request-headers")
    wanted = asked if asked and asked.isascii() else "*"
    return (
        SHARED[0],
        ("access-control-allow-methods", "GET, POST, OPTIONS"),
        ("access-control-allow-headers", wanted),
        ("access-control-max-age", "600"),
    )
