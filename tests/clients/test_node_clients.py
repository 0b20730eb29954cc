"""Every scenario, read by the real clients of Node: as its `expect` says, or as the table of departures does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.clients import node_clients
from tests.clients.cases import case, names
from tests.clients.chosen import chosen
from tests.clients.judge import NODE, problem
from tests.clients.server import Running

PATIENCE, LITTLE = 60_000, 1_500  # milliseconds: for an answer that comes, and for one that stalls


def job(server: Running, client: str, selector: str, **options: object) -> dict[str, object]:
    asked, session = case(selector), f"{client.replace(' ', '-')}.{selector}"
    return {
        "client": client,
        "baseURL": server.base_url(session),
        "model": selector,
        "attempts": asked.attempts,
        "limit": LITTLE if asked.stalls else PATIENCE,
        "release": [server.release_url(gate, session) for gate in asked.gates],
        **options,
    }


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest, server: Running) -> Mapping[tuple[str, str], Mapping[str, Any]]:
    """Of all that was chosen to run here, some at once."""
    return {each: outcome for wanted in chosen(request)
            for each, outcome in zip(wanted, node_clients.run([job(server, *each) for each in wanted]))}  # fmt: skip


@pytest.mark.parametrize("client", NODE)
@pytest.mark.parametrize("name", names())
def test_the_client_makes_of_it_what_is_expected(name: str, client: str, outcomes: Any, quiet: Running) -> None:
    found = problem(client, case(name), outcomes[client, name])
    if found:
        pytest.fail(found, pytrace=False)


def test_openai_asks_again_until_it_works(quiet: Running) -> None:
    options = {"attempts": 1, "retries": 2, "baseURL": quiet.base_url("node-retries")}
    (outcome,) = node_clients.run([job(quiet, "node", "fails-twice-then-succeeds", **options)])
    assert (outcome["raised"], outcome["requests"]) == (None, 3)
    assert outcome["choices"][0]["content"] == "The third time it works."


def test_the_lock_file_names_no_registry() -> None:
    lock = json.loads((node_clients.FOLDER / "package-lock.json").read_text())
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []
    wanted = json.loads((node_clients.FOLDER / "package.json").read_text())["dependencies"]
    assert {name: lock["packages"][f"node_modules/{name}"]["version"] for name in wanted} == wanted


def test_without_node_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(AssertionError, match=r"no node on the PATH.*`make test`"):
        node_clients.run([])


def test_without_the_clients_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(node_clients, "FOLDER", tmp_path)
    with pytest.raises(AssertionError, match=r"not installed.*`npm ci` in tests/clients/node"):
        node_clients.run([])
