"""Byte by byte: with the overlay one-byte every client makes of an answer what it makes of it in whole writes."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

import pytest

from tests.clients.clients import CLIENTS
from tests.clients.playing import ONE_BYTE, Report


@pytest.mark.parametrize("client", CLIENTS)
def test_one_byte_at_a_time_says_the_same(client: str, reports: Mapping[str, Future[Report]]) -> None:
    found = reports[client].result()
    for selector in ONE_BYTE:
        cut = _said(found[f"{selector}+one-byte"])
        assert cut["raised"] is None
        assert cut == _said(found[selector])


def _said(case: dict[str, Any]) -> dict[str, Any]:
    """All that was read, but not which case that was."""
    assert case["outcome"], case["reasons"]
    return {key: value for key, value in case["outcome"].items() if key not in ("case", "seconds")}
