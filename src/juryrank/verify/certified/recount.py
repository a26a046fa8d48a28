"""The evidence of every link of an attempt, recounted vote by vote in the order in which votes counted.

Under better-than-chance each link is its own queue; under steady the attempt is one queue. A queue stops at an
unanswered question whose deadline has not passed: what was asked after it does not count yet. Ties, skips, late
answers and expired questions are passed over. A link is proven once its evidence has *ever* been enough; once all
links are proven, nothing more counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from juryrank.verify.arithmetic.evidence import AccuracyPrior, Mixture, log_of_best, log_of_bet
from juryrank.verify.arithmetic.rounding import below, step_down
from juryrank.verify.certified.attempts import BETTER_THAN_CHANCE, Attempt
from juryrank.verify.record import Asked


@dataclass(slots=True)
class LinkCount:
    """The most that a link's evidence (log) ever was, and who answered how: judge -> [for, against]."""

    most: float = 0.0
    by: dict[str, list[int]] = field(default_factory=dict)

    @property
    def tally(self) -> tuple[int, int]:
        return sum(both[0] for both in self.by.values()), sum(both[1] for both in self.by.values())

    def note(self, vote: Asked) -> bool:
        """Write down a vote; does it agree with the list?"""
        agrees = bool(vote.winner == vote.terms["link"][0])
        self.by.setdefault(vote.judge, [0, 0])[not agrees] += 1
        return agrees


@dataclass(slots=True)
class Recount:
    """An attempt with its links as counted, and the votes that were."""

    attempt: Attempt
    links: list[LinkCount]
    votes: list[Asked] = field(default_factory=list)
    done: int = 0  # the event at which the last of them counted

    def proven(self, k: int) -> bool:
        """Has the link's evidence once reached 1/δ_m?"""
        return self.links[k].most >= self.attempt.needed

    @property
    def complete(self) -> bool:
        return all(map(self.proven, range(len(self.links))))


def recount(attempt: Attempt, *, against: bool = False) -> Recount:
    """Every link of the attempt's list, from the top, until all are proven or no vote is left.

    `against`: with a contrary answer at each place whose answer is missing, at the bet that was on record.
    """
    count = Recount(attempt, [LinkCount() for _ in attempt.pairs])
    evidence = Evidence(attempt, count.links)
    most = np.zeros(len(count.links))
    for moment, vote in delivered(attempt):
        if most.min(initial=np.inf) >= attempt.needed:
            break
        if vote.winner is not None or (against and vote.missing):
            count.votes.append(vote)
            evidence.count(vote)
            np.maximum(most, evidence.logs, out=most)
            count.done = moment
    for k, link in enumerate(count.links):
        link.most = float(most[k])
    return count


def evidence_of(attempt: Attempt, votes: Iterable[Asked]) -> NDArray[np.float64]:
    """Every link's evidence (log) after some of the votes."""
    evidence = Evidence(attempt, [LinkCount() for _ in attempt.pairs])
    for vote in votes:
        evidence.count(vote)
    return evidence.logs


def counted_votes(attempt: Attempt) -> list[Asked]:
    """The votes that count, in the order in which they came to count."""
    return [vote for _, vote in delivered(attempt) if vote.winner is not None]


def delivered(attempt: Attempt) -> list[tuple[int, Asked]]:
    """The questions of an attempt whose end counts, each with the event at which it does, in that order."""
    queues: defaultdict[int, list[Asked]] = defaultdict(list)
    for question in attempt.questions:
        queues[attempt.link_of(question) if attempt.assume == BETTER_THAN_CHANCE else 0].append(question)
    moments = [entry for queue in queues.values() for entry in due(queue)]
    return sorted(moments, key=lambda entry: (entry[0], entry[1].id))


def due(queue: Iterable[Asked]) -> Iterator[tuple[int, Asked]]:
    """The questions of a queue up to the first that is still open, each with the event at which it counts."""
    moment = 0
    for question in queue:
        if question.ended is None:
            return
        moment = max(moment, question.ended)
        yield moment, question


class Evidence:
    """log E of the links of an attempt, vote by vote, rounded down."""

    def __init__(self, attempt: Attempt, links: list[LinkCount]) -> None:
        self.attempt, self.links = attempt, links
        self.logs: NDArray[np.float64] = np.zeros(len(links))
        self.judges: dict[str, SteadyJudge] = {}

    def count(self, vote: Asked) -> None:
        """One more vote."""
        k = self.attempt.link_of(vote)
        agrees = self.links[k].note(vote)
        if self.attempt.assume == BETTER_THAN_CHANCE:
            self.logs[k] = below(float(self.logs[k]) + log_of_bet(vote.terms["bet"], agrees), 0.0)
            return
        if vote.judge not in self.judges:
            self.judges[vote.judge] = SteadyJudge(self.attempt.priors[vote.judge], len(self.links))
        judge = self.judges[vote.judge]
        others = step_down(self.logs - judge.factors)
        judge.answer(k, agrees)
        self.logs = step_down(others + judge.factors)


class SteadyJudge:
    """One judge's answers in an attempt under the steady model, and the log factor that they give each link."""

    def __init__(self, prior: AccuracyPrior, links: int) -> None:
        self.mixture = Mixture(prior)
        self.lead = np.zeros(links, dtype=np.int64)  # answers for less those against
        self.leads = Counter({0: links})  # how many links have which
        self.larger = 0  # Σ max(for, against)
        self.factors: NDArray[np.float64] = np.zeros(links)

    def answer(self, k: int, agrees: bool) -> None:
        lead = int(self.lead[k])
        self.larger += lead >= 0 if agrees else lead <= 0
        self._move(k, lead, lead + 1 if agrees else lead - 1)
        self.mixture.answer(agrees)
        mixture, answers = self.mixture.log, self.mixture.agreeing + self.mixture.disagreeing
        ahead = [max(lead, 0) for lead in self.leads]
        # if link k is wrong, no more than larger - max(lead at k, 0) of these answers can be right
        factor = np.zeros(max(ahead) + 1)
        for lead in ahead:
            factor[lead] = below(mixture - log_of_best(self.larger - lead, answers), 0.0)
        self.factors = factor[np.maximum(self.lead, 0)]

    def _move(self, k: int, before: int, now: int) -> None:
        self.lead[k] = now
        self.leads[before] -= 1
        self.leads[now] += 1
        if not self.leads[before]:
            del self.leads[before]
