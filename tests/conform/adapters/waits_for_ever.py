"""Wrong: it has no time-out."""

import sys

from right import Client, main


class Wrong(Client):
    def __init__(self, base_url, model, limit):
        super().__init__(base_url, model, None)


print("I have no time-out.", file=sys.stderr)
main(Wrong)
