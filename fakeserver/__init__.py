"""A fake OpenAI-compatible streaming server: YAML scenarios in, exact bytes, moments and endings out."""

TYPE_CHECKING = False  # as in typing, which is not loaded for this alone

if TYPE_CHECKING:
    from fakeserver.testing import FakeServer as FakeServer

__version__ = "0.1.0"

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """`from fakeserver import FakeServer`, loaded when it is asked for."""
        if name == "FakeServer":
            from fakeserver.testing import FakeServer

            return FakeServer
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
