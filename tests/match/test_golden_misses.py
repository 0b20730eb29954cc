"""What a client is told when nothing answers, one situation a file: its scenarios, the request, and the 404's message.

`WRITE_GOLDEN=1 pytest tests/match/test_golden_misses.py` writes the answers anew: read them before they are committed.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from fakeserver.engine import Engine
from fakeserver.match.facts import Facts
from fakeserver.match.route import route_of
from fakeserver.script.library import load

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "misses"
FILES = sorted(GOLDEN.glob("*.txt"))
SECTION = re.compile(r"^=== (.+)\n", re.MULTILINE)


def sections(text: str) -> dict[str, str]:
    _, *parts = SECTION.split(text)
    return dict(zip(parts[::2], parts[1::2]))


def told(parts: dict[str, str], folder: Path) -> str:
    for name, text in parts.items():
        if name.endswith(".yaml"):
            (folder / name).write_text(text)
    library = load([folder])
    assert library.errors == ()
    headers = dict(row.split(": ", 1) for row in parts.get("headers", "").splitlines())
    path = parts.get("path", "/v1/chat/completions").strip()
    answer = Engine(library).answer(Facts("POST", path, route_of(path), headers, parts["request"].encode()), 0)
    assert answer.plan.status == 404
    *_, body = b"".join(write.data for write in answer.plan.writes()).partition(b"\r\n\r\n")
    said = json.loads(body[body.index(b"{") : body.rindex(b"}") + 1])["error"]
    assert (said["code"], said["type"]) == ("model_not_found", "invalid_request_error")
    assert answer.record.chosen.unmatched.message in said["message"]
    json.dumps(answer.record.as_dict())
    return said["message"].replace(str(folder), "scenarios") + "\n"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_message(file, tmp_path):
    text = file.read_text()
    parts = sections(text)
    answer = told(parts, tmp_path)
    if os.environ.get("WRITE_GOLDEN"):
        file.write_text(text.partition("=== answer\n")[0] + "=== answer\n" + answer)
    assert answer == sections(file.read_text())["answer"]


def test_every_situation_is_there():
    assert len(FILES) >= 15
