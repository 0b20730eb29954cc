"""YAML text -> plain data and the place of each piece of it, or the problems that keep it from being read.

The only file that imports yaml. It must not know what a scenario is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from fakeserver.script.problems import Loc, Place, Problem
from fakeserver.script.scalars import resolve
from fakeserver.script.syntax import Unreadable, syntax_error

BUDGET = 200_000  # nodes a file may stand for once its aliases are expanded
DEPTH = 64
_UNTAGGED = "untagged"
_STR = "tag:yaml.org,2002:str"
_PLAIN_TAGS = {_UNTAGGED, _STR, "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"}
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_ROW_END = re.compile(r"\r\n|\n|\r")  # what the parser's marks count, once the others are refused
_REFUSED = re.compile("[^\t\n\r -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_MANY = 20  # a binary file has a refused character everywhere


class _Fast(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # its base is known at run time only
    # No implicit tags: a plain scalar stays text until we read it, and an explicit !!str can be told from none.
    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}
    DEFAULT_SCALAR_TAG = _UNTAGGED


class _Pure(yaml.SafeLoader):
    """libyaml refuses the escapes of lone surrogates, so files that have them are read by this one."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  # the stubs say it belongs to an instance
    DEFAULT_SCALAR_TAG = _UNTAGGED  # type: ignore[misc]  # the stubs call it final


@dataclass
class Document:
    """A file that was read: without a `root` there is nothing to check."""

    path: str
    text: str
    data: Any = None
    root: Node | None = None
    problems: list[Problem] = field(default_factory=list)

    @cached_property
    def rows(self) -> list[str]:
        return _ROW_END.split(self.text)

    def problem(self, at: Place, code: str, message: str, remedy: str = "", warning: bool = False) -> Problem:
        line = self.rows[at[0] - 1] if at[0] <= len(self.rows) else ""
        return Problem(self.path, *at, code, message, remedy, line, warning)

    def report(self, at: Place, code: str, message: str, remedy: str = "", warning: bool = False) -> None:
        self.problems.append(self.problem(at, code, message, remedy, warning))

    def place(self, index: int) -> Place:
        """Line and column of a character of the text."""
        before = _ROW_END.split(self.text[:index])
        return len(before), len(before[-1]) + 1

    def at(self, loc: Loc, key: bool = False) -> Place:
        """Line and column of the value (or the key) that `loc` leads to; of the nearest thing above it if none."""
        if self.root is None:
            return 1, 1
        mark = self.root.start_mark
        for name, node in self._path(loc):
            # A key without a value is shown by its key: its empty value stands wherever the parser gave up.
            mark = (name if name is not None and (key or _is_empty(node)) else node).start_mark
        return mark.line + 1, mark.column + 1

    def written(self, loc: Loc) -> str:
        """The scalar that `loc` leads to as the file has it, before it became a number, a truth value or nothing."""
        node = ([self.root] + [node for _, node in self._path(loc)])[-1]
        return str(node.value) if isinstance(node, ScalarNode) else ""

    def _path(self, loc: Loc) -> list[tuple[Node | None, Node]]:
        """Key (in a map) and value of each step of `loc`, as far as the file goes along."""
        path: list[tuple[Node | None, Node]] = []
        here = self.root
        for step in loc:
            hit: tuple[Node | None, Node] | None = None
            if isinstance(here, MappingNode):
                hit = next((pair for pair in here.value if pair[0].value == step), None)
            elif isinstance(here, SequenceNode) and isinstance(step, int) and step < len(here.value):
                hit = None, here.value[step]
            if hit is None:
                break
            path.append(hit)
            here = hit[1]
        return path


def _is_empty(node: Node | None) -> bool:
    return isinstance(node, ScalarNode) and not node.value and not node.style


def read(text: str, path: str = "<text>") -> Document:
    """The only document of `text`. What keeps it from being read at all ends the reading; all else is gathered."""
    document = Document(path, text.removeprefix("\ufeff"))
    for hit in islice(_REFUSED.finditer(document.text), _MANY):
        _refuse(document, hit)
    if document.problems:
        return document
    try:
        root = _compose(document)
        document.data = _Plain(document).value(root, 1)
        document.root = root
    except Unreadable as error:
        document.report(error.at, error.code, error.message, error.remedy)
    return document


