"""Simulated judges, inserters and listeners, and what they saw."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx

from benchmarks.serve.wire import Wire, wire
from juryrank.server.studies.open_studies import SETUP
from juryrank.server.studies.setup import Setup, question_names
from juryrank.study import Study

THINKING = (2.0, 5.0)  # seconds, uniform
ARRIVING = 5.0  # judges arrive within so many seconds


@dataclass
class Measured:
    """What the clients saw."""

    seconds: list[float] = field(default_factory=list)
    at: list[float] = field(default_factory=list)  # when each of them was sent
    told: dict[str, str] = field(default_factory=dict)  # question: answer acknowledged
    failures: list[str] = field(default_factory=list)
    waits: int = 0

    def add(self, began: float) -> None:
        self.at.append(began)
        self.seconds.append(time.perf_counter() - began)

    def only(self, chosen: Callable[[float], bool]) -> Measured:
        """Those that were sent at a chosen moment."""
        kept = [(when, took) for when, took in zip(self.at, self.seconds, strict=True) if chosen(when)]
        return Measured([took for _, took in kept], [when for when, _ in kept])

    def quantile(self, share: float) -> float:
        """In milliseconds."""
        ordered = sorted(self.seconds)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")

    def mean(self) -> float:
        return 1000 * sum(self.seconds) / len(self.seconds) if self.seconds else float("nan")

    def summary(self) -> dict[str, float]:
        quantiles = {f"p{p}": round(self.quantile(p / 100), 1) for p in (50, 95, 99)}
        return {"answers": len(self.seconds), "mean": round(self.mean(), 1), **quantiles}


@asynccontextmanager
async def browser() -> AsyncIterator[httpx.AsyncClient]:
    """One judge's own connection (a shared pool of hundreds would spend longer on itself than on the server)."""
    transport = httpx.AsyncHTTPTransport(verify=False)
    async with httpx.AsyncClient(timeout=60, transport=transport) as client:
        yield client


async def judge(
    link: str,
    rng: random.Random,
    until: float,
    seen: Measured,
    *,
    thinking: tuple[float, float] | None = None,
    arriving: float | None = None,
) -> None:
    """Arrive, open the page, press Start, think, answer, and so on, until the time or the sitting is over."""
    await asyncio.sleep(rng.uniform(0, ARRIVING if arriving is None else arriving))
    async with wire(rng) as client:
        card = await started(client, link)
        while time.monotonic() < until and card.get("state") != "done":
            await asyncio.sleep(rng.uniform(*(thinking or THINKING)))
            card = await answered(client, link, card, rng, seen)


async def started(client: Wire, link: str) -> dict[str, Any]:
    """Open the page and press Start: the first card."""
    await client.get(link)
    await client.post(f"{link}/begin")
    return await _next(client, link)


async def answered(
    client: Wire, link: str, card: dict[str, Any], rng: random.Random, seen: Measured
) -> dict[str, Any]:
    """Answer what the card asks: the next card."""
    if not card.get("question"):
        seen.waits += 1
        return await _next(client, link)
    question, answer = card["question"]["id"], rng.choice(["left", "right"])
    sent = {"question": question, "answer": answer, "response_time": 3.0}
    began = time.perf_counter()
    reply = await client.post(f"{link}/answer", json=sent, headers={"Accept": "application/json"})
    seen.add(began)
    if reply.status_code != 200:
        seen.failures.append(f"{reply.status_code} {reply.text[:100]}")
        return card
    seen.told[question] = answer
    following: dict[str, Any] = reply.json()
    return following


async def _next(client: Wire, link: str) -> dict[str, Any]:
    reply = await client.post(f"{link}/next", json={}, headers={"Accept": "application/json"})
    card: dict[str, Any] = reply.json()
    return card


async def inserter(
    address: str,
    rng: random.Random,
    until: float,
    seen: Measured,
    *,
    thinking: tuple[float, float] | None = None,
    arriving: float | None = None,
) -> None:
    """The same arrivals at the bare endpoint."""
    await asyncio.sleep(rng.uniform(0, ARRIVING if arriving is None else arriving))
    async with wire(rng) as client:
        while time.monotonic() < until:
            await asyncio.sleep(rng.uniform(*(thinking or THINKING)))
            began = time.perf_counter()
            reply = await client.post(address, json={"question": "1", "answer": "left"})
            seen.add(began)
            if reply.status_code != 200:
                seen.failures.append(str(reply.status_code))


# ---------------------------------------------------------------------------- listeners
@dataclass
class Listening:
    """Listeners who come and go together: `block` seconds there, `block` seconds away."""

    address: str
    token: str
    listeners: int
    block: float
    heard: int = 0
    there: list[tuple[float, float]] = field(default_factory=list)  # when all of them were connected,
    away: list[tuple[float, float]] = field(default_factory=list)  # and when none was

    async def run(self, until: float) -> None:
        await asyncio.sleep(ARRIVING)  # compared when all judges are there
        while time.monotonic() + 2 * self.block < until:
            self.away.append(await self._wait())
            connected = asyncio.Semaphore(0)
            delays = [k / self.listeners for k in range(self.listeners)]  # they come within a second
            tasks = [asyncio.create_task(self._listen(connected, delay)) for delay in delays]
            for _ in tasks:
                await connected.acquire()
            self.there.append(await self._wait())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _wait(self) -> tuple[float, float]:
        began = time.perf_counter()
        await asyncio.sleep(self.block)
        return began, time.perf_counter()

    async def _listen(self, connected: asyncio.Semaphore, delay: float) -> None:
        await asyncio.sleep(delay)
        parts = urlsplit(self.address)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        try:
            head = [f"GET {parts.path} HTTP/1.1", f"Host: {parts.netloc}", f"Authorization: Bearer {self.token}"]
            writer.write(("\r\n".join(head) + "\r\n\r\n").encode())
            first = await reader.readline()
            connected.release()
            if b" 200 " not in first:
                return
            while line := await reader.readline():
                self.heard += line.startswith(b"event: change")
        finally:
            writer.close()

    def was_on(self, when: float) -> bool:
        return any(began <= when < ended for began, ended in self.there)

    def was_off(self, when: float) -> bool:
        return any(began <= when < ended for began, ended in self.away)


# ---------------------------------------------------------------------------- crowds
async def crowd(links: list[str], seconds: float, *, listening: Listening | None = None) -> Measured:
    """Every link is a judge."""
    seen, until = Measured(), time.monotonic() + seconds
    visits = [asyncio.create_task(listening.run(until))] if listening else []
    await asyncio.gather(*(judge(link, random.Random(k), until, seen) for k, link in enumerate(links)), *visits)
    return seen


async def bare_crowd(address: str, judges: int, seconds: float) -> Measured:
    seen, until = Measured(), time.monotonic() + seconds
    await asyncio.gather(*(inserter(address, random.Random(k), until, seen) for k in range(judges)))
    return seen


def checked(study: Study, seen: Measured) -> tuple[int, int]:
    """(lost, doubled): the log against what the clients were told."""
    logged: dict[str, list[str]] = {}
    judges, names = {}, question_names(study, Setup.from_dict(study.settings.get(SETUP)))
    for event in study.events():
        if event.kind == "asked":
            judges[event.data["q"]] = event.data["judge"]
        if event.kind == "told":
            code = names.of_question(judges[event.data["q"]], event.data["q"])
            logged.setdefault(code, []).append(event.data["answer"])
    lost = sum(logged.get(question, [None])[0] != answer for question, answer in seen.told.items())
    doubled = sum(len(given) > 1 for given in logged.values())
    return lost, doubled
