"""Broken: it prints much, and no outcome: control characters, half a character, what only looks like JSON."""

import sys

sys.stdout.buffer.write(b"\x1b[31m\x00 {\xff\n" * 100_000 + b'{"content": \n')
sys.stderr.buffer.write(b"bell \x07, escape \x1b[2J, half \xe2\x82, ]]> and <script>alert(1)</script>\n")
