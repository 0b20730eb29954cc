"""Library + match + plan + journal + sessions: which plan answers a request. Knows no aiohttp and reads no clock."""

from fakeserver.engine.core import Answer, Engine

__all__ = ["Answer", "Engine"]
