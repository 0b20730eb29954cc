"""The public names of fakeserver.testing -> docs/reference/python.md: signatures and docstrings as they are."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fakeserver import testing
from fakeserver.testing import handles
from fakeserver.testing.observing import Observed

INTRODUCTION = """\
# Python and pytest

`from fakeserver import FakeServer`, or anything below from `fakeserver.testing`.
[Test with pytest](../how-to/pytest.md) shows how they go together. A FakeServer is a session too: the one of requests
whose base URL names none."""

ALSO = """\
## Coroutines

`session.aio` and `server.aio` have every call of a Session as a coroutine of the same name and arguments:
`await server.aio.reply("Hi")`, `await session.aio.gates["half"].wait()`, `await session.aio.clock.advance(2.0)`, and
`await session.aio.requests()` for the list. They work under asyncio and trio: the call runs in a thread. In mode "loop"
they are the only way to call; elsewhere a call that does not wait for a stream may as well be made as it is."""

MARKER = """\
## The marker

`@pytest.mark.fakeserver(...)` says how the fixture `fakeserver` answers; a test's own goes before its class's.

| key | what it does |
| --- | --- |
| `scenario="hello+slow"` | every request is answered by it |
| `speed="instant"`, `speed=10` | how fast, for this test |
| `clock="manual"` | time passes only by `clock.advance` |
| `allow_unmatched=True` | a request that nothing answers does not fail the test |"""


def python_page() -> Iterator[str]:
    """The whole page, line by line."""
    yield from [INTRODUCTION, ""]
    for kind in (testing.FakeServer, testing.Session):
        yield from _kind(kind, _members(kind))
    yield from ["What it was asked, and assertions about it:", "", *_members(Observed), ""]
    for kind in (handles.Gate, handles.Clock, testing.Request, testing.Verdict):
        yield from _kind(kind, _members(kind))
    for kind in (testing.Finding, testing.Lateness, testing.FakeServerError, testing.ScenarioError):
        yield from _kind(kind, iter(()))
    yield from [ALSO, "", "## Fixtures", "", *_fixtures(), "", MARKER]


def _kind(kind: type, members: Iterator[str]) -> Iterator[str]:
    yield f"## {kind.__name__}"
    yield ""
    if kind is testing.FakeServer:
        yield from [f"`FakeServer{_signature(kind.__init__)}`", ""]  # type: ignore[misc]  # read, not called
    yield from [inspect.getdoc(kind) or "", ""]
    rows = list(members)
    if rows:
        yield from [*rows, ""]


def _members(kind: type) -> Iterator[str]:
    """What it has of its own, in the order written."""
    for name, member in vars(kind).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield _bullet(name, member)
        elif inspect.isfunction(member):
            yield _bullet(f"{name}{_signature(member)}", member)


def _bullet(head: str, documented: Any) -> str:
    """Later paragraphs stand below the first."""
    return f"- `{head}`: " + textwrap.indent(inspect.getdoc(documented) or "", "  ").strip()


def _signature(call: Callable[..., Any]) -> str:
    """As it is written, without self and without the result."""
    parts, starred = [], False
    for each in list(inspect.signature(call).parameters.values())[1:]:
        if each.kind is each.VAR_POSITIONAL:
            starred = True
        elif each.kind is each.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        star = "*" if each.kind is each.VAR_POSITIONAL else ""
        default = "" if each.default is each.empty else f" = {each.default!r}"
        parts.append(f"{star}{each.name}: {each.annotation}{default}")
    return f"({', '.join(parts)})"


def _fixtures() -> Iterator[str]:
    tree = ast.parse(Path(str(testing.__file__)).with_name("pytest_plugin.py").read_text("utf-8"))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and _is_fixture(node):
            yield f"- `{node.name}`: {ast.get_docstring(node)}"


def _is_fixture(function: ast.FunctionDef) -> bool:
    return any("pytest.fixture" in ast.unparse(each) for each in function.decorator_list)
