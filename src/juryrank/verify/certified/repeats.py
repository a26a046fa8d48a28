"""Was a judge asked the same pair more often than the study allows?"""

from __future__ import annotations

from collections import Counter

from juryrank.verify.record import Record
from juryrank.verify.report import Check

NAME = "repeats"


def check_repeats(record: Record, repeats: int | None) -> Check:
    """Search and all attempts count together: a judge who remembers proves nothing by saying it again."""
    if repeats is None:
        return Check(NAME, True, "unlimited: whoever made the study says that every answer is a fresh one")
    times: Counter[tuple[str, frozenset[str]]] = Counter()
    for question in record.questions.values():
        key = (question.judge, question.pair)
        times[key] += 1
        if times[key] > repeats:
            left, right = sorted(question.pair)
            return Check(
                NAME, False, f"question {question.id}: {question.judge} is asked {left} or {right} "
                f"{times[key]} times; {repeats} allowed",
            )  # fmt: skip
    return Check(NAME, True, f"no judge was asked the same pair more than {repeats} times")
