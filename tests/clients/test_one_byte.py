"""Byte by byte: with the overlay one-byte every client makes of an answer what it makes of it in whole writes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients import node_clients, python_clients, test_node_clients, test_python_clients
from tests.clients.judge import CLIENTS, NODE, PYTHON
from tests.clients.server import Running

SELECTORS = ("hello", "three-emoji-one-byte-at-a-time", "tool-call", "refusal-deltas", "utf8-split-across-reads")


@pytest.fixture(scope="module")
def outcomes(server: Running) -> dict[tuple[str, str], Any]:
    selectors = [name + overlay for name in SELECTORS for overlay in ("", "+one-byte")]
    python = [(client, selector) for client in PYTHON for selector in selectors]
    node = [(client, selector) for client in NODE for selector in selectors]
    found = dict(zip(python, python_clients.run(test_python_clients.job(server, *each) for each in python)))
    return found | dict(zip(node, node_clients.run([test_node_clients.job(server, *each) for each in node])))


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("selector", SELECTORS)
def test_one_byte_at_a_time_says_the_same(selector: str, client: str, outcomes: Any, quiet: Running) -> None:
    cut = outcomes[client, f"{selector}+one-byte"]
    assert cut["raised"] is None
    assert cut == outcomes[client, selector]
