"""The plugin in runs of its own, as a user's project has them.

What loads yaml runs in a process of its own: its C part does not survive that pytester forgets its modules.
"""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytest_plugins = ("pytester",)

ASK = (
    Path(__file__).with_name("asking.py").read_text()
    + """

stream = streaming
whole = ask


def ask(session):
    return whole(session)[1]
"""
)

TEN = """
import pytest
from asking import ask, stream

HELD = "stream: [{role: assistant, say: Half}, gate: half, {say: rest, finish: stop}, done]"

def only(session, **expected):
    assert session.id not in SEEN
    SEEN.add(session.id)
    (request,) = session.verify(count=1, **expected)
    return request

SEEN = set()
OPEN = []  # clients that nobody closes

def test_a_reply(fakeserver):
    fakeserver.reply("Hello.")
    assert "Hello" in ask(fakeserver)
    only(fakeserver, ended="complete")

def test_a_script(fakeserver):
    fakeserver.script("respond: rate-limited")
    assert "rate_limit" in ask(fakeserver)
    only(fakeserver)

@pytest.mark.fakeserver(scenario="hello")
def test_a_marker(fakeserver):
    assert "Hello" in ask(fakeserver)
    only(fakeserver, scenario="hello")

@pytest.mark.fakeserver(scenario="hello+slow", speed="instant")
def test_at_once(fakeserver):
    ask(fakeserver)
    assert only(fakeserver).ended_at < 1.5

@pytest.mark.fakeserver(clock="manual")
def test_a_long_silence(fakeserver):
    fakeserver.reply("Late.", first=3600)
    with stream(fakeserver) as answer:
        fakeserver.clock.wait()
        fakeserver.clock.advance(3600)
        assert b"Late" in answer.read()
    only(fakeserver, ended="complete")

def test_a_gate(fakeserver):
    fakeserver.script(HELD)
    with stream(fakeserver) as answer:
        fakeserver.gates["half"].wait()
        fakeserver.gates["half"].release()
        assert b"rest" in answer.read()
    assert only(fakeserver).attempt == 1

def test_fails_in_the_middle_of_a_stream(fakeserver):
    fakeserver.script(HELD)
    OPEN.append(stream(fakeserver))
    OPEN[-1].__enter__()
    fakeserver.gates["half"].wait()
    assert not FAIL

def test_the_same_gate_again(fakeserver):
    fakeserver.script(HELD)
    with stream(fakeserver) as answer:
        fakeserver.gates["half"].wait()
        fakeserver.gates["half"].release(end="end")
        assert b"rest" not in answer.read()
    assert only(fakeserver).attempt == 1

def test_steps(fakeserver):
    fakeserver.reply(["One"])
    fakeserver.hold_all()
    with stream(fakeserver) as answer:
        fakeserver.step()
        fakeserver.step()
        fakeserver.hold_all(False)
        assert b"One" in answer.read()
    only(fakeserver, ended="complete")

@pytest.mark.fakeserver(allow_unmatched=True)
def test_a_miss(fakeserver):
    assert "model_not_found" in ask(fakeserver)
    only(fakeserver)
"""

SHUFFLED = """
import os, random

def pytest_collection_modifyitems(items):
    random.Random(int(os.environ["SEED"])).shuffle(items)
"""


@pytest.fixture
def project(pytester):
    """A folder with `asking` in it, and an ini as strict as can be."""
    pytester.makeini("""
        [pytest]
        addopts = --strict-markers -p no:cacheprovider
        asyncio_default_fixture_loop_scope = function
        filterwarnings = error
        pythonpath = .
    """)
    pytester.makepyfile(asking=ASK)
    return pytester


def write(project, text: str) -> None:
    project.makepyfile(textwrap.dedent(text))


def ten(project, fail: bool) -> None:
    project.makepyfile(f"FAIL = {fail}\n{TEN}")


