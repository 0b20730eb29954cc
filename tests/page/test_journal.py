"""The journal: rows as they happen, found again, and one request with all that is known of it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.page.asking import chat, control, in_flight
from tests.page.many import ask


def rows(page: Page) -> Locator:
    return page.get_by_role("table", name="Requests").locator("tbody tr:not(.gap)")


def test_requests_appear_as_they_come_and_as_they_end(look, server):
    page = look("#/journal?session=live-1")
    with in_flight(server, "held", "live-1"):
        expect(rows(page)).to_have_count(1)
        expect(rows(page).first).to_contain_text("at gate half")
        control(server, "/sessions/live-1/gates/half/release")
        expect(rows(page).first).to_contain_text("complete")
    chat(server, "hello+reset-midway", "live-1")
    expect(rows(page)).to_have_count(2)
    newest = rows(page).first.get_by_role("cell")
    expect(newest.nth(2)).to_have_text("live-1")
    expect(newest.nth(3)).to_have_text("hello+reset-midway")
    expect(newest.nth(4)).to_have_text("model")
    expect(newest.nth(5)).to_have_text("200")
    expect(newest.nth(6)).to_contain_text("ended: reset")
    expect(newest.nth(7)).to_have_text("3")
    expect(newest.nth(9)).to_have_text(re.compile(r"(µs|ms|s)$"))


def test_filters(look, server):
    for model in ("hello", "echo", "hello+reset-midway"):
        chat(server, model, "filter-1")
    chat(server, "any", "filter-1", x_fakeserver_scenario="helo")
    page = look("#/journal?session=filter-1")
    expect(rows(page)).to_have_count(4)
    page.get_by_role("searchbox").fill("hello")
    expect(rows(page)).to_have_count(2)
    page.get_by_role("searchbox").fill("")
    page.get_by_label("Which requests").select_option("unmatched")
    expect(rows(page)).to_have_text([re.compile("unmatched")])
    page.get_by_label("Which requests").select_option("failed")
    expect(rows(page)).to_have_count(2)
    expect(page).to_have_url(re.compile("session=filter-1&only=failed$"))
    page.get_by_role("searchbox").fill("no such text")
    expect(page.get_by_text("No request is like that.")).to_be_visible()


def test_paused_it_counts_what_is_new(look, server):
    chat(server, "hello", "pause-1")
    page = look("#/journal?session=pause-1")
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="Pause").click()
    chat(server, "hello", "pause-1")
    expect(page.get_by_role("button", name="Follow (1 new)")).to_be_visible()
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="Follow").click()
    expect(rows(page)).to_have_count(2)


def test_a_reset_takes_the_sessions_rows(look, server):
    chat(server, "hello", "reset-1")
    page = look("#/journal")
    expect(rows(page).filter(has_text="reset-1")).to_have_count(1)
    control(server, "/sessions/reset-1/reset")
    expect(rows(page).filter(has_text="reset-1")).to_have_count(0)
    expect(page.get_by_role("status").filter(has_text="Session reset-1 was reset.")).to_be_visible()


def test_on_a_small_screen_the_columns_have_the_whole_width(look, server):
    """Also where rows out of sight are one high row in the document."""
    ask(server.port, 300, "small-1")
    page = look("#/journal?session=small-1", viewport={"width": 390, "height": 844})
    expect(page.locator(".requests tr.gap")).to_have_count(1)
    heads = page.get_by_role("table", name="Requests").get_by_role("columnheader")
    expect(heads).to_have_text(["#", "Scenario", "Status", "Ended", "Took"])
    boxes = [each.bounding_box() for each in heads.all()]
    assert boxes[-1]["x"] + boxes[-1]["width"] == page.locator(".rows").evaluate("box => box.clientWidth")
    assert boxes[1]["width"] > 90
    for head in heads.all():
        assert head.evaluate("cell => cell.scrollWidth <= cell.clientWidth")


def test_a_miss_says_what_differs(look, server):
    chat(server, "gpt-9", "miss-1", "How warm is it?")
    page = look("#/journal?session=miss-1")
    rows(page).first.get_by_role("link").click()
    near = page.get_by_role("region", name="Nothing answers this request")
    expect(near).to_contain_text("No `when` rule matches.")
    table = near.get_by_role("table")
    expect(table.first).to_contain_text("weather")
    expect(table.first.get_by_role("row").nth(1).get_by_role("rowheader")).to_have_text("last_user")
    expect(table.first.get_by_role("row").nth(1)).to_contain_text('{"contains":"weather"}')
    expect(table.first.get_by_role("row").nth(1)).to_contain_text("How warm is it?")


def test_a_request_by_its_address(look, server):
    chat(server, "hello+slow", "deep-1", "Näh?")
    number = control(server, "/journal?session=deep-1", method="GET")["records"][0]["number"]
    page = look(f"#/requests/{number}")
    article = page.get_by_role("article")
    expect(article.get_by_role("heading", level=1)).to_have_text(f"Request {number} 200")
    expect(article).to_contain_text("POST /session/deep-1/v1/chat/completions")
    expect(article.locator(".facts")).to_contain_text("complete")
    expect(page.get_by_label("The request's body")).to_contain_text('"content": "Näh?"')
    page.get_by_role("tab", name="Request headers").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("content-type")
    table = page.get_by_role("table", name=re.compile("^Waterfall"))
    expect(table.get_by_role("row").nth(2).get_by_role("cell").nth(4)).to_have_text("event 1 role assistant")
    expect(table.get_by_role("row").nth(2).get_by_role("cell").nth(2)).to_have_text(re.compile(r"(µs|ms|s)$"))
    article.get_by_role("link", name="hello+slow").click()
    expect(page).to_have_url(re.compile("#/scenarios/hello\\?overlays=slow$"))


def test_a_request_that_is_not_kept(look):
    page = look("#/requests/999999")
    expect(page.get_by_role("alert").filter(has_text="Request 999999 is not kept")).to_be_visible()
