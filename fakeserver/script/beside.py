"""One scenario's text -> its entry beside a library, or its problems. It must not know files: the text came by wire."""

from __future__ import annotations

import re

from fakeserver.script.library import Library, unknown_dialects
from fakeserver.script.loader import Entry, load_text
from fakeserver.script.problems import NAME, Problem, a


def load_beside(library: Library, name: str, text: str) -> tuple[Entry | None, tuple[Problem, ...]]:
    """The same checks as for a file of the library, whose dialects it may name."""
    path = f"{name}.yaml"
    if not re.fullmatch(NAME, name):
        told = "a-z, 0-9, dots, dashes and underscores, a letter or digit first"
        return None, (Problem(path, 1, 1, "name", f"'{name}' is no name for {a('scenario')}", told),)
    entry, document = load_text(text, path, "scenario", name)
    unknown = tuple(unknown_dialects(document, "scenario", library.dialects))
    return (None if unknown else entry), tuple(sorted({*document.problems, *unknown}))
