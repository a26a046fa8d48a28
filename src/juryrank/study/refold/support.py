"""How far a log's answers support a list made from them: the certified ranker's bets, after the fact.

The list is the best guess from all answers, and the same answers then speak for it: the evidence is flattered,
which is why such a result promises nothing. Every answer about two neighbours counts, in the order asked, with a
bet on its judge fixed by the answers before it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from juryrank.core.intervals import wilson
from juryrank.core.levels import level_of
from juryrank.rankers.certified.core.prove.evidence import BET_LEAST, BET_MOST, log_bet
from juryrank.types import Item, Judge, JudgeReport, Link, Ranking
from juryrank.votes.vote import Vote

START, START_SHARE = 8.0, 0.75  # a judge's share starts as so many answers at everybody's share, that one at 0.75
MOST_LOG = 700.0  # exp of more overflows


@dataclass(slots=True)
class _Agreement:
    """How often somebody agreed with the list so far."""

    agreed: int = 0
    answers: int = 0

    def share(self, start: float) -> float:
        return (START * start + self.agreed) / (START + self.answers)

    def add(self, agrees: bool) -> None:
        self.agreed += agrees
        self.answers += 1


@dataclass(slots=True)
class _Weighed:
    """One link's evidence so far."""

    log_evidence: float = 0.0
    highest: float = 0.0
    by: dict[Judge, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))


def weighed(
    order: Sequence[Item],
    votes: Iterable[Vote],
    *,
    judges: Sequence[Judge],
    prices: Mapping[Judge, float],
    error: float,
    ranker: str,
    repeats: int | None,
) -> tuple[Ranking, int]:
    """The list with each link's evidence, and how many answers were about its links.

    `repeats`: how many answers of one judge about one pair count (None: all, as they are fresh).

    >>> from juryrank.votes.vote import Outcome
    >>> votes = [Vote(k, judge="ann", left="a", right="b", winner="a", outcome=Outcome.LEFT) for k in range(9)]
    >>> how = {"judges": ["ann"], "prices": {"ann": 1.0}, "error": 0.1, "ranker": "certified", "repeats": None}
    >>> result, used = weighed("ab", votes, **how)
    >>> result.links[0].settled, used
    (True, 9)
    """
    links = {pair: _Weighed() for pair in pairwise(order)}
    everybody, known = _Agreement(), {judge: _Agreement() for judge in judges}
    times: Counter[tuple[Judge, tuple[Item, Item]]] = Counter()
    for vote in votes:
        pair = (vote.left, vote.right) if (vote.left, vote.right) in links else (vote.right, vote.left)
        if not vote.winner or pair not in links:
            continue
        times[vote.judge, pair] += 1
        if repeats is not None and times[vote.judge, pair] > repeats:
            continue
        agrees = vote.winner == pair[0]
        share = known[vote.judge].share(everybody.share(START_SHARE))
        _bet(links[pair], min(max(2.0 * share - 1.0, BET_LEAST), BET_MOST), vote.judge, agrees)
        known[vote.judge].add(agrees)
        everybody.add(agrees)
    level = level_of(error, 1)
    found = tuple(_link(pair, one, level) for pair, one in links.items())
    result = Ranking(
        order=tuple(order),
        certified=False,
        error=error,
        questions=everybody.answers,
        ranker=ranker,
        links=found,
        judges=tuple(_report(judge, one, prices[judge]) for judge, one in known.items()),
        ranges=chained_ranges([link.settled for link in found]),
        cost=sum(prices[judge] * one.answers for judge, one in known.items()),
    )
    return result, everybody.answers


def chained_ranges(settled: Sequence[bool]) -> tuple[tuple[int, int], ...]:
    """The ranks that each position of a list may have, if these links hold and nothing else is known.

    >>> chained_ranges([True, False])
    ((1, 2), (2, 3), (1, 3))
    """
    items = len(settled) + 1
    above = [0] * items
    below = [0] * items
    for k, holds in enumerate(settled):
        above[k + 1] = above[k] + 1 if holds else 0
    for k in reversed(range(len(settled))):
        below[k] = below[k + 1] + 1 if settled[k] else 0
    return tuple((1 + a, items - b) for a, b in zip(above, below, strict=True))


def _bet(link: _Weighed, bet: float, judge: Judge, agrees: bool) -> None:
    link.log_evidence += log_bet(bet, agrees)
    link.highest = max(link.highest, link.log_evidence)
    link.by[judge][0 if agrees else 1] += 1


def _link(pair: tuple[Item, Item], one: _Weighed, level: float) -> Link:
    by = {judge: (agreed, against) for judge, (agreed, against) in one.by.items()}
    return Link(
        *pair,
        settled=one.highest >= math.log(1.0 / level),
        evidence=math.exp(min(one.log_evidence, MOST_LOG)),
        level=level,
        answers_for=sum(agreed for agreed, _ in by.values()),
        answers_against=sum(against for _, against in by.values()),
        by=by,
    )


def _report(judge: Judge, one: _Agreement, price: float) -> JudgeReport:
    low, high = wilson(one.agreed, one.answers)
    seen = one.answers > 0
    return JudgeReport(
        name=judge,
        asked=one.answers,
        answered=one.answers,
        right=one.agreed,
        accuracy=one.agreed / one.answers if seen else None,
        low=low if seen else None,
        high=high if seen else None,
        active=True,
        note="agreement with the list's neighbours" if seen else "no answer about neighbours",
        price=price,
    )
