"""The named places of the language's section 4, each on bytes made for it."""

from __future__ import annotations

import pytest

from fakeserver.plan.places import places


@pytest.mark.parametrize(
    ("name", "data", "found"),
    [
        ("utf8", "aé🌍".encode(), [2, 4]),
        ("utf8", b"abc", []),
        ("data-prefix", b"data: a\ndata: data\n\n", [2, 10]),
        ("data-prefix", b"event: data\rdata: x\r\r", [14]),
        ("lines", b"data: a\n\n", []),
        ("lines", b"event: x\ndata: a\n\n", [9]),
        ("lines", b"event: x\r\ndata: a\r\n\r\n", [10]),
        ("lines", b"a\nb\n", [2]),
        ("blank-line", b"data: a\n\n", [8]),
        ("blank-line", b"data: a\r\n\r\n", [9]),
        ("blank-line", b"data: a\n", []),
        ("blank-line", b"a\nb\n", []),
        ("crlf", b"a\r\n\r\n", [2, 4]),
        ("json-escape", rb"a\n\\b", [2, 4, 5]),
        ("json-escape", b"\\", []),
    ],
)
def test_places(name: str, data: bytes, found: list[int]) -> None:
    assert places(data, name) == found
