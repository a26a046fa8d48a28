"""`python -m benchmarks.serve`: see the package."""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import sys
from typing import Any

import benchmarks.serve as package
from benchmarks.serve.bare import STORAGE
from benchmarks.serve.crowd import Listening, Measured, bare_crowd, checked, crowd
from benchmarks.serve.open_link import QUESTIONS, inserters, looked_over, median_of, visitors
from benchmarks.serve.places import server, storage
from juryrank.server.access.vault import Scope
from juryrank.server.context import Context
from juryrank.server.settings import ServerSettings
from juryrank.server.studies.creating import StudyDraft, make_study
from juryrank.server.studies.intake import NewItem
from juryrank.study import Study, create_study

SITTING = 25  # questions per judge: nobody is done before the clock is
PORT, BARE_PORT = 18765, 18766
LIMIT, LISTENER_LIMIT = 10, 1.25  # p99 over the bare p50; answers with listeners over answers without


def main() -> None:
    parser = argparse.ArgumentParser(
        description=package.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--judges", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=1, help="2 or more: on PostgreSQL")
    parser.add_argument("--items", type=int, default=30)
    parser.add_argument("--listeners", type=int, default=0, help="who come and go every --block seconds")
    parser.add_argument("--block", type=float, default=6)
    parser.add_argument("--open", type=int, default=0, help="people who come by one open link, instead")
    parser.add_argument("--minutes", type=float, default=10, help="within which they come and answer")
    parser.add_argument("--runs", type=int, default=3)
    wish = parser.parse_args()
    gc.collect()
    gc.freeze()  # the clients' own pauses are not the server's
    if wish.open:
        runs = []
        for _ in range(wish.runs):
            runs.append(_open_run(wish))
            print(json.dumps(runs[-1]), flush=True)
        print(json.dumps({"people": wish.open, "minutes": wish.minutes, **median_of(runs)}, indent=2))
        return
    with storage(wish.workers) as (ours, bare):
        study, seen, listening = _ours(wish, ours)
        lost, doubled = checked(study, seen)
        plain = _bare(wish, bare)
    found = {
        **vars(wish),
        "storage": ours.partition(":")[0],
        "polls without a question": seen.waits,
        "failures": len(seen.failures),
        "first failures": seen.failures[:3],
        "lost": lost,
        "doubled": doubled,
        "answer to next question, ms": seen.summary(),
        "bare insert, ms": plain.summary(),
        "p99 over bare p50": round(seen.quantile(0.99) / plain.quantile(0.5), 1),
        "limit": LIMIT,
    }
    print(json.dumps(found | _compared(seen, listening), indent=2))


def _open_run(wish: argparse.Namespace) -> dict[str, Any]:
    """One crowd on a new study, then the same arrivals at the bare endpoint."""
    with storage(wish.workers) as (ours, bare):
        office = Context.open(ServerSettings(storage=ours))
        items = [NewItem(f"item {k}") for k in range(wish.items)]
        made = make_study(office.open_studies, StudyDraft("open", items, seed=1, sitting=QUESTIONS))
        code = office.open_links.make(made.id, capacity=wish.open, per_address=0).code
        address, other = f"http://127.0.0.1:{PORT}", f"http://127.0.0.1:{BARE_PORT}"
        command = [sys.executable, "-m", "juryrank", "serve", "--storage", ours, "--port", str(PORT)]
        password = {"JURYRANK_PASSWORD": "a long password"}
        with server([*command, "--workers", str(wish.workers)], password, f"{address}/healthz"):
            seen = asyncio.run(visitors(f"{address}/s/{code}", wish.open, wish.minutes))
        found = looked_over(office.open_studies.study(made.id), seen)
        plain = [sys.executable, "-m", "benchmarks.serve.bare", str(BARE_PORT), str(wish.workers)]
        with server(plain, {STORAGE: bare}, f"{other}/healthz"):
            inserted = asyncio.run(inserters(f"{other}/insert", wish.open, wish.minutes))
    return {
        "answers": len(seen.answers.seconds),
        "done": seen.done,
        "sent again": seen.again,
        "p50, ms": round(seen.answers.quantile(0.5), 1),
        "p99, ms": round(seen.answers.quantile(0.99), 1),
        "start p99, ms": round(seen.starts.quantile(0.99), 1),
        "bare p50, ms": round(inserted.quantile(0.5), 1),
        "bare p99, ms": round(inserted.quantile(0.99), 1),
        "ratio": round(seen.answers.quantile(0.99) / inserted.quantile(0.5), 1),
        "failures": len(seen.answers.failures),
        "first failures": seen.answers.failures[:3],
        **found,
    }


def _ours(wish: argparse.Namespace, url: str) -> tuple[Study, Measured, Listening | None]:
    office = Context.open(ServerSettings(storage=url))
    study = create_study(
        [f"item {k}" for k in range(wish.items)],
        name="load",
        judges=[f"judge {k}" for k in range(wish.judges)],
        ranker="panel",
        error=0.1,
        storage=office.storage,
        seed=1,
        options={"objective": "ranges", "sitting": SITTING},
    )
    secrets = office.vault.issue_links(study.id, study.judges)
    address = f"http://127.0.0.1:{PORT}"
    command = [sys.executable, "-m", "juryrank", "serve", "--storage", url, "--port", str(PORT)]
    command += ["--workers", str(wish.workers)]
    listening = None
    if wish.listeners:
        token = office.vault.issue_token(Scope.READ)[1]
        listening = Listening(f"{address}/api/v1/studies/{study.id}/events", token, wish.listeners, wish.block)
    links = [f"{address}/j/{secret}" for secret in secrets.values()]
    with server(command, {"JURYRANK_PASSWORD": "a long password"}, f"{address}/healthz"):
        return study, asyncio.run(crowd(links, wish.seconds, listening=listening)), listening


def _bare(wish: argparse.Namespace, place: str) -> Measured:
    address = f"http://127.0.0.1:{BARE_PORT}"
    command = [sys.executable, "-m", "benchmarks.serve.bare", str(BARE_PORT), str(wish.workers)]
    with server(command, {STORAGE: place}, f"{address}/healthz"):
        return asyncio.run(bare_crowd(f"{address}/insert", wish.judges, wish.seconds))


def _compared(seen: Measured, listening: Listening | None) -> dict[str, Any]:
    """Answers while listeners were there, beside those between their visits."""
    if listening is None:
        return {}
    on, off = seen.only(listening.was_on), seen.only(listening.was_off)
    return {
        "events heard": listening.heard,
        "with listeners, ms": on.summary(),
        "without, ms": off.summary(),
        "with over without, mean and p50": [
            round(on.mean() / off.mean(), 2),
            round(on.quantile(0.5) / off.quantile(0.5), 2),
        ],
        "listeners' limit": LISTENER_LIMIT,
    }


if __name__ == "__main__":
    main()
