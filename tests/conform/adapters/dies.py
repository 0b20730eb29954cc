"""Broken: it ends by a signal in the middle."""

import os
import signal
import sys

print("about to die", file=sys.stderr, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
