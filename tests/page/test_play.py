"""Playing from the page: what arrives, the answer as it grows, and both sides' word on the end."""

from __future__ import annotations

import re
import subprocess

from playwright.sync_api import Locator, Page, expect

from tests.page.asking import control

TIME = re.compile(r"^\d[\d.]* (µs|ms|s)$")


def play(page: Page) -> None:
    page.get_by_role("button", name="Play").click()


def waterfall(page: Page) -> Locator:
    return page.get_by_role("table", name=re.compile("^Waterfall"))


def row(page: Page, number: int) -> Locator:
    return waterfall(page).get_by_role("row").nth(number)


def over(page: Page, words: str | re.Pattern[str]) -> None:
    expect(page.locator(".standing").get_by_role("status")).to_have_text(words)


def sides(page: Page, here: str, there: str) -> None:
    expect(page.locator(".sides dd").nth(0)).to_contain_text(here)
    expect(page.locator(".sides dd").nth(1)).to_contain_text(there)


def test_hello(look):
    page = look("#/scenarios/hello")
    play(page)
    over(page, "Over: a clean end.")
    sides(page, "a clean end", "complete")
    answer = page.locator(".answer")
    expect(answer).to_contain_text("Hello there.")
    expect(answer).to_contain_text("finish reason stop")
    expect(answer).to_contain_text('"total_tokens": 4')
    expect(page.get_by_role("tab", name="Events 7")).to_be_visible()  # five, the usage, and the end marker
    table = waterfall(page)
    names = ["#", "Due", "Actual", "Late", "What", "Size", "Time"]
    expect(table.get_by_role("columnheader")).to_have_text(names)
    page.set_viewport_size({"width": 1600, "height": 900})  # here there is room for some bytes
    expect(table.get_by_role("columnheader")).to_have_text([*names, "Bytes"])
    for each in table.get_by_role("row").all()[1:]:
        expect(each.get_by_role("cell").nth(2)).to_have_text(TIME)
    page.get_by_role("link", name=re.compile(r"^request \d+$")).click()
    expect(page.get_by_role("heading", level=1, name=re.compile(r"Request \d+"))).to_be_visible()


def test_a_reset_is_an_error_here_and_the_script_there(look):
    page = look("#/scenarios/hello?overlays=slow,reset-midway")
    page.get_by_label("Speed").select_option("1")  # what has not been read when the reset comes, a browser throws away
    play(page)
    over(page, re.compile("^Over: TypeError: "))
    sides(page, "TypeError", "ended: reset")
    expect(page.locator(".answer")).to_contain_text("Hello")
    expect(page.locator(".answer")).to_contain_text("No [DONE] came.")


def test_a_gate_is_released_by_hand(look):
    page = look("#/scenarios/held")
    play(page)
    over(page, "Waiting at gate half.")
    expect(page.locator(".answer .content")).to_contain_text("Half a loaf")
    expect(waterfall(page).locator("tr.waits")).to_contain_text("gate half")
    expect(waterfall(page).locator("tr:not(.gap) .actual")).to_have_count(5)  # all that is sent, and the gate
    expect(row(page, 1).get_by_role("cell").nth(2)).to_have_text(TIME)
    page.get_by_role("button", name="Release half").click()
    over(page, "Over: a clean end.")
    expect(page.locator(".answer .content")).to_contain_text("Half a loaf and half.")
    expect(waterfall(page).locator("tr.waits")).to_have_count(0)


def test_a_gate_is_released_into_a_reset(look):
    page = look("#/scenarios/held")
    play(page)
    over(page, "Waiting at gate half.")
    page.get_by_role("button", name="Reset", exact=True).click()
    sides(page, "TypeError", "ended: reset")


def test_one_byte_a_write(look):
    page = look("#/scenarios/hello?overlays=one-byte")
    play(page)
    over(page, "Over: a clean end.")
    sides(page, "1.87 kB", "complete")
    page.get_by_role("tab", name=re.compile("^Reads")).click()
    reads = page.get_by_role("table", name="Reads")
    expect(reads.get_by_role("cell", name="1 B", exact=True).first).to_be_visible()
    assert reads.get_by_role("row").count() < 80  # hundreds of reads, of which those in sight are in the document
    page.get_by_role("tab", name=re.compile("^Events")).click()
    expect(page.get_by_role("table", name="Events").get_by_role("row")).to_have_count(8)


