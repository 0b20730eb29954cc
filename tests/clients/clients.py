"""The clients that are examined: each one's name, the package it is pinned in, and the command of its adapter.

It must not run anything.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
NODE = HERE / "node"
ADAPTERS = HERE / "adapters"
HOW = "Install Node 20 or later (nodejs.org), then run `make test`, or `npm ci` in tests/clients/node"


@dataclass(frozen=True)
class Client:
    """`packages`: what it is made of, the first one first. `about`: how it is used."""

    packages: tuple[str, ...]
    about: str
    adapter: str
    arguments: tuple[str, ...] = ()

    @property
    def of_node(self) -> bool:
        return self.adapter.endswith(".mjs")

    @property
    def command(self) -> tuple[str, ...]:
        """Raises AssertionError, with a remedy, where Node or what is to be installed for it is not there."""
        return (_node() if self.of_node else sys.executable, str(ADAPTERS / self.adapter), *self.arguments)


_PYTHON, _AI = "openai_python.py", ("ai", "@ai-sdk/openai-compatible")
CLIENTS = {
    "openai-python": Client(("openai",), "the chunks, iterated", _PYTHON, ("iteration",)),
    "openai-python-async": Client(("openai",), "the chunks, iterated, async", _PYTHON, ("iteration", "async")),
    "openai-python-helper": Client(("openai",), "chat.completions.stream", _PYTHON, ("helper",)),
    "openai-python-helper-async": Client(("openai",), "chat.completions.stream, async", _PYTHON, ("helper", "async")),
    "langchain-openai": Client(("langchain-openai",), "ChatOpenAI.stream, and the sum", "langchain_openai_stream.py"),
    "litellm": Client(("litellm",), "completion(stream=True)", "litellm_completion.py"),
    "pydantic-ai": Client(("pydantic-ai-slim",), "model_request_stream", "pydantic_ai_stream.py"),
    "httpx-sse": Client(("httpx-sse",), "events by hand, over httpx", "httpx_sse_events.py"),
    "openai-node": Client(("openai",), "the chunks, iterated", "openai_node.mjs", ("iteration",)),
    "openai-node-helper": Client(("openai",), "chat.completions.stream", "openai_node.mjs", ("helper",)),
    "ai-sdk": Client(_AI, "streamText, each part of fullStream", "ai_sdk.mjs", ("full",)),
    "ai-sdk-text": Client(_AI, "streamText, textStream and the promises", "ai_sdk.mjs", ("text",)),
    "eventsource-parser": Client(("eventsource-parser",), "events by hand, over fetch", "eventsource_parser.mjs"),
}  # fmt: skip


def pins(client: Client) -> list[str]:
    """As they are installed: `openai 3.57.0`."""
    versions = _of_node() if client.of_node else _of_python()
    return [f"{package} {versions[package]}" for package in client.packages]


@cache
def _of_python() -> dict[str, str]:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    return dict(re.split(r"(?:\[.*\])?==", each) for each in extras["clients"])


@cache
def _of_node() -> dict[str, str]:
    found: dict[str, str] = json.loads((NODE / "package.json").read_text("utf-8"))["dependencies"]
    return found


def _node() -> str:
    node = shutil.which("node")
    assert node is not None, f"there is no node on the PATH. {HOW}."
    lacking = [package for package in _of_node() if not (NODE / "node_modules" / package / "package.json").is_file()]
    assert not lacking, f"the Node clients are not installed ({', '.join(lacking)}). {HOW}."
    return node
