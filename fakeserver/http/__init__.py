"""aiohttp in, the player out: connections, routes, control. The only room that imports aiohttp."""
