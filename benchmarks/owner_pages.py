"""Processor time of an owner's pages right after an answer: 200 judges, 60 items, 11,000 answers.

`python -m benchmarks.owner_pages` [--judges 200] [--items 60] [--each 55]: each page is asked for right after one
more answer, and once after the last answer of a person, when all of theirs are counted. Estimates that are
refreshed behind the pages are held back while a page is measured, and measured by themselves. A page's figure is
all processor time of the process from the request to its answer.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from starlette.testclient import TestClient

from juryrank.server.access.vault import Scope
from juryrank.server.app import create_app
from juryrank.server.context import Context
from juryrank.server.dashboard.overview_cache import Overviews
from juryrank.server.settings import ServerSettings
from juryrank.server.studies.creating import StudyDraft, make_study
from juryrank.server.studies.intake import NewItem, NewJudge
from juryrank.study import Study

PAGES = (
    "", "/part", "/share", "/items", "/judges", "/models", "/settings", "/data", "/marks", "/board", "/text",
)  # fmt: skip
ROUNDS = 5
LIMIT = 100.0  # milliseconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judges", type=int, default=200)
    parser.add_argument("--items", type=int, default=60)
    parser.add_argument("--each", type=int, default=55, help="answers per judge")
    parser.add_argument("--limit", type=float, default=LIMIT, help="milliseconds a page may take")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        app = create_app(ServerSettings(storage=f"sqlite:///{place}/jury.db"))
        with TestClient(app) as client:
            context: Context = app.state.context
            study = filled(context, judges=wanted.judges, items=wanted.items, each=wanted.each)
            answers = study.progress().answers
            print(f"{wanted.judges} judges, {wanted.items} items, {answers:,} answers", flush=True)
            over = measured(client, context, study, limit=wanted.limit)
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return over


def filled(context: Context, *, judges: int, items: int, each: int) -> Study:
    """A study in which so many people have finished, and some have yet to begin."""
    draft = StudyDraft(
        "projects", [NewItem(f"Project {k}") for k in range(items)],
        [NewJudge(f"Person {k}") for k in range(judges + len(PAGES) + 1)], ranker="panel", seed=7, sitting=each,
    )  # fmt: skip
    study = context.open_studies.study(make_study(context.open_studies, draft).id)
    draws = random.Random(1)
    for judge in study.judges[:judges]:
        for _ in range(each):
            answer(study, judge, draws)
    return study


def answer(study: Study, judge: str, draws: random.Random) -> None:
    question = study.ask(judge)
    assert question is not None
    left, right = (int(str(one).split()[-1]) for one in (question.left, question.right))
    first = draws.random() < 1 / (1 + 2.718 ** max(-50, min(50, (left - right) / 12)))
    study.tell(question, question.left if first else question.right)


@contextmanager
def held_back() -> Iterator[list[Callable[[], None]]]:
    """Refreshes behind the pages wait in this list instead of running beside what is measured."""
    waiting: list[Callable[[], None]] = []
    read = Overviews._read

    def hold(self: Overviews, *args: Any) -> None:
        waiting.append(lambda: read(self, *args))

    Overviews._read = hold  # type: ignore[method-assign]
    try:
        yield waiting
    finally:
        Overviews._read = read  # type: ignore[method-assign]


def measured(client: TestClient, context: Context, study: Study, *, limit: float) -> int:
    """Print the median and the worst of each page; the number of pages over the limit."""
    token = context.vault.issue_token(Scope.ADMIN)[1]
    form = client.get("/login").text.partition('name="form_token" value="')[2].partition('"')[0]
    client.post("/login", data={"secret": token, "form_token": form})
    draws, over, behind = random.Random(2), 0, []
    pages = {"/admin": "/admin"} | {page or "result": f"/admin/studies/{study.id}{page}" for page in PAGES}
    for address in pages.values():
        assert client.get(address).status_code == 200, address
    each = int(study.created["options"]["sitting"])
    for (name, address), judge in zip(pages.items(), study.judges[-len(pages) :], strict=True):
        took = []
        for turn in range(ROUNDS):
            for _ in range(1 if turn < ROUNDS - 1 else each - ROUNDS + 1):
                answer(study, judge, draws)
            with held_back() as waiting:
                began = time.process_time()
                client.get(address)
                took.append(1000 * (time.process_time() - began))
                time.sleep(0.05)  # a thread that only puts itself into the list
            for refresh in waiting:
                began = time.process_time()
                refresh()
                behind.append(1000 * (time.process_time() - began))
        over += max(took) > limit
        print(f"{name:10} {statistics.median(took):7.1f} ms, at most {max(took):7.1f} ms", flush=True)
    if behind:
        print(f"behind the pages: {statistics.median(behind):.0f} ms a refresh, {len(behind)} of them")
    return over


if __name__ == "__main__":
    raise SystemExit(main())
