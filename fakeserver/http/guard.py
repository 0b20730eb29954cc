"""Who may use the control routes -> or why not: the token, the Host header, the Origin header.

A page of any origin can make a browser send requests to this machine, by a name that it has pointed here (DNS
rebinding) or without reading the answer. So a Host that is not ours is refused, and so is another's Origin.
"""

from __future__ import annotations

import hmac
import ipaddress
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Guard:
    """`wide`: others than this machine can reach us. `hosts` are the names under which we are known."""

    wide: bool = False
    token: str | None = None
    hosts: frozenset[str] = frozenset({"localhost"})

    @classmethod
    def of(cls, sock: socket.socket, host: str = "", token: str | None = None) -> Guard:
        """Of a listening socket, and the host as it was asked for."""
        bound = sock.getsockname()[0]
        wide = not _loopback(bound)
        names = {"localhost", host.lower(), socket.gethostname().lower() if wide else ""}
        return cls(wide, token, frozenset(names - {""}))

    def fault(self, headers: Mapping[str, str], health: bool) -> tuple[int, str, str] | None:
        """The status, code and words of a refusal. `headers` knows names in any case."""
        admitted = self._admitted(headers.get("authorization", ""))
        host = headers.get("host", "")
        if not (self._ours(host) or (self.token and admitted)):  # who knows the token is no page that guesses
            return 403, "host", f"The Host '{host[:100]}' is not this server's: use localhost or its address."
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return 403, "origin", "Pages of other origins may not use these routes."
        if not (admitted or health):
            return 401, "token", "The header authorization: Bearer TOKEN is needed; serve prints it as it starts."
        return None

    def _admitted(self, header: str) -> bool:
        if self.token is None:
            return True
        scheme, _, given = header.partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(
            given.strip().encode("utf-8", "replace"), self.token.encode()
        )

    def _ours(self, host: str) -> bool:
        """A name that we go by, or an address: an address cannot be pointed anywhere else."""
        name = _name(host)
        if not name or name in self.hosts or name.endswith(".localhost"):
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or self.wide


def _name(host: str) -> str:
    """A Host header without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def _loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return False
