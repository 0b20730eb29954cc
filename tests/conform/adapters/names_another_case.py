"""Broken, with --stay: each outcome is of a case that nobody has asked about."""

import sys

for _ in sys.stdin:
    print('{"case": "helo", "content": "Hello there."}', flush=True)
