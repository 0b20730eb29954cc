"""Request facts -> what was asked, or the fault in it. Pure: no asyncio, no socket, no clock, no aiohttp."""
