"""Does a proof stand without the repeats of judges who may merely repeat themselves?

A judge is suspect if it was asked a pair again and never changed an answer, unless its record on new pairs clears
it: enough pairs first asked in cross-examination and answered in line with the list, none against it. Without the
repeats of suspects every link must still have the evidence that its level needs. That holds for the claims of an
unfinished proof too, in which nobody was cross-examined yet: a budget that ends sooner must not claim more.

Where there are too few pairs for that, a judge who answered all of them in line with the list is no suspect
either, as a program that is simply right would never be cleared; but nothing tells it from one that remembers a
mistake (with two items, anything at all). The statement then says on whom it rests.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cache

from juryrank.verify.certified.answers import Answers, Pair, upper
from juryrank.verify.certified.attempts import Attempt, link_fault, terms_fault
from juryrank.verify.certified.recount import Recount, counted_votes, evidence_of
from juryrank.verify.record import Asked, Record
from juryrank.verify.terms import is_whole

PHASE = "cross-examine"


@dataclass(frozen=True, slots=True)
class NeverChanging:
    """Judges who, asked pairs again, never changed an answer, and were not cleared by enough new pairs."""

    suspects: frozenset[str] = frozenset()  # their repeats do not count
    consistent: frozenset[str] = frozenset()  # right about all the pairs there are: they count, and are named


@dataclass(slots=True)
class CrossExamination:
    """All that a log says about repeats, gathered once for all its attempts."""

    record: Record
    answers: Answers
    trust: bool  # are all repeats believed?
    never: dict[str, int] = field(init=False)  # judges who never changed an answer -> repeats
    repeats: frozenset[int] = field(init=False)  # questions about a pair that their judge had been asked before
    _asked: dict[int, list[Asked]] = field(init=False)  # attempt -> questions of its cross-examination

    def __post_init__(self) -> None:
        self.never = {} if self.trust else self.answers.never_changing()
        self.repeats = repeats_of(self.record) if self.never else frozenset()
        self._asked = defaultdict(list)
        for q in self.record.questions.values():
            if q.terms.get("phase") == PHASE and is_whole(q.terms.get("attempt")):
                self._asked[q.terms["attempt"]].append(q)

    def examined(self, count: Recount) -> NeverChanging:
        """What the answers show about judges who never changed one, held against a list."""
        attempt = count.attempt
        new = Counter(
            q.judge for q in self._of(attempt)
            if "link" not in q.terms and _counts(q, count) and q.id not in self.repeats
        )  # fmt: skip
        needed = pairs_needed(len(attempt.order) - 1, self.record.error)
        enough = {judge for judge in self.never if new[judge] >= needed and not self._contradicts(judge, attempt)}
        few = self.never.keys() - enough
        whole = {judge for judge in few if new[judge] < needed and self._knows_all(judge, attempt)}
        return NeverChanging(frozenset(few - whole), frozenset(whole))

    def _of(self, attempt: Attempt) -> list[Asked]:
        return [q for q in self._asked.get(attempt.number, ()) if q.seq > attempt.began]

    def _contradicts(self, judge: str, attempt: Attempt) -> bool:
        pairs = self._within(judge, attempt).items()
        return any(upper(pair, attempt.place) != winners[0] for pair, winners in pairs if attempt.decides(pair))

    def _within(self, judge: str, attempt: Attempt) -> dict[Pair, list[str]]:
        """A judge's answers about the items of a list: others may have joined since."""
        pairs = self.answers.pairs_of(judge)
        return {pair: winners for pair, winners in pairs.items() if pair <= attempt.place.keys()}

    def _knows_all(self, judge: str, attempt: Attempt) -> bool:
        """Did the judge answer all pairs there are, in line with the list?

        (Of a set, opinions could not contradict each other.)
        """
        items = len(attempt.order)
        every = items * (items - 1) // 2
        if attempt.top is not None or len(self.answers.pairs_of(judge)) < every:
            return False
        return len(self._within(judge, attempt)) == every and not self._contradicts(judge, attempt)

    def is_awaited(self, attempt: Attempt) -> bool:
        """Is a question of it still out? Whoever could leave it out would choose what counts."""
        return any(q.open for q in self._of(attempt))

    def cross_votes(self, count: Recount) -> tuple[list[Asked], str]:
        """The votes on links that it added, and what is wrong with its questions (or nothing).

        To be called once per attempt: a question may fix the prior of its judge, answered or not.
        """
        attempt, votes = count.attempt, list[Asked]()
        for q in self._of(attempt):
            if "link" in q.terms:
                fault = link_fault(attempt, q) or terms_fault(attempt, q)
                if fault:
                    return votes, f"question {q.id}: {fault}"
                votes += [q] if _counts(q, count) else []
        return votes, ""

    def weak_links(self, count: Recount, suspects: Collection[str], crossed: Sequence[Asked]) -> frozenset[int]:
        """The links that would not be proven without the repeats of suspects."""
        if not suspects:
            return frozenset()
        attempt = count.attempt
        counted = counted_votes(attempt)  # under steady a ranker may notice later that it is done
        evidence = [
            evidence_of(attempt, (v for v in [*votes, *crossed] if self._stands(v, suspects)))
            for votes in ((count.votes, counted) if len(count.votes) < len(counted) else (counted,))
        ]
        return frozenset(k for k, both in enumerate(zip(*evidence, strict=True)) if max(both) < attempt.needed)

    def _stands(self, vote: Asked, suspects: Collection[str]) -> bool:
        return vote.judge not in suspects or vote.id not in self.repeats


def _counts(question: Asked, count: Recount) -> bool:
    """Is it a vote that came when the proof was complete? Until then there is nothing to cross-examine."""
    came = question.winner is not None and question.told is not None and question.told > count.done
    return came and count.complete


@cache
def pairs_needed(links: int, error: float) -> int:
    """How many new pairs a judge must answer in line with a list that rests on it alone.

    A judge who always errs on the same share ε of pairs got the list right with probability (1-ε)^links and
    answers n new pairs right with (1-ε)^n: the least n for which (1-ε)^n (1 - (1-ε)^links) ≤ error, whatever ε.

    >>> pairs_needed(9, 0.25), pairs_needed(9, 0.1)
    (9, 29)
    """
    most = 1
    while _slips_through(most, links) > error:
        most *= 2
    least = 0
    while least < most:
        middle = (least + most) // 2
        if _slips_through(middle, links) <= error:
            most = middle
        else:
            least = middle + 1
    return most


def _slips_through(n: int, links: int) -> float:
    """max over x from 0 to 1 of x^n (1 - x^links); it lies where x^links = n / (n + links)."""
    if not links:
        return 0.0
    share = n / (n + links)
    return math.exp(n / links * math.log(share)) * (1 - share) if n else 1.0


def repeats_of(record: Record) -> frozenset[int]:
    """Questions about a pair that their judge had been asked before."""
    asked: set[tuple[str, frozenset[str]]] = set()
    found = set()
    for question in record.questions.values():
        key = (question.judge, question.pair)
        if key in asked:
            found.add(question.id)
        asked.add(key)
    return frozenset(found)
