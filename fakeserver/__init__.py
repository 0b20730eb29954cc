"""A fake OpenAI-compatible streaming server: YAML scenarios in, exact bytes, moments and endings out."""

__version__ = "0.1.0"
