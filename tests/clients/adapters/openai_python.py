"""openai for Python: `iteration` over the chunks, or the stream `helper`, and each of them `async`.

python adapters/openai_python.py iteration|helper [async]
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

import openai
from fold import Fold
from loop import Case, run

CLIENT = openai.OpenAI(api_key="any", base_url="http://127.0.0.1")
ASYNC = openai.AsyncOpenAI(api_key="any", base_url="http://127.0.0.1")


def iteration(case: Case, fold: Fold) -> None:
    client = CLIENT.with_options(base_url=case.base_url, timeout=case.time_limit)
    body: Any = case.body()
    with client.chat.completions.create(**body, stream=True) as stream:
        for chunk in stream:
            fold.take(plain(chunk))


async def iteration_async(case: Case, fold: Fold) -> None:
    client = ASYNC.with_options(base_url=case.base_url, timeout=case.time_limit)
    body: Any = case.body()
    async with await client.chat.completions.create(**body, stream=True) as stream:
        async for chunk in stream:
            fold.take(plain(chunk))


def helper(case: Case, fold: Fold) -> None:
    client, stream = CLIENT.with_options(base_url=case.base_url, timeout=case.time_limit), None
    body: Any = case.body()
    try:
        with client.chat.completions.stream(**body) as stream:
            stream.get_final_completion()
    finally:
        fold.take(_so_far(stream))


async def helper_async(case: Case, fold: Fold) -> None:
    client, stream = ASYNC.with_options(base_url=case.base_url, timeout=case.time_limit), None
    body: Any = case.body()
    try:
        async with client.chat.completions.stream(**body) as stream:
            await stream.get_final_completion()
    finally:
        fold.take(_so_far(stream))


def _so_far(stream: Any) -> Any:
    """What the helper has put together, whole or not."""
    try:
        return plain(stream.current_completion_snapshot)
    except (AttributeError, AssertionError):  # no stream, or nothing came
        return None


def plain(chunk: Any) -> Any:
    """A model as the JSON that it was made of: what it has no field for is kept, what is of a wrong type too."""
    return chunk.to_dict(warnings=False) if hasattr(chunk, "to_dict") else chunk


if __name__ == "__main__":
    # The helper serializes what it has not validated, and pydantic warns of each odd type: no error for users.
    warnings.simplefilter("ignore", UserWarning)
    run(
        {"iteration": iteration, "iteration async": iteration_async, "helper": helper, "helper async": helper_async}[
            " ".join(sys.argv[1:])
        ]
    )
