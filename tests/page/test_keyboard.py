"""The page by keyboard alone: no mouse, no trap, and what has the focus is seen."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.page.asking import chat


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.textContent.trim() || document.activeElement.ariaLabel"))


def test_from_search_to_a_played_scenario(look):
    page = look("#/library")
    expect(page.get_by_role("navigation", name="Scenarios").get_by_role("link").first).to_be_visible()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("hello")
    page.keyboard.press("ArrowDown")
    while not focused(page).startswith("hello"):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="hello", level=1)).to_be_visible()
    expect(page.get_by_role("navigation", name="Scenarios").locator("a[aria-current]")).to_be_focused()
    for _ in range(12):
        page.keyboard.press("Tab")
        if "Play" in focused(page):
            break
    page.keyboard.press("Enter")
    expect(page.locator(".standing").get_by_role("status")).to_have_text("Over: a clean end.")
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("#/library$"))


def test_rows_by_arrows(look, server):
    for _ in range(3):
        chat(server, "hello", "keys-1")
    page = look("#/journal?session=keys-1")
    links = page.get_by_role("table", name="Requests").get_by_role("link")
    expect(links).to_have_count(3)
    links.first.focus()
    page.keyboard.press("ArrowDown")
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(links.nth(2)).to_be_focused()
    page.keyboard.press("Home")
    expect(links.nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#/requests/"))
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("#/journal"))


def test_tabs_by_arrows(look):
    page = look("#/scenarios/hello")
    page.get_by_role("button", name="Play").click()
    page.get_by_role("tab", name="Answer").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name=re.compile("Events"))).to_be_focused()
    expect(page.get_by_role("tab", name=re.compile("Events"))).to_have_attribute("aria-selected", "true")
    page.keyboard.press("End")
    expect(page.get_by_role("tab", name="YAML")).to_be_focused()


def test_the_first_stop_skips_to_the_content_and_the_focus_is_seen(look):
    page = look("#/desk")
    expect(page.get_by_role("heading", name="Desk", exact=True)).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


def test_tab_goes_through_and_out(look):
    page = look("#/scenarios/hello")
    expect(page.get_by_role("heading", name="hello", level=1)).to_be_visible()
    for _ in range(100):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            return
    raise AssertionError("still inside after 100 stops")
