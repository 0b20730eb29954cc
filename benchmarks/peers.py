"""The peers: installed on demand into `.peers`, each told to say 200 pieces, each started its own documented way.

None of them is changed. Where a peer has a switch for logging it is off; mockllm's command always watches its files for
changes, so its app is run by uvicorn directly, which can only help it.
"""

from __future__ import annotations

import json
import subprocess
import urllib.request
from collections.abc import Callable
from pathlib import Path

from benchmarks.say import say
from benchmarks.servers import Server, free_port

HOME = Path(__file__).parent / ".peers"
PYTHON = {"llmock": "0.2.2", "stubllm": "0.1.5", "mockllm": "0.0.8"}
AIMOCK = "@copilotkit/aimock"
AIMOCK_VERSION = "1.43.0"
_BIN = HOME / "py" / "bin"
_NODE_BIN = HOME / "node_modules" / ".bin"


def install() -> None:
    """What is missing, from PyPI and npm. Raises CalledProcessError if a registry cannot be reached."""
    HOME.mkdir(exist_ok=True)
    if not all((_BIN / name).exists() for name in PYTHON):
        say("installing the Python peers ...")
        subprocess.run(["python3", "-m", "venv", str(HOME / "py")], check=True)
        wanted = [f"{name}=={version}" for name, version in PYTHON.items()]
        subprocess.run([str(_BIN / "pip"), "install", "--quiet", *wanted], check=True, stderr=subprocess.DEVNULL)
    if not (_NODE_BIN / "llmock").exists():
        say("installing aimock ...")
        (HOME / "package.json").write_text(json.dumps({"name": "peers", "private": True}))
        command = ["npm", "install", "--no-audit", "--no-fund", "--silent", f"{AIMOCK}@{AIMOCK_VERSION}"]
        subprocess.run(command, cwd=HOME, check=True)


def aimock(pieces: int = 200, every: int = 0) -> Server:
    """`every` milliseconds between chunks."""
    file = _file(
        "aimock.json", {"fixtures": [{"match": {"userMessage": "bench"}, "response": {"content": "tok " * pieces}}]}
    )
    port = free_port()
    command = [str(_NODE_BIN / "llmock"), "-p", str(port), "-f", str(file), "-c", "4", "-l", str(every)]
    return Server("aimock", [*command, "--log-level", "silent"], port)


def stubllm(pieces: int = 200, every: int = 0) -> Server:
    answer = {"content": "tok " * pieces, "stream_chunk_delay_ms": every}
    file = _file("stubllm.json", {"fixtures": [{"name": "bench", "match": {}, "response": answer}]})
    port = free_port()
    command = [
        str(_BIN / "stubllm"),
        "serve",
        "--port",
        str(port),
        "--fixture-file",
        str(file),
        "--log-level",
        "warning",
    ]
    return Server("stubllm", command, port)


def mockllm(pieces: int = 200, every: int = 0) -> Server:
    """It sends a character a chunk and has a random lag only, so `every` is not for it."""
    file = _file("mockllm.yml", {"responses": {}, "defaults": {"unknown_response": "t" * pieces}})
    port = free_port()
    command = [str(_BIN / "uvicorn"), "mockllm.server:app", "--port", str(port), "--log-level", "warning"]
    return Server("mockllm", [*command, "--no-access-log"], port, env={"MOCKLLM_RESPONSES_FILE": str(file)})


def llmock(pieces: int = 200, every: int = 0) -> Server:
    """Its long answer must be scripted once it runs: see `prepare`."""
    port = free_port()
    command = [str(_BIN / "llmock"), "serve", "--port", str(port), "--log-level", "warning"]
    return Server("llmock", [*command, "--stream-chunk-delay-ms", str(every)], port)


def prepare(server: Server, pieces: int = 200) -> None:
    """What a peer can only be told while it runs: llmock's reply, for good."""
    if server.name == "llmock":
        said = {"behaviors": [{"type": "reply", "text": "tok " * pieces, "times": None}]}
        url = f"http://127.0.0.1:{server.port}/_llmock/scenario"
        request = urllib.request.Request(url, json.dumps(said).encode(), {"content-type": "application/json"})
        urllib.request.urlopen(request).close()


ALL: tuple[Callable[..., Server], ...] = (aimock, stubllm, mockllm, llmock)


def _file(name: str, content: object) -> Path:
    path = HOME / name
    path.write_text(json.dumps(content))  # JSON is YAML
    return path
