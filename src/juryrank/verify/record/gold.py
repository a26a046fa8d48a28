"""Gold pairs, counted a second time: they may refute a judge, and never support a claim."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from juryrank.quoting import in_sentence
from juryrank.verify.record.gold_score import GoldScore
from juryrank.verify.record.record import Aside, Record

SET_ASIDE = (
    "By the rule for gold pairs, judge {judge} counts as wrong more often than right "
    "({right} of {decided} right); of judges who are right half of the time it meets up to 1 in 20."
)


def aside_rows(record: Record) -> list[dict[str, Any]]:
    """A row for each judge who answered something that never counts."""
    rows = []
    for judge, answers in record.asides.items():
        gold = record.gold.get(judge, GoldScore())
        row = {"judge": judge, "answers": len(answers), "gold_decided": gold.decided, "gold_right": gold.right}
        rows.append({**row, "refuted_at": record.refuted.get(judge)})
    return rows


def gold_words(record: Record) -> list[str]:
    """What gold pairs say against judges, for the statement."""
    words = []
    for judge, seq in record.refuted.items():
        then = _score(said for said in record.asides[judge] if said.seq <= seq)
        words.append(SET_ASIDE.format(judge=in_sentence(judge), right=then.right, decided=then.decided))
    return words


def _score(answers: Iterable[Aside]) -> GoldScore:
    found = GoldScore()
    for said in answers:
        if said.better is not None:
            found.add(said.pair, said.answer, said.better)
    return found
