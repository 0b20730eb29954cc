"""What the kernel tells of a peer, by real sockets; and silence where it cannot tell."""

from __future__ import annotations

import socket
import sys

import pytest

from fakeserver.play.peer import Diagnosis, Peer

linux = pytest.mark.skipif(sys.platform != "linux", reason="asked of Linux alone")


@pytest.fixture(params=[("127.0.0.1", socket.AF_INET), ("::1", socket.AF_INET6)], ids=["IPv4", "IPv6"])
def pair(request):
    host, family = request.param
    try:
        listening = socket.create_server((host, 0), family=family)
    except OSError:
        pytest.skip(f"no {host} here")
    client = socket.create_connection(listening.getsockname()[:2])
    ours, _ = listening.accept()
    yield ours, client
    for sock in (listening, client, ours):
        sock.close()


@pytest.fixture
def diagnosis():
    made = Diagnosis()
    yield made
    made.close()
    made.close()


@linux
def test_what_has_arrived_and_what_has_been_read(pair, diagnosis):
    ours, client = pair
    peer = Peer(ours, diagnosis)
    if peer.unread() is None:
        pytest.skip("no socket diagnostics here")
    assert (peer.acked(), peer.unacked(), peer.unread()) == (0, 0, 0)
    ours.send(b"x" * 100)
    while peer.unacked():
        pass
    assert (peer.acked(), peer.unread()) == (100, 100)
    client.recv(40)
    assert peer.unread() == 60
    client.recv(100)
    assert peer.unread() == 0


@linux
def test_one_that_has_gone(pair, diagnosis):
    ours, client = pair
    peer = Peer(ours, diagnosis)
    client.close()
    assert peer.unread() in (0, None)
    ours.close()
    assert (peer.acked(), peer.unacked()) == (None, None)


def test_no_tcp_no_answer(diagnosis):
    one, other = socket.socketpair()
    for peer in (Peer(None, diagnosis), Peer(one, diagnosis)):
        assert peer.acked() is None
        assert peer.unread() is None
    one.close()
    other.close()


def test_nobody_to_ask(pair):
    assert Peer(pair[0]).unread() is None


@linux
def test_where_diagnostics_are_forbidden_nobody_asks_again(pair, monkeypatch):
    asked = []

    def forbidden(*args, **kwargs):
        asked.append(args)
        raise PermissionError("not here")

    diagnosis = Diagnosis()
    peer = Peer(pair[0], diagnosis)
    monkeypatch.setattr(socket, "socket", forbidden)
    assert [peer.unread() for _ in range(3)] == [None] * 3
    assert len(asked) == 1
