"""Wrong: a stream that ends is a whole answer, whatever came."""

from right import Client, main


class Wrong(Client):
    def ended(self):
        pass


main(Wrong)
