"""The few words of `reply(...)` -> a scenario's YAML, in which any text survives."""

from __future__ import annotations

from collections.abc import Sequence

Cut = int | str | None


def reply_text(text: str | Sequence[str], first: float, every: float, cut: Cut) -> str:
    """Times are seconds; `cut` is bytes, or the name of a place."""
    said = _quoted(text) if isinstance(text, str) else f"[{', '.join(map(_quoted, text))}]"
    rows = [f"reply: {{say: {said}}}", f"timing: {{first: {_duration(first)}, every: {_duration(every)}}}"]
    if cut is not None:
        rows.append(f"wire: {{cut: {{{f'size: {cut}B' if isinstance(cut, int) else f'inside: {cut}'}}}}}")
    return "\n".join(rows)


def _quoted(text: str) -> str:
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(char: str) -> str:
    return char if char.isprintable() and char not in '"\\' else f"\\U{ord(char):08x}"


def _duration(seconds: float) -> str:
    return f"{round(seconds * 1e6)}us" if seconds < 900 else f"{seconds:.3f}s"
