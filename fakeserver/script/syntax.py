"""A YAML parser's complaint -> a place, a message in plain words, and what to write instead.

It must not know how the text is read; it knows the sentences of libyaml and of PyYAML's own parser, which differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fakeserver.script.problems import Place


@dataclass
class Unreadable(Exception):
    """Nothing of the file can be checked, for this reason."""

    at: Place
    code: str
    message: str
    remedy: str


_OPEN = "is not closed, or lacks a comma before this"
_NO_ENTRY = "a line that is no entry of the list above it"
_HINTS: tuple[tuple[str, str, str, str], ...] = (  # words of the parsers; code, message, remedy
    ("another document", "second-document", "a second document in one file", "one file, one scenario: split it"),
    ("undefined alias", "alias", "no anchor of this name before it", 'quote a text that begins with *: "*..."'),
    (
        "alphabetic or numeric",
        "alias",
        "this is no name of an anchor or alias",
        'quote a text that begins with * or &: "*..."',
    ),
    ("second occurrence", "alias", "an anchor's name is used twice", "give each anchor a name of its own"),
    ("expected ':'", "yaml", "a key without its colon", "write `key: value`, with a space after the colon"),
    ("mapping values", "yaml", "a key in the middle of a text", 'quote a text that holds ": "; else check the indent'),
    ("cannot start", "yaml", "no text can begin with this character", 'quote a text that begins with @ % or `: "@..."'),
    ("end of stream", "yaml", "a quoted text without its end", "close it with the quote it begins with"),
    ("unknown escape", "yaml", "an unknown escape in double quotes", r"write \\ for a backslash, or use single quotes"),
    ("decimal number", "yaml", "an escape with too few digits", r"\x takes two hexadecimal digits, \u four, \U eight"),
    ("',' or '}'", "yaml", f"a {{...}} {_OPEN}", "close it with }, or quote the text that holds this"),
    ("',' or ']'", "yaml", f"a [...] {_OPEN}", "close it with ], or quote the text that holds this"),
    ("'-' indicator", "yaml", _NO_ENTRY, "begin it with -, or indent it as the keys around"),
    ("but found '?'", "yaml", _NO_ENTRY, "begin it with -, or indent it as the keys around"),
    (
        "sequence entries",
        "yaml",
        "a list in the middle of a line",
        "give it a line of its own; quote a text that begins with -",
    ),
    ("node content", "yaml", "a value is missing here", "write one; quote a text that begins with ] } or ,"),
    ("line break", "yaml", "text beside | or >", "begin the text on the next line; quote one that begins with | or >"),
    ("indentation indicators", "yaml", "text beside | or >", "begin the text on the next line; quote one with | or >"),
    (
        "document start",
        "yaml",
        "something after the end of the document",
        "take it away, or close {, [ and quotes later",
    ),
)
_AFTER = (
    "yaml",
    "something after a text or value that is complete",
    "put quotes around the whole; inside '...' a ' is written ''",
)
_TAG = ("tag", "no text can begin with !, which begins a tag of YAML's", 'quote it: "!..."')
_MISFIT = ("yaml", "a line that does not fit the map above it", "indent it like the keys it belongs to")


def syntax_error(error: Any, rows: list[str]) -> Unreadable:
    """A `yaml.MarkedYAMLError` in our words; in the parser's own where we have none."""
    said = str(error.problem)
    at = _place(error.problem_mark, rows)
    begun = _place(error.context_mark, rows) if error.context_mark is not None else at
    # What is missing at the end of a line or of the file is better shown where the broken thing begins.
    if "expected ':'" in said or "end of stream" in said or not _rest(at, rows).strip():
        at = begun
    before = rows[at[0] - 1][: at[1] - 1]
    tab = (before + _rest(at, rows)[:1]).find("\t")
    if tab >= 0 and not before.strip("\t -"):
        return Unreadable((at[0], tab + 1), "tab", "a tab where YAML wants spaces", "indent with spaces")
    if "expected key" in said or ("<block end>" in said and "'?'" not in said):
        return Unreadable(at, *(_AFTER if before.strip(" -") else _MISFIT))
    if "a tag" in str(error.context) or "tag handle" in said:
        return Unreadable(begun, *_TAG)
    hint = next((hint for words, *hint in _HINTS if words in said), None)
    return Unreadable(at, *(hint or ("yaml", said, "the rest of this file was not read; mend this first")))


def _place(mark: Any, rows: list[str]) -> Place:
    if mark.line < len(rows):
        return mark.line + 1, mark.column + 1
    return len(rows), len(rows[-1]) + 1  # libyaml ends a file without a last line end one line later


def _rest(at: Place, rows: list[str]) -> str:
    return rows[at[0] - 1][at[1] - 1 :]
