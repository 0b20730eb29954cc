"""Library + match + plan + journal + sessions: which plan answers a request. Knows no aiohttp and reads no clock."""

from fakeserver.engine.answer import Answer
from fakeserver.engine.core import Engine

__all__ = ["Answer", "Engine"]
