"""Wrong in small things: it has no usage, and calls have no ids."""

from answer import Answer
from right import Client, main


class Careless(Answer):
    def outcome(self):
        found = super().outcome()
        calls = [{**call, "id": ""} for call in found.get("tool_calls", [])]
        return {**found, "usage": None, "tool_calls": calls}


class Wrong(Client):
    new_answer = Careless


main(Wrong)
