"""A server with a few scenarios of its own and a client for its control routes; both in the test's loop."""

from __future__ import annotations

import json
from typing import Any

import httpx

from fakeserver.http.serve import Served
from fakeserver.script.library import Library, load

TEXTS = {
    "hello": "reply: Hello there.\n",
    "other": "reply: Something else.\n",
    "gated": "stream: [role: assistant, say: One, gate: half, say: Two, finish: stop, done]\n",
    "held": "stream: [role: assistant, hang]\n",
    "stall": "stream: [role: assistant, say: One, wait: 30s, say: Two, finish: stop, done]\n",
    "turns": "attempts: [{respond: {error: rate-limited}}, {reply: First.}, {reply: Second.}]\n",
    "ruled": "when: {last_user: Rule}\nreply: Ruled.\n",
}


def library_in(folder: Any) -> Library:
    for name, text in TEXTS.items():
        (folder / f"{name}.yaml").write_text(text)
    return load([folder])


class Control:
    """`await control("POST", "/sessions/a/reset")` is the answer's status and its JSON."""

    def __init__(self, served: Served) -> None:
        self.url = served.url
        self.client = httpx.AsyncClient(base_url=served.url, timeout=20, trust_env=False)

    async def __call__(self, method: str, path: str, said: Any = None, **rest: Any) -> tuple[int, Any]:
        if said is not None:
            rest["json"] = said
        answer = await self.client.request(method, f"/_fakeserver{path}", **rest)
        return answer.status_code, answer.json() if answer.content else None

    async def ok(self, method: str, path: str, said: Any = None, **rest: Any) -> Any:
        status, told = await self(method, path, said, **rest)
        assert status in (200, 201), told
        return told

    async def chat(self, model: str = "any", session: str = "a", text: str = "Hi", **headers: str) -> httpx.Response:
        body = {"model": model, "stream": True, "messages": [{"role": "user", "content": text}]}
        return await self.client.post(f"/session/{session}/v1/chat/completions", json=body, headers=headers)

    async def journal(self, session: str = "a", wait: float = 10) -> list[dict[str, Any]]:
        return (await self.ok("GET", f"/sessions/{session}/journal?wait={wait}"))["records"]


def said(answer: httpx.Response | bytes) -> str:
    """The text of a streamed answer, by a reader that knows nothing of ours."""
    data = answer if isinstance(answer, bytes) else answer.content
    events = [json.loads(line[6:]) for line in data.split(b"\n") if line.startswith(b"data: {")]
    return "".join(choice["delta"].get("content") or "" for event in events for choice in event.get("choices", ()))