def _refuse(document: Document, hit: re.Match[str]) -> None:
    char = ord(hit[0])
    if hit[0] in "\u0085\u2028\u2029":
        message = f"a raw U+{char:04X}: some YAML parsers end a line here, some do not"
        document.report(document.place(hit.start()), "line-separator", message,
                        f'write \\u{char:04x} in a "double-quoted" text')  # fmt: skip
    else:
        escape = f"\\x{char:02x}" if char < 256 else f"\\u{char:04x}"
        document.report(document.place(hit.start()), "character", f"the character U+{char:04X} cannot stand in YAML",
                        f'write {escape} in a "double-quoted" text')  # fmt: skip


def _compose(document: Document) -> Node:
    loader: Any = (_Pure if _SURROGATE.search(document.text) else _Fast)(document.text)
    try:
        root: Node | None = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        raise syntax_error(error, document.rows) from None
    except RecursionError:
        raise _too_deep((1, 1)) from None
    finally:
        loader.dispose()
    if root is None or (_is_empty(root) and root.tag == _UNTAGGED):
        raise Unreadable((1, 1), "empty", "the file is empty", "write at least `reply: Hello there.`")
    return root


def _too_deep(at: Place) -> Unreadable:
    return Unreadable(at, "too-deep", f"over {DEPTH} levels deep", "an alias inside of its own anchor never ends; "
                      "deeper JSON can be sent as text with raw:")  # fmt: skip


def _start(node: Node) -> Place:
    return node.start_mark.line + 1, node.start_mark.column + 1


class _Plain:
    """Nodes -> dicts, lists and scalars, with a limit on how much aliases may expand to."""

    def __init__(self, document: Document):
        self.document = document
        self.left = BUDGET

    def _say(self, node: Node, code: str, message: str, remedy: str = "", warning: bool = False) -> None:
        problem = self.document.problem(_start(node), code, message, remedy, warning)
        if problem not in self.document.problems[-1:]:  # an anchor's mistake is said once, not once an alias
            self.document.problems.append(problem)

    def value(self, node: Node, depth: int) -> Any:
        self.left -= 1
        if depth > DEPTH and not isinstance(node, ScalarNode):
            raise _too_deep(_start(node))
        if self.left < 0:
            raise Unreadable(_start(node), "too-big", f"aliases that stand for over {BUDGET} values",
                             "use fewer aliases; to send something many times use repeat:")  # fmt: skip
        self._check_tag(node)
        if isinstance(node, SequenceNode):
            return [self.value(item, depth + 1) for item in node.value]
        if isinstance(node, MappingNode):
            return self._mapping(node, depth)
        return _scalar(node)

    def _check_tag(self, node: Node) -> None:
        if node.tag not in _PLAIN_TAGS:
            self._say(node, "tag", f"the tag {node.tag.replace('tag:yaml.org,2002:', '!!')} is not allowed here",
                      "write plain text, numbers, lists and maps; quote a text to keep it text")  # fmt: skip

    def _mapping(self, node: MappingNode, depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        lines: dict[str, int] = {}
        for key, child in node.value:
            value = self.value(child, depth + 1)
            if self._is_key(key, lines):
                self._no_escapes(key.value, child)
                out[key.value] = value
        return out

    def _is_key(self, key: Node, lines: dict[str, int]) -> bool:
        self._check_tag(key)
        if not isinstance(key, ScalarNode):
            self._say(key, "key", "a key must be text", 'quote it if it begins with [ or {: "..."')
        elif key.value == "<<" and not key.style:
            self._say(key, "merge-key", "merge keys (<<) are not supported", "write the keys out")
        elif key.value in lines:
            self._say(
                key, "duplicate-key", f"duplicate key '{key.value}'", f"first on line {lines[key.value]}; keep one"
            )
        else:
            lines[key.value] = key.start_mark.line + 1
            return True
        return False

    def _no_escapes(self, key: str, node: Node) -> None:
        if key in ("raw", "socket") and isinstance(node, ScalarNode) and node.style in (None, "", "'"):
            hit = re.search(r"\\[nrtx0u]", node.value)
            if hit:
                self._say(node, "no-escapes", f"{hit[0]} stands for itself here: only double quotes know escapes",
                          'write "..." with double quotes', warning=True)  # fmt: skip


def _scalar(node: Node) -> Any:
    if node.tag != _STR and not getattr(node, "style", None):
        return resolve(node.value)
    text = str(node.value)
    if any("\ud800" <= char <= "\udfff" for char in text):  # two escapes of one character are joined; a lone half stays
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return text
