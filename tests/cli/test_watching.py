"""What is said of files that have changed: how many are served, or what is wrong, and that once."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakeserver.cli.watching import take_in
from fakeserver.engine import Engine
from fakeserver.script.library import load


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    (tmp_path / "mine.yaml").write_text("reply: Old.\n")
    return Engine(load([tmp_path]))


async def test_how_many_are_served(engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await take_in(engine, [str(tmp_path)], (), quiet=False)
    (tmp_path / "more.yaml").write_text("reply: More.\n")
    await take_in(engine, [str(tmp_path)], (), quiet=False)
    assert capsys.readouterr().err == "Reloaded: 1 scenario.\nReloaded: 2 scenarios.\n"


async def test_errors_are_told_once_until_they_change(
    engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def said_of(name: str, text: str) -> list[str]:
        (tmp_path / name).write_text(text)
        await take_in(engine, [str(tmp_path)], (), quiet=False)
        return capsys.readouterr().err.splitlines()[-1:]

    one = ["1 error in the scenarios: what was served before is served on."]
    assert await said_of("mine.yaml", "reply: Broken.\nwire: {newlin: lf}\n") == one
    assert await said_of("other.yaml", "reply: Well.\n") == []
    assert len(engine.problems) == 1
    assert await said_of("mine.yaml", "reply: Broken.\nwire: {cu: 1}\n") == one
    assert await said_of("other.yaml", "replies: Well.\n") == [one[0].replace("1 error", "2 errors")]
    assert await said_of("other.yaml", "reply: Well.\n") == one
    assert await said_of("mine.yaml", "reply: Mended.\n") == ["Reloaded: 2 scenarios."]
    assert await said_of("mine.yaml", "reply: Broken.\nwire: {cu: 1}\n") == one, "it is another mistake, made anew"
