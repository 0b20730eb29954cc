"""Facts -> the fault in how the request was addressed or who sent it: path, method, size, key. No body is read here."""

from __future__ import annotations

from fakeserver.match.facts import Facts, Fault


def address_fault(facts: Facts) -> Fault | None:
    """An unknown path, a wrong method, or what was found while the request was read."""
    if facts.route.kind == "unknown":
        return Fault("not-found", f"Invalid URL ({facts.method} {facts.plain_path})")
    if facts.method not in facts.route.methods:
        return Fault("wrong-method", f"Not allowed to {facts.method} on {facts.plain_path}.")
    return facts.fault


def key_fault(facts: Facts, key: str | None) -> Fault | None:
    """No key or a wrong one, where one is asked for: as `authorization: Bearer KEY` or as Azure's `api-key: KEY`."""
    if key is None:
        return None
    given = _given(facts)
    if not given:
        return Fault("no-api-key")
    if given != key:
        return Fault("bad-api-key", f"Incorrect API key provided: {masked(given)}. {_WHERE}")
    return None


_WHERE = "You can find your API key at https://platform.openai.com/account/api-keys."


def _given(facts: Facts) -> str:
    scheme, _, key = facts.header("authorization").partition(" ")
    return key.strip() if scheme.lower() == "bearer" and key.strip() else facts.header("api-key")


def masked(key: str) -> str:
    """Enough to recognise the key by, as the real API shows it."""
    return f"{key[:3]}***{key[-4:]}" if len(key) > 10 else "***"
