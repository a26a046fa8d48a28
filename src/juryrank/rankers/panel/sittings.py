"""A person's sitting: which question of it comes next, and which questions belong to it. See `core`."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import numpy as np

from juryrank.core import chance
from juryrank.rankers.contract.limits import JUDGE_STREAM, Draft
from juryrank.rankers.contract.roster import Roster, frozen
from juryrank.rankers.panel.core.plans import Asked, other_pairs
from juryrank.rankers.panel.core.sittings import Given
from juryrank.rankers.panel.large.ballot import LargeBallot, sorted_pair
from juryrank.rankers.panel.state import PanelState
from juryrank.types import SKIP, TIE, Answer, Question

PLAN_STREAM = 11  # stream of chance: pairs that look equally useful, and random matchings


def choose_question(panel: PanelState, judge: int | None) -> Draft | None:
    """The next of this person's sitting, which begins with the first; None: nothing is left of it."""
    whom = _whom(panel) if judge is None else judge
    if whom is None:
        return None
    sitting = panel.book.of(whom)
    if sitting is None:
        return _first_question(panel, whom)
    place = sitting.next_place
    if place is None:
        return None
    i, j = sitting.plan[place]
    beyond = {"beyond": True} if place >= sitting.promised else {}
    return Draft(whom, i, j, terms={"sitting": sitting.number, "place": place, **beyond})


def _whom(panel: PanelState) -> int | None:
    """Without a name: whoever sits and has questions left, in order of arrival, else somebody new."""
    for sitting in panel.book.uncounted:
        free = sitting.judge not in panel.roster.paused and not sitting.lapsed
        if free and sitting.asked < sitting.promised:
            return sitting.judge
    new = [u for u in range(len(panel.judge_names)) if u not in panel.roster.paused and panel.book.of(u) is None]
    return chance.pick(new, panel.seed, JUDGE_STREAM, panel.outstanding.next_id) if new else None


def _first_question(panel: PanelState, judge: int) -> Draft | None:
    plan = next_plan(panel)
    if not plan:
        return None
    names = [[panel.items[i], panel.items[j]] for i, j in plan]
    terms = {"sitting": len(panel.book.sittings) + 1, "place": 0, "plan": names}
    if len(plan) > panel.options.sitting:
        terms["counts"] = panel.options.sitting
    if panel.owns.get(judge):
        terms["own"] = [panel.items[i] for i in sorted(panel.owns[judge])]
    return Draft(judge, *plan[0], terms=terms)


def next_plan(panel: PanelState) -> list[tuple[int, int]]:
    """The plan for whoever arrives next; it knows the counted sittings, never the person."""
    number = len(panel.book.sittings) + 1

    def make() -> list[tuple[int, int]]:
        rng = np.random.default_rng([panel.seed & 0xFFFFFFFFFFFF, PLAN_STREAM, number])
        gone = frozenset(panel.withdrawn)
        if isinstance(panel.by_sittings, LargeBallot):
            size = panel.options.sitting + panel.options.beyond
            return panel.by_sittings.plan(size, panel.by_item(), waiting(panel), rng, without=gone)
        plan = panel.by_sittings.plan(panel.options.sitting, asked(panel), rng, without=gone)
        return plan + _beyond(panel, plan, rng)

    return panel.cached("plan", make)


def _beyond(panel: PanelState, plan: list[tuple[int, int]], rng: np.random.Generator) -> list[tuple[int, int]]:
    """Other pairs in random order, for those who go on; none where the plan itself is not full."""
    if not panel.options.beyond or len(plan) < panel.options.sitting:
        return []
    first, second = panel.counted.pairs
    rest = other_pairs(panel.counted.pairs, plan, panel.withdrawn)
    chosen = rest[rng.permutation(len(rest))[: panel.options.beyond]]
    return list(zip(first[chosen].tolist(), second[chosen].tolist(), strict=True))


def asked(panel: PanelState) -> Asked:
    """What people have before them, or had: plans, never answers."""
    n = len(panel.items)
    plans = (sitting.plan[: sitting.promised] for sitting in panel.book.uncounted)
    places = chain.from_iterable(chain.from_iterable(plans))
    pairs = np.fromiter(places, dtype=np.int64).reshape(-1, 2)
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    before = np.bincount(low * n - low * (low + 1) // 2 + high - low - 1, minlength=n * (n - 1) // 2)
    return Asked(before, panel.by_item())


def waiting(panel: PanelState) -> Counter[tuple[int, int]]:
    """By pair: how many people have it before them now."""
    plans = (sitting.plan[: sitting.promised] for sitting in panel.book.uncounted)
    return Counter(sorted_pair(*pair) for pair in chain.from_iterable(plans))


def enter(panel: PanelState, question: Question) -> bool:
    """Enter a question into the book; False if it belongs to no plan of this ranker."""
    number, place = question.terms.get("sitting"), question.terms.get("place")
    if not isinstance(number, int) or not isinstance(place, int):
        return False
    u, i, j = panel.indices(question)
    if place == 0 and "plan" in question.terms and not _begin(panel, question, number):
        return False
    sitting = panel.book.numbered(number)
    if sitting is None or sitting.judge != u or place != sitting.next_place:
        return False
    if set(sitting.plan[place]) != {i, j}:
        return False
    sitting.asked = place + 1
    return True


def _begin(panel: PanelState, question: Question, number: int) -> bool:
    """The sitting that this question opens; False if it cannot be the next one."""
    u, i, j = panel.indices(question)
    if number != len(panel.book.sittings) + 1 or panel.book.of(u) is not None:
        return False
    plan = [(panel.roster.item(frozen(a)), panel.roster.item(frozen(b))) for a, b in question.terms["plan"]]
    if len({frozenset(pair) for pair in plan}) < len(plan) or {i, j} != set(plan[0]):
        return False
    counts = question.terms.get("counts")
    if counts is not None and (type(counts) is not int or counts < 1):
        return False
    own = frozenset(panel.roster.item(frozen(item)) for item in question.terms.get("own", ()))
    panel.book.arrive(u, plan, counts=counts, own=own)
    return True


def given(pair: tuple[int, int], answer: Answer, roster: Roster) -> Given:
    """An answer as the book keeps it."""
    if answer is TIE:
        return Given.TIE
    if answer is SKIP:
        return Given.SKIP
    return Given.FIRST if roster.item(answer) == pair[0] else Given.SECOND
