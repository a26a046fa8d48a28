"""How many files of the package run: in a small `rank`, and in one answer from a page to the evidence.

    python scripts/files_run.py            # both counts
    python scripts/files_run.py --list     # and the files

Counted are files of which a function is called; what runs when a module is imported is not.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

sys.path.insert(0, str(Path(__file__).parent))

from where import JSON, SOURCE, judge_link

import juryrank
from juryrank.judges import simulated

Files = dict[str, int]  # file -> functions of it that were called


def small_rank() -> Files:
    """Three items and three simulated judges, ranked with a promise about the truth."""
    judges = simulated("abc", [0.9, 0.8, 0.7], seed=1)
    _rank(judges)  # what is compiled, drawn or read once a process is not part of it
    with _counted() as found:
        _rank(judges)
    return found()


def _rank(judges: dict[str, Callable[..., object]]) -> None:
    assert juryrank.rank(list("abc"), judges, ranker="certified", fresh=True, seed=7).proven


def one_answer() -> Files:
    """One answer on a judge's page, and the next question."""
    from starlette.testclient import TestClient

    from juryrank.server.app import create_app
    from juryrank.server.settings import ServerSettings
    from juryrank.storage import MemoryStorage

    with _counted() as found, TestClient(create_app(ServerSettings(), storage=MemoryStorage())) as client:
        link = judge_link(client)
        card = client.post(f"{link}/next", json={}, headers=JSON).json()
        counts = []
        for _ in range(4):  # the first answer warms up; how a study is shown is read again once a second
            found()
            sent = {"question": card["question"]["id"], "answer": "left"}
            card = client.post(f"{link}/answer", json=sent, headers=JSON).json()
            counts.append(found())
        return min(counts, key=len)


@contextmanager
def _counted() -> Iterator[Callable[[], Files]]:
    """A function that gives the files which ran since it was called last."""
    seen: set[CodeType] = set()

    def look(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    def found() -> Files:
        called = seen.copy()
        seen.clear()
        counts: Files = {}
        for code in called:
            file = Path(code.co_filename)
            if file.is_relative_to(SOURCE) and code.co_name != "<module>":
                name = str(file.relative_to(SOURCE))
                counts[name] = counts.get(name, 0) + 1
        return counts

    threading.setprofile(look)  # threads that start from now on
    sys.setprofile(look)
    try:
        yield found
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


if __name__ == "__main__":
    for title, files in (("a small rank", small_rank()), ("one answer on a page", one_answer())):
        print(f"{title}: {len(files)} files, {sum(files.values())} functions")
        if "--list" in sys.argv:
            print("".join(f"  {count:3d} {file}\n" for file, count in sorted(files.items())))
