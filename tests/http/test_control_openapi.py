"""The document of the control routes: valid, complete, and true of the server that serves it (schemathesis asks it)."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from openapi_spec_validator import OpenAPIV31SpecValidator
from schemathesis import checks as every_check

from fakeserver.http.control import ROUTES, waiting
from fakeserver.http.control.openapi import document
from tests.http.control_process import Background

DOCUMENT = document(ROUTES)


@pytest.fixture(scope="module")
def url(tmp_path_factory) -> Iterator[str]:
    """A server in a thread: schemathesis asks from this one."""
    with Background(tmp_path_factory.mktemp("scenarios")) as background:
        yield background.url


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(waiting, "LONGEST", 0.01)


def test_it_is_valid():
    OpenAPIV31SpecValidator(DOCUMENT).validate()


def test_it_is_served(url):
    assert httpx.get(f"{url}/_fakeserver/openapi.json").json() == DOCUMENT


def test_every_route_is_in_it_once():
    pairs = [(method, path) for path, methods in DOCUMENT["paths"].items() for method in methods]
    assert len(pairs) == len(ROUTES)
    ids = [DOCUMENT["paths"][path][method]["operationId"] for method, path in pairs]
    assert len(set(ids)) == len(ids)


def test_every_object_says_what_is_in_it():
    for method_of in DOCUMENT["paths"].values():
        for operation in method_of.values():
            assert operation["summary"].endswith(".")
            assert {"401", "403"} <= set(operation["responses"])


schema = schemathesis.openapi.from_dict(DOCUMENT).exclude(path_regex="/events$")
_PROMISES = [
    every_check.not_a_server_error,
    every_check.status_code_conformance,
    every_check.content_type_conformance,
    every_check.response_schema_conformance,
    every_check.response_headers_conformance,
    every_check.negative_data_rejection,
    every_check.unsupported_method,
]


@schema.parametrize()
@settings(
    max_examples=12, derandomize=True, database=None, deadline=None, phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
def test_it_is_true(case, url):
    case.call_and_validate(base_url=url, checks=_PROMISES)
