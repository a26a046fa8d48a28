"""What a cross-examination asks next: suspects first, then others about links that rest on the convicted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from juryrank.core import chance
from juryrank.rankers.certified.core import state as st
from juryrank.rankers.certified.core.eliminate import loss_bet
from juryrank.rankers.certified.core.judge_accuracy import ALLOWED, MEAN, VALUE
from juryrank.rankers.certified.core.pair_answers import times_asked
from juryrank.rankers.certified.core.phases import ELIMINATION
from juryrank.rankers.certified.core.prove.attempt import bet_on
from juryrank.rankers.certified.core.prove.evidence import BET_MOST, log_mixture, log_supremum, most_right
from juryrank.rankers.certified.core.state import decided, pair_at
from juryrank.rankers.certified.objective import prior_terms
from juryrank.rankers.contract.limits import Draft

if TYPE_CHECKING:
    from juryrank.rankers.certified.examination import CrossExamination, Pair

NOT_BEST = "best"  # in a question's terms: an item is tested for being the best
PHASE = "cross-examine"  # in a question's terms; with a link: its answer counts for that link
LEAST, SHARE = 100, 4.0  # at most so many questions, or so many times those of the ranking before, are spent on it
AS_GOOD = 0.5  # of the best judge's worth: whose first answers come before anybody's repeats
WORTH_ASKING = 0.6  # accuracy: who seems worse cannot help to prove a link in any useful time
PROBE_STREAM = 13  # of chance: which pairs are new
UNCHANGING = 60  # times: a fresh judge who errs on one answer in twenty changes one sooner, 95 times in 100
DRAWS = 64  # at random for a new pair, before looking through all of them


def next_question(cross: CrossExamination, judge: int | None, *, anybody: bool = False) -> Draft | None:
    """The next question (for this judge); `anybody`: paused judges too, to see whether there will be one."""
    state = cross.state
    s = state.machine
    if not cross.weak or cross.spent >= max(LEAST, SHARE * (state.questions - cross.spent)):
        return None
    judges = range(len(state.judge_names)) if judge is None else [judge]
    allowed = [u for u in judges if anybody or s.jury.tally[u, ALLOWED]]
    if s.cursor.objective == ELIMINATION:
        return _test_again(cross, [u for u in allowed if s.jury.real[u, MEAN] >= WORTH_ASKING])
    examined = _examine(cross, [u for u in cross.suspects if u in allowed])
    if examined is not None or any(_examinable(cross, u) for u in cross.suspects if u in allowed):
        return examined
    return _ask_others(cross, [u for u in allowed if s.jury.real[u, MEAN] >= WORTH_ASKING])


def _examine(cross: CrossExamination, suspects: Sequence[int]) -> Draft | None:
    """The next question to a suspect who is not convicted yet."""
    out = {cross.state.roster.judge(q.judge) for q in cross.out_now}
    for u in suspects:
        record = cross.record_of(u)
        if record.convicted or (u in out and record.against):
            continue
        pair = next(iter(record.against), None) if record.against else _new_pair(cross, u)
        if pair is not None:
            return _draft(cross, u, *pair)
    return None


def _examinable(cross: CrossExamination, u: int) -> bool:
    """Is a suspect still to be examined? Of a set there may be no pair left that it was not asked."""
    record = cross.record_of(u)
    if record.convicted:
        return False
    return cross.state.aim.k is None or bool(record.against) or _new_pair(cross, u) is not None


def _new_pair(cross: CrossExamination, u: int) -> Pair | None:
    """A pair that this judge was never asked, as the list has it."""
    state = cross.state
    s = state.machine
    order, tallies = s.order, s.tallies
    n = len(state.items)
    for turn in range(DRAWS):
        drawn = chance.uniform(state.seed, PROBE_STREAM, state.outstanding.next_id * DRAWS + turn)
        i, j = sorted(divmod(int(drawn * n * n), n))
        if i < j and decided(s, order[i], order[j]) and not times_asked(tallies, order[i], order[j], u):
            return int(order[i]), int(order[j])
    for i in range(n):  # few are left, if any
        for j in range(i + 1, n):
            if decided(s, order[i], order[j]) and not times_asked(tallies, order[i], order[j], u):
                return int(order[i]), int(order[j])
    return None


def _ask_others(cross: CrossExamination, able: list[int]) -> Draft | None:
    """Ask somebody else about a link that rests on the convicted."""
    s = cross.state.machine
    able.sort(key=lambda u: -float(s.jury.real[u, VALUE]))
    out = Counter(tuple(q.terms.get("link", ())) for q in cross.out_now)
    room = []
    for k, evidence in cross.weak.items():
        x, y = pair_at(s, k)
        open_here = out[cross.state.items[x], cross.state.items[y]]
        if evidence + open_here * math.log1p(BET_MOST) < s.cursor.threshold:
            room.append((x, y))
    good = [u for u in able if s.jury.real[u, VALUE] >= AS_GOOD * s.jury.real[able[0], VALUE]]
    suspects = set(cross.suspects)
    for judges, newly in ((good, True), (able, True), (able, False)):
        for x, y in room:
            for u in judges:
                if not times_asked(s.tallies, x, y, u) if newly else _may_repeat(cross, u, x, y, suspects):
                    return _draft(cross, u, x, y, link=True)
    return None


def _test_again(cross: CrossExamination, able: list[int]) -> Draft | None:
    """About an item ruled out by repeats of suspects only: ask a judge new to it, or one whose repeats count.

    Before the repeats of much worse judges a suspect is asked again: a fresh one soon changes an answer, and then
    all of its repeats count.
    """
    s, champion, suspects = cross.state.machine, int(cross.state.machine.order[0]), set(cross.suspects)
    able.sort(key=lambda u: -float(s.jury.real[u, VALUE]))
    room = [
        x
        for x, evidence in cross.weak.items()
        if evidence + int(s.proof.link[x, st.OPENED]) * math.log1p(BET_MOST) < s.cursor.threshold
    ]
    good = [u for u in able if s.jury.real[u, VALUE] >= AS_GOOD * s.jury.real[able[0], VALUE]]
    for judges, may in ((good, (_is_new, _may_repeat)), (able, (_is_new, _may_change)), (able, (_may_repeat,))):
        for x in room:
            for u in judges:
                if any(allowed(cross, u, x, champion, suspects) for allowed in may):
                    terms = {"phase": NOT_BEST, "item": cross.state.items[x]}
                    return Draft(
                        u, x, champion, (NOT_BEST, x), {**terms, "bet": float(loss_bet(s, u, x, champion))}
                    )
    return None


def _is_new(cross: CrossExamination, u: int, x: int, y: int, suspects: Container[int]) -> bool:
    return not times_asked(cross.state.machine.tallies, x, y, u)


def _may_change(cross: CrossExamination, u: int, x: int, y: int, suspects: Container[int]) -> bool:
    """Is it worth asking a suspect again, to see whether it answers anew?"""
    state = cross.state
    same, _ = state.tallies.again.get(state.judge_names[u], (0, 0))
    return u in suspects and state.repeats is None and same < UNCHANGING


def _may_repeat(cross: CrossExamination, u: int, x: int, y: int, suspects: Container[int]) -> bool:
    limit = cross.state.repeats
    return u not in suspects and (limit is None or times_asked(cross.state.machine.tallies, x, y, u) < limit)


def _draft(cross: CrossExamination, u: int, better: int, worse: int, *, link: bool = False) -> Draft:
    state = cross.state
    s = state.machine
    terms: dict[str, Any] = {"phase": PHASE, "attempt": int(s.cursor.attempt)}
    if link:
        terms["link"] = [state.items[better], state.items[worse]]
        if state.assume != "steady":
            terms["bet"] = float(bet_on(s, u, better, worse))
        elif not s.proof.judge[u, st.HAS_PRIOR]:
            terms |= prior_terms(s, u)
    return Draft(u, better, worse, None, terms)


# ----------------------------------------------------------------------------
# What the links of an attempt rest on: who said what, first and again; some judges' repeats can be left out
#
# The sums do not depend on the order of the answers.
Link = tuple[int, int]  # better, worse
FOR, AGAINST, GAIN = 0, 1, 2  # one judge's answers at one link, once for first answers and once for repeats


class EvidenceWithoutRepeats:
    """The answers of the running attempt, by link and judge.

    >>> repeat_evidence = EvidenceWithoutRepeats()
    >>> repeat_evidence.count(1, (0, 1), judge=7, agrees=True, gain=2.0, again=False)
    >>> repeat_evidence.count(1, (0, 1), judge=7, agrees=True, gain=2.0, again=True)
    >>> repeat_evidence.by_bets((0, 1)), repeat_evidence.by_bets((0, 1), without={7})
    (4.0, 2.0)
    """

    def __init__(self) -> None:
        self.attempt = 0
        self.answers = 0
        self._links: dict[Link, dict[int, list[list[float]]]] = {}  # link -> judge -> [first, again]

    def count(self, attempt: int, link: Link, *, judge: int, agrees: bool, gain: float, again: bool) -> None:
        """One more answer, which added `gain` to log E; those of an earlier attempt are forgotten with it."""
        if attempt != self.attempt:
            self.attempt, self.answers = attempt, 0
            self._links.clear()
        self.answers += 1
        kept = self._links.setdefault(link, {}).setdefault(judge, [[0, 0, 0.0], [0, 0, 0.0]])[again]
        kept[FOR if agrees else AGAINST] += 1
        kept[GAIN] += gain

    def by_bets(self, link: Link, *, without: Container[int] = ()) -> float:
        """log E under better-than-chance, the repeats of some judges left out."""
        judges = self._links.get(link, {}).items()
        return sum(first[GAIN] + (0.0 if judge in without else again[GAIN]) for judge, (first, again) in judges)

    def by_likelihood(
        self, links: Iterable[Link], priors: Mapping[int, Any], *, without: Container[int] = ()
    ) -> dict[Link, float]:
        """log E of all links under steady, the repeats of some judges left out."""
        tally: dict[int, dict[Link, tuple[int, int]]] = {}
        for judge, link, good, bad in self._tallies(without):
            tally.setdefault(judge, {})[link] = (good, bad)
        found = dict.fromkeys(links, 0.0)
        for judge, at in tally.items():
            answers = sum(good + bad for good, bad in at.values())
            larger = sum(max(both) for both in at.values())
            mixture = log_mixture(priors[judge], sum(good for good, _ in at.values()), answers)
            for link in found:
                good, bad = at.get(link, (0, 0))
                found[link] += mixture - log_supremum(most_right(larger, good - bad), answers)
        return found

    def _tallies(self, without: Container[int]) -> Iterator[tuple[int, Link, int, int]]:
        for link, judges in self._links.items():
            for judge, (first, again) in judges.items():
                good, bad = first[FOR], first[AGAINST]
                if judge not in without:
                    good, bad = good + again[FOR], bad + again[AGAINST]
                if good or bad:
                    yield judge, link, int(good), int(bad)

    def state(self) -> list[Any]:
        """JSON values, for snapshots."""
        rows = [[*link, judge, *both] for link, judges in self._links.items() for judge, both in judges.items()]
        return [self.attempt, rows]

    @classmethod
    def load(cls, state: Iterable[Any]) -> EvidenceWithoutRepeats:
        """The answers back from `state()`."""
        repeat_evidence = cls()
        repeat_evidence.attempt, rows = state
        repeat_evidence.answers = sum(
            int(sum(both[:GAIN])) for *_, first, again in rows for both in (first, again)
        )
        for better, worse, judge, first, again in rows:
            repeat_evidence._links.setdefault((better, worse), {})[judge] = [list(first), list(again)]
        return repeat_evidence
