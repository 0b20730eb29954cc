"""Wrong: it asks again and again, at once, whatever the server has said."""

from right import Client, main


class Wrong(Client):
    tries = 12

    def refused(self, response, last):
        return super().refused(response, last) if last else response

    def pause(self, response, attempt):
        return 0


main(Wrong)
