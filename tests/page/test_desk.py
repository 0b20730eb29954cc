"""The desk: sessions, what waits in them, and the buttons that let it go."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.asking import chat, control, in_flight


def test_a_gate_is_released_from_the_desk(look, server):
    with in_flight(server, "held", "desk-1"):
        page = look("#/desk")
        session = page.get_by_role("region", name="Session desk-1")
        expect(session).to_contain_text("1 stream at gate half")
        expect(session.get_by_role("list")).to_contain_text("held")
        session.get_by_role("button", name="Release half").click()
        expect(session).not_to_contain_text("at gate half")
    expect(session.get_by_role("link", name="desk-1")).to_have_attribute("href", "#/journal?session=desk-1")


def test_what_is_set_up_is_told(look, server):
    control(server, "/sessions/desk-2/use", {"scenario": "hello"}, "PUT")
    control(server, "/sessions/desk-2/queue", {"scenario": "echo", "times": 3})
    control(server, "/sessions/desk-2/clock", {"mode": "manual"}, "PUT")
    page = look("#/desk")
    session = page.get_by_role("region", name="Session desk-2")
    expect(session).to_contain_text("uses hello · 3 answers queued · manual clock")


def test_hold_and_reset(look, server):
    chat(server, "hello", "desk-3")
    page = look("#/desk")
    session = page.get_by_role("region", name="Session desk-3")
    session.get_by_role("button", name="Hold").click()
    expect(session.get_by_role("button", name="Held", pressed=True)).to_be_visible()
    assert control(server, "/sessions/desk-3", method="GET")["hold"] is True
    expect(session).to_contain_text("1 record")
    session.get_by_role("button", name="Reset").click()
    expect(session).to_contain_text("0 records")
    expect(session.get_by_role("button", name="Hold", pressed=False)).to_be_visible()


def test_a_client_is_judged(look, server):
    for _ in range(12):
        chat(server, "status-503", "desk-4")
    chat(server, "hello", "desk-5")
    page = look("#/desk")
    session = page.get_by_role("region", name="Session desk-4")
    session.get_by_role("button", name="Judge").click()
    expect(session.get_by_role("status")).to_contain_text("retry-storm")
    session = page.get_by_role("region", name="Session desk-5")
    session.get_by_role("button", name="Judge").click()
    expect(session.get_by_role("status")).to_have_text("Nothing is proved against the client.")
