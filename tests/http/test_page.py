"""The page's files over HTTP: for browsers alone at `/`, no way out of their folder, nothing that others may use."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from fakeserver.http import page
from tests.http.stand_ins import request

ROOT = Path(page.__file__).parents[2]
HTML = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


@pytest.fixture
async def browser(served):
    async with httpx.AsyncClient(base_url=served.url, headers=HTML, trust_env=False) as client:
        yield client


async def test_a_browser_gets_the_page(browser):
    answer = await browser.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.content == (ROOT / "fakeserver/page/index.html").read_bytes()
    assert (await browser.get("/_fakeserver/page/index.html")).content == answer.content


async def test_who_asks_for_no_html_hears_that_there_is_no_such_path(browser, engine):
    for method, accept in [("GET", "*/*"), ("GET", "application/json"), ("POST", "text/html")]:
        answer = await browser.request(method, "/", headers={"accept": accept})
        assert (answer.status_code, answer.headers["content-type"]) == (404, "application/json")
        assert answer.json()["error"]["message"] == f"Invalid URL ({method} /)"
    assert len(engine.journal) == 3
    preflight = await browser.options("/")
    assert (preflight.status_code, preflight.headers["access-control-allow-origin"]) == (204, "*")


async def test_nothing_but_its_own_files_may_run_in_it(browser):
    for path in ("/", "/_fakeserver/page/index.html", "/_fakeserver/page/none.js"):
        headers = (await browser.get(path)).headers
        rules = dict(rule.strip().partition(" ")[::2] for rule in headers["content-security-policy"].split(";"))
        assert rules.pop("img-src") == "'self' data:"
        assert {rules.pop(name) for name in ("script-src", "style-src", "connect-src")} == {"'self'"}
        assert set(rules) == {"default-src", "base-uri", "form-action", "frame-ancestors"}
        assert set(rules.values()) == {"'none'"}
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-cache"
        assert "access-control-allow-origin" not in headers


async def test_what_a_browser_has_is_not_sent_again(browser):
    first = await browser.get("/")
    again = await browser.get("/", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    weak = await browser.get("/", headers={"if-none-match": f'"x", W/{first.headers["etag"]}'})
    assert weak.status_code == 304
    other = await browser.get("/", headers={"if-none-match": '"x"'})
    assert (other.status_code, other.content) == (200, first.content)


async def test_head_says_what_get_would(browser):
    for path in ("/", "/_fakeserver/page/index.html"):
        get, head = await browser.get(path), await browser.head(path)
        assert (head.status_code, head.content) == (200, b"")
        same = ("content-length", "content-type", "etag", "content-security-policy")
        assert [head.headers[name] for name in same] == [get.headers[name] for name in same]


@pytest.mark.parametrize(
    "path",
    [
        b"../__init__.py",
        b"%2e%2e/__init__.py",
        b"..%2f__init__.py",
        b"..%5c__init__.py",
        b"js/../../__init__.py",
        b"%2fetc%2fpasswd",
        b"/etc/passwd",
        b"index.html%00",
        b".",
        b"",
        b"js",
        b"none.html",
    ],
)
async def test_there_is_no_way_out(connect, path):
    raw = await connect()
    await raw.send(request(b"GET", b"/_fakeserver/page/" + path))
    got = await raw.until(b"'.\n")
    assert got.startswith(b"HTTP/1.1 404 ")
    assert got.partition(b"\r\n\r\n")[2].startswith(b"The page has no file '")


async def test_files_are_only_read(browser):
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        answer = await browser.request(method, "/_fakeserver/page/index.html")
        assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


async def test_no_token_is_asked_for_but_the_control_routes_stay_guarded(engine, start, browser):
    served = await start(engine, "127.0.0.1", 0, None, "secret")
    assert (await browser.get(f"{served.url}/")).status_code == 200
    assert (await browser.get(f"{served.url}/_fakeserver/page/index.html")).status_code == 200
    assert (await browser.get(f"{served.url}/_fakeserver/sessions")).status_code == 401


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0"])
async def test_the_page_may_use_the_control_routes_and_no_other_page(engine, start, browser, address):
    served = await start(engine, address, 0, None, "secret")
    told = {"authorization": "Bearer secret", "content-type": "application/json"}
    for origin, status in [(served.url, 200), ("http://evil.example", 403), ("null", 403)]:
        answer = await browser.post(f"{served.url}/_fakeserver/sessions/a/reset", headers={**told, "origin": origin})
        assert answer.status_code == status