def test_step_by_step_and_stop(look):
    page = look("#/scenarios/hello")
    page.get_by_label("step by step").check()
    play(page)
    over(page, "Held before the next event.")
    for events in (1, 2):
        page.get_by_role("button", name="Step", exact=True).click()
        expect(page.get_by_role("tab", name=f"Events {events}")).to_be_visible()
        expect(row(page, 1 + events).get_by_role("cell").nth(3)).not_to_be_empty()  # the server has told how late
    page.get_by_role("button", name="Stop").click()
    over(page, "Over: stopped here.")
    sides(page, "stopped here", "client gone")


def test_attempts(look):
    page = look("#/scenarios/thrice?attempt=3")
    expect(page.get_by_label("Attempt")).to_have_value("3")
    expect(waterfall(page).get_by_role("row").last).to_contain_text("clean end")
    play(page)
    over(page, "Over: a clean end.")
    expect(page.locator(".answer")).to_contain_text("The whole answer.")
    page.get_by_label("Attempt").select_option("1")
    play(page)
    over(page, "Over: an error answer, status 429.")
    expect(page.locator(".answer")).to_contain_text("Rate limit")


def test_thinking_and_tool_calls(look):
    page = look("#/scenarios/weather")
    page.get_by_label("usage", exact=True).uncheck()
    play(page)
    answer = page.locator(".answer")
    expect(answer.locator(".reasoning")).to_contain_text("Two places.")
    calls = [re.compile('get_weather call_1.*"Paris"', re.S), re.compile('call_2.*"Zürich"', re.S)]
    expect(answer.locator(".call")).to_have_text(calls)
    expect(answer).to_contain_text("finish reason tool_calls")
    expect(answer).not_to_contain_text("Usage")


def test_without_a_stream(look):
    page = look("#/scenarios/hello")
    page.get_by_label("stream", exact=True).uncheck()
    play(page)
    over(page, "Over: a clean end.")
    expect(page.locator(".answer")).to_contain_text("Hello there.")
    expect(page.get_by_role("tab", name="Events 0")).to_be_visible()


def test_what_can_be_copied(look):
    page = look("#/scenarios/echo?overlays=one-byte", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_label("Message").fill("It's me")
    page.get_by_role("button", name="the curl line").click()
    origin = page.evaluate("location.origin")
    line = page.evaluate("navigator.clipboard.readText()")
    assert line.startswith(f"curl -N {origin}/scenario/echo+one-byte/v1/chat/completions -H 'content-type: ")
    assert "It'\\''s me" in line
    page.get_by_role("button", name="the base URL", exact=False).last.click()
    expect(page.get_by_role("status").filter(has_text="Copied: the base URL")).to_be_attached()
    assert page.evaluate("navigator.clipboard.readText()") == f"{origin}/scenario/echo+one-byte/v1"


def test_what_is_copied_brings_its_dialect_speed_and_attempt(look, server):
    address = "#/scenarios/thrice?dialect=groq&attempt=3"
    page = look(address, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_label("Speed").select_option("instant")
    expect(page.locator(".hint")).to_contain_text("page-groq-speed-instant")
    page.get_by_role("button", name="the curl line").click()
    lines = page.evaluate("navigator.clipboard.readText()")
    for _ in range(2):  # the same again
        shell = subprocess.run(["sh", "-euc", lines], capture_output=True, text=True, timeout=30, check=True)
        assert " whole" in shell.stdout
        assert "x_groq" in shell.stdout
    page.get_by_role("button", name="the base URL", exact=False).last.click()
    session = f"{server.url}/session/page-groq-speed-instant"
    expect(page.get_by_role("status").filter(has_text="Copied: the base URL")).to_be_attached()
    assert page.evaluate("navigator.clipboard.readText()") == f"{session}/scenario/thrice/v1"
    told = control(server, "/sessions/page-groq-speed-instant", method="GET")
    assert (told["dialect"], told["speed"]) == ("groq", "instant")


def test_a_dialect_and_a_speed_are_this_plays_alone(look):
    page = look("#/scenarios/hello?dialect=anthropic&overlays=slow")
    page.get_by_label("Speed").select_option("instant")
    play(page)
    over(page, "Over: a clean end.")
    expect(page.locator(".sides dd").first).to_contain_text(" ms,")  # and not three seconds
    expect(page.locator(".answer")).to_contain_text("Hello there.")
