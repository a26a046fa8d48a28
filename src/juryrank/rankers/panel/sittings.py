"""A person's sitting: which question of it comes next, and which questions belong to it. See core/panel."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from juryrank.core import chance
from juryrank.core.panel.exact_order import ExactOrder
from juryrank.core.panel.sittings import Given
from juryrank.rankers.contract.algorithm import JUDGE_STREAM, Draft
from juryrank.rankers.contract.snapshots import frozen
from juryrank.types import SKIP, TIE, Answer, Item, Question

if TYPE_CHECKING:
    from juryrank.rankers.panel.ranker import Panel


def choose_question(panel: Panel, judge: int | None) -> Draft | None:
    """The next of this person's sitting, which begins with the first; None: nothing is left of it."""
    whom = _whom(panel) if judge is None else judge
    if whom is None:
        return None
    sitting = panel._book.of(whom)
    if sitting is None:
        return _first_question(panel, whom)
    if sitting.lapsed or sitting.asked >= len(sitting.plan):
        return None
    i, j = sitting.plan[sitting.asked]
    return Draft(whom, i, j, terms={"sitting": sitting.number, "place": sitting.asked})


def _whom(panel: Panel) -> int | None:
    """Without a name: whoever sits and has questions left, in order of arrival, else somebody new."""
    for sitting in panel._book.uncounted:
        free = sitting.judge not in panel._paused and not sitting.lapsed
        if free and sitting.asked < len(sitting.plan):
            return sitting.judge
    new = [u for u in range(len(panel.judge_names)) if u not in panel._paused and panel._book.of(u) is None]
    return chance.pick(new, panel.seed, JUDGE_STREAM, panel._next_id) if new else None


def _first_question(panel: Panel, judge: int) -> Draft | None:
    plan = panel._plan()
    if not plan:
        return None
    names = [[panel.items[i], panel.items[j]] for i, j in plan]
    terms = {"sitting": len(panel._book.sittings) + 1, "place": 0, "plan": names, **_proof_terms(panel)}
    return Draft(judge, *plan[0], terms=terms)


def _proof_terms(panel: Panel) -> dict[str, Any]:
    """For `order`: the list that this sitting helps to prove, on record before its answers."""
    proof = panel._counted
    if not isinstance(proof, ExactOrder) or not proof.list:
        return {}
    names = [panel.items[i] for i in proof.list]
    return {"attempt": proof.attempt, "list": names, "claim_order": proof.claim_order}


def waiting(panel: Panel) -> NDArray[np.int64]:
    """How many sittings, not counted yet, hold each pair."""
    n = len(panel.items)
    places = chain.from_iterable(chain.from_iterable(sitting.plan for sitting in panel._book.uncounted))
    pairs = np.fromiter(places, dtype=np.int64).reshape(-1, 2)
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    return np.bincount(low * n - low * (low + 1) // 2 + high - low - 1, minlength=n * (n - 1) // 2)


def enter(panel: Panel, question: Question) -> bool:
    """Enter a question into the book; False if it belongs to no plan of this ranker."""
    number, place = question.terms.get("sitting"), question.terms.get("place")
    if not isinstance(number, int) or not isinstance(place, int):
        return False
    u, i, j = panel._indices(question)
    if place == 0 and "plan" in question.terms and not _begin(panel, question, number):
        return False
    sitting = panel._book.numbered(number)
    if sitting is None or sitting.judge != u or sitting.lapsed or place != sitting.asked:
        return False
    if place >= len(sitting.plan) or set(sitting.plan[place]) != {i, j}:
        return False
    sitting.asked += 1
    return True


def _begin(panel: Panel, question: Question, number: int) -> bool:
    """The sitting that this question opens; False if it cannot be the next one."""
    u, i, j = panel._indices(question)
    if number != len(panel._book.sittings) + 1 or panel._book.of(u) is not None:
        return False
    plan = [(panel._item(frozen(a)), panel._item(frozen(b))) for a, b in question.terms["plan"]]
    if len({frozenset(pair) for pair in plan}) < len(plan) or {i, j} != set(plan[0]):
        return False
    panel._book.arrive(u, plan)
    _adopt(panel, question.terms, number)
    return True


def _adopt(panel: Panel, terms: Mapping[str, Any], number: int) -> None:
    if isinstance(panel._counted, ExactOrder) and "attempt" in terms:
        order = [panel._item(frozen(item)) for item in terms["list"]]
        panel._counted.adopt(terms["attempt"], order, list(terms["claim_order"]), number)


def given(pair: tuple[int, int], answer: Answer, index: Mapping[Item, int]) -> Given:
    """An answer as the book keeps it."""
    if answer is TIE:
        return Given.TIE
    if answer is SKIP:
        return Given.SKIP
    return Given.FIRST if index[answer] == pair[0] else Given.SECOND
