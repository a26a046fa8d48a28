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
from benchmarks.serve.places import server, storage
from juryrank.server.access.vault import Scope
from juryrank.server.context import Context
from juryrank.server.settings import ServerSettings
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
    wish = parser.parse_args()
    gc.collect()
    gc.freeze()  # the clients' own pauses are not the server's
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
