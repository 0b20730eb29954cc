"""Ten thousand requests: all of them there, few of them in the document, and nothing that a person must wait for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.clients.server import running
from tests.page.asking import chat
from tests.page.conftest import LIBRARY
from tests.page.many import ask

COUNT = 10_000
SECONDS = 5.0  # on a machine that does much else; by itself each of these takes a tenth of that


@contextmanager
def soon(what: str) -> Iterator[None]:
    began = time.monotonic()
    yield
    took = time.monotonic() - began
    print(f"{what}: {took:.2f} s")
    assert took < SECONDS, what


@pytest.fixture(scope="module")
def busy():
    with running(LIBRARY) as server:
        ask(server.port, COUNT - 1, "many")
        chat(server, "hello", "one")
        yield server


def test_they_are_all_there_and_few_are_in_the_document(look, busy):
    with soon("load"):
        page = look("#/journal", url=busy.url)
        status = page.locator(".count")
        expect(status).to_have_text("10,000 requests")
    table = page.get_by_role("table", name="Requests")
    expect(table).to_have_attribute("aria-rowcount", "10001")
    assert table.locator("tr").count() < 90
    with soon("filter"):
        page.get_by_role("searchbox").fill("chat/completions")
        expect(status).to_have_text("1 of 10,000")
    page.get_by_role("searchbox").fill("")
    expect(table.locator("tbody tr:not(.gap)").first).to_contain_text("10000")
    with soon("scroll to the end"):
        page.locator(".rows").evaluate("box => box.scrollTop = box.scrollHeight")
        expect(table.get_by_role("link", name="1", exact=True)).to_be_visible()
    assert table.locator("tr").count() < 90
    with soon("a key to the beginning"):
        table.get_by_role("link", name="1", exact=True).focus()
        page.keyboard.press("Home")
        expect(table.get_by_role("link", name="10000", exact=True)).to_be_focused()


def test_a_thousand_more_come_while_it_is_looked_at(look, busy):
    page = look("#/journal", url=busy.url)
    expect(page.locator(".count")).to_contain_text("10,000 requests")
    page.evaluate(
        """() => { globalThis.worst = 0; let last = performance.now();
        const tick = (now) => { worst = Math.max(worst, now - last); last = now; requestAnimationFrame(tick); };
        requestAnimationFrame(tick); }"""
    )
    with soon("a thousand more"):
        ask(busy.port, 1000, "more")
        expect(page.get_by_role("table", name="Requests")).to_have_attribute("aria-rowcount", "11001")
    worst = page.evaluate("worst")
    print(f"the longest frame: {worst:.0f} ms")
    assert worst < 1000 * SECONDS
