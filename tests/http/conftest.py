from __future__ import annotations

import asyncio
import importlib.util
import logging

import pytest

from fakeserver.engine import Engine
from fakeserver.http.serve import serve
from tests.http.control_stand_ins import Control
from tests.http.stand_ins import PLANS, Ended, HandMade, Raw


@pytest.hookimpl(optionalhook=True)
def pytest_asyncio_loop_factories(config, item):
    """Every test here runs on each loop that is there."""
    factories = {"asyncio": asyncio.new_event_loop}
    if importlib.util.find_spec("uvloop"):
        import uvloop

        factories["uvloop"] = uvloop.new_event_loop
    return factories


@pytest.fixture(autouse=True)
def quiet_log(caplog):
    """Whatever a client does, nothing is logged as a warning, an error or a traceback."""
    yield
    loud = [record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.WARNING]
    assert loud == []


@pytest.fixture
def engine():
    return Engine(None, plans=HandMade(**PLANS))


@pytest.fixture
async def start():
    """Starts servers, and stops them all: uvloop does not close a loop with one left, so a failing test would hang."""
    running = []

    async def one(engine, *address):
        running.append(await serve(engine, *address))
        return running[-1]

    yield one
    for each in running:
        await asyncio.wait_for(each.stop(), 5)


@pytest.fixture
async def served(engine, start):
    return await start(engine)


@pytest.fixture
async def ended(engine):
    return Ended(engine)


@pytest.fixture
async def control(served):
    """A client of the control routes."""
    client = Control(served)
    yield client
    await client.client.aclose()


@pytest.fixture
async def connect(served):
    """Makes clients, and closes them all in the end."""
    made: list[Raw] = []

    async def to(server=served, **options) -> Raw:
        made.append(await Raw.to(server, **options))
        return made[-1]

    yield to
    for raw in made:
        raw.close()
