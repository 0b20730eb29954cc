"""Wrong: each text is taken twice."""

from answer import Answer
from right import Client, main


class Doubled(Answer):
    def text(self, mine, kind, said):
        super().text(mine, kind, said)
        super().text(mine, kind, said)


class Wrong(Client):
    new_answer = Doubled


main(Wrong)
