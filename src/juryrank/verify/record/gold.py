"""Gold pairs, counted a second time: they may refute a judge, and never support a claim.

A judge is refuted once, with r right of n first answers, the uniform mixture of all accuracies is 20 times
likelier than one half: 2^-n < r! (n-r)! / (n+1)! / 20. In whole numbers: 20 (n+1) C(n, r) < 2^n, with r < n/2.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from juryrank.verify.record.record import Aside, Record

ODDS = 20  # 1/0.05: a judge at one half or above is ever refuted with a chance of 5 % at most
CHOICES = ("left", "right")
SET_ASIDE = (
    "By the rule for gold pairs, judge {judge} counts as wrong more often than right "
    "({right} of {decided} right); of judges who are right half of the time it meets up to 1 in 20."
)


def gold_score(answers: Iterable[Aside]) -> tuple[int, int]:
    """How many gold pairs a judge decided, and how many rightly, by the first answer to each."""
    seen, decided, right = set(), 0, 0
    for said in answers:
        if said.better is None or said.pair in seen:
            continue
        seen.add(said.pair)
        decided += said.answer in CHOICES
        right += said.answer == said.better
    return decided, right


def below_half(decided: int, right: int) -> bool:
    """Is the judge surely wrong more often than right?

    >>> below_half(7, 0), below_half(8, 0), below_half(8, 8)
    (False, True, False)
    """
    return 2 * right < decided and ODDS * (decided + 1) * math.comb(decided, right) < 2**decided


def aside_rows(record: Record) -> list[dict[str, Any]]:
    """A row for each judge who answered something that never counts."""
    rows = []
    for judge, answers in record.asides.items():
        decided, right = gold_score(answers)
        row = {"judge": judge, "answers": len(answers), "gold_decided": decided, "gold_right": right}
        rows.append({**row, "refuted_at": record.refuted.get(judge)})
    return rows


def gold_words(record: Record) -> list[str]:
    """What gold pairs say against judges, for the statement."""
    words = []
    for judge, seq in record.refuted.items():
        decided, right = gold_score(said for said in record.asides[judge] if said.seq <= seq)
        words.append(SET_ASIDE.format(judge=judge, right=right, decided=decided))
    return words
