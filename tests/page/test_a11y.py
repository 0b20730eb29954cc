"""What a screen reader hears of each view, and what axe finds wrong with it: in light and dark, wide and narrow."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.page.asking import chat, in_flight

AXE = (Path(__file__).parent / "node_modules/axe-core/axe.min.js").read_text()
NARROW = {"width": 390, "height": 780}


def clean(page: Page, colours_alone: bool = False) -> None:
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE)
    tags = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']"
    rules = "{type: 'rule', values: ['color-contrast', 'link-in-text-block']}" if colours_alone else tags
    found = page.evaluate(f"axe.run({{runOnly: {rules}, resultTypes: ['violations']}})")
    told = [
        f"{each['id']} ({each['impact']}): {each['help']}: {[node['html'][:160] for node in each['nodes']]}"
        for each in found["violations"]
    ]
    assert told == []


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_that_axe_finds(look, server, scheme):
    session, dark = f"axe-{scheme}", scheme == "dark"
    chat(server, "hello", session)
    chat(server, "gpt-9", session, "How warm?")
    page = look("#/library", color_scheme=scheme)
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    clean(page, dark)
    page.goto("#/scenarios/hello")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("link", name=re.compile(r"^request \d"))).to_be_visible()
    page.get_by_role("button", name="3", exact=True).first.click()
    clean(page, dark)
    page.goto(f"#/journal?session={session}")
    expect(page.get_by_role("table", name="Requests").get_by_role("link")).to_have_count(2)
    clean(page, dark)
    page.get_by_role("table", name="Requests").get_by_role("link").first.click()
    expect(page.get_by_role("region", name="Nothing answers")).to_be_visible()
    clean(page, dark)
    with in_flight(server, "held", f"{session}-held"):
        page.goto("#/desk")
        expect(page.get_by_role("button", name="Release half").first).to_be_visible()
        clean(page, dark)
        page.get_by_role("region", name=f"Session {session}-held").get_by_role("button", name="Release half").click()


def test_a_narrow_window(look, server):
    chat(server, "hello", "narrow")
    page = look("#/library", viewport=NARROW)
    page.get_by_role("navigation", name="Scenarios").get_by_role("link", name=re.compile("^hello ")).click()
    expect(page.get_by_role("navigation", name="Scenarios")).to_be_hidden()
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".standing").get_by_role("status")).to_have_text("Over: a clean end.")
    fits(page)
    clean(page)
    page.goto("#/journal?session=narrow")
    page.get_by_role("table", name="Requests").get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Request")
    fits(page)
    clean(page)
    page.get_by_role("link", name="Journal").last.click()
    expect(page.get_by_role("table", name="Requests")).to_be_visible()
    page.goto("#/desk")
    expect(page.get_by_role("heading", name="Desk", exact=True)).to_be_visible()
    fits(page)


def test_the_frame_is_heard(look):
    page = look("#/library")
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    expect(page.locator("#page")).to_match_aria_snapshot("""
      - link "Skip to the content"
      - banner:
        - link /fakeserver/
        - navigation "Views":
          - link "Library"
          - link /Journal/
          - link /Desk/
        - button "Copy the server's base URL"
        - status: live
      - main:
        - navigation "Scenarios":
          - search:
            - searchbox "Search scenarios by name, words and tags"
            - combobox "Kind"
            - status: /\\d+ scenarios/
          - region /answers \\d+/:
            - heading /answers \\d+/ [level=2]
            - list
        - heading "Library" [level=1]
    """)


def test_a_scenario_is_heard(look):
    page = look("#/scenarios/hello")
    expect(page.get_by_role("table", name=re.compile("Waterfall"))).to_be_visible()
    expect(page.get_by_role("article")).to_match_aria_snapshot("""
      - article "hello":
        - heading "hello" [level=1]
        - list "Kind, tags and protocol"
        - region "Play":
          - button "Play"
          - combobox "Speed"
          - combobox "Dialect"
          - textbox "Message"
          - checkbox "stream" [checked]
          - group "Overlays":
            - checkbox "+crlf"
          - button "Copy the curl line"
          - button "Copy the base URL"
        - region "Timeline":
          - heading "Timeline" [level=2]
          - table "Waterfall of 8 steps":
            - rowgroup:
              - row "# Due What Size Time Bytes":
                - columnheader "Due"
            - rowgroup:
              - row /1 0 head/
        - region "Outcome":
          - tablist "What came of it":
            - tab "YAML" [selected]
          - tabpanel "YAML"
    """)


def test_the_journal_is_heard(look, server):
    chat(server, "hello", "heard")
    page = look("#/journal?session=heard")
    expect(page.get_by_role("table", name="Requests")).to_be_visible()
    expect(page.get_by_role("main")).to_match_aria_snapshot("""
      - main:
        - region "Journal":
          - heading "Journal" [level=1]
          - search:
            - searchbox "Filter requests by any text"
            - combobox "Session"
            - combobox "Which requests"
            - button "Pause"
          - table "Requests":
            - rowgroup:
              - row:
                - columnheader "Session"
                - columnheader "Scenario"
            - rowgroup:
              - row /heard hello model 200 complete/:
                - cell:
                  - link /\\d+/
    """)
    page.get_by_role("table", name="Requests").get_by_role("link").click()
    expect(page.get_by_role("article")).to_match_aria_snapshot("""
      - article:
        - heading /Request \\d+ 200/ [level=1]
        - term: Scenario
        - definition:
          - link "hello"
        - region "Timeline":
          - table /Waterfall/
        - region "What was asked":
          - tablist "What was asked":
            - tab /Request body/ [selected]
    """)


def test_the_desk_is_heard(look, server):
    with in_flight(server, "held", "heard-2"):
        page = look("#/desk")
        session = page.get_by_role("region", name="Session heard-2")
        expect(session).to_match_aria_snapshot("""
          - region "Session heard-2":
            - heading "heard-2" [level=2]
            - button "Hold"
            - button "Reset"
            - group "Gate half":
              - button "Release half"
            - list:
              - listitem:
                - link /request \\d+/
        """)
        session.get_by_role("button", name="Release half").click()
