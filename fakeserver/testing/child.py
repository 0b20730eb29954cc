"""The server process of a FakeServer: `python -m fakeserver.testing.child OPTIONS` -> a JSON line, then it serves.

OPTIONS is a JSON object. It ends when its standard input does: the parent holds the other end, and the kernel closes
that however the parent dies. Unlike `serve --exit-with-parent` it looks from its first moment on, before the engine is
loaded, and is not kept alive by a process that the parent has forked.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
import threading
import time

_LOOK = 1.0  # seconds between two looks for the parent: a process that it has forked may hold its end of the pipe
_GRACE = 1.0  # seconds for a clean stop


def main() -> None:
    """Serve until the parent is gone. What hinders the start is said in the line that is read for the address."""
    gc.disable()  # what start-up makes is there to stay; `running` enables it again
    given = json.loads(sys.argv[1])
    parent = given.pop("parent")
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    from fakeserver.cli.running import run, until_stopped
    from fakeserver.http.bind import bind
    from fakeserver.testing.errors import FakeServerError, ScenarioError
    from fakeserver.testing.making import engine_of
    from fakeserver.testing.options import Options

    try:
        engine = engine_of(Options(**given))
    except FakeServerError as error:
        problems = error.problems if isinstance(error, ScenarioError) else ()
        print(json.dumps({"error": str(error), "code": error.code, "problems": problems}), flush=True)
        sys.exit(1)
    sys.exit(run(until_stopped(engine, bind("127.0.0.1", 0), True)))


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        if select.select([0], [], [], _LOOK)[0] and not os.read(0, 1):
            break
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_GRACE)
    os._exit(0)


if __name__ == "__main__":
    main()
