"""A real browser at the page, and what it must never do: ask another host, break the policy, log an error.

The network's own words ("Failed to load resource") are no error here: scenarios break connections on purpose.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Playwright

SWITCHES = ("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync")  # fmt: skip
_TELL = "addEventListener('securitypolicyviolation', (e) => console.error('policy', e.violatedDirective, e.blockedURI))"


def launched(playwright: Playwright) -> Browser:
    wanted = os.environ.get("FAKESERVER_TEST_BROWSER") or "chromium"
    found = shutil.which(wanted)
    assert found, f"no browser {wanted!r}: apt-get install chromium, or FAKESERVER_TEST_BROWSER=/path/to/chrome"
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=found, args=[*SWITCHES, *root])


@contextmanager
def looking(browser: Browser, url: str, **how: Any) -> Iterator[Page]:
    """A page of a context of its own; afterwards it has done nothing that it must not."""
    context = browser.new_context(base_url=url, **how)
    context.set_default_timeout(10_000)
    context.add_init_script(_TELL)
    asked: list[str] = []
    errors: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.on("console", lambda said: errors.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: errors.append(f"{error}\n{error.stack}"))
    try:
        yield page
    finally:
        context.close()
    assert [each for each in errors if "Failed to load resource" not in each] == []
    host = urlsplit(url).netloc
    assert {urlsplit(each).netloc for each in asked} == {host}
