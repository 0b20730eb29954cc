"""Who may use the control routes: the token where others can reach us, our own Host, no other's Origin."""

from __future__ import annotations

import socket

import pytest

from fakeserver.engine import Engine
from fakeserver.http.guard import Guard
from tests.http.control_stand_ins import library_in


@pytest.fixture
def engine(tmp_path):
    return Engine(library_in(tmp_path))


def code(guard: Guard, *, health: bool = False, **headers: str) -> str:
    fault = guard.fault(headers, health)
    return "" if fault is None else fault[1]


@pytest.mark.parametrize(
    ("host", "fault"),
    [
        ("localhost:8437", ""),
        ("LocalHost", ""),
        ("app.localhost:1", ""),
        ("127.0.0.1:8437", ""),
        ("127.9.9.9", ""),
        ("[::1]:8437", ""),
        ("", ""),
        ("mine.test:80", ""),
        ("evil.example", "host"),
        ("127.0.0.1.evil.example", "host"),
        ("localhost.evil.example", "host"),
        ("10.0.0.5:8437", "host"),
        ("[::ffff", "host"),
    ],
)
def test_hosts_of_a_server_of_this_machine(host, fault):
    guard = Guard(hosts=frozenset({"localhost", "mine.test"}))
    assert code(guard, host=host) == code(guard, health=True, host=host) == fault


def test_a_wide_server_is_known_by_any_address_and_to_who_knows_the_token():
    guard = Guard(wide=True, token="t")
    told = {"authorization": "Bearer t"}
    assert code(guard, host="10.0.0.5:8437", **told) == ""
    assert code(guard, host="fakeserver:8437", **told) == ""
    assert code(guard, host="fakeserver:8437") == "host"
    assert code(guard, host="10.0.0.5", authorization="Bearer x") == "token"
    assert code(guard, host="10.0.0.5", authorization="Basic t") == "token"
    assert code(guard, host="10.0.0.5", authorization="Bearer \udcff") == "token"
    assert code(guard, host="10.0.0.5", health=True) == ""


def test_origins():
    guard = Guard()
    assert code(guard, host="localhost:1", origin="http://localhost:1") == ""
    assert code(guard, host="localhost:1", origin="http://localhost:2") == "origin"
    assert code(guard, host="localhost:1", origin="null") == "origin"
    assert code(guard, host="localhost:1", health=True, origin="https://evil.example") == "origin"


@pytest.mark.parametrize(("address", "wide"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_of_a_socket(address, wide):
    with socket.socket() as sock:
        sock.bind((address, 0))
        guard = Guard.of(sock, "Name.Test", "t")
    assert (guard.wide, guard.token) == (wide, "t")
    assert {"localhost", "name.test"} <= guard.hosts


async def test_a_server_with_a_token(engine, start, control):
    served = await start(engine, "127.0.0.1", 0, None, "secret")
    for path, token, status in [
        ("health", "", 200), ("sessions", "", 401), ("sessions", "wrong", 401), ("sessions", "secret", 200),
    ]:  # fmt: skip
        headers = {"authorization": f"Bearer {token}"} if token else {}
        answer = await control.client.get(f"{served.url}/_fakeserver/{path}", headers=headers)
        assert answer.status_code == status
        assert "access-control-allow-origin" not in answer.headers


async def test_a_name_that_was_pointed_here(control):
    status, told = await control("POST", "/sessions/a/reset", headers={"host": "evil.example:80"})
    assert (status, told["error"]["code"]) == (403, "host")
    assert (await control("GET", "/health", headers={"host": "evil.example"}))[0] == 403
    preflight = await control.client.options("/_fakeserver/sessions", headers={"origin": "http://x.example"})
    assert (preflight.status_code, "access-control-allow-origin" in preflight.headers) == (403, False)
    assert (await control.chat("hello", host="evil.example")).status_code == 200
