"""One stream in flight, from its request's view: let go, held and stepped, or ended."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.asking import control, in_flight
from tests.page.test_journal import rows


def test_one_in_flight_is_let_go(look, server):
    with in_flight(server, "held", "reins-1") as answer:
        page = look("#/journal?session=reins-1")
        rows(page).first.get_by_role("link").click()
        reins = page.get_by_role("region", name="This stream")
        expect(reins).to_contain_text("Waiting at gate half.")
        reins.get_by_role("button", name="Release half").click()
        expect(page.locator(".facts")).to_contain_text("complete")
        expect(reins).to_have_count(0)
    assert b"and half" in answer[0]


def test_one_that_waits_is_known_by_its_address_alone(look, server):
    with in_flight(server, "held", "reins-5"):
        number = control(server, "/journal?session=reins-5", method="GET")["records"][0]["number"]
        for address in (f"#/requests/{number}", "#/desk"):
            page = look(address)
            expect(page.get_by_role("link", name="Desk 1 waiting")).to_be_visible()
            expect(page.get_by_role("button", name="Release half")).to_be_visible()
        look(f"#/requests/{number}").get_by_role("button", name="Release half").click()


def test_one_in_flight_is_ended(look, server):
    with in_flight(server, "held", "reins-2") as answer:
        page = look("#/journal?session=reins-2")
        rows(page).first.get_by_role("link").click()
        reins = page.get_by_role("region", name="This stream")
        reins.get_by_role("button", name="Error").click()
        expect(page.locator(".facts")).to_contain_text("complete")
    assert b"server had an error" in answer[0]
    with in_flight(server, "held", "reins-3") as answer:
        page.goto("#/journal?session=reins-3")
        rows(page).first.get_by_role("link").click()
        reins.get_by_role("button", name="Reset").click()
        expect(page.locator(".facts")).to_contain_text("ended: reset")
    assert b"IncompleteRead" in answer[0] or b"ConnectionReset" in answer[0]


def test_one_in_flight_is_held_and_goes_on_by_steps(look, server):
    with in_flight(server, "held", "reins-4") as answer:
        page = look("#/journal?session=reins-4")
        rows(page).first.get_by_role("link").click()
        reins = page.get_by_role("region", name="This stream")
        reins.get_by_role("button", name="Hold").click()
        reins.get_by_role("button", name="Release half").click()
        expect(reins).to_contain_text("Held before its next event.")
        reins.get_by_role("button", name="Step", exact=True).click()
        expect(page.locator(".facts")).to_contain_text("4 events")
        reins.get_by_role("button", name="Go on").click()
        expect(page.locator(".facts")).to_contain_text("complete")
    assert b"[DONE]" in answer[0]
