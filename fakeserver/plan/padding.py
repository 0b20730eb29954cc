"""A chunk -> the same with a random-looking text, so that chunks of different words have near-equal sizes.

The text depends on the chunk and on its place, and on nothing else: it is the same in each run.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import shake_128
from string import ascii_letters, digits
from typing import Any

Json = Any
STEP = 32  # bytes: a chunk's size is a multiple of it, its holes and edits apart
_ALNUM = bytes((digits + ascii_letters).encode()[byte % 62] for byte in range(256))


@dataclass(slots=True)
class Padding:
    """The padding of one pass over a stream. `key` is "none" where nothing is padded."""

    key: str
    place: int = 0

    def over(self, chunk: Json) -> Json:
        if self.key == "none":
            return chunk
        self.place += 1
        text = json.dumps({**chunk, self.key: ""}, separators=(",", ":"), ensure_ascii=False)
        data = text.encode("utf-8", "surrogatepass")
        drawn = shake_128(b"%d %s" % (self.place, data)).digest(-len(data) % STEP)
        return {**chunk, self.key: drawn.translate(_ALNUM).decode()}
