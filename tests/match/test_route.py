from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakeserver.match.route import Route, route_of


@pytest.mark.parametrize(
    ("target", "route"),
    [
        ("/v1/chat/completions", Route("chat")),
        ("//v1/chat/completions/", Route("chat")),
        ("/v1//chat/completions?api-version=1", Route("chat")),
        ("/scenario/a+b+c/v1/chat/completions", Route("chat", selector="a+b+c")),
        ("/scenario/a%2Bb/v1/models", Route("models", selector="a+b")),
        ("/session/t1/v1/chat/completions", Route("chat", session="t1")),
        ("/session/t1/scenario/a/v1/chat/completions", Route("chat", session="t1", selector="a")),
        ("/scenario/a/session/t1/v1/chat/completions", Route("unknown", selector="a")),
        ("/v1/models", Route("models")),
        ("/v1/models/", Route("models")),
        ("/v1/models/org/name", Route("model", rest=("org", "name"))),
        ("/v1/models/a+b", Route("model", rest=("a+b",))),
        ("/v1/models/caf%C3%A9", Route("model", rest=("café",))),
        ("/_fakeserver/gates/half/release?session=a", Route("control", rest=("gates", "half", "release"))),
        ("/chat/completions", Route("chat")),
        ("/models/org/name", Route("model", rest=("org", "name"))),
        ("/scenario/a/chat/completions", Route("chat", selector="a")),
        ("/openai/v1/chat/completions", Route("chat")),
        ("/api/v1/chat/completions", Route("chat")),
        ("/api/v1/models", Route("models")),
        ("/api/paas/v4/chat/completions", Route("chat")),
        ("/v1beta/openai/chat/completions", Route("chat")),
        ("/v1beta/openai/models/a", Route("model", rest=("a",))),
        ("/inference/v1/chat/completions", Route("chat")),
        ("/compatible-mode/v1/chat/completions", Route("chat")),
        ("/session/t1/scenario/a/api/paas/v4/chat/completions", Route("chat", session="t1", selector="a")),
        ("/openai/deployments/gpt%204/chat/completions?api-version=2024-10-21", Route("chat", model="gpt 4")),
        ("/scenario/a/openai/deployments/d/chat/completions", Route("chat", selector="a", model="d")),
        ("/session/t1/openai/deployments/d/chat/completions", Route("chat", session="t1", model="d")),
        ("/openai/deployments/chat/completions", Route("unknown")),
        ("/openai/deployments/d/models", Route("unknown")),
        ("/v2/chat/completions", Route("unknown")),
        ("/v1/v1/chat/completions", Route("unknown")),
        ("/v1", Route("unknown")),
        ("/", Route("unknown")),
        ("*", Route("unknown")),
        ("/session/v1/models", Route("models", session="v1")),
        ("/session", Route("unknown")),
    ],
)
def test_routes(target, route):
    assert route_of(target) == route


def test_names_that_are_kept_are_bounded():
    assert len(route_of(f"/session/{'a' * 5000}/v1/models").session) == 200


def test_methods():
    assert Route("chat").methods == ("POST",)
    assert Route("models").methods == ("GET", "HEAD")
    assert Route("unknown").methods == ()


@given(st.text())
def test_any_target_has_a_route(target):
    assert isinstance(route_of(target), Route)
