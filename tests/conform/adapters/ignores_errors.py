"""Wrong: an error in the stream, or in place of one, is nothing to it."""

from right import Client, main


class Wrong(Client):
    def is_error(self, value):
        return False

    def refused(self, response, last):
        return None

    def ended(self):
        pass


main(Wrong)
