"""Every fenced block of README and docs: scenarios load and compile, commands and programs say what is shown."""

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
import yaml

from fakeserver.plan.trial import try_all
from fakeserver.script.library import load
from fakeserver.script.loader import load_text
from tests.docs.pages import PAGES, ROOT, Block, as_pattern, blocks, commands

SHOWN = "127.0.0.1:8437"  # the address in the docs, which the server of a test does not have
MODULES = ROOT / "tests" / "clients" / "node" / "node_modules"
BIN = Path(sys.executable).parent
# How a line of a ```sh may begin.
NOT_RUN = (
    *("make ", "pip ", "pipx ", "fakeserver ", "#", "cd ", "npm ", "npx ", "docker ", "python -m http.server"),
    *("FAKESERVER_COMMAND=", "OPENAI_BASE_URL="),
)


class Desk:
    """An empty folder, a server, and whoever works there, page by page."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.server: subprocess.Popen[str] | None = None
        self.address = SHOWN
        self.waiting: list[tuple[subprocess.Popen[bytes], Path, Block, str]] = []
        (folder / ".curlrc").write_text("silent\nshow-error\n")  # as on a terminal, where there is no progress meter
        self.env = {key: value for key, value in os.environ.items() if not key.startswith("FAKESERVER_")}
        self.env |= {"PATH": f"{BIN}:{os.environ['PATH']}", "CURL_HOME": str(folder), "COLUMNS": "120"}
        self.env |= {"OPENAI_API_KEY": "any", "NO_COLOR": "1", "PYTHONWARNINGS": "ignore"}

    def serve(self, command: str = "fakeserver serve") -> str:
        """Start this server in the place of the one before; its first line."""
        self.close()
        args = [*command.split(), "--port", "0"]
        self.server = subprocess.Popen(args, cwd=self.folder, env=self.env, text=True, stdout=subprocess.PIPE)
        line = self.server.stdout.readline()
        self.address = line.rpartition("//")[2].partition('"')[0].strip()
        return line.replace(self.address, SHOWN)

    def close(self) -> None:
        if self.server is not None:
            self.server.send_signal(signal.SIGTERM)
            self.server.wait(5)
            self.server.stdout.close()
            self.server = None

    def here(self, text: str) -> str:
        if SHOWN in text and self.server is None:
            self.serve()
        return text.replace(SHOWN, self.address)

    def run(self, args: list[str]) -> tuple[str, int]:
        pipe = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        done = subprocess.run(args, cwd=self.folder, env=self.env, timeout=60, **pipe)
        said = done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")
        return said.replace(self.address, SHOWN), done.returncode

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path


@pytest.fixture
def desk(tmp_path):
    desk = Desk(tmp_path)
    yield desk
    desk.close()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_is_shown_is_so(page, desk):
    found = blocks(page)
    for place, block in enumerate(found):
        if block.source:
            _is_copied(block)
            continue
        following = found[place + 1] if place + 1 < len(found) else None
        shown = following.text if following and following.marks[:1] in (("output",), ("message",)) else None
        if block.file:
            desk.write(block.file, desk.here(block.text))
        if "later" in block.marks:  # a command below runs it
            _modules(desk)
            continue
        _CHECKS[block.language](desk, block, shown)
    assert not desk.waiting, "a command in the background was never waited for"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_scenarios_load_and_compile(page, tmp_path):
    """All of a page at once, as files of one library."""
    scenarios = (block for block in blocks(page) if block.language == "yaml")
    found = [block for block in scenarios if not {"mistake", "workflow"} & {*block.marks}]
    if not found:
        return
    places = {str(_as_file(block, tmp_path)): block.place for block in found}
    problems = try_all(load([tmp_path])).problems
    assert not [f"{places.get(each.path)}\n{each}" for each in problems]


def _as_file(block: Block, folder: Path) -> Path:
    name = f"{block.page.stem.lower()}-{block.line}"
    kind = block.marks[0] if block.marks else ""
    text = f"stream:\n{textwrap.indent(block.text, '  ')}" if kind == "steps" else block.text
    path = folder / {"dialect": "dialects", "overlay": "overlays", "layer": "overlays"}.get(kind, "") / f"{name}.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    if kind == "dialect":  # it is tried by being spoken
        (folder / f"in-{name}.yaml").write_text(f"dialect: {name}\nreply: {{think: Well, say: Hello there.}}\n")
        (folder / f"in-{name}-error.yaml").write_text(f"dialect: {name}\nrespond: rate-limited\n")
    return path


def _is_copied(block: Block) -> None:
    """Whole lines of the file, one after the other."""
    there = (ROOT / block.source).read_text("utf-8")
    assert f"\n{block.text}" in f"\n{there}", f"{block.place} is not, or no longer, in {block.source}"


def _yaml(desk: Desk, block: Block, shown: str | None) -> None:
    if "workflow" in block.marks:
        assert isinstance(yaml.safe_load(block.text), dict), block.place
    if "mistake" in block.marks and not block.file:
        problems = load_text(block.text, "PATH")[1].problems
        said = "\n".join(str(problem).removeprefix("PATH:") for problem in problems)
        assert said.strip() == (shown or "").strip(), block.place


def _console(desk: Desk, block: Block, shown: str | None) -> None:
    for command, output in commands(block):
        if command.startswith("fakeserver serve"):
            _compare(block, output, desk.serve(command))
        elif "background" in block.marks:
            _begin(desk, block, command, output)
        else:
            _compare(block, output, desk.run(["bash", "-c", desk.here(command)])[0])
            _end_all(desk)


def _begin(desk: Desk, block: Block, command: str, output: str) -> None:
    said = desk.folder / f"output-{block.line}"
    with said.open("wb") as out:
        args = ["bash", "-c", desk.here(command)]
        running = subprocess.Popen(args, cwd=desk.folder, env=desk.env, stdout=out, stderr=out)
    desk.waiting.append((running, said, block, output))
    for _ in range(500):
        if said.stat().st_size:
            break
        time.sleep(0.01)
    time.sleep(0.1)


def _end_all(desk: Desk) -> None:
    for running, said, block, output in desk.waiting:
        running.wait(10)
        _compare(block, output, said.read_text("utf-8").replace(desk.address, SHOWN))
    desk.waiting.clear()


def _compare(block: Block, shown: str, said: str) -> None:
    if not as_pattern(shown).fullmatch(said):
        pytest.fail(f"{block.place} shows\n{shown}\nbut what is said is\n{said}", pytrace=False)


def _python(desk: Desk, block: Block, shown: str | None) -> None:
    path = desk.write(block.file or f"snippet-{block.line}.py", desk.here(block.text))
    tool = ["-m", "pytest", "-q", "-p", "no:cacheprovider"] if path.stem.startswith("test_") else []
    _program(desk, block, [sys.executable, *tool, str(path)], shown)


def _js(desk: Desk, block: Block, shown: str | None) -> None:
    node = shutil.which("node") or pytest.fail("node is not there: Node 20 or later is needed for the tests")
    path = desk.write(block.file or f"snippet-{block.line}.mjs", desk.here(block.text))
    _modules(desk)
    _program(desk, block, [node, str(path)], shown)


def _modules(desk: Desk) -> None:
    """What programs for Node import."""
    if not MODULES.is_dir():
        pytest.fail("tests/clients/node/node_modules is not there: `make test` installs it", pytrace=False)
    modules = desk.folder / "node_modules"
    if not modules.exists():
        modules.symlink_to(MODULES)


def _program(desk: Desk, block: Block, args: list[str], shown: str | None) -> None:
    said, code = desk.run(args)
    assert code == 0, f"{block.place}\n{said}"
    if shown is not None:
        _compare(block, shown, said)


def _sh(desk: Desk, block: Block, shown: str | None) -> None:
    """Commands that a test must not run are known at least."""
    for line in block.text.splitlines():
        assert line.startswith(NOT_RUN), f"{block.place}: {line}"
        if line.startswith("make "):
            target = line.split("#")[0].split()[1]
            assert f"\n{target}:" in (ROOT / "Makefile").read_text(), f"{block.place}: no target {target}"


def _json(desk: Desk, block: Block, shown: str | None) -> None:
    json.loads(block.text)


_CHECKS = {"yaml": _yaml, "console": _console, "python": _python, "js": _js, "sh": _sh, "json": _json,
           "text": lambda desk, block, shown: None}  # fmt: skip
