"""The evidence of every link of an attempt, recounted answer by answer in the order asked.

Under better-than-chance each link is its own queue; under steady the attempt is one queue. An unanswered
question whose deadline has not passed stops its queue: whatever was asked after it does not count yet.
Ties, skips, late answers and expired questions are passed over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from juryrank.core.evidence import log_bet, log_mixture, log_supremum, most_right
from juryrank.verify.attempts import BETTER_THAN_CHANCE, Attempt
from juryrank.verify.record import Asked


@dataclass(slots=True)
class LinkCount:
    """One link's evidence (log), the most it ever was, and who answered how: judge -> [for, against]."""

    evidence: float = 0.0
    most: float = 0.0
    by: dict[str, list[int]] = field(default_factory=dict)

    @property
    def tally(self) -> tuple[int, int]:
        return sum(both[0] for both in self.by.values()), sum(both[1] for both in self.by.values())

    def see(self, evidence: float) -> None:
        self.evidence = evidence
        self.most = max(self.most, evidence)


def recount(attempt: Attempt) -> list[LinkCount]:
    """Every link of the attempt's list, from the top."""
    links = [LinkCount() for _ in attempt.order[1:]]
    if attempt.assume == BETTER_THAN_CHANCE:
        _by_bets(attempt, links)
    else:
        _by_likelihood(attempt, links)
    return links


def due(queue: Iterable[Asked]) -> Iterator[Asked]:
    """The votes of a queue that count: up to the first question still open."""
    for question in queue:
        if question.open:
            return
        if question.winner is not None:
            yield question


def _note(link: LinkCount, question: Asked) -> bool:
    """Write down a vote; does it agree with the list?"""
    agrees = bool(question.winner == question.terms["link"][0])
    link.by.setdefault(question.judge, [0, 0])[not agrees] += 1
    return agrees


def _by_bets(attempt: Attempt, links: list[LinkCount]) -> None:
    """E_k = Π (1 ± λ)."""
    queues: defaultdict[int, list[Asked]] = defaultdict(list)
    for question in attempt.questions:
        queues[attempt.place[question.terms["link"][0]]].append(question)
    for k, queue in queues.items():
        for question in due(queue):
            agrees = _note(links[k], question)
            links[k].see(links[k].evidence + log_bet(question.terms["bet"], agrees))


def _by_likelihood(attempt: Attempt, links: list[LinkCount]) -> None:
    """E_k = Π_u mixture(a, n) / sup(A, n): a judge's factor, with what a lead at link k takes off A."""
    judges = {judge: _SteadyJudge(prior, len(links)) for judge, prior in attempt.priors.items()}
    total = np.zeros(len(links))
    for question in due(attempt.questions):
        k = attempt.place[question.terms["link"][0]]
        judge = judges[question.judge]
        total -= judge.factors
        judge.answer(k, _note(links[k], question))
        total += judge.factors
        for link, evidence in zip(links, total, strict=True):
            link.see(float(evidence))


class _SteadyJudge:
    """One judge's answers in an attempt and the log factor they give each link."""

    def __init__(self, prior: list[float], links: int) -> None:
        self.prior = np.array(prior)
        self.tally = np.zeros((links, 2), dtype=np.int64)  # for, against
        self.factors: NDArray[np.float64] = np.zeros(links)

    def answer(self, k: int, agrees: bool) -> None:
        self.tally[k, 0 if agrees else 1] += 1
        answers = int(self.tally.sum())
        mixture = log_mixture(self.prior, int(self.tally[:, 0].sum()), answers)
        larger = int(self.tally.max(axis=1).sum())
        leads = self.tally[:, 0] - self.tally[:, 1]
        best = {
            int(lead): mixture - log_supremum(most_right(larger, int(lead)), answers) for lead in np.unique(leads)
        }
        self.factors = np.array([best[int(lead)] for lead in leads])
