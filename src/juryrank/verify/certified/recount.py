"""The evidence of every link of an attempt, recounted vote by vote in the order in which votes counted.

Under better-than-chance each link is its own queue; under steady the attempt is one queue. A queue stops at
an unanswered question whose deadline has not passed: what was asked after it does not count yet. Ties, skips,
late answers and expired questions are passed over. A link is proven once its evidence has *ever* been enough,
so a result may be drawn up after any number of counted votes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from juryrank.core.certified.prove.evidence import log_bet, log_mixture, log_supremum, most_right
from juryrank.verify.certified.attempts import BETTER_THAN_CHANCE, Attempt
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

    def note(self, vote: Asked) -> bool:
        """Write down a vote; does it agree with the list?"""
        agrees = bool(vote.winner == vote.terms["link"][0])
        self.by.setdefault(vote.judge, [0, 0])[not agrees] += 1
        return agrees


def recount(attempt: Attempt, *, votes: int | None = None) -> list[LinkCount]:
    """Every link of the attempt's list, from the top, after all its votes (or the first so many)."""
    return _recount(attempt, counted_votes(attempt)[:votes])


def evidence_of(attempt: Attempt, votes: list[Asked]) -> list[float]:
    """Every link's evidence (log) from some of the votes."""
    return [link.evidence for link in _recount(attempt, votes)]


def _recount(attempt: Attempt, votes: list[Asked]) -> list[LinkCount]:
    links = [LinkCount() for _ in attempt.order[1:]]
    if attempt.assume == BETTER_THAN_CHANCE:
        _by_bets(attempt, votes, links)
    else:
        _by_likelihood(attempt, votes, links)
    return links


def counted_votes(attempt: Attempt) -> list[Asked]:
    """The votes that count, in the order in which they came to count."""
    if attempt.assume != BETTER_THAN_CHANCE:
        return [vote for _, vote in due(attempt.questions)]
    queues: defaultdict[int, list[Asked]] = defaultdict(list)
    for question in attempt.questions:
        queues[attempt.place[question.terms["link"][0]]].append(question)
    moments = [(moment, vote.id, vote) for queue in queues.values() for moment, vote in due(queue)]
    return [vote for _, _, vote in sorted(moments, key=lambda entry: entry[:2])]


def due(queue: Iterable[Asked]) -> Iterator[tuple[int, Asked]]:
    """The votes of a queue up to the first question still open, each with the event at which it counts."""
    moment = 0
    for question in queue:
        ended = question.told if question.in_time else question.expired
        if ended is None:
            return
        moment = max(moment, ended)
        if question.winner is not None:
            yield moment, question


def _by_bets(attempt: Attempt, votes: list[Asked], links: list[LinkCount]) -> None:
    """E_k = Π (1 ± λ)."""
    for vote in votes:
        link = links[attempt.place[vote.terms["link"][0]]]
        link.see(link.evidence + log_bet(vote.terms["bet"], link.note(vote)))


def _by_likelihood(attempt: Attempt, votes: list[Asked], links: list[LinkCount]) -> None:
    """E_k = Π_u mixture(a, n) / sup(A, n): one factor a judge."""
    judges = {judge: _SteadyJudge(prior, len(links)) for judge, prior in attempt.priors.items()}
    total = np.zeros(len(links))
    most = np.zeros(len(links))
    for vote in votes:
        k = attempt.place[vote.terms["link"][0]]
        judge = judges[vote.judge]
        total -= judge.factors
        judge.answer(k, links[k].note(vote))
        total += judge.factors
        np.maximum(most, total, out=most)
    for k, link in enumerate(links):
        link.evidence, link.most = float(total[k]), float(most[k])


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
        lead = self.tally[:, 0] - self.tally[:, 1]
        leads, which = np.unique(lead, return_inverse=True)
        factors = [mixture - log_supremum(most_right(larger, int(value)), answers) for value in leads]
        self.factors = np.array(factors)[which]
