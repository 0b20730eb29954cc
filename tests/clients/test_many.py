"""Fifty streams at once, held at one gate: each has its own id, and each is whole."""

from __future__ import annotations

import asyncio
from pathlib import Path

import openai

from tests.clients.server import PATIENCE, running

MANY = 50
HELD = """\
about: Holds in the middle until it is let go.
stream:
  - role: assistant
  - say: Half
  - gate: half
  - say: [" and", " half."]
  - finish: stop
  - done
expect: {outcome: complete, content: Half and half., finish_reason: stop}
"""


async def test_fifty_streams_at_once(tmp_path: Path) -> None:
    (tmp_path / "held.yaml").write_text(HELD)
    held = asyncio.Barrier(MANY + 1)

    async def read(client: openai.AsyncOpenAI) -> tuple[set[str], str, str | None]:
        stream = await client.chat.completions.create(
            model="held", messages=[{"role": "user", "content": "Hello"}], stream=True
        )
        ids, said, finish = set(), "", None
        async for chunk in stream:
            ids.add(chunk.id)
            said += chunk.choices[0].delta.content or ""
            finish = chunk.choices[0].finish_reason
            if said == "Half":
                await held.wait()
        return ids, said, finish

    with running([str(tmp_path)]) as server:
        base_url = server.base_url("many")
        async with openai.AsyncOpenAI(base_url=base_url, api_key="x", max_retries=0, timeout=PATIENCE) as client:
            reading = [asyncio.create_task(read(client)) for _ in range(MANY)]
            await held.wait()  # each has read the first half: each holds at the gate
            assert (await asyncio.to_thread(server.release, "half", "many"))["released"] == MANY
            read_by_all = await asyncio.gather(*reading)
        assert server.stderr() == ""
    assert {(said, finish) for _, said, finish in read_by_all} == {("Half and half.", "stop")}
    assert [len(ids) for ids, _, _ in read_by_all] == [1] * MANY
    assert len(set().union(*(ids for ids, _, _ in read_by_all))) == MANY
