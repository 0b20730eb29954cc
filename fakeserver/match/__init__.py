"""Request facts -> what was asked, or the fault in it; which rules take it, or why none does.

Pure: no asyncio, no socket, no clock, no aiohttp.
"""
