"""A browser of few instructions on one kept connection: thousands of them leave the processor to the server."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

PATIENCE = 60  # seconds for a reply


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back; redirects are not followed."""

    status_code: int
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)


class Wire:
    """`get` and `post` of whole addresses at one server."""

    def __init__(self, address: str) -> None:
        self._from = address
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, address: str) -> Reply:
        return await self._send("GET", address, b"", {})

    async def post(self, address: str, *, json: Any = None, headers: Mapping[str, str] | None = None) -> Reply:
        body = b"" if json is None else _dumped(json)
        kind = {} if json is None else {"Content-Type": "application/json"}
        return await self._send("POST", address, body, {**kind, **(headers or {})})

    async def _send(self, method: str, address: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        parts = urlsplit(address)
        if self._streams is None:
            self._streams = await asyncio.open_connection(parts.hostname, parts.port, local_addr=(self._from, 0))
        reader, writer = self._streams
        lines = [f"{method} {parts.path} HTTP/1.1", f"Host: {parts.netloc}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        async with asyncio.timeout(PATIENCE):
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            status, length = (
                int(head.split(b" ", 2)[1]),
                head.partition(b"content-length:")[2].split(b"\r\n", 1)[0],
            )
            return Reply(status, await reader.readexactly(int(length or 0)))

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()


def _dumped(value: Any) -> bytes:
    return json.dumps(value).encode()


@asynccontextmanager
async def wire(rng: random.Random) -> AsyncIterator[Wire]:
    """One judge's own connection, from an address of their own: who comes from one address is held back."""
    made = Wire(f"127.{rng.randint(1, 250)}.{rng.randint(1, 250)}.{rng.randint(1, 250)}")
    try:
        yield made
    finally:
        made.close()
