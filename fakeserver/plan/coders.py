"""The name of a content coding -> a compressor that can be made to let go of what it holds, and what a client reads.

It must not know events or time. brotli and zstandard are extras, imported only where a scenario asks for them.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Protocol


class Coder(Protocol):
    """`flush` lets out what is held; the final one ends the coded body."""

    def compress(self, data: bytes) -> bytes: ...
    def flush(self, final: bool) -> bytes: ...


class _Zlib:
    def __init__(self, wbits: int) -> None:
        self._zlib = zlib.compressobj(wbits=wbits)

    def compress(self, data: bytes) -> bytes:
        return self._zlib.compress(data)

    def flush(self, final: bool) -> bytes:
        return self._zlib.flush(zlib.Z_FINISH if final else zlib.Z_SYNC_FLUSH)


class _Brotli:
    def __init__(self) -> None:
        self._brotli: Any = import_module("brotli").Compressor()

    def compress(self, data: bytes) -> bytes:
        return bytes(self._brotli.process(data))

    def flush(self, final: bool) -> bytes:
        return bytes(self._brotli.finish() if final else self._brotli.flush())


class _Zstd:
    def __init__(self) -> None:
        module: Any = import_module("zstandard")
        self._zstd = module.ZstdCompressor().compressobj()
        self._modes = {True: module.COMPRESSOBJ_FLUSH_FINISH, False: module.COMPRESSOBJ_FLUSH_BLOCK}

    def compress(self, data: bytes) -> bytes:
        return bytes(self._zstd.compress(data))

    def flush(self, final: bool) -> bytes:
        return bytes(self._zstd.flush(self._modes[final]))


# deflate is zlib's wrapper (RFC 9110 8.4.1.2), not the bare stream that some servers send.
_CODERS: Mapping[str, Callable[[], Coder]] = {
    "gzip": lambda: _Zlib(31),
    "deflate": lambda: _Zlib(15),
    "br": _Brotli,
    "zstd": _Zstd,
}


def coder(name: str) -> Coder:
    """A new compressor of this coding. Raises ModuleNotFoundError where its package is not installed."""
    return _CODERS[name]()


def inflated(data: bytes, coding: str | None) -> tuple[bytes, bool]:
    """What a client makes of coded bytes, and whether it found them broken or unfinished."""
    if coding not in _READERS:
        return data, False
    (read, finished), out = _READERS[coding](), bytearray()
    try:
        for i in range(len(data)):  # byte by byte, so that what precedes a bad one is kept
            out += read(data[i : i + 1])
    except Exception:  # each package has an error of its own, and all of them mean the same: bad bytes
        return bytes(out), True
    return bytes(out), not finished()


_Reader = tuple[Callable[[bytes], bytes], Callable[[], bool]]


def _zlib_reader(wbits: int) -> _Reader:
    inflate = zlib.decompressobj(wbits=wbits)
    return inflate.decompress, lambda: inflate.eof


def _brotli_reader() -> _Reader:
    inflate: Any = import_module("brotli").Decompressor()
    return inflate.process, inflate.is_finished


def _zstd_reader() -> _Reader:
    inflate: Any = import_module("zstandard").ZstdDecompressor().decompressobj()
    return inflate.decompress, lambda: inflate.eof


_READERS: Mapping[str | None, Callable[[], _Reader]] = {
    "gzip": lambda: _zlib_reader(31),
    "deflate": lambda: _zlib_reader(15),
    "br": _brotli_reader,
    "zstd": _zstd_reader,
}
