"""The verdict over a server, on clients that do it wrong on purpose, and on the official one, which does not."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import httpx
import openai
import pytest

BODY: dict[str, Any] = {"model": "any", "stream": True, "messages": [{"role": "user", "content": "Hi"}]}


def official(session, retries: int = 2) -> openai.OpenAI:
    return openai.OpenAI(base_url=session.base_url, api_key="any", max_retries=retries, timeout=10)


def text_of(stream) -> str:
    return "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)


def insist(session, times: int, pause: float = 0) -> None:
    """A loop around a post, which is how retries are often written."""
    with httpx.Client(trust_env=False) as client:
        for _ in range(times):
            if client.post(f"{session.base_url}/chat/completions", json=BODY).is_success:
                return
            time.sleep(pause)


def shown_by(session, again: str = "") -> str:
    """What a reader without any care has shown: each piece as it comes, whatever happens then."""
    shown = again
    with official(session) as client, suppress(openai.APIError):
        for chunk in client.chat.completions.create(**BODY):
            shown += chunk.choices[0].delta.content or ""
    return shown


def test_the_official_client_is_well_behaved(server):
    """With each failure of the library, two retries and the waits that the answers ask for; all at once."""
    names = [
        "429-retry-after-seconds-ignored", "429-retry-after-ms", "429-retry-after-http-date",
        "429-retry-after-http-date.past", "429-retry-after-http-date.malformed", "fails-twice-then-succeeds",
        "status-429", "status-500", "status-503", "status-400", "status-401", "status-404",
    ]  # fmt: skip

    def verdict(scenario: str) -> str:
        session = server.session()
        session.use(scenario)
        with official(session) as client, suppress(openai.APIStatusError):
            text_of(client.chat.completions.create(**BODY))
        return str(session.verdict())

    with ThreadPoolExecutor(len(names)) as pool:
        told = {*pool.map(verdict, names)}
    counts = ("1 request", "2 requests", "3 requests")
    assert told == {f"Nothing is found about the client: {many} judged." for many in counts}


def test_a_loop_without_back_off(session):
    session.script("respond: server-error")
    insist(session, 12)
    found = session.verdict()
    assert not found
    assert found.codes == ("retry-storm", "no-back-off")
    assert len(found.findings[0].evidence["records"]) == 12
    with pytest.raises(
        AssertionError, match=r"(?s)retry-storm: Request #\d+ failed and was .*\nno-back-off: .*\n#\d+ \+"
    ):
        session.assert_well_behaved()


def test_a_loop_that_does_not_listen(session):
    session.use("429-retry-after-seconds-ignored")
    insist(session, 3, 0.3)
    (finding,) = session.verdict()
    assert finding.code == "ignored-retry-after"
    assert finding.evidence["told"] == 2
    assert 0.25 < finding.evidence["waited"] < 1.9


def test_a_loop_that_listens(session):
    session.script("attempts: [{respond: {error: rate-limited, headers: {retry-after: '0.3'}}}, {reply: Hi.}]")
    insist(session, 3, 0.3)
    assert session.verdict()


def test_what_must_not_be_retried(session):
    session.script("respond: {status: 400, text: No.}")
    insist(session, 2, 0.1)
    assert session.verdict().codes == ("retried-what-must-not-be",)


def test_a_new_key_is_no_retry(session):
    session.script("attempts: [respond: bad-api-key, reply: Hi.]")
    insist(session, 2)
    assert session.verdict()


def test_a_quota_that_is_used_up_is_retried_by_the_official_client(session):
    session.use("status-429-quota")
    with official(session, 1) as client, pytest.raises(openai.RateLimitError):
        client.chat.completions.create(**BODY)
    (finding,) = session.verdict()
    assert (finding.code, finding.evidence["proof"]) == ("retried-what-must-not-be", "x-stainless-retry-count: 1")
    assert finding.evidence["why"] == "insufficient_quota"


def test_a_server_that_says_no_more(session):
    session.script("respond: {error: server-error, headers: {x-should-retry: 'false'}}")
    with official(session) as client, pytest.raises(openai.InternalServerError):
        client.chat.completions.create(**BODY)
    assert session.verdict()
    insist(session, 2, 0.1)
    assert "retried-what-must-not-be" in session.verdict().codes


def test_who_waits_for_the_end_of_the_body_reads_on(session):
    session.use("done-then-body-stays-open")
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(f"{session.base_url}/chat/completions", json=BODY, timeout=1.5, trust_env=False)
    (finding,) = session.verdict()
    assert (finding.code, finding.evidence["how"]) == ("read-after-end-marker", "complete")
    assert 1 < finding.evidence["stayed"] < 5


def test_who_leaves_at_the_marker_does_not(session):
    session.use("done-then-body-stays-open")
    with official(session) as client:
        assert text_of(client.chat.completions.create(**BODY)) == "Hi there"
    assert session.verdict(outcome="complete", shown="Hi there", outcome_at=time.time())


def test_a_stream_that_nobody_closes(session):
    session.reply("Hello there, how are you?", every=0.5)
    with httpx.stream("POST", f"{session.base_url}/chat/completions", json=BODY, trust_env=False) as answer:
        pieces = answer.iter_bytes()  # kept: a generator that is let go closes its stream
        next(pieces)
        cancelled = time.time()
        found = session.verdict(cancelled_at=cancelled, wait=1.2)
        assert [(each.code, each.evidence["how"]) for each in found] == [("never-cancelled", "in flight")]
    assert session.verdict(cancelled_at=time.time())


def test_the_official_client_closes_its_stream(session):
    session.reply("Hello there, how are you?", every=0.5)
    with official(session) as client:
        stream = client.chat.completions.create(**BODY)
        next(stream)
        stream.close()
        session.assert_well_behaved(cancelled_at=time.time())


@pytest.mark.parametrize(
    "wire", ["wire: {}", "wire: {compress: gzip}", "wire: {cut: {size: 7B}}", "head: {framing: close}"]
)
@pytest.mark.parametrize("end", ["reset", "close"])
def test_a_cut_answer_is_taken_for_complete(session, wire, end):
    session.script(f"{{reply: Hello there., break: {{at: 3, with: {end}}}, {wire}}}")
    shown = shown_by(session)
    (finding,) = session.verdict(outcome="complete", shown=shown)
    assert (finding.code, finding.evidence["content"]) == ("truncated-taken-for-complete", "Hello there")
    assert finding.evidence["outcome"] == ("failed" if "gzip" in wire else "truncated")  # as far as it can be decoded
    assert session.verdict(outcome="truncated", shown=shown)


def test_a_stream_into_an_end_of_the_tests_own(session):
    session.script("stream: [role: assistant, say: Half, gate: half, say: ' and half.', finish: stop, done]")
    with ThreadPoolExecutor() as pool:
        shown = pool.submit(shown_by, session)
        session.gates["half"].wait()
        session.gates["half"].release(end="reset")
        assert shown.result(10) == "Half"
    (finding,) = session.verdict(outcome="complete", shown="Half")
    assert (finding.code, finding.evidence["content"]) == ("truncated-taken-for-complete", "Half")


def test_text_is_shown_twice(session):
    session.use("retry-duplicates-shown-text")
    shown = shown_by(session, again=shown_by(session))
    (finding,) = session.verdict(outcome="complete", shown=shown)
    assert (finding.code, finding.evidence["repeated"]) == ("text-shown-twice", "Half an ans")
    assert session.verdict(outcome="complete", shown="Half an answer is not enough.")


def test_a_client_that_asks_elsewhere_is_not_well_behaved(session):
    assert str(session.verdict(outcome="complete")) == "Nothing is found about the client: 0 requests judged."
    with pytest.raises(AssertionError) as failure:
        session.assert_well_behaved(outcome="complete", wait=0)
    told = f"Nothing was asked in session {session.id}; is the client's base URL {session.base_url}?"
    assert told in str(failure.value)
    insist(session, 1)
    session.assert_well_behaved(outcome="complete")


async def test_awaited(session):
    session.script("respond: {status: 400, text: No.}")
    insist(session, 2)
    assert (await session.aio.verdict()).codes == ("retried-what-must-not-be",)
    with pytest.raises(AssertionError, match="retried-what-must-not-be"):
        await session.aio.assert_well_behaved()


def test_a_manual_clock_knows_what_time_is_real(session):
    session.clock.manual()
    session.script("attempts: [{respond: {error: rate-limited, headers: {retry-after: '0.5'}}}, {reply: Hi.}]")
    insist(session, 2)
    assert session.verdict().codes == ("ignored-retry-after",)
