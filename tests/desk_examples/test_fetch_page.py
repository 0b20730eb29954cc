"""examples/fetch-page in a browser: whatever the bytes are like, the text is whole, or the page says that it is not."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from fakeserver import FakeServer
from tests.desk_examples.apps import ROOT, browser

LONG: Any = {"timeout": 30_000}


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *said: object) -> None:
        """Nothing into the test's output."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    handler = functools.partial(Silent, directory=str(ROOT / "examples" / "fetch-page"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as web:
        thread = threading.Thread(target=web.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{web.server_port}"
        web.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with FakeServer(mode="thread", speed="instant") as server:
        yield server


@pytest.fixture(scope="module")
def page(site: str, server: FakeServer) -> Iterator[Page]:
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"]) as chrome,
    ):
        page = chrome.new_page()
        page.set_default_timeout(LONG["timeout"])
        page.goto(f"{site}/?base={server.base_url}")
        expect(page.get_by_role("status")).to_have_text("ready", **LONG)
        yield page


@pytest.fixture(autouse=True)
def clean(server: FakeServer) -> None:
    server.reset()


def ask(page: Page, model: str) -> None:
    page.get_by_label("Model").fill(model)
    page.get_by_role("button", name="Send").click()


@pytest.mark.parametrize(
    ("model", "text", "status"),
    [
        ("hello", "Hello there.", "complete"),
        ("hello+one-byte", "Hello there.", "complete"),  # in no list of models
        ("three-emoji-one-byte-at-a-time", "🌍🚀🎉", "complete"),
        ("crlf-line-ends", None, "complete"),
        ("rst-mid-stream", None, "failed: network error"),  # a browser may drop what it has not handed over yet
        ("clean-eof-mid-answer", None, "failed: the answer was cut off"),
        ("error-object-mid-stream", "Hi", "failed: boom"),
        ("status-401", "", "failed: Incorrect API key provided"),
    ],
)
def test_the_page_shows_what_came_and_how_it_ended(page: Page, model: str, text: str | None, status: str) -> None:
    ask(page, model)
    expect(page.get_by_role("status")).to_contain_text(status, **LONG)
    if text is not None:
        expect(page.get_by_role("article")).to_have_text(text, **LONG)


def test_the_menu_is_proposed(page: Page) -> None:
    names = page.get_by_label("Model").evaluate("input => Array.from(input.list.options, ({ value }) => value)")
    assert "markdown" in names
    assert page.locator("datalist").evaluate("list => list.childElementCount") == len(names)


def test_stop_stops_the_model(page: Page, server: FakeServer) -> None:
    server.script("stream: [role: assistant, say: One, gate: a, say: ' two', finish: stop, done]")
    ask(page, "hello")
    expect(page.get_by_role("article")).to_have_text("One", **LONG)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("status")).to_have_text("stopped", **LONG)
    server.assert_cancelled(within=10)
