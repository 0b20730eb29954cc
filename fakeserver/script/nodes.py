"""YAML text -> plain data and the place of each piece of it, or the problems that keep it from being read.

The only file that imports yaml. It must not know what a scenario is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from fakeserver.script.problems import Loc, Problem
from fakeserver.script.scalars import resolve

BUDGET = 200_000  # nodes a file may stand for once its aliases are expanded
DEPTH = 64
_UNTAGGED = "untagged"
_STR = "tag:yaml.org,2002:str"
_PLAIN_TAGS = {_UNTAGGED, "!", _STR, "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"}
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_BREAKS = re.compile("[\u0085\u2028\u2029]")


class _Fast(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # its base is known at run time only
    # No implicit tags: a plain scalar stays text until we read it, and an explicit !!str can be told from none.
    yaml_implicit_resolvers: dict[str, Any] = {}
    DEFAULT_SCALAR_TAG = _UNTAGGED


class _Pure(yaml.SafeLoader):
    """libyaml refuses the escapes of lone surrogates, so files that have them are read by this one."""

    yaml_implicit_resolvers: dict[str, Any] = {}
    DEFAULT_SCALAR_TAG = _UNTAGGED


@dataclass
class Document:
    """A file that was read: `data` is None where it could not be."""

    path: str
    text: str
    data: Any = None
    root: Node | None = None
    problems: list[Problem] = field(default_factory=list)

    def problem(self, at: tuple[int, int], code: str, message: str, remedy: str = "", warning: bool = False) -> Problem:
        # Only LF, CRLF and CR end a line here, as in the marks of the parser.
        rows = re.split(r"\r\n|\n|\r", self.text)
        line = rows[at[0] - 1] if at[0] <= len(rows) else ""
        return Problem(self.path, *at, code, message, remedy, line, warning)

    def report(self, at: tuple[int, int], code: str, message: str, remedy: str = "", warning: bool = False) -> None:
        self.problems.append(self.problem(at, code, message, remedy, warning))

    def at(self, loc: Loc, key: bool = False) -> tuple[int, int]:
        """Line and column of the value (or the key) that `loc` leads to; of the nearest thing above it if none."""
        if self.root is None:
            return 1, 1
        node, mark = self.root, self.root.start_mark
        for step in loc:
            if isinstance(node, MappingNode):
                hit = next(((k, v) for k, v in node.value if k.value == step), None)
                if hit is None:
                    break
                # A key without a value is shown by its key: its empty value stands wherever the parser gave up.
                empty = isinstance(hit[1], ScalarNode) and not hit[1].value and not hit[1].style
                node, mark = hit[1], (hit[0] if key or empty else hit[1]).start_mark
            elif isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.value):
                node = node.value[step]
                mark = node.start_mark
            else:
                break
        return mark.line + 1, mark.column + 1


def read(text: str, path: str = "<text>") -> Document:
    """The first document of `text`. A YAML syntax error ends the reading; all else is gathered."""
    document = Document(path, text.removeprefix("\ufeff"))
    for hit in _BREAKS.finditer(document.text):
        _refuse_break(document, hit)
    if not document.problems:
        _compose(document)
    if document.root is not None:
        document.data = _Plain(document).value(document.root, 0)
    return document


def _refuse_break(document: Document, hit: re.Match[str]) -> None:
    before = document.text[: hit.start()]
    at = before.count("\n") + 1, hit.start() - (before.rfind("\n") + 1) + 1
    escape = f"\\u{ord(hit[0]):04x}"
    document.report(at, "line-separator", f"a raw U+{ord(hit[0]):04X}: YAML parsers disagree about it",
                    f'write {escape} in a "double-quoted" text')  # fmt: skip


def _compose(document: Document) -> None:
    loader: Any = (_Pure if _SURROGATE.search(document.text) else _Fast)(document.text)
    try:
        document.root = loader.get_single_node()
        if document.root is None:
            document.report((1, 1), "empty", "the file is empty", "write at least `reply: Hello there.`")
    except yaml.reader.ReaderError as error:
        _unreadable(document, error)
    except yaml.MarkedYAMLError as error:
        _syntax(document, error)
    finally:
        loader.dispose()


def _unreadable(document: Document, error: yaml.reader.ReaderError) -> None:
    index = next((i for i, char in enumerate(document.text) if not _printable(char)), 0)
    before = document.text[:index]
    at = before.count("\n") + 1, index - (before.rfind("\n") + 1) + 1
    char = ord(document.text[index])
    document.report(at, "character", f"the character U+{char:04X} cannot stand in YAML",
                    f'write \\x{char:02x} in a "double-quoted" text')  # fmt: skip


def _printable(char: str) -> bool:
    return char in "\t\n\r\x85" or " " <= char <= "~" or ("\xa0" <= char and not "\ud800" <= char <= "\udfff")


def _syntax(document: Document, error: yaml.MarkedYAMLError) -> None:
    mark = error.problem_mark or error.context_mark
    at = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    said = str(error.problem or error)
    line = document.problem(at, "", "").text
    if "but found another document" in said or error.context == "expected a single document in the stream":
        return document.report(at, "second-document", "a second document in one file", "one file, one scenario: split it")
    if "\t" in line[: at[1]] and ("token" in said or "indent" in said or "tab" in said):
        return document.report(at, "tab", "a tab where YAML wants spaces", "indent with spaces")
    if "found undefined alias" in said or "undefined alias" in said:
        return document.report(at, "alias", said, 'a text that begins with * must be quoted: "*..."')
    return document.report(at, "yaml", said, _quote_hint(said))


def _quote_hint(said: str) -> str:
    if "could not find expected ':'" in said or "mapping values are not allowed" in said:
        return 'a text that holds ": " must be quoted: "..."'
    if "cannot start any token" in said or "unexpected" in said:
        return 'a text that begins with @ % ` & * ! | > { [ or a comma must be quoted: "..."'
    return "the rest of this file was not read; mend this first"


class _Plain:
    """Nodes -> dicts, lists and scalars, with a limit on how much aliases may expand to."""

    def __init__(self, document: Document):
        self.document = document
        self.left = BUDGET

    def _say(self, node: Node, code: str, message: str, remedy: str = "", warning: bool = False) -> None:
        at = node.start_mark.line + 1, node.start_mark.column + 1
        self.document.report(at, code, message, remedy, warning)

    def value(self, node: Node, depth: int) -> Any:
        self.left -= 1
        if self.left < 0 or depth > DEPTH:
            if self.left > -BUDGET:  # said once: from here on nothing is expanded
                self._say(node, "too-big", f"too deep (over {DEPTH} levels), or aliases that expand to over {BUDGET} "
                          "nodes", "write the repeated part out, or use repeat:")  # fmt: skip
            self.left = -BUDGET
            return None
        if node.tag not in _PLAIN_TAGS:
            self._say(node, "tag", f"the tag {node.tag.replace('tag:yaml.org,2002:', '!!')} is not allowed here",
                      "write plain text, numbers, lists and maps; quote a text to keep it text")  # fmt: skip
        if isinstance(node, ScalarNode):
            return _scalar(node)
        if isinstance(node, SequenceNode):
            return [self.value(item, depth + 1) for item in node.value]
        return self._mapping(node, depth)

    def _mapping(self, node: MappingNode, depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        first: dict[str, Node] = {}
        for key, value in node.value:
            if not isinstance(key, ScalarNode):
                self._say(key, "key", "a key must be text", 'quote it if it begins with [ or {: "..."')
                continue
            if key.value == "<<" and not key.style:
                self._say(key, "merge-key", "merge keys (<<) are not supported", "write the keys out")
                continue
            if key.value in first:
                line = first[key.value].start_mark.line + 1
                self._say(key, "duplicate-key", f"duplicate key '{key.value}'", f"first on line {line}; keep one")
            first.setdefault(key.value, key)
            self._no_escapes(key.value, value)
            out[key.value] = self.value(value, depth + 1)
        return out

    def _no_escapes(self, key: str, node: Node) -> None:
        if key in ("raw", "socket") and isinstance(node, ScalarNode) and node.style in (None, "", "'"):
            hit = re.search(r"\\[nrtx0u]", node.value)
            if hit:
                self._say(node, "no-escapes", f"{hit[0]} stands for itself here: only double quotes know escapes",
                          'write "..." with double quotes', warning=True)  # fmt: skip


def _scalar(node: ScalarNode) -> Any:
    if node.style or node.tag in ("!", _STR):
        text = str(node.value)
        if _has_surrogates(text):  # two escapes of one character are joined; a lone half stays
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        return text
    return resolve(node.value)


def _has_surrogates(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text)
