"""A back end in front of a model: each piece is passed on as it comes, and the end as it was. `python proxy.py PORT`"""

import os
import sys
from collections.abc import AsyncIterator

from aiohttp import ClientError, ClientSession, ClientTimeout, web

MODEL = web.AppKey("model", ClientSession)
PASSED_ON = ("content-type", "retry-after", "x-request-id")
UNBUFFERED = {"cache-control": "no-cache", "x-accel-buffering": "no"}  # the second is for an nginx in front of us


async def chat(request: web.Request) -> web.StreamResponse:
    asked = await request.read()
    async with request.app[MODEL].post("chat/completions", data=asked) as answer:
        passed_on = {name: answer.headers[name] for name in PASSED_ON if name in answer.headers}
        response = web.StreamResponse(status=answer.status, headers=UNBUFFERED | passed_on)
        await response.prepare(request)
        try:
            async for data in answer.content.iter_any():  # what is there, and not line by line
                await response.write(data)
        except ClientError:
            if request.transport is not None:
                request.transport.abort()  # a clean end would make half an answer look whole
    return response


async def model(app: web.Application) -> AsyncIterator[None]:
    headers = {"authorization": f"Bearer {os.environ['OPENAI_API_KEY']}", "content-type": "application/json"}
    patience = ClientTimeout(total=None, sock_connect=10, sock_read=120)  # its default ends every stream at 5 minutes
    base = f"{os.environ['OPENAI_BASE_URL']}/"
    async with ClientSession(base, headers=headers, timeout=patience) as app[MODEL]:
        yield


app = web.Application()
app.router.add_post("/chat", chat)
app.cleanup_ctx.append(model)

if __name__ == "__main__":
    # A reader who leaves ends `chat` at once, and with it the request to the model; aiohttp does so only if told.
    web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), handler_cancellation=True, print=None)