@pytest.mark.parametrize("options", [("-n", "2"), ()], ids=["xdist", "alone"])
def test_ten_tests_of_which_one_fails_in_the_middle_of_a_stream(project, options):
    ten(project, fail=True)
    done = project.runpytest_subprocess(*options)
    done.assert_outcomes(passed=9, failed=1)
    done.stdout.fnmatch_lines([
        "*test_fails_in_the_middle_of_a_stream*",
        "*- fakeserver -*",
        "#* +0.000 s  POST /v1/chat/completions -> 200 script-1 (use), attempt 1",
        "*s  write*",
        "*s  at gate half",
        "*- s  in flight",
    ])  # fmt: skip


@pytest.mark.parametrize(("seed", "options"), [(1, ()), (2, ()), (3, ("-n", "2"))])
def test_ten_tests_in_any_order(project, seed, options, monkeypatch):
    monkeypatch.setenv("SEED", str(seed))
    project.makeconftest(SHUFFLED)
    ten(project, fail=False)
    project.runpytest_subprocess(*options).assert_outcomes(passed=10)


def test_an_unmatched_request_fails_the_test_at_its_end(project):
    write(project, """
        from asking import ask

        def test_a_miss(fakeserver):
            fakeserver.script("when: {last_user: {contains: weather}}\\nreply: Rain.", name="weather")
            fakeserver.use(None)
            ask(fakeserver)

        def test_that_fails_by_itself(fakeserver):
            ask(fakeserver)
            assert 0
    """)  # fmt: skip
    done = project.runpytest_inprocess()
    done.assert_outcomes(passed=1, failed=1, errors=1)
    done.stdout.fnmatch_lines([
        "*ERROR at teardown of test_a_miss*",
        "1 request was answered by nothing.",
        "#* -> 404 no rule matches",
        "*1. weather at weather.yaml:1, its one condition fails:",
        "*last_user*",
        "Script an answer, or mark the test with @pytest.mark.fakeserver(allow_unmatched=True) if that is meant.",
        "*FAILURES*",
        "*- fakeserver -*",
        "#* -> 404 *",
    ])  # fmt: skip


def test_scenarios_of_ones_own_and_of_a_folder(project):
    project.makefile(".yaml", mine="reply: Mine.", theirs="reply: Theirs.")
    project.makeconftest("""
        import pytest

        @pytest.fixture(scope="session")
        def fakeserver_scenarios():
            return "mine.yaml"
    """)
    write(project, """
        import pytest
        from asking import ask

        def test_mine(fakeserver):
            fakeserver.use("mine")
            assert "Mine" in ask(fakeserver)

        class TestTheirs:
            @pytest.fixture
            def fakeserver_scenarios(self):
                return ["theirs.yaml"]

            def test_theirs(self, fakeserver, make_fakeserver):
                fakeserver.use("theirs")
                assert "Theirs" in ask(fakeserver)
                make_fakeserver(mode="thread").use("theirs")
    """)  # fmt: skip
    project.runpytest_subprocess().assert_outcomes(passed=2)


def test_broken_scenarios_are_told_in_full(project):
    project.makefile(".yaml", broken="reply: Hi\nwire: {newlin: lf}")
    write(project, """
        def test_it(make_fakeserver):
            make_fakeserver("broken.yaml", mode="thread")
    """)  # fmt: skip
    done = project.runpytest_subprocess()
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*ScenarioError:*", "*broken.yaml:2:8: unknown-key*", "*did you mean 'newline'?"])


@pytest.mark.parametrize("mode", ["process", "thread"])
def test_servers_of_a_tests_own(project, mode):
    write(project, f"""
        from asking import ask

        def test_two(make_fakeserver):
            one, two = make_fakeserver(mode="{mode}"), make_fakeserver(mode="{mode}", fallback="echo")
            one.reply("One.")
            assert "One" in ask(one) and "Hi" in ask(two)
            assert one.url != two.url
            two.stop()

        def test_a_miss(make_fakeserver):
            ask(make_fakeserver(mode="{mode}"))

        def test_a_failure(make_fakeserver):
            server = make_fakeserver(mode="{mode}")
            server.use("hello")
            ask(server)
            assert 0
    """)  # fmt: skip
    done = project.runpytest_subprocess()
    done.assert_outcomes(passed=2, failed=1, errors=1)
    done.stdout.fnmatch_lines(["*- fakeserver -*", "*200 hello (use)*"])


