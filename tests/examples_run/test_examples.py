"""Each project in `examples/`, tested as its user would: `npm test` in its folder, with this tree's `fakeserver`."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
PROJECTS = ("node-test", "playwright", "vitest")
LIMIT = 300  # seconds: a browser on a busy machine is slow
INSTALL = "Install Node 20 or later (nodejs.org), then run `make test`, or `npm ci` in"


def free_port() -> str:
    with socket.socket() as each:
        each.bind(("127.0.0.1", 0))
        return str(each.getsockname()[1])


def environment() -> dict[str, str]:
    """What a user has, with this tree's program, free ports, and the browser of the tests, if there is one."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("FAKESERVER_", "OPENAI_"))}
    own = {"FAKESERVER_COMMAND": str(Path(sys.executable).with_name("fakeserver")), "FAKESERVER_PORT": free_port()}
    browser = os.environ.get("FAKESERVER_TEST_BROWSER", "chromium")
    own |= {"APP_PORT": free_port(), "FAKESERVER_TEST_BROWSER": shutil.which(browser) or browser}
    return kept | own | {"CI": "1", "NO_COLOR": "1"}


def run(command: list[str], folder: Path) -> None:
    """Fails with its output. None of its processes outlives it."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL}
    with subprocess.Popen(command, cwd=folder, env=environment(), start_new_session=True, **pipes) as running:
        try:
            said, _ = running.communicate(timeout=LIMIT)
        except BaseException:
            os.killpg(running.pid, signal.SIGKILL)
            raise
    if running.returncode:
        pytest.fail(f"{' '.join(command)} in {folder.relative_to(ROOT)}\n{said.decode()}", pytrace=False)


def installed(program: str, folder: Path) -> str:
    """A program of Node, for a project that is installed."""
    found = shutil.which(program)
    if found is None or not (folder / "node_modules").is_dir():
        name = folder.relative_to(ROOT)
        pytest.fail(f"{program} is not on the PATH, or {name} not installed. {INSTALL} {name}.", pytrace=False)
    return found


@pytest.mark.parametrize("project", PROJECTS)
def test_its_tests_pass(project: str) -> None:
    folder = ROOT / "examples" / project
    run([installed("npm", folder), "test"], folder)


def test_the_helper_does_what_it_says() -> None:
    folder = ROOT / "examples" / "node-test"
    run([installed("node", folder), "--test", str(HERE / "helper.test.mjs")], folder)


def test_typescript_knows_what_the_helper_takes_and_gives() -> None:
    """Strictly, by what its comments say. What must be an error in `types.mts` is marked there, and must be one."""
    folder = ROOT / "examples" / "vitest"
    strict = "--noEmit --strict --allowJs --checkJs --skipLibCheck --target es2023 --module nodenext --types node"
    where = ["--typeRoots", str(folder / "node_modules" / "@types"), str(HERE / "types.mts")]
    run([installed("npx", folder), "--no-install", "tsc", "--ignoreConfig", *strict.split(), *where], folder)


def test_every_project_with_tests_is_run() -> None:
    found = {path.parent.name: json.loads(path.read_text()) for path in (ROOT / "examples").glob("*/package.json")}
    assert {name for name, said in found.items() if "test" in said.get("scripts", {})} == {*PROJECTS}


@pytest.mark.parametrize("project", PROJECTS)
def test_what_is_installed_is_pinned_and_names_no_registry(project: str) -> None:
    folder = ROOT / "examples" / project
    lock = json.loads((folder / "package-lock.json").read_text("utf-8"))
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []
    said = json.loads((folder / "package.json").read_text("utf-8"))
    wanted = said.get("dependencies", {}) | said.get("devDependencies", {})
    assert {name: lock["packages"][f"node_modules/{name}"]["version"] for name in wanted} == wanted
