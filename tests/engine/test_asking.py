from __future__ import annotations

from fakeserver.engine.asking import ask_of
from fakeserver.match.validate import Request

PARTS = [{"type": "text", "text": "a"}, {"type": "image_url"}, {"type": "text", "text": "b"}]


def test_what_templates_say_of_a_request():
    messages = [{"role": "user", "content": "x"}, {"role": "user", "content": PARTS}]
    request = Request({"model": "m", "messages": messages, "seed": 7}, "m", True, False)
    needs = {"last_user", "request./seed", "request./nope", "request./messages/1/content", "request./messages/9"}
    assert dict(ask_of(request, "1.1", needs, 1).texts) == {
        "last_user": "ab",
        "request./seed": "7",
        "request./nope": "",
        "request./messages/1/content": "ab",
        "request./messages/9": "",
    }


def test_padding_is_looked_at_only_where_the_dialect_pads():
    request = Request({"model": "m", "messages": []}, "m", True, False, padding=False)
    assert ask_of(request, "1.1", {"padding"}, 1).padding is False
    assert ask_of(request, "1.1", set(), 1) == ask_of(Request(request.body, "m", True, False), "1.1", set(), 1)
