"""The real clients of Python, each asked for one answer: openai (sync and async, iteration and helper) and httpx-sse.

Each hands over what it got, exceptions by their class. It must not know what a scenario meant to say.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import warnings
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import httpx_sse
import openai

from tests.clients.fold import Fold

AT_ONCE = 12
Outcome = dict[str, Any]


@dataclass(frozen=True)
class Job:
    """One answer to ask for. `before` is called ahead of each request; the answer to the last one counts."""

    client: str
    base_url: str
    model: str
    attempts: int
    patience: float
    before: Callable[[], None]

    def body(self) -> dict[str, Any]:
        messages = [{"role": "user", "content": "Hello"}]
        return {"model": self.model, "messages": messages, "stream_options": {"include_usage": True}}

    def headers(self, attempt: int) -> dict[str, str]:
        return {"x-stainless-retry-count": str(attempt)}  # for scenarios that count by it


class ErrorEvent(Exception):
    """What someone who reads events by hand makes of one that says error."""


def run(jobs: Iterable[Job]) -> list[Outcome]:
    """Some of them at once, in the order given."""
    jobs = list(jobs)
    plain = [job for job in jobs if "async" not in job.client]
    with warnings.catch_warnings(), ThreadPoolExecutor(AT_ONCE) as pool, _sync_clients() as clients:
        # openai's helper serializes what it has not validated, and pydantic warns of each odd type: no error for users.
        warnings.simplefilter("ignore", UserWarning)
        awaited = pool.submit(asyncio.run, _run_async([job for job in jobs if job not in plain]))
        done = dict(zip(plain, pool.map(lambda job: _run_sync(job, clients), plain)))
        done.update(awaited.result())
    return [done[job] for job in jobs]


@contextmanager
def _sync_clients() -> Iterator[tuple[openai.OpenAI, httpx.Client]]:
    with openai.OpenAI(api_key="x", max_retries=0, base_url="http://x") as client, httpx.Client() as plain:
        yield client, plain


def _run_sync(job: Job, clients: tuple[openai.OpenAI, httpx.Client]) -> Outcome:
    client = clients[0].with_options(base_url=job.base_url, timeout=job.patience)
    outcome: Outcome = {}
    for attempt in range(job.attempts):
        job.before()
        if job.client == "httpx-sse":
            outcome = _events(job, clients[1], attempt)
        elif job.client == "python":
            outcome = _iteration(job, client, attempt)
        else:
            outcome = _helper(job, client, attempt)
    return outcome


def _iteration(job: Job, client: openai.OpenAI, attempt: int) -> Outcome:
    fold = Fold()
    try:
        options: Any = job.body()
        with client.chat.completions.create(**options, stream=True, extra_headers=job.headers(attempt)) as stream:
            for chunk in stream:
                fold.take(_plain(chunk))
    except Exception as problem:  # whatever a client raises is its outcome
        return _raised(fold, problem)
    return fold.outcome()


def _helper(job: Job, client: openai.OpenAI, attempt: int) -> Outcome:
    fold, stream = Fold(), None
    try:
        options: Any = job.body()
        with client.chat.completions.stream(**options, extra_headers=job.headers(attempt)) as stream:
            fold.take(_plain(stream.get_final_completion()))
    except Exception as problem:  # whatever a client raises is its outcome
        return _raised(_so_far(stream), problem)
    return fold.outcome()


def _events(job: Job, client: httpx.Client, attempt: int) -> Outcome:
    fold = Fold()
    body = {**job.body(), "stream": True}
    try:
        with httpx_sse.connect_sse(client, "POST", f"{job.base_url}/chat/completions", json=body,
                                   headers=job.headers(attempt), timeout=job.patience) as source:  # fmt: skip
            _check_status(source.response)
            for event in source.iter_sse():
                if event.data == "[DONE]":
                    break
                _take_event(fold, event)
    except Exception as problem:  # whatever a client raises is its outcome
        return _raised(fold, problem)
    return fold.outcome()


def _check_status(response: httpx.Response) -> None:
    if response.status_code >= 300:
        response.read()
        response.raise_for_status()


def _take_event(fold: Fold, event: httpx_sse.ServerSentEvent) -> None:
    """Named events are for those who ask for them; an error, by name or in the data, is for everyone."""
    if event.event not in ("message", "error"):
        return
    data = json.loads(event.data)
    error = data.get("error") if isinstance(data, dict) else None
    if error or event.event == "error":
        raise ErrorEvent(error or data)
    fold.take(data)


async def _run_async(jobs: list[Job]) -> dict[Job, Outcome]:
    turn = asyncio.Semaphore(AT_ONCE)
    async with openai.AsyncOpenAI(api_key="x", max_retries=0, base_url="http://x") as client:

        async def one(job: Job) -> Outcome:
            async with turn:
                return await _one_async(job, client)

        return dict(zip(jobs, await asyncio.gather(*map(one, jobs))))


async def _one_async(job: Job, shared: openai.AsyncOpenAI) -> Outcome:
    client = shared.with_options(base_url=job.base_url, timeout=job.patience)
    ask = _iteration_async if job.client == "python async" else _helper_async
    outcome: Outcome = {}
    for attempt in range(job.attempts):
        await asyncio.to_thread(job.before)
        outcome = await ask(job, client, attempt)
    return outcome


@asynccontextmanager
async def _closing(stream: Any) -> AsyncIterator[Any]:
    try:
        yield stream
    finally:
        await stream.close()


async def _iteration_async(job: Job, client: openai.AsyncOpenAI, attempt: int) -> Outcome:
    fold = Fold()
    try:
        options: Any = job.body()
        made = client.chat.completions.create(**options, stream=True, extra_headers=job.headers(attempt))
        async with _closing(await made) as stream:
            async for chunk in stream:
                fold.take(_plain(chunk))
    except Exception as problem:  # whatever a client raises is its outcome
        return _raised(fold, problem)
    return fold.outcome()


async def _helper_async(job: Job, client: openai.AsyncOpenAI, attempt: int) -> Outcome:
    fold, stream = Fold(), None
    try:
        options: Any = job.body()
        async with client.chat.completions.stream(**options, extra_headers=job.headers(attempt)) as stream:
            fold.take(_plain(await stream.get_final_completion()))
    except Exception as problem:  # whatever a client raises is its outcome
        return _raised(_so_far(stream), problem)
    return fold.outcome()


def _plain(chunk: Any) -> Any:
    """A model as the JSON that it was made of: what it has no field for is kept, what is of a wrong type too."""
    return chunk.to_dict(warnings=False) if hasattr(chunk, "to_dict") else chunk


def _so_far(stream: Any) -> Fold:
    """What the helper had put together when it raised."""
    fold = Fold()
    with contextlib.suppress(AttributeError, AssertionError):  # no stream, or nothing came
        fold.take(_plain(stream.current_completion_snapshot))
    return fold


def _raised(fold: Fold, problem: Exception) -> Outcome:
    """The class, and the error object: openai's `body`, or what was in the body of a status."""
    return fold.outcome(type(problem).__name__, _error_of(problem))


def _error_of(problem: Exception) -> Any:
    if isinstance(problem, ErrorEvent):
        return problem.args[0]
    if isinstance(problem, httpx.HTTPStatusError):
        try:
            return problem.response.json().get("error")
        except ValueError:
            return None
    return getattr(problem, "body", None)
