"""Wrong: the last text of an answer is lost."""

from answer import Answer
from right import Client, main


class Late(Answer):
    def __init__(self):
        super().__init__()
        self.held = None

    def text(self, mine, kind, said):
        if said and kind == "content":
            self.held, said = said, self.held
        super().text(mine, kind, said)


class Wrong(Client):
    new_answer = Late


main(Wrong)
