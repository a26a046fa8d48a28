"""Time per ask and tell, and room for a table of 10^8 cells."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

from juryrank.rankers.jury.ranker import Jury
from juryrank.simulation.players.cases import CaseWorld, answer_in
from juryrank.types import Answer, Question


def milliseconds(systems: int, cases: int, judges: int, questions: int = 2000, objective: str = "order") -> float:
    """Mean processor time of one ask and one tell, without the judge's own."""
    world = CaseWorld(systems=systems, judges=judges, cases=cases, seed=1)
    answers: list[Answer] = []

    def answered(question: Question) -> Answer:
        answers.append(answer_in(world, question))
        return answers[-1]

    _played(_jury(systems, cases, judges, objective), answered, questions)
    known = iter(answers)
    jury = _jury(systems, cases, judges, objective)
    start = time.process_time()  # once: where processor time is asked for, that itself may take a quarter of a ms
    _played(jury, lambda question: next(known), questions)
    return 1000 * (time.process_time() - start) / max(jury.questions, 1)


def _played(jury: Jury, answer: Callable[[Question], Answer], questions: int) -> None:
    for _ in range(questions):
        question = jury.ask()
        if question is None:
            return
        jury.tell(question, answer(question))


def megabytes(systems: int = 200, cases: int = 1000, judges: int = 3, questions: int = 3000) -> tuple[int, float]:
    """Cells of the whole table, and the room that a jury takes after some questions."""
    tracemalloc.start()
    jury = _jury(systems, cases, judges, "best")
    for _ in range(questions):
        question = jury.ask()
        if question is None:
            break
        jury.tell(question, min(question.left, question.right))
    room = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return systems * (systems - 1) // 2 * cases * judges * 2, room


def _jury(systems: int, cases: int, judges: int, objective: str) -> Jury:
    return Jury(
        [f"s{i}" for i in range(systems)],
        judges=[f"j{u}" for u in range(judges)],
        cases=[str(c) for c in range(cases)],
        objective=objective,
        resolution=0.05,
        seed=1,
    )
