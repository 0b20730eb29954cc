"""Which of a module's parameters are to run: the outcomes of many clients are gathered at once, ahead of the tests."""

from __future__ import annotations

import pytest

from tests.clients.cases import case

Wanted = list[tuple[str, str]]


def chosen(request: pytest.FixtureRequest) -> tuple[Wanted, Wanted]:
    """The (client, name) of each test of the requesting module that has them: those that end, and those that stall.

    Who waits for a stall has little patience, and should not wait in vain for a server that is busy with the others.
    """
    here = (
        item for item in request.session.items if isinstance(item, pytest.Function) and item.module is request.module
    )
    params = [item.callspec.params for item in here if hasattr(item, "callspec")]
    wanted = [(str(each["client"]), str(each["name"])) for each in params if "client" in each]
    stalls = [each for each in wanted if case(each[1]).stalls]
    return [each for each in wanted if each not in stalls], stalls
