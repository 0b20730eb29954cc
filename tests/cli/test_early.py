from __future__ import annotations

import pytest

from fakeserver.cli.early import bound_early


@pytest.fixture
def bound():
    kept = []

    def call(*arguments, **environ):
        early = bound_early(arguments, environ)
        if early is not None:
            kept.append(early.sock)
        return early

    yield call
    for sock in kept:
        sock.close()


@pytest.mark.parametrize(
    ("arguments", "environ"),
    [
        (("lib/", "--port", "0"), {}),
        (("--port=0",), {}),
        ((), {"FAKESERVER_PORT": "0"}),
        (("--port", "1", "--port", "0"), {}),
    ],
)
def test_a_socket_listens_where_the_arguments_say(bound, arguments, environ):
    early = bound(*arguments, **environ)
    assert (early.host, early.port) == ("127.0.0.1", 0)
    assert early.sock.getsockname()[1] > 0


@pytest.mark.parametrize(
    "arguments", [("--help",), ("--port", "many"), ("--port", "70000"), ("--host", "no such host", "--port", "0")]
)
def test_what_is_not_plain_is_left_to_click(bound, arguments):
    assert bound(*arguments) is None


def test_it_is_taken_for_its_own_address_alone(bound):
    early = bound("--port", "0")
    assert early.taken("127.0.0.1", 0) is early.sock
    assert early.taken("127.0.0.1", 8437) is None
    assert early.sock.fileno() == -1