@pytest.mark.parametrize("mark", ["speeed=1", "'hello'"])
def test_a_marker_that_is_wrong_says_so(project, mark):
    write(project, f"""
        import pytest

        @pytest.mark.fakeserver({mark})
        def test_it(fakeserver):
            pass
    """)  # fmt: skip
    done = project.runpytest_inprocess()
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*takes scenario, speed, clock, allow_unmatched, not *"])


def test_markers_of_a_class_are_completed_by_the_tests_own(project):
    write(project, """
        import pytest
        from asking import ask

        @pytest.mark.fakeserver(scenario="hello", speed="instant")
        class TestIt:
            def test_hello(self, fakeserver):
                assert "Hello" in ask(fakeserver)

            @pytest.mark.fakeserver(scenario="echo")
            def test_echo(self, fakeserver):
                assert "Hi" in ask(fakeserver)
    """)  # fmt: skip
    project.runpytest_inprocess().assert_outcomes(passed=2)


def test_a_server_that_is_gone_hides_no_failure(project):
    write(project, """
        import os, signal

        def test_it(make_fakeserver):
            os.kill(make_fakeserver().pid, signal.SIGKILL)
            assert "the failure itself" == 0
    """)  # fmt: skip
    done = project.runpytest_inprocess()
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*the failure itself*", "*does not answer*"])


ASYNC = """
    import asyncio, functools
    import pytest
    from asking import ask

    HELD = "stream: [{{role: assistant, say: Half}}, gate: half, {{say: rest, finish: stop}}, done]"

    {mark}
    async def test_it(fakeserver{fixtures}):
        aio = fakeserver.aio
        await aio.script(HELD)
        {begin}
        await aio.gates["half"].wait()
        await aio.gates["half"].release()
        {end}
        await aio.assert_attempts(1)
"""
TASK = {
    "begin": "asked = asyncio.create_task(asyncio.to_thread(ask, fakeserver))",
    "end": "assert 'rest' in await asked",
}
ANYIO = {
    "begin": "import anyio\n        group = anyio.create_task_group()\n        await group.__aenter__()\n"
    "        group.start_soon(anyio.to_thread.run_sync, ask, fakeserver)",
    "end": "await group.__aexit__(None, None, None)",
}


@pytest.mark.parametrize(("options", "passed", "words"), [
    (("-o", "asyncio_mode=auto"), 1, {"mark": "", "fixtures": "", **TASK}),
    (("-o", "asyncio_mode=strict"), 1, {"mark": "@pytest.mark.asyncio", "fixtures": "", **TASK}),
    (("-o", "asyncio_mode=strict", "-p", "no:pytest_asyncio"), 2,
     {"mark": "@pytest.mark.anyio", "fixtures": ", anyio_backend", **ANYIO}),
    (("-o", "asyncio_mode=auto"), 1, {"mark": "", "fixtures": ", aiohttp_client", **TASK}),
], ids=["asyncio-auto", "asyncio-strict", "anyio", "aiohttp"])  # fmt: skip
def test_async_tests(project, options, passed, words):
    write(project, ASYNC.format(**words))
    project.runpytest_subprocess(*options).assert_outcomes(passed=passed)


def test_loading_it_loads_nothing_else():
    program = (
        "import pytest, sys, typing, os\nbefore = {*sys.modules}\nimport fakeserver.testing.pytest_plugin\n"
        "print(sorted(name for name in {*sys.modules} - before))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['fakeserver', 'fakeserver.testing', 'fakeserver.testing.pytest_plugin']"


def test_what_help_says(project):
    told = project.runpytest_inprocess("--markers", "--fixtures").stdout.str()
    assert "@pytest.mark.fakeserver(scenario=NAME" in told
    told = project.runpytest_inprocess("--fixtures").stdout.str()
    assert "A fresh session of a fake OpenAI server" in told
