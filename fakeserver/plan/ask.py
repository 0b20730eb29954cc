"""The only facts of a request that a plan may see."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ask:
    """What was asked, as far as it can change the answer's bytes. Hashable: plans are cached by it.

    `texts` holds what the scenario's templates use: ("last_user", "...") or ("request./pointer", "..."), and nothing
    else. `number` is the request's number in its session, given only where a plan draws from a seed (jitter), else 0.
    `padding` is false where a request says `include_obfuscation: false` and the dialect pads.
    """

    model: str = ""
    stream: bool = True
    usage: bool = False
    http: str = "1.1"
    prompt_tokens: int = 0
    texts: tuple[tuple[str, str], ...] = ()
    number: int = 0
    padding: bool = True
