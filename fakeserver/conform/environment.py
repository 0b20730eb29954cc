"""The environment of a command: this process's own, with where to ask, and without what would confuse it."""

from __future__ import annotations

import os
from urllib.parse import quote


def environment(time_limit: float, url: str = "", case: str = "") -> dict[str, str]:
    """The twins of our own options are not for the child, which may be a fakeserver's user too."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("FAKESERVER_", "OPENAI_BASE_URL"))}
    env |= {"FAKESERVER_TIME_LIMIT": f"{time_limit:g}", "OPENAI_API_KEY": "any"}
    env |= {"FAKESERVER_BASE_URL": url, "OPENAI_BASE_URL": url, "FAKESERVER_CASE": case} if url else {}
    return env | _past_proxies(env)


def base_url(server: str, selector: str) -> str:
    """The session is the case's own, and has its name."""
    name = quote(selector, safe="+")
    return f"{server}/session/{name}/scenario/{name}/v1"


def _past_proxies(env: dict[str, str]) -> dict[str, str]:
    """A proxy that is set for the world is not for this machine."""
    if not any(key.lower() in ("http_proxy", "all_proxy") for key in env):
        return {}
    held = env.get("NO_PROXY") or env.get("no_proxy") or ""
    said = ",".join(filter(None, [held, "127.0.0.1"]))
    return {"NO_PROXY": said, "no_proxy": said}
