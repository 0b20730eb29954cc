"""The same replies under each dialect, as bytes; each line was read beside dialects.md's samples and table.

A golden file is changed by hand, or by this file run as a program once its lines have been read:
`python -m tests.plan.test_dialects`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

from fakeserver.cli.sides import known
from fakeserver.plan import Ask, fill, key_of
from fakeserver.plan.compiler import payload
from fakeserver.script.dialect import Trait
from tests.plan.making import BUILTIN, choice, library, plan, writes
from tests.wire import received

GOLDEN = Path(__file__).parents[1] / "golden" / "dialects"
NAMES = sorted(BUILTIN.dialects)
ONE = """{name: f, arguments: ['{"a"', ':1}']}"""
CASES = {
    "text": "reply: Hi there",
    "reasoning": "reply: {think: Hm, say: Hi}",
    "one call": f"reply: {{call: {ONE}}}",
    "two calls": f"reply: {{call: [{ONE}, {{name: g, arguments: ['{{}}']}}]}}",
    "a refusal": "reply: {refuse: No}",
    "usage asked": "reply: {think: Hm, say: Hi}",
    "an error in the stream": "reply: {say: Hi, fail: {message: Busy, type: server_error, param: null, code: busy}}",
}


def stream(name: str, text: str, ask: Ask) -> str:
    """The body's bytes, with the ids of request 1."""
    chosen = choice(f"dialect: {name}\n{text}")
    made = payload(library(), chosen, 0, ask, lambda blank: fill(blank, key_of("default", name, 1)))
    return b"".join(made).decode()


def golden(name: str) -> str:
    head = plan(f"dialect: {name}\nreply: Hi", ask=Ask(model="m"), filled=True)
    [first, *_] = writes(head)
    out = [f"# the head\n{first.data.decode().replace(chr(13), '').rstrip()}\n"]
    for case, text in CASES.items():
        ask = Ask(model="m", usage=case == "usage asked", prompt_tokens=9)
        out.append(f"# {case}\n{stream(name, text, ask)}")
    refused = received(plan(f"dialect: {name}\nrespond: rate-limited", ask=Ask(model="m")))
    out.append(f"# an error before the stream: {refused.status}\n{refused.body.decode()}")
    return "\n".join(out)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_replies(name: str) -> None:
    assert golden(name) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_each_golden_file_has_a_dialect() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.txt")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_each_trait_is_known_once_and_all_are_told(name: str) -> None:
    said = BUILTIN.dialects[name].body.known
    told = [trait for level in type(said).model_fields for trait in getattr(said, level)]
    assert len(told) == len(set(told))
    assert sorted(known(BUILTIN, name)) == sorted(get_args(Trait))


def read_by_the_sdk(name: str, case: str, usage: bool = True) -> list[Any]:
    """The chunks that openai for Python makes of a stream."""
    openai, httpx = pytest.importorskip("openai"), pytest.importorskip("httpx")
    text = stream(name, CASES[case], Ask(model="m", usage=usage, prompt_tokens=9))
    head = {"content-type": "text/event-stream"}
    answering = httpx.MockTransport(lambda request: httpx.Response(200, headers=head, content=text.encode()))
    with openai.OpenAI(api_key="x", base_url="http://x/v1", http_client=httpx.Client(transport=answering)) as client:
        said = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Hi"}], stream=True)
        return list(said)


@pytest.mark.parametrize("name", NAMES)
def test_openai_for_python_reads_each(name: str) -> None:
    said = read_by_the_sdk(name, "text")
    choices = [choice for chunk in said for choice in chunk.choices]
    assert "".join(choice.delta.content or "" for choice in choices) == "Hi there"
    assert [choice.finish_reason for choice in choices if choice.finish_reason] == ["stop"] * (name != "snowflake")
    assert [chunk.usage.total_tokens for chunk in said if chunk.usage][-1] == 11
    calls = [choice.delta for chunk in read_by_the_sdk(name, "one call") for choice in chunk.choices]
    functions = [call.function for delta in calls for call in delta.tool_calls or ()]
    functions += [delta.function_call for delta in calls if delta.function_call]
    assert "".join(function.arguments or "" for function in functions) == '{"a":1}'
    assert [function.name for function in functions if function.name] == ["f"]


@pytest.mark.parametrize("name", NAMES)
def test_openai_for_python_sees_the_error(name: str) -> None:
    openai = pytest.importorskip("openai")
    if name == "ollama":  # which says nothing of it
        assert not [choice for chunk in read_by_the_sdk(name, "an error in the stream") for choice in chunk.choices
                    if choice.finish_reason]  # fmt: skip
        return
    with pytest.raises(openai.APIError, match="Busy" if name != "xai" else None):
        read_by_the_sdk(name, "an error in the stream")


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for name in NAMES:
        (GOLDEN / f"{name}.txt").write_text(golden(name), encoding="utf-8")


if __name__ == "__main__":
    main()
