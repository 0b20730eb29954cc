"""examples/next-chat: Next.js and the AI SDK pass each piece on as it comes, tell of failures, and stop the model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from httpx_sse import EventSource
from playwright.sync_api import expect, sync_playwright

from fakeserver import FakeServer
from tests.desk_examples.apps import PATIENCE, ROOT, browser, free_port, running, tool

LONG: Any = {"timeout": PATIENCE * 1000}
FOLDER = ROOT / "examples" / "next-chat"


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with FakeServer(mode="thread", fallback="echo") as server:
        yield server


@pytest.fixture(scope="module")
def app(server: FakeServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if not (FOLDER / "node_modules").is_dir():
        pytest.fail("examples/next-chat is not installed: `make test`, or `npm ci` there", pytrace=False)
    port = free_port()
    command = [tool("npx"), "next", "dev", "--hostname", "127.0.0.1", "--port", str(port)]
    env = {**server.env(), "NEXT_TELEMETRY_DISABLED": "1"}
    log = tmp_path_factory.mktemp("next") / "log"
    with running(command, FOLDER, f"http://127.0.0.1:{port}", env, log, "/api/models") as url:
        yield url


@pytest.fixture(autouse=True)
def clean(server: FakeServer) -> None:
    server.reset()


@contextmanager
def asked(app: str, model: str = "any") -> Iterator[Iterator[dict[str, Any]]]:
    """The events of the AI SDK's stream, as the browser gets them."""
    message = {"id": "1", "role": "user", "parts": [{"type": "text", "text": "Ahoy"}]}
    body = {"model": model, "messages": [message]}
    with httpx.stream("POST", f"{app}/api/chat", json=body, timeout=PATIENCE) as answer:
        assert answer.status_code == 200
        events = EventSource(answer).iter_sse()
        yield (json.loads(event.data) for event in events if event.data != "[DONE]")


def texts(events: Iterator[dict[str, Any]]) -> Iterator[str]:
    return (event["delta"] for event in events if event["type"] == "text-delta")


def test_each_piece_is_there_before_the_next_is_sent(app: str, server: FakeServer) -> None:
    server.script(
        "stream: [role: assistant, say: One, gate: a, say: ' two', gate: b, say: ' three', finish: stop, done]"
    )
    with asked(app) as events:
        said = texts(events)
        assert next(said) == "One"
        server.gates["a"].release()
        assert next(said) == " two"
        server.gates["b"].release()
        assert next(said) == " three"
        assert list(said) == []


def test_the_model_is_stopped_when_the_reader_leaves(app: str, server: FakeServer) -> None:
    server.script("stream: [role: assistant, say: One, gate: a, say: ' two', finish: stop, done]")
    with asked(app) as events:
        assert next(texts(events)) == "One"
    server.assert_cancelled(within=10)


def test_an_answer_that_is_cut_off_is_broken_off_for_the_reader_too(app: str) -> None:
    with asked(app, "hello+reset-midway") as events, pytest.raises(httpx.RemoteProtocolError):
        list(events)


@pytest.mark.parametrize("model", ["error-object-mid-stream", "status-500"])
def test_a_failure_is_told(app: str, model: str) -> None:
    with asked(app, model) as events:
        found = list(events)
    assert [event["type"] for event in found if event["type"] in ("error", "finish")][:1] == ["error"]


def test_the_picker_gets_the_names(app: str) -> None:
    names = httpx.get(f"{app}/api/models", timeout=PATIENCE).json()
    assert {"echo", "markdown", "status-429"} <= set(names)


def test_in_a_browser(app: str, server: FakeServer) -> None:
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"]) as chrome,
    ):
        page = chrome.new_page()
        page.set_default_timeout(LONG["timeout"])
        strangers: list[str] = []
        page.on("request", lambda request: None if request.url.startswith(app) else strangers.append(request.url))
        page.goto(app)
        expect(page.get_by_role("option", name="markdown")).to_be_attached(**LONG)
        page.get_by_label("Message").fill("Ahoy there")
        page.get_by_role("button", name="Send").click()
        expect(page.locator("article[data-role=assistant]")).to_have_text("Ahoy there", **LONG)
        expect(page.get_by_role("status")).to_have_text("ready", **LONG)
        page.get_by_label("Model").select_option("status-500")
        page.get_by_label("Message").fill("Again")
        page.get_by_role("button", name="Send").click()
        expect(page.locator("[role=alert]:not([id])")).to_contain_text("The server had an error", **LONG)
        server.script("stream: [role: assistant, say: One, gate: a, say: ' two', finish: stop, done]")
        page.get_by_label("Message").fill("Go on")
        page.get_by_role("button", name="Send").click()
        expect(page.locator("article[data-role=assistant]").last).to_contain_text("One", **LONG)
        page.get_by_role("button", name="Stop").click()
        server.assert_cancelled(within=10)
        assert strangers == []
