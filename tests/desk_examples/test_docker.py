"""The Dockerfiles, the compose file and the workflow, as far as can be told without a container engine.

Their syntax, the files that they name, and every command line of ours in them: those are given to the program itself.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from fakeserver import FakeServer
from fakeserver.cli.commands import group
from tests.desk_examples.apps import ROOT

FOLDER = ROOT / "examples" / "docker"
DOCKERFILES = (ROOT / "Dockerfile", FOLDER / "Dockerfile")
INSTRUCTIONS = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "EXPOSE", "USER", "HEALTHCHECK", "ENTRYPOINT", "CMD"}


def instructions(file: Path) -> list[tuple[str, str]]:
    text = re.sub(r"\\\n", " ", file.read_text("utf-8"))
    rows = [row.strip() for row in text.splitlines()]
    return [(row.partition(" ")[0], row.partition(" ")[2].strip()) for row in rows if row and not row.startswith("#")]


def loaded(name: str) -> Any:
    return yaml.safe_load((FOLDER / name).read_text("utf-8"))


def understood(words: list[str]) -> None:
    """Raises click's error where the program would not take them."""
    command = group.commands[words[0]]
    command.make_context(words[0], words[1:], resilient_parsing=False).close()


@pytest.mark.parametrize("file", DOCKERFILES, ids=lambda file: file.parent.name)
class TestDockerfile:
    def test_is_well_formed(self, file: Path) -> None:
        found = instructions(file)
        assert {name for name, _ in found} <= INSTRUCTIONS
        assert found[0][0] == "FROM"
        stages = {rest.split()[-1] for name, rest in found if name == "FROM" and " AS " in rest}
        wanted = {stage for name, rest in found if name == "COPY" for stage in re.findall(r"--from=(\S+)", rest)}
        assert wanted <= stages

    def test_copies_what_is_there(self, file: Path) -> None:
        for name, rest in instructions(file):
            if name == "COPY" and "--from=" not in rest:
                assert all((file.parent / source).exists() for source in rest.split()[:-1])

    def test_says_commands_that_the_program_takes(self, file: Path) -> None:
        for name, rest in instructions(file):
            if name in ("CMD", "ENTRYPOINT", "HEALTHCHECK"):
                words = json.loads(rest[rest.index("[") :])
                if words != ["fakeserver"]:
                    understood(words[words[0] == "fakeserver" :])


def test_what_the_image_is_made_of_is_sent_to_it() -> None:
    kept = {row[1:] for row in (ROOT / ".dockerignore").read_text().splitlines() if row.startswith("!")}
    copied = [rest.split()[:-1] for name, rest in instructions(ROOT / "Dockerfile") if name == "COPY"]
    assert kept == {source for sources in copied for source in sources if not source.startswith(("-", "/"))}


def test_the_health_check_knows_a_server_by_the_image_s_own_variables() -> None:
    env = dict(
        pair.split("=") for name, rest in instructions(ROOT / "Dockerfile") if name == "ENV" for pair in rest.split()
    )
    assert set(env) == {"FAKESERVER_HOST", "FAKESERVER_PORT"}
    ready = [sys.executable, "-m", "fakeserver", "ready"]
    with FakeServer(mode="thread") as server:
        here = {**env, "FAKESERVER_PORT": server.url.rpartition(":")[2]}
        assert subprocess.run(ready, env=here, capture_output=True, check=False).returncode == 0
    assert subprocess.run(ready, env=here, capture_output=True, check=False).returncode == 1


def test_compose() -> None:
    services = loaded("compose.yaml")["services"]
    ours = services["fakeserver"]
    assert (FOLDER / ours["build"] / "Dockerfile").is_file()
    understood(shlex.split(ours["command"].replace("/scenarios", str(FOLDER / "scenarios"))))
    [volume] = ours["volumes"]
    assert (FOLDER / volume.partition(":")[0]).is_dir()
    assert ours["ports"] == ["127.0.0.1:8437:8437"]
    assert services["app"]["depends_on"] == {"fakeserver": {"condition": "service_healthy"}}
    asked = shlex.split(services["app"]["command"])
    with FakeServer(FOLDER / "scenarios", mode="thread", fallback="greeting") as server:
        here = [word.replace("http://fakeserver:8437", server.url) for word in asked]
        done = subprocess.run(["curl", "--silent", *here], capture_output=True, text=True, check=True)
    assert '"content":"Hello"' in done.stdout
    assert done.stdout.endswith("data: [DONE]\n\n")


def commands(job: dict[str, Any]) -> Iterator[str]:
    return (step["run"] for step in job["steps"] if "run" in step)


def test_the_workflow() -> None:
    jobs = loaded("workflow.yaml")["jobs"]
    assert all(set(step) & {"uses", "run"} for job in jobs.values() for step in job["steps"])
    ours = [line for job in jobs.values() for line in commands(job) if line.startswith("fakeserver ")]
    assert len(ours) == 3
    for line in ours:
        understood(shlex.split(line.removesuffix(" &"))[1:])
    service = jobs["service"]["services"]["fakeserver"]
    assert service["ports"] == ["8437:8437"]
    known = {option.envvar for option in group.commands["serve"].params if hasattr(option, "envvar")}
    assert set(service["env"]) <= known


def test_the_container_s_scenarios_are_right() -> None:
    check = [sys.executable, "-m", "fakeserver", "check", str(FOLDER / "scenarios")]
    assert subprocess.run(check, capture_output=True, check=False).returncode == 0
