"""Every case of the library, played to every client: what each makes of it is what the table in `kept` says."""

from __future__ import annotations

import importlib.metadata
import json
import sys
from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path

import pytest

from tests.clients import kept, playing, raised
from tests.clients.cases import names
from tests.clients.clients import ADAPTERS, CLIENTS, NODE, Client, pins
from tests.clients.matrix import how_to_accept
from tests.clients.playing import Report, cells_in

Reports = Mapping[str, Future[Report]]


@pytest.mark.parametrize("client", CLIENTS)
def test_the_client_makes_of_each_case_what_is_kept(client: str, reports: Reports) -> None:
    found = reports[client].result()
    changed = [*kept.changes(client, cells_in(found)), *raised.changes(client, raised.names_in(found))]
    if changed:
        pytest.fail("\n".join([*changed, how_to_accept(client)]), pytrace=False)


@pytest.mark.parametrize("client", [name for name in CLIENTS if name.startswith("openai-")])
def test_openai_asks_again_until_it_works(client: str, reports: Reports) -> None:
    assert reports[client].result()["fails-twice-then-succeeds"]["attempts"] == 3


def test_a_client_that_loses_a_chunk_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """An adapter that is right but for one thing: the message names the case, what is kept and what was read."""
    broken = Client(("httpx-sse",), "", str(Path(__file__).with_name("lossy.py")))
    monkeypatch.setitem(CLIENTS, "httpx-sse", broken)
    read = {name: kept.cell_of(case) for name, case in playing.play("httpx-sse", ["hello", "status-500"], 5, 2).items()}
    assert read["status-500"] == kept.GREEN
    (change,) = kept.changes("httpx-sse", {**_as_kept("httpx-sse"), **read})
    assert change == "httpx-sse, hello:\n  kept  {mark: green}\n  read  {mark: red, read: {content: Hello.}}"


def _as_kept(client: str) -> dict[str, kept.Cell]:
    return {case: kept.cells(row)[0] for case, row in kept.rows(client).items()}


def test_the_table_speaks_of_what_there_is() -> None:
    files = {path.stem for path in kept.FOLDER.glob("*.yaml")} - {kept.FACTS.stem}
    assert files == CLIENTS.keys()
    rows = {(client, case): row for client in CLIENTS for case, row in kept.rows(client).items()}
    assert {case for _, case in rows} <= {*names()}
    assert {row["why"] for row in rows.values()} == kept.facts().keys()


def test_a_run_is_accepted_and_each_why_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    red, amber = {"mark": "red", "read": {"content": "Hi"}}, {"mark": "amber", "raised": "Lost"}
    kept.write(
        "x", {"a": {**red, "why": "b"}, "c": {"either": [red, kept.GREEN], "why": "d"}, "e": {**red, "why": "f"}}
    )
    kept.write("x", kept.accepted("x", {"a": amber, "c": amber, "e": kept.GREEN, "g": red}))
    assert kept.rows("x") == {"a": {**amber, "why": "b"}, "c": {"either": [red, kept.GREEN, amber], "why": "d"},
                              "g": {**red, "why": kept.UNEXPLAINED}}  # fmt: skip
    assert kept.changes("x", {"a": amber, "c": kept.GREEN, "g": red}) == []


def test_what_is_installed_is_what_is_pinned() -> None:
    for client in CLIENTS.values():
        for package, version in (pin.rsplit(" ", 1) for pin in pins(client)):
            assert _installed(client, package) == version


def _installed(client: Client, package: str) -> str:
    if not client.of_node:
        return importlib.metadata.version(package)
    said: str = json.loads((NODE / "node_modules" / package / "package.json").read_text("utf-8"))["version"]
    return said


def test_the_lock_file_names_no_registry() -> None:
    lock = json.loads((NODE / "package-lock.json").read_text("utf-8"))
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []
    wanted = json.loads((NODE / "package.json").read_text("utf-8"))["dependencies"]
    assert {name: lock["packages"][f"node_modules/{name}"]["version"] for name in wanted} == wanted


def test_without_node_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(AssertionError, match=r"no node on the PATH.*`make test`"):
        _ = CLIENTS["openai-node"].command


def test_without_the_clients_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text((NODE / "package.json").read_text("utf-8"))
    monkeypatch.setattr("tests.clients.clients.NODE", tmp_path)
    with pytest.raises(AssertionError, match=r"not installed.*`npm ci` in tests/clients/node"):
        _ = CLIENTS["openai-node"].command


@pytest.mark.parametrize("adapter", sorted({client.adapter for client in CLIENTS.values()}))
def test_each_adapter_answers_a_single_case_too(adapter: str) -> None:
    """By the environment, without --stay: as anybody may run it."""
    client = next(name for name, each in CLIENTS.items() if each.adapter == adapter)
    (case,) = playing.play(client, ["hello"], 5).values()
    assert (case["mark"], case["outcome"]["choices"][0]["content"]) == ("green", "Hello there.")
    assert sys.executable in CLIENTS[client].command or (ADAPTERS / adapter).suffix == ".mjs"
