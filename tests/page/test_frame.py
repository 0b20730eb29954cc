"""Around the views: a server that goes and comes back, files that change, a token, light and dark."""

from __future__ import annotations

import re
import signal
import socket

from playwright.sync_api import expect

from tests.clients.server import running
from tests.page.asking import chat
from tests.page.conftest import LIBRARY


def test_a_server_that_goes_and_comes_back(look):
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = str(held.getsockname()[1])
    with running([*LIBRARY, "--port", port]) as first:
        page = look("#/journal", url=first.url)
        chat(first, "hello")
        chat(first, "hello")
        table = page.get_by_role("table", name="Requests")
        expect(table.locator("tbody tr")).to_have_count(2)
        first.stop(signal.SIGKILL)
        expect(page.get_by_role("alert")).to_contain_text(re.compile("has gone|does not answer"))
        expect(page.get_by_text("not connected")).to_be_visible()
        expect(table.locator("tbody tr")).to_have_count(2)
    with running([*LIBRARY, "--port", port]) as second:
        expect(page.get_by_text("live", exact=True)).to_be_visible()
        expect(page.get_by_role("alert")).to_be_empty()
        expect(page.get_by_text("Nothing has been asked yet")).to_be_visible()
        chat(second, "echo")
        expect(table.locator("tbody tr")).to_have_count(1)


def test_files_that_change_and_files_that_break(look, tmp_path):
    (tmp_path / "one.yaml").write_text("reply: One.")
    with running([str(tmp_path), "--watch"]) as server:
        page = look("#/library", url=server.url)
        side = page.get_by_role("navigation", name="Scenarios")
        expect(side.get_by_role("status")).to_have_text("1 scenario")
        (tmp_path / "two.yaml").write_text("reply: Two.")
        expect(side.get_by_role("status")).to_have_text("2 scenarios")
        (tmp_path / "two.yaml").write_text("replay: Two.")
        expect(page.get_by_role("alert")).to_contain_text("two.yaml:1:1")
        expect(page.get_by_role("region", name="Files that were not taken in")).to_contain_text("replay")
        expect(side.get_by_role("status")).to_have_text("2 scenarios")
        (tmp_path / "two.yaml").write_text("reply: Again.")
        expect(page.get_by_role("alert")).to_be_empty()


def test_a_token_is_asked_for(look):
    with running([*LIBRARY, "--token", "s3cret"]) as server:
        page = look("#/journal", url=server.url)
        expect(page.get_by_role("heading", name="A token is needed")).to_be_visible()
        page.get_by_label("Token").fill("wrong")
        expect(page.get_by_text("refused")).to_have_count(0)
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert").filter(has_text="The server refused that token.")).to_be_visible()
        expect(page.locator(".banner")).to_have_count(0)
        page.get_by_label("Token").fill("s3cret")
        page.keyboard.press("Enter")
        expect(page.get_by_text("live", exact=True)).to_be_visible()
        page.reload()
        expect(page.get_by_text("live", exact=True)).to_be_visible()


def test_a_token_in_the_address_is_taken_and_dropped(look):
    with running([*LIBRARY, "--token", "s3cret"]) as server:
        page = look("#token=s3cret", url=server.url)
        expect(page.get_by_text("live", exact=True)).to_be_visible()
        assert "s3cret" not in page.url


def test_light_and_dark(look):
    colours = {}
    for scheme in ("light", "dark"):
        page = look("#/library", color_scheme=scheme)
        expect(page.get_by_role("heading", name="Library")).to_be_visible()
        colours[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert min(colours["light"]) > 200
    assert max(colours["dark"]) < 60


def test_what_is_not_seen_holds_no_connection(look, server):
    page = look("#/journal?session=unseen-1")
    expect(page.get_by_text("live", exact=True)).to_be_visible()
    hide = "(hidden) => { Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});"
    hide += " document.dispatchEvent(new Event('visibilitychange')); }"
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/events")):
        page.evaluate(hide, True)
    chat(server, "hello", "unseen-1")
    page.evaluate(hide, False)
    expect(page.get_by_role("table", name="Requests").locator("tbody tr")).to_have_count(1)
