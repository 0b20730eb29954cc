"""Every scenario, read by the real clients of Python: as its `expect` says, or as the table of departures does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import openai
import pytest

from tests.clients.cases import case, names
from tests.clients.chosen import chosen
from tests.clients.judge import CLIENTS, PYTHON, facts, problem, table
from tests.clients.python_clients import Job, run
from tests.clients.server import Running

PATIENCE, LITTLE = 20.0, 1.5  # seconds: for an answer that comes, and for one that stalls


def job(server: Running, client: str, selector: str) -> Job:
    asked, session = case(selector), f"{client.replace(' ', '-')}.{selector}"

    def before() -> None:
        for gate in asked.gates:
            server.release(gate, session)

    patience = LITTLE if asked.stalls else PATIENCE
    return Job(client, server.base_url(session), selector, asked.attempts, patience, before)


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest, server: Running) -> Mapping[tuple[str, str], Mapping[str, Any]]:
    """Of all that was chosen to run here, some at once."""
    return {each: outcome for wanted in chosen(request)
            for each, outcome in zip(wanted, run(job(server, *each) for each in wanted))}  # fmt: skip


@pytest.mark.parametrize("client", PYTHON)
@pytest.mark.parametrize("name", names())
def test_the_client_makes_of_it_what_is_expected(name: str, client: str, outcomes: Any, quiet: Running) -> None:
    found = problem(client, case(name), outcomes[client, name])
    if found:
        pytest.fail(found, pytrace=False)


def test_openai_asks_again_until_it_works(quiet: Running) -> None:
    requests: list[object] = []
    counted = openai.DefaultHttpxClient(event_hooks={"request": [requests.append]})
    base_url, model = quiet.base_url("python-retries"), "fails-twice-then-succeeds"
    with openai.OpenAI(api_key="x", base_url=base_url, max_retries=2, http_client=counted) as client:
        stream = client.chat.completions.create(model=model, messages=[{"role": "user", "content": "Hi"}], stream=True)
        said = [chunk.choices[0].delta.content or "" for chunk in stream]
    assert ("".join(said), len(requests)) == ("The third time it works.", 3)


def test_the_table_speaks_of_what_there_is() -> None:
    rows = [row for rows in table().values() for row in rows]
    assert table().keys() <= set(names())
    assert {client for row in rows for client in row.clients} <= CLIENTS.keys()
    assert {row.why for row in rows} == facts().keys()
