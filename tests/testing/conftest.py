"""One server for all of these tests, and a fresh session for each."""

from tests.sessions import server, session

__all__ = ["server", "session"]
