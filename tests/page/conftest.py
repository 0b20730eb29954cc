"""A browser for this folder's tests, a server that all of them use, and a page for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.clients.server import Running, running
from tests.page.browser import launched, looking

HERE = Path(__file__).parent
LIBRARY = (str(HERE.parents[1] / "scenarios"), str(HERE / "scenarios"))

expect.set_options(timeout=10_000)  # a busy machine


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = launched(playwright)
        yield found
        found.close()


@pytest.fixture(scope="package")
def server() -> Iterator[Running]:
    with running(LIBRARY) as server:
        yield server


@pytest.fixture
def look(browser: Browser, server: Running) -> Iterator[Callable[..., Page]]:
    """Opens the page at an address; the keywords are a browser context's, `url` another server's."""
    with ExitStack() as stack:

        def opened(address: str = "", url: str = "", **how: Any) -> Page:
            page = stack.enter_context(looking(browser, url or server.url, **how))
            page.goto(f"/{address}")
            return page

        yield opened
