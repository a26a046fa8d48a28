"""A process that works on a study until it is killed, and says on a pipe what was acknowledged.

told Q SIDE     the answer's `tell` returned: from now on it must be in the log
undo Q          an `undo` begins: from here until `undone Q` both states are right
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable

from juryrank.study import Study, open_study

UNDO_SHARE = 0.15


def work(url: str, name: str, judges: list[str], *, mode: str, seed: int, say: Callable[[str], None]) -> None:
    """Ask and tell for these judges until the ranking is done (or the process is killed)."""
    study = open_study(name, storage=url)
    rng = random.Random(seed)
    say("ready")
    if mode == "run":
        _run(study, judges, rng, say)
    else:
        _ask_and_tell(study, judges, rng, say)


def _ask_and_tell(study: Study, judges: list[str], rng: random.Random, say: Callable[[str], None]) -> None:
    while not study.done:
        question = study.ask(rng.choice(judges), lease=rng.choice([0.02, 30.0]))
        if question is None:
            continue
        side = rng.choice(["left", "right", "tie", "skip"])
        late = study.tell(question, side=side).late
        say(f"told {question.id} {side}")
        if not late and rng.random() < UNDO_SHARE:
            _undo(study, question.judge, question.id, rng, say)


def _undo(study: Study, judge: str, number: int, rng: random.Random, say: Callable[[str], None]) -> None:
    from juryrank.errors import BadInput

    say(f"undo {number}")
    try:
        study.undo(judge, by="judge")
    except BadInput:  # its deadline passed in between: the answer stands
        say(f"stays {number}")
        return
    say(f"undone {number}")
    side = rng.choice(["left", "right"])
    study.tell(number, side=side)
    say(f"told {number} {side}")


def _run(study: Study, judges: list[str], rng: random.Random, say: Callable[[str], None]) -> None:
    plain = study.tell

    def tell(question, answer=None, **known):
        receipt = plain(question, answer, **known)
        say(f"told {receipt.question} {receipt.answer}")
        return receipt

    study.tell = tell  # type: ignore[method-assign]
    study.run({judge: lambda left, right: rng.choice([left, right]) for judge in judges}, concurrency=4)


def start(url: str, name: str, judges: list[str], *, mode: str, seed: int) -> tuple[int, int]:
    """Fork a worker (quick: everything is imported already); its pid, and the pipe on which it reports."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    try:
        os.close(reading)
        work(url, name, judges, mode=mode, seed=seed, say=lambda line: os.write(writing, f"{line}\n".encode()))
        os._exit(0)
    except BaseException as problem:
        os.write(writing, f"problem {type(problem).__name__}: {problem}\n".encode())
        os._exit(1)
