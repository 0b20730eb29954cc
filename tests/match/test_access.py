from __future__ import annotations

import pytest

from fakeserver.match.access import address_fault, key_fault
from fakeserver.match.facts import Facts, Fault
from fakeserver.match.route import route_of


def facts(method="POST", path="/v1/chat/completions", fault=None, **headers: str) -> Facts:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Facts(method, path, route_of(path), named, fault=fault)


def test_addresses():
    assert address_fault(facts()) is None
    assert address_fault(facts("HEAD", "/v1/models")) is None
    assert address_fault(facts(path="/v1/foo?x=1")) == Fault("not-found", "Invalid URL (POST /v1/foo)")
    assert address_fault(facts("GET")) == Fault("wrong-method", "Not allowed to GET on /v1/chat/completions.")
    assert address_fault(facts(fault=Fault("too-large"))) == Fault("too-large")


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Bearer k1"},
        {"authorization": "bearer  k1 "},
        {"api_key": "k1"},
        {"authorization": "Basic x", "api_key": "k1"},
    ],
)
def test_the_right_key(headers):
    assert key_fault(facts(**headers), "k1") is None


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer "}, {"authorization": "Basic k1"}, {"api_key": ""}])
def test_no_key(headers):
    assert key_fault(facts(**headers), "k1") == Fault("no-api-key")
    assert key_fault(facts(**headers), None) is None


def test_a_wrong_key_is_named_but_not_told():
    fault = key_fault(facts(authorization="Bearer sk-secret-secret-1234"), "k1")
    assert fault.name == "bad-api-key"
    assert fault.message.startswith("Incorrect API key provided: sk-***1234. ")
    assert "Incorrect API key provided: ***. " in key_fault(facts(api_key="short"), "k1").message
