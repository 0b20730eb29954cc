"""The library: found by what is typed, one scenario with its exact bytes and moments, none of it taken for HTML."""

from __future__ import annotations

import re

from playwright.sync_api import expect


def test_what_is_typed_is_looked_for_in_names_words_and_tags(look):
    page = look("#/library")
    side = page.get_by_role("navigation", name="Scenarios")
    expect(side.get_by_role("status")).to_have_text(re.compile(r"^\d{3} scenarios$"))
    page.get_by_role("searchbox").fill("three emoji")
    expect(side.get_by_role("link").first).to_contain_text("three-emoji-one-byte-at-a-time")
    expect(side.get_by_role("status")).to_have_text(re.compile(r"^\d of \d{3}$"))
    page.get_by_role("searchbox").fill("no such words anywhere")
    expect(side).to_contain_text("No scenario has all these words.")


def test_kinds_are_counted_and_chosen(look):
    page = look("#/library")
    side = page.get_by_role("navigation", name="Scenarios")
    page.get_by_role("list", name="Kinds").get_by_role("link", name="usage").click()
    expect(side.get_by_role("heading")).to_have_count(1)
    expect(side.get_by_label("Kind")).to_have_value("usage")
    side.get_by_label("Kind").select_option("")
    expect(side.get_by_role("heading").first).to_contain_text("answers")


def test_a_scenario_tells_its_timeline_to_the_byte(look):
    page = look("#/library")
    page.get_by_role("navigation", name="Scenarios").get_by_role("link", name=re.compile("^hello ")).click()
    expect(page.get_by_role("heading", name="hello", level=1)).to_be_visible()
    table = page.get_by_role("table", name=re.compile("^Waterfall"))
    expect(table.get_by_role("columnheader")).to_have_text(["#", "Due", "What", "Size", "Time", "Bytes"])
    whats = [row.get_by_role("cell").nth(2).inner_text() for row in table.get_by_role("row").all()[1:]]
    said = ["role assistant", '"Hello"', '" there"', '"."', "finish stop", "[DONE]"]
    assert whats == ["head", *(f"event {n} {words}" for n, words in enumerate(said, 1)), "clean end"]
    table.get_by_role("button", name="3", exact=True).click()
    bytes_ = page.get_by_role("region", name="The bytes of one write")
    expect(bytes_).to_contain_text('"delta":{"content":"Hello"}')
    expect(bytes_).to_contain_text(r"\r\n")
    bytes_.get_by_role("button", name="hex").click()
    expect(bytes_.get_by_role("row").nth(1)).to_contain_text(re.compile("^000000"))
    expect(page.get_by_label("The scenario's YAML")).to_contain_text("reply: Hello there.")


def test_overlays_are_in_the_address_and_change_the_plan(look):
    page = look("#/scenarios/hello?overlays=slow")
    table = page.get_by_role("table", name=re.compile("^Waterfall"))
    expect(page.get_by_label("+slow")).to_be_checked()
    expect(table.get_by_role("row").nth(2)).to_contain_text("2 s")
    page.get_by_label("+reset-midway").check()
    expect(table.get_by_role("row").last).to_contain_text("reset (RST)")
    assert page.url.endswith("overlays=slow,reset-midway")
    page.get_by_label("Dialect").select_option("mistral")
    expect(page).to_have_url(re.compile("dialect=mistral$"))
    expect(table.get_by_role("row").nth(1)).not_to_contain_text("openai")


def test_a_cut_inside_a_character_is_seen(look):
    page = look("#/scenarios/zero-width")
    table = page.get_by_role("table", name=re.compile("^Waterfall"))
    expect(table.locator(".hex").first).to_have_text("f0")
    expect(table.locator(".hex").nth(1)).to_contain_text("9f 8c 8d")
    page.get_by_role("button", name="4", exact=True).click()
    expect(page.get_by_role("region", name="The bytes of one write").locator(".hex").first).to_have_text("f0")


def test_no_text_is_taken_for_html(look):
    page = look("#/scenarios/hostile")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("status").filter(has_text="Over")).to_be_visible()
    expect(page.locator(".answer")).to_contain_text("<script>alert(1)</script><img src=https://elsewhere.example/x>")
    expect(page.locator("article")).to_contain_text("<img src=/x onerror=alert(1)> must be text")
    assert page.locator("img").count() == 1  # the brand's
    assert page.locator("#page script").count() == 0


def test_a_name_that_is_not_there(look):
    page = look("#/scenarios/helo")
    expect(page.get_by_role("alert").filter(has_text="did you mean 'hello'")).to_be_visible()
    page.goto("#/scenarios/zzqqx")
    expect(page.get_by_role("alert").filter(has_text="There is no scenario zzqqx.")).to_be_visible()
    expect(page.get_by_text("fakeserver list")).to_have_count(0)


def test_a_dialect_that_is_not_there(look):
    page = look("#/scenarios/hello?overlays=slow&dialect=zzqqx")
    expect(page.get_by_role("alert").filter(has_text="There is no dialect zzqqx.")).to_be_visible()
    page.get_by_role("list", name="Dialects that there are").get_by_role("link", name="groq").click()
    expect(page.get_by_role("combobox", name="Dialect")).to_have_value("groq")
    assert page.url.endswith("?overlays=slow&dialect=groq")
    page.goto("#/scenarios/hello?dialect=opena")  # from one that is there
    expect(page.get_by_role("alert").filter(has_text="did you mean 'openai'")).to_be_visible()
    page.get_by_role("link", name="its own", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="did you mean")).to_have_count(0)


def test_an_overlay_that_is_not_there(look):
    page = look("#/scenarios/hello?overlays=slow,zzqqx")
    expect(page.get_by_role("alert").filter(has_text="There is no overlay like that in slow,zzqqx.")).to_be_visible()
    page.get_by_role("link", name="+crlf").click()
    expect(page.get_by_label("+crlf")).to_be_checked()
    assert page.url.endswith("?overlays=slow,crlf")
