"""Wrong in small things: where it raises, what had come is gone; and it never asks again."""

from right import Client, main


class Wrong(Client):
    tries = 1

    def outcome(self):
        found = super().outcome()
        return {"raised": found["raised"]} if found["raised"] else found


main(Wrong)
