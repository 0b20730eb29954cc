"""`python -m fakeserver`."""

from fakeserver.cli import main

main()
