"""A log's answers without their questions: handed to a ranker that asks its own, or used for a best guess."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from juryrank.rankers.contract.ranker import Ranker
from juryrank.rankers.guess.core.many import MEANT, fit_many
from juryrank.rankers.guess.core.posterior import CountedAnswers
from juryrank.types import SKIP, TIE, Answer, Item, Judge, Link
from juryrank.votes.vote import Outcome, Vote

MISSES_PER_JUDGE = 3  # so many questions per judge in a row without a recorded answer end it

Pair = frozenset[Item]


class RecordedAnswers:
    """Answers by pair and judge, in the order asked; each is given out once.

    >>> votes = [Vote(1, judge="ann", left="a", right="b", winner="b", outcome=Outcome.RIGHT)]
    >>> recorded = RecordedAnswers(votes)
    >>> recorded.take("ann", "b", "a"), recorded.take("ann", "a", "b")
    ('b', None)
    """

    def __init__(self, votes: Iterable[Vote]) -> None:
        self._left: dict[Pair, dict[Judge, deque[Answer]]] = defaultdict(dict)
        self.given = 0
        for vote in votes:
            answer = {Outcome.TIE: TIE, Outcome.SKIP: SKIP}.get(vote.outcome, vote.winner)
            self._left[_pair(vote.left, vote.right)].setdefault(vote.judge, deque()).append(answer)

    def judges_of(self, first: Item, second: Item) -> list[Judge]:
        """Who still has an answer about this pair."""
        return list(self._left.get(_pair(first, second), ()))

    def take(self, judge: Judge, first: Item, second: Item) -> Answer | None:
        """The judge's next answer about this pair; None: there is none, or none left."""
        of_pair = self._left.get(_pair(first, second), {})
        answers = of_pair.get(judge)
        if not answers:
            return None
        self.given += 1
        answer = answers.popleft()
        if not answers:
            del of_pair[judge]
        return answer

    def answer_all(self, ranker: Ranker) -> None:
        """Answer the ranker's questions from the log until it is done, or asks nothing more that is recorded."""
        patience = misses = MISSES_PER_JUDGE * max(len(ranker.judge_names), 1)
        while misses and not ranker.done:
            question = ranker.ask(self._somebody(ranker))
            if question is None:
                return
            answer = self.take(question.judge, question.left, question.right)
            if answer is None:
                ranker.expire(question)
                misses -= 1
            else:
                ranker.tell(question, answer)
                misses = patience

    def _somebody(self, ranker: Ranker) -> Judge | None:
        """A judge for whom the log may have an answer; None: let the ranker choose."""
        wanted = ranker.preview()
        if wanted is None:
            return None
        able = self.judges_of(ranker.items[wanted.first], ranker.items[wanted.second])
        if not able or ranker.judge_names[wanted.judge] in able:
            return None
        for judge in able:
            draft = ranker.preview(judge)
            pair = () if draft is None else (ranker.items[draft.first], ranker.items[draft.second])
            if pair and judge in self.judges_of(*pair):
                return judge
        return None


def best_guess(items: Sequence[Item], votes: Iterable[Vote]) -> tuple[Item, ...]:
    """All items, best first, by all answers, with judges weighed. It promises nothing.

    >>> votes = [Vote(k, judge="ann", left=a, right=b, winner=b, outcome=Outcome.RIGHT)
    ...          for k, (a, b) in enumerate(["ab", "bc"])]
    >>> best_guess("abc", votes)
    ('c', 'b', 'a')
    """
    index = {item: k for k, item in enumerate(items)}
    rows = [(vote.judge, index[vote.winner], index[_loser(vote)]) for vote in votes if vote.winner]
    judges = {judge: k for k, judge in enumerate(dict.fromkeys(judge for judge, _, _ in rows))}
    table = np.array([(judges[judge], b, w) for judge, b, w in rows], dtype=np.int64).reshape(-1, 3)
    judge, better, worse = table.T
    answers = CountedAnswers(judge, better, worse, np.ones(len(table)))
    found = fit_many(answers, items=len(items), judges=len(judges), prior=MEANT)
    return tuple(items[k] for k in np.argsort(-found.mean, kind="stable"))


def opinions(votes: Iterable[Vote]) -> list[Vote]:
    """One vote per judge and pair: where a judge answered it several times, the majority of these (or a tie).

    >>> votes = [Vote(k, judge="ann", left="a", right="b", winner=won, outcome=Outcome.LEFT)
    ...          for k, won in enumerate("aab")]
    >>> [(vote.winner, str(vote.outcome)) for vote in opinions(votes)]
    [('a', 'left')]
    """
    said: dict[tuple[str, Pair], list[Vote]] = defaultdict(list)
    for vote in votes:
        said[vote.judge, _pair(vote.left, vote.right)].append(vote)
    return [_opinion(several) if len(several) > 1 else several[0] for several in said.values()]


def _opinion(several: Sequence[Vote]) -> Vote:
    first, won = several[0], Counter(vote.winner for vote in several if vote.winner)
    lead = won[first.left] - won[first.right]
    if lead == 0:
        return replace(first, winner="", outcome=Outcome.TIE if won else first.outcome)
    winner = first.left if lead > 0 else first.right
    return replace(first, winner=winner, outcome=Outcome.LEFT if lead > 0 else Outcome.RIGHT)


def plain_links(order: Sequence[Item], votes: Iterable[Vote]) -> tuple[Link, ...]:
    """Neighbours with how often each was preferred; none of these links is settled."""
    won: dict[tuple[Item, Item], int] = defaultdict(int)
    for vote in votes:
        if vote.winner:
            won[vote.winner, _loser(vote)] += 1
    return tuple(
        Link(a, b, settled=False, answers_for=won[a, b], answers_against=won[b, a]) for a, b in pairwise(order)
    )


def _loser(vote: Vote) -> str:
    return vote.left if vote.winner == vote.right else vote.right


def _pair(first: Item, second: Item) -> Pair:
    return frozenset((first, second))
