"""Cross-examination: a proof must not rest on a judge who merely repeats itself.

Asked again and again, a perfect judge and one who remembers say the same, and if the second one is wrong about a
link, its repeats "prove" the mistake. A judge who ever changed an answer is cleared. Those who never did
are *suspects*. When the proof is complete, every link is counted once more without the repeats of suspects; if
some fall short, the suspects are examined:

    1. Where a suspect contradicts the list, it is asked that pair again. A judge who answers afresh
       soon answers differently, and is cleared; one who has said it STUBBORN times more is convicted.
    2. Else it is asked pairs that are new to it. A judge who is right about enough of them (`probes_needed`), or
       about all that there are, is cleared: the list of a judge with such a record is right, memory or not.
    3. Links that rest on the convicted are asked of others: judges who were not asked the pair yet, or whose
       repeats count. Only what stands without the repeats of suspects is certified, and claimed.

All this only ever asks for more than the proof (`core/prove/evidence.py`) needs, so the promise is untouched. The
claims of an attempt that is not complete, or was left, are held to the same: nobody was examined there, so only
what stands without the repeats of judges who never changed an answer is claimed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from juryrank.core.levels import MARGIN, elimination_level, level_of
from juryrank.core.watches import never_changing, probes_needed
from juryrank.rankers.certified.core import phases
from juryrank.rankers.certified.core import state as st
from juryrank.rankers.certified.core.pair_answers import times_asked
from juryrank.rankers.certified.core.phases import ELIMINATION
from juryrank.rankers.certified.core.prove.evidence import log_bet
from juryrank.rankers.certified.core.state import decided, link_of, pair_at
from juryrank.rankers.certified.cross_questions import (
    NOT_BEST,
    PHASE,
    EvidenceWithoutRepeats,
    next_question,
)
from juryrank.rankers.contract.limits import Draft
from juryrank.types import Judge, Question

if TYPE_CHECKING:
    from juryrank.rankers.certified.state import CertifiedState

__all__ = ["PHASE", "CrossExamination", "Suspect"]

STUBBORN = 7  # times: a fresh look at a mistake is right at least half of the time, so 1 in 128 stays so stubborn

Pair = tuple[int, int]


@dataclass(slots=True)
class Suspect:
    """A judge who never changed an answer, held against the list of the running attempt."""

    pairs: int = 0  # how many were ever answered
    against: dict[Pair, int] = field(default_factory=dict)  # pairs answered against the list -> times said again

    @property
    def convicted(self) -> bool:
        return sum(self.against.values()) >= STUBBORN


@dataclass(slots=True)
class ListedEvidence:
    """What the links of one list rest on: who said what, first and again, and what was known of them before."""

    evidence: EvidenceWithoutRepeats = field(default_factory=EvidenceWithoutRepeats)
    order: list[int] = field(default_factory=list)
    priors: dict[int, list[float]] = field(default_factory=dict)  # steady: by judge
    probes: Counter[int] = field(default_factory=Counter)  # judge -> new pairs answered in line with the list

    def worth(self, links: list[Pair], *, without: frozenset[int], steady: bool) -> dict[Pair, float]:
        """log E of some links, the repeats of some judges left out."""
        if steady:
            return self.evidence.by_likelihood(links, self.priors, without=without)
        return {link: self.evidence.by_bets(link, without=without) for link in links}

    def state(self) -> list[Any]:
        """JSON values, for snapshots."""
        return [*self.evidence.state(), self.order, sorted(self.priors.items()), sorted(self.probes.items())]

    @classmethod
    def load(cls, saved: Sequence[Any]) -> ListedEvidence:
        priors = {judge: list(prior) for judge, prior in saved[3]}
        return cls(EvidenceWithoutRepeats.load(saved[:2]), list(saved[2]), priors, Counter(dict(saved[4])))


def _decides(first: int, other: int, top: int | None) -> bool:
    """Does a list say which of two places is better? A set says it of those on different sides."""
    high, low = sorted((first, other))
    return top is None or high < top <= low or low == top - 1


class CrossExamination:
    """Which links rest on repeats that may be memory, and what is asked about that."""

    def __init__(self, state: CertifiedState) -> None:
        self.state = state
        self._running = ListedEvidence()
        self._again: set[int] = set()  # open questions whose judge had been asked the pair before
        self._past: dict[int, ListedEvidence] = {}  # of attempts that were left, and claim something
        self._unsupported: dict[int, tuple[Any, frozenset[Pair]]] = {}  # by attempt, as last looked up
        self._records: dict[int, Suspect] = {}  # of the running attempt, once its proof is complete
        self._weak: tuple[Any, dict[int, float]] = (None, {})
        self.spent = 0  # questions

    # ------------------------------------------------------------------ what counts
    def asked(self, question: int, judge: int, x: int, y: int) -> None:
        """A question of a proof, or of a cross-examination, is about to be out."""
        self.spent += int(self._complete)
        if times_asked(self.state.views.tallies, x, y, judge):
            self._again.add(question)

    def counted(self, question: Question, judge: int, pair: Pair, agrees: bool, bet: float) -> None:
        """An answer of the running attempt counts; `pair`: as the list has it."""
        again = question.id in self._again
        self._again.discard(question.id)
        if self._complete:
            self._note(judge, pair, agrees, again)
        if self._eliminates:
            self._prove(judge, (pair[0], pair[0]), agrees, log_bet(bet, not agrees), again)
        elif "link" in question.terms:
            self._prove(judge, pair, agrees, log_bet(bet, agrees), again)
        elif agrees and not again:
            self._running.probes[judge] += 1

    def _prove(self, judge: int, link: Pair, agrees: bool, gain: float, again: bool) -> None:
        attempt = 0 if self._eliminates else int(self.state.views.cursor.attempt)  # which has no attempts
        if attempt != self._running.evidence.attempt:
            self._begin(attempt)
        s = self.state.machine
        if self.state.assume == "steady" and judge not in self._running.priors:
            self._running.priors[judge] = s.proof.prior[judge].tolist()
        self._running.evidence.count(attempt, link, judge=judge, agrees=agrees, gain=gain, again=again)
        if self._complete:
            self._weigh_again(self._place(link))

    def _begin(self, attempt: int) -> None:
        """The first answer of another attempt; what the one before it claims is kept with what it rests on."""
        s, left = self.state.machine, self._running
        if left.evidence.attempt in s.proof.claims[: s.cursor.claims, 2]:
            self._past[left.evidence.attempt] = left
        self._running = ListedEvidence(order=s.order[: len(self.state.items)].tolist())
        self._running.evidence.attempt = attempt
        self._records.clear()

    @property
    def _eliminates(self) -> bool:
        return bool(self.state.views.cursor.objective == ELIMINATION)

    def _place(self, link: Pair) -> int:
        return link[0] if self._eliminates else int(link_of(self.state.views, *link))

    def closed(self, question: int) -> None:
        """A question will have no answer that counts."""
        self._again.discard(question)

    @property
    def _complete(self) -> bool:
        return bool(self.state.views.cursor.phase == phases.CERTIFIED)

    # ------------------------------------------------------------------ who is suspect
    @property
    def suspects(self) -> list[int]:
        """Judges whose repeats do not count, those with most of them first."""
        state = self.state
        if state.trust_repeats or not self._complete:
            return []
        never = [state.roster.judge(judge) for judge in never_changing(state.tallies)]
        return [u for u in never if not self._cleared(u)]

    @property
    def names(self) -> list[Judge]:
        """The suspects by name."""
        return [self.state.judge_names[u] for u in self.suspects]

    def _cleared(self, u: int) -> bool:
        """Do the judge's repeats count?"""
        if self._eliminates or self.record_of(u).against:
            return False  # an elimination has no list to hold a judge's record against
        return self._has_proven_itself(u) or self._knows_all(u)

    def _has_proven_itself(self, u: int) -> bool:
        """Is the record on new pairs so good that it makes no difference whether the judge remembers?"""
        return self._running.probes[u] >= probes_needed(len(self.state.items) - 1, self.state.error)

    def _knows_all(self, u: int) -> bool:
        """Is the judge right about all pairs there are? It may be perfect, or remember: the statement says so.

        (Of a set a judge's fixed opinions cannot contradict each other.)
        """
        n = len(self.state.items)
        return self.state.aim.k is None and self.record_of(u).pairs == n * (n - 1) // 2

    def record_of(self, u: int) -> Suspect:
        if not self._records:
            self._look_back()
        return self._records.setdefault(u, Suspect())

    def _look_back(self) -> None:
        """Hold everything that suspects ever said against the list."""
        state = self.state
        place = state.machine.place
        for (judge, (x, y)), answers in state.tallies.pairs.items():
            if not state.tallies.again.get(judge, (0, 0))[1]:
                record = self._records.setdefault(state.roster.judge(judge), Suspect())
                record.pairs += 1
                better, worse = state.roster.item(x), state.roster.item(y)
                if place[better] > place[worse] and decided(state.machine, better, worse):
                    record.against[worse, better] = sum(answers.same)

    def _note(self, judge: int, pair: Pair, agrees: bool, again: bool) -> None:
        """One more answer for a judge's record (a judge who changes one is no suspect any more)."""
        if not self._records:
            return  # everything is looked up when it is needed
        record = self.record_of(judge)
        record.pairs += not again
        if not agrees:
            record.against[pair] = record.against.get(pair, -1) + 1

    # ------------------------------------------------------------------ what is weak
    @property
    def weak(self) -> dict[int, float]:
        """Links that would not be proven without suspicious repeats, surest first, and their log E without."""
        suspects = frozenset(self.suspects)
        if not suspects:
            return {}
        key = (self._running.evidence.attempt, suspects)
        if self._weak[0] != key:
            self._weak = (key, self._short_of(suspects))
        return self._weak[1]

    def _short_of(self, suspects: frozenset[int]) -> dict[int, float]:
        s = self.state.machine
        if self._eliminates:
            places = np.flatnonzero(s.proof.link[: len(self.state.items), st.IS_PROVEN]).tolist()
        else:
            places = s.proof.link[: len(self.state.items) - 1, st.FIXED].tolist()
        evidence = self._evidence(places, suspects)
        return {k: evidence[k] for k in places if evidence[k] < s.cursor.threshold + MARGIN}

    def _evidence(self, places: Iterable[int], suspects: frozenset[int]) -> dict[int, float]:
        s = self.state.machine
        links = {k: (k, k) if self._eliminates else pair_at(s, k) for k in places}
        if self.state.assume == "steady":
            priors = {u: s.proof.prior[u] for u in range(len(self.state.judge_names))}
            found = self._running.evidence.by_likelihood(links.values(), priors, without=suspects)
            return {k: found[link] for k, link in links.items()}
        return {k: self._running.evidence.by_bets(link, without=suspects) for k, link in links.items()}

    def _weigh_again(self, place: int) -> None:
        """After an answer about one link: under steady all links change, else only that one."""
        key, weak = self._weak
        if self.state.assume == "steady":
            self._weak = (None, {})
        elif place in weak:
            weak[place] = self._evidence([place], key[1])[place]
            if weak[place] >= self.state.machine.cursor.threshold + MARGIN:
                del weak[place]

    # ------------------------------------------------------------------ claims of attempts that are not complete
    def unsupported(self, attempt: int, claimed: Iterable[Pair]) -> frozenset[Pair]:
        """An attempt's claims that rest on repeats which may be memory. (An item twice: it is tested.)"""
        held = self._held(attempt)
        if held is None or not self._never():
            return frozenset()
        return self._short(held, claimed, frozenset(u for u in self._never() if not self._cleared_by(held, u)))

    def resting_on(self, attempt: int, claimed: Iterable[Pair]) -> list[Judge]:
        """Judges on whose repeats these claims rest, and who are believed as they were right about all pairs."""
        held = self._held(attempt)
        if held is None or self._eliminates:
            return []
        few = [u for u in self._never() if self._cleared_by(held, u) and not self._enough(held, u)]
        others = frozenset(self._never()) - {u for u in self._never() if self._enough(held, u)}
        return [self.state.judge_names[u] for u in few] if few and self._short(held, claimed, others) else []

    def _held(self, attempt: int) -> ListedEvidence | None:
        return self._running if self._running.evidence.attempt == attempt else self._past.get(attempt)

    def _never(self) -> list[int]:
        state = self.state
        return [] if state.trust_repeats else [state.roster.judge(name) for name in never_changing(state.tallies)]

    def _short(self, held: ListedEvidence, claimed: Iterable[Pair], suspects: frozenset[int]) -> frozenset[Pair]:
        attempt, links = held.evidence.attempt, list(claimed)
        key = (held.evidence.answers, suspects, len(links))
        if attempt not in self._unsupported or self._unsupported[attempt][0] != key:
            level = level_of(self.state.error, attempt) if attempt else self._elimination_level
            needed = MARGIN - math.log(level)
            worth = held.worth(links, without=suspects, steady=self.state.assume == "steady")
            self._unsupported[attempt] = key, frozenset(link for link in links if worth[link] < needed)
        return self._unsupported[attempt][1]

    @property
    def _elimination_level(self) -> float:
        c = self.state.machine.cursor
        return elimination_level(self.state.error, int(c.attempt), self.state.joining)

    def _enough(self, held: ListedEvidence, u: int) -> bool:
        """Did the judge answer enough new pairs, and none against the list?"""
        needed = probes_needed(len(held.order) - 1, self.state.error)
        return held.probes[u] >= needed and not self._said(held, u)[1]

    def _cleared_by(self, held: ListedEvidence, u: int) -> bool:
        """As `_cleared`, for any attempt."""
        if self._eliminates or self._enough(held, u):
            return not self._eliminates
        every = len(held.order) * (len(held.order) - 1) // 2
        if self.state.aim.k is not None or self.state.roster.asked[u] < every:
            return False
        return self._said(held, u) == (every, 0)

    def _said(self, held: ListedEvidence, u: int) -> tuple[int, int]:
        """About how many pairs of a list a judge said something, and about how many the opposite of the list."""
        state, place = self.state, {item: k for k, item in enumerate(held.order)}
        name, pairs, against = state.judge_names[u], 0, 0
        for judge, (x, y) in state.tallies.pairs:
            first, other = (place.get(state.roster.item(item)) for item in (x, y))
            if judge == name and first is not None and other is not None:
                pairs += 1
                against += first > other and _decides(first, other, state.aim.k and state.aim.top(len(place)))
        return pairs, against

    @property
    def goes_on(self) -> bool:
        """Does the complete proof rest on repeats that may be memory (or is an answer about that awaited)?"""
        return bool(self.weak) or (bool(self.suspects) and bool(self.out_now))

    @property
    def stuck(self) -> bool:
        """Will nobody be asked any more?"""
        return not self.state.open_questions and self.choose(None, anybody=True) is None

    @property
    def out_now(self) -> list[Question]:
        """The open questions of the cross-examination."""
        return [q for q in self.state.open_questions if q.terms.get("phase") in (PHASE, NOT_BEST)]

    def choose(self, judge: int | None, *, anybody: bool = False) -> Draft | None:
        """The next question (for this judge); `anybody`: paused judges too, to see whether there will be one."""
        return next_question(self, judge, anybody=anybody)

    # ------------------------------------------------------------------ snapshots
    def to_json(self) -> list[Any]:
        past = [held.state() for held in self._past.values()]
        return [self._running.state(), past, sorted(self._again), self.spent]

    def load(self, saved: Sequence[Any]) -> None:
        self._running = ListedEvidence.load(saved[0])
        self._past = {held.evidence.attempt: held for held in map(ListedEvidence.load, saved[1])}
        self._again = set(saved[2])
        self.spent = int(saved[3])
        self._records.clear()
        self._unsupported.clear()
        self._weak = (None, {})
