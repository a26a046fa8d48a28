"""A crowd on one open link: everybody arrives within some minutes, presses Start and answers a sitting."""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from dataclasses import dataclass, field
from typing import Any

import httpx

from benchmarks.serve.crowd import THINKING, Measured, browser, checked
from juryrank.study import Study

JSON = {"Accept": "application/json"}
QUESTIONS = 10  # a sitting


@dataclass
class Crowd:
    """What all visitors saw."""

    answers: Measured = field(default_factory=Measured)
    starts: Measured = field(default_factory=Measured)
    shown: list[set[str]] = field(default_factory=list)  # per visitor: the questions they were shown
    done: int = 0
    again: int = 0  # answers sent a second time, after a broken connection


async def visitor(link: str, rng: random.Random, arrives: float, seen: Crowd) -> None:
    """Look, press Start, and answer until the page says that one is done."""
    await asyncio.sleep(arrives)
    mine: set[str] = set()
    seen.shown.append(mine)
    async with browser() as client:
        await client.get(link)
        began = time.perf_counter()
        reply = await client.post(f"{link}/begin")
        seen.starts.add(began)
        if reply.status_code != 303:
            seen.answers.failures.append(f"start {reply.status_code}")
            return
        card: dict[str, Any] = (await client.get(f"{link}/next", headers=JSON)).json()
        while card.get("question"):
            question, answer = card["question"]["id"], rng.choice(["left", "right"])
            mine.add(question)
            await asyncio.sleep(rng.uniform(*THINKING))
            sent = {"question": question, "answer": answer, "response_time": 3.0}
            began = time.perf_counter()
            reply = await _answered(client, link, sent, seen)
            seen.answers.add(began)
            if reply.status_code != 200:
                seen.answers.failures.append(f"{reply.status_code} {reply.text[:100]}")
                return
            seen.answers.told[question] = answer
            card = reply.json()
        seen.done += card.get("state") == "done"


async def _answered(client: httpx.AsyncClient, link: str, sent: dict[str, Any], seen: Crowd) -> httpx.Response:
    """Sent again where the connection broke, as the page does: it names its question, so twice is once."""
    try:
        return await client.post(f"{link}/answer", json=sent, headers=JSON)
    except httpx.TransportError:
        seen.again += 1
        return await client.post(f"{link}/answer", json=sent, headers=JSON)


async def visitors(link: str, people: int, minutes: float) -> Crowd:
    """All of them, so that the last can finish within the time."""
    seen, last = Crowd(), max(0.0, 60 * minutes - QUESTIONS * sum(THINKING) / 2)
    rng = random.Random(people)
    arrivals = [rng.uniform(0, last) for _ in range(people)]
    await asyncio.gather(*(visitor(link, random.Random(k), at, seen) for k, at in enumerate(arrivals)))
    return seen


async def inserters(address: str, people: int, minutes: float) -> Measured:
    """The same arrivals, thinking and number of posts at the bare endpoint."""
    seen, last = Measured(), max(0.0, 60 * minutes - QUESTIONS * sum(THINKING) / 2)
    rng = random.Random(people)

    async def one(k: int, arrives: float) -> None:
        thinking = random.Random(k)
        await asyncio.sleep(arrives)
        async with browser() as client:
            for _ in range(QUESTIONS):
                await asyncio.sleep(thinking.uniform(*THINKING))
                began = time.perf_counter()
                await client.post(address, json={"question": "1", "answer": "left"})
                seen.add(began)

    await asyncio.gather(*(one(k, rng.uniform(0, last)) for k in range(people)))
    return seen


def looked_over(study: Study, seen: Crowd) -> dict[str, int]:
    """The log against what the visitors saw: lost, doubled, and questions of one judge shown to another."""
    lost, doubled = checked(study, seen.answers)
    judge_of = {str(event.data["q"]): event.data["judge"] for event in study.events() if event.kind == "asked"}
    judges = [{judge_of.get(question, "nobody") for question in mine} for mine in seen.shown]
    strangers = sum(len(one) > 1 for one in judges)
    shared = sum(len(one) for one in judges) - len(set().union(*judges))
    return {"lost": lost, "doubled": doubled, "served another's question": strangers + shared}


def median_of(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """What counts: the median over the runs of each figure, and the sum of what must be none."""
    middle = {
        key: statistics.median(run[key] for run in runs) for key in ("p50, ms", "p99, ms", "bare p50, ms", "ratio")
    }
    none = {
        key: sum(run[key] for run in runs) for key in ("failures", "lost", "doubled", "served another's question")
    }
    return {"runs": len(runs), **middle, **none}
