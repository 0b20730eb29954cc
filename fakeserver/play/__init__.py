"""Plan -> transport: the clock, gates, the pump, how a connection ends, what the peer did. Not aiohttp."""
