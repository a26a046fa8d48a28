"""What each part of a certified ranking still takes, read from the machine: insertion, repair, links.

A link's evidence is a random walk that drifts upwards: to climb by d it takes d/drift questions on average, with
variance d·σ²/drift³. The search has no such law; its costs were fitted to simulated runs.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from juryrank.core.levels import level_of
from juryrank.defaults import NEXT_QUESTIONS
from juryrank.rankers.certified.core import phases
from juryrank.rankers.certified.core import state as st
from juryrank.rankers.certified.core.judge_accuracy import ALLOWED, BITS, BLANKS, HARD_PAIRS, MEAN, VOTES, WEIGHT
from juryrank.rankers.certified.core.judge_choice import may_ask
from juryrank.rankers.certified.core.pair_answers import NONE, accuracy_here, chance_of, log_odds
from juryrank.rankers.certified.core.phases import ELIMINATION
from juryrank.rankers.certified.core.prove.attempt import SURE_LIST, in_fixed_order, must_begin
from juryrank.rankers.certified.core.prove.count import steady_evidence
from juryrank.rankers.certified.core.prove.evidence import ACCURACY_GRID, BET_MOST
from juryrank.rankers.certified.core.search.repair import believed_at
from juryrank.rankers.certified.core.state import pair_at
from juryrank.rankers.certified.outlook import HIGH, LOW, MIDDLE, Costs, Floats, Outlook, Step

if TYPE_CHECKING:
    from juryrank.rankers.certified.state import CertifiedState

MOST_STEPS = 120  # links looked at one by one; the others are taken to be like these
ACCURACY_LEAST = 0.53  # judges nearer to chance than this would never get there, and are not asked for long
UNLIKELY = 0.005  # accuracies less likely than this are left out
# Fitted on simulated worlds, none of them of the benchmark that says how often the intervals hold
INSERT_WASTE = 1.3  # questions for a bit of insertion, as a multiple of what the leader's answers can carry
PLACED_DOUBT = 0.06  # doubt that each item brings into the repair
REPAIR_WORK = 2.0  # growth of a link's log odds, for the doubt to fall by a factor e
PROOF_WASTE = 1.05  # bets are not the best ones, and the leader is a little worse than it looks
STEADY_WASTE = 1.0  # log evidence that steady loses on the way by not knowing its judges
SPREAD = {
    phases.INSERT: 0.7,
    phases.REPAIR: 1.0,
    phases.PROVE: 0.3,
}  # what the model leaves out, as a share of the mean
OVERSURE = 0.65  # log odds are taken for this much of what they say
AGAIN = 1.3  # another attempt: its proof, as much again for the repair before it, and others that fail
FAILS = 0.15  # chance that a list not yet fixed will have to be given up


@dataclass(frozen=True, slots=True)
class JudgingCost:
    """How good the next answers may be: accuracies with their weights, and the share of questions answered."""

    accuracy: Floats
    weights: Floats
    answered: float
    steady: bool
    hard: float  # share of the pairs that are harder than most

    @property
    def nothing(self) -> Costs:
        return Costs(np.zeros(len(self.weights)), np.zeros(len(self.weights)))

    def at(self, hardness: float) -> Floats:
        """Accuracies about a pair where logits shrink by this factor."""
        logits = hardness * np.log(self.accuracy / (1 - self.accuracy))
        shrunk: Floats = np.maximum(1 / (1 + np.exp(-logits)), ACCURACY_LEAST)
        return shrunk

    def proof(self, evidence: float, hardness: float = 1.0) -> Costs:
        """Questions until a link's evidence has grown by exp(evidence)."""
        p = self.at(hardness)
        up, down = self._steps(p)
        drift = p * up + (1 - p) * down
        distance = evidence + up / 2 + (STEADY_WASTE if self.steady else 0.0)
        mean = (PROOF_WASTE + 2 * self.hard) * np.maximum(distance, 0.0) / drift
        variance = mean * (p * (1 - p) * (up - down) ** 2 / drift**2 + 1 - self.answered)
        return Costs(np.maximum(mean, 1.0) / self.answered, (variance + 0.1) / self.answered**2)

    def conviction(self, doubts: float, hardness: float = 1.0) -> Floats:
        """Questions until the odds of a pair have grown by exp(doubts)."""
        p = self.at(hardness)
        asked: Floats = max(doubts, 0.0) / ((2 * p - 1) * np.log(p / (1 - p))) / self.answered
        return asked

    def _steps(self, p: Floats) -> tuple[Floats, Floats]:
        """What an answer that agrees, and one that does not, adds to the log of the evidence."""
        if self.steady:
            weight = np.log(p / (1 - p))
            return weight, -weight
        bet = np.minimum(2 * p - 1, BET_MOST)
        return np.log1p(bet), np.log1p(-bet)


@dataclass(frozen=True, slots=True)
class Part:
    """One link: what it takes, how much of that comes before any link is claimed, and whether it can be proven."""

    costs: Costs
    before: Floats
    holds: float


def outlook(s: st.State) -> Outlook:
    """What the machine has before it."""
    c = s.cursor
    judging = _judging(s)
    if c.phase == phases.CERTIFIED or c.items < 2:
        return Outlook(judging.weights, None, (), judging.nothing, 1.0, judging.nothing)
    if c.objective == ELIMINATION:
        return _eliminating(s, judging)
    links, proving = int(c.items) - 1, bool(c.phase == phases.PROVE)
    attempt = int(c.attempt) + (not proving)
    again = judging.proof(_needed(s, attempt + 1)).times(AGAIN * links)
    spread = SPREAD[int(c.phase)] + (judging.hard if proving else 0.0)
    search = None if proving else _search(s, judging)
    start, holds = search or judging.nothing, 1.0 if proving else 1 - FAILS
    ahead = s.proof.link[c.claimed : links, st.FIXED].tolist() if proving else list(range(links))
    seen = ahead[:MOST_STEPS]
    parts = [_link(s, k, judging) for k in seen] if proving else [_fresh(s, judging, attempt)] * len(seen)
    times = len(ahead) / len(parts)
    before = times * np.sum([part.before for part in parts], axis=0)
    done = start + Costs(before, np.zeros(len(before)))
    steps = []
    for k, part in zip(ahead, parts, strict=False):
        done, holds = done + Costs(part.costs.mean - part.before, part.costs.variance), holds * part.holds
        steps.append(Step(k, float(judging.weights @ part.costs.mean), done.spread(spread), holds))
    whole = start + sum((part.costs for part in parts), judging.nothing).times(times)
    reachable = c.repeats == st.UNLIMITED or holds > 0.5
    proof = whole.spread(spread) if reachable else None
    return Outlook(judging.weights, search and search.spread(spread), tuple(steps), proof, holds, again)


def _eliminating(s: st.State, judging: JudgingCost) -> Outlook:
    """Items still to be eliminated: each takes what is left of its evidence, in no particular order."""
    c, p = s.cursor, s.proof
    threshold = float(c.threshold)
    ahead = [x for x in range(c.items) if not p.link[x, st.IS_PROVEN] and x != s.order[0]]
    seen = [judging.proof(max(threshold - float(p.worth[x, st.NOW]), 0.0)) for x in ahead[:MOST_STEPS]]
    whole = sum(seen, judging.nothing).times(len(ahead) / max(len(seen), 1))
    spread = SPREAD[phases.PROVE]
    steps = tuple(
        Step(x, float(judging.weights @ costs.mean), whole.spread(spread), 1.0)
        for x, costs in zip(ahead, seen, strict=False)
    )
    return Outlook(judging.weights, None, steps, whole.spread(spread), 1.0, judging.nothing)


def _needed(s: st.State, attempt: int) -> float:
    return -math.log(level_of(float(s.cursor.error), attempt))


def _judging(s: st.State) -> JudgingCost:
    """The leader's accuracy: its posterior in the proof, its mean before; with limited repeats, anybody's."""
    jury, u = s.jury, int(s.cursor.leader)
    votes, blanks = (int(jury.tally[:, column].sum()) for column in (VOTES, BLANKS))
    answered = (votes + 1) / (votes + blanks + 1)
    steady, hard = bool(s.cursor.assume == st.STEADY), float(jury.pool[HARD_PAIRS])
    if s.cursor.repeats != st.UNLIMITED:
        allowed = jury.tally[:, ALLOWED] > 0
        weights = jury.posterior[allowed].mean(axis=0) if allowed.any() else jury.posterior[u]
    elif s.cursor.phase == phases.PROVE:
        weights = jury.posterior[u]
    else:
        return JudgingCost(jury.real[u : u + 1, MEAN].copy(), np.ones(1), answered, steady, hard)
    kept = weights > UNLIKELY
    grid = np.array(ACCURACY_GRID)[kept]
    return JudgingCost(grid, weights[kept] / weights[kept].sum(), answered, steady, hard)


def _search(s: st.State, judging: JudgingCost) -> Costs:
    """Until the list is fixed: bits of insertion, then repair, which a short budget skips."""
    c = s.cursor
    inserting = c.phase == phases.INSERT
    doubt = PLACED_DOUBT * c.items if inserting else float(s.doubt.total[1])
    work = REPAIR_WORK * (1 + 3 * judging.hard) * math.log(max(doubt / believed_at(s), 1.1))
    mean = c.items * judging.conviction(0.0 if must_begin(s) else work)
    if inserting:
        known = max(float(s.jury.real[c.leader, BITS]), 1e-3)
        mean = mean + INSERT_WASTE * s.cursor.bits_left / known / judging.answered
    return Costs(np.maximum(mean, 1.0), np.zeros(len(mean)))


def _fresh(s: st.State, judging: JudgingCost, attempt: int) -> Part:
    """A link of a list that is not fixed yet."""
    costs = judging.proof(_needed(s, attempt))
    limited = s.cursor.repeats != st.UNLIMITED or must_begin(s)
    before = judging.conviction(0.0 if limited else math.log(believed_at(s) / SURE_LIST))
    everybody = int(np.count_nonzero(s.jury.tally[:, ALLOWED]))
    return Part(costs, np.minimum(before, costs.mean), _enough(s, everybody, judging, costs))


def _link(s: st.State, k: int, judging: JudgingCost) -> Part:
    """Link k of the running attempt."""
    p, (above, below) = s.proof, pair_at(s, k)
    if p.link[k, st.IS_PROVEN]:
        return Part(judging.nothing, judging.nothing.mean, 1.0)
    begun = judging.steady and p.link[k, st.LINK_HEAD] != NONE
    now = steady_evidence(s, k) if begun else float(p.worth[k, st.NOW])
    logit = float(s.jury.real[s.cursor.leader, WEIGHT])
    here = min(max(accuracy_here(s.tallies, s.jury, above, below, logit), 0.501), 0.9999)
    hardness = math.log(here / (1 - here)) / logit
    costs = judging.proof(float(s.cursor.threshold) - now, hardness)
    odds = log_odds(s.tallies, s.jury, above, below)
    doubts = 0.0 if in_fixed_order(s) else math.log((s.cursor.items - 1) / SURE_LIST) - odds
    before = np.minimum(judging.conviction(doubts, hardness), costs.mean)
    judges = sum(may_ask(s, u, above, below) for u in range(len(s.jury.tally)))
    right = chance_of(OVERSURE * (1 - judging.hard) * odds)
    return Part(costs, before, right * _enough(s, judges, judging, costs))


def _enough(s: st.State, judges: int, judging: JudgingCost, costs: Costs) -> float:
    """The chance that so many judges, each asked as often as allowed, are enough to prove a link."""
    repeats = int(s.cursor.repeats)
    return 1.0 if repeats == st.UNLIMITED else float(judging.weights @ costs.within(judges * repeats + 0.5))


# ----------------------------------------------------------------------------
# What more questions would settle: the outlook of a certified ranking as plain values for results. No promise
#
# "forecast":   {"questions": 100, "links": 4, "low": 2, "high": 6, "likely": [{"better", "worse", "chance"}],
#                "fixed": None or a span, "whole": None or a span}    a span: {"questions", "low", "high"}
#               ("at_once": all links are settled by the same answer, or none is)
# "open_pairs": [{"first", "second", "first_preferred", "answers", "questions_needed", "note"}, ...]
LIKELY = 0.05  # links are named from this chance on
NAMED = 5  # ... and at most this many
WAITS = "proven, waits for those above"


def forecast_of(state: CertifiedState, ahead: Outlook, questions: int = NEXT_QUESTIONS) -> dict[str, Any]:
    """What `questions` more questions would settle, and how many the whole certificate takes."""
    if not ahead.steps:
        return {}
    if state.views.cursor.objective == ELIMINATION:
        return _until_best(state, ahead, questions)
    chances = ahead.chances(questions)
    links, low, high = (sum(chance >= share for _, chance in chances) for share in (MIDDLE, HIGH, LOW))
    fixed, whole = ahead.fixed(), ahead.whole()
    return {
        "questions": questions,
        "links": links,
        "low": low,
        "high": high,
        "likely": [] if fixed else _likely(state, chances),
        "fixed": asdict(fixed) if fixed else None,
        "whole": asdict(whole) if whole else None,
    }


def _until_best(state: CertifiedState, ahead: Outlook, questions: int) -> dict[str, Any]:
    """No link is settled before the last item is eliminated, and then all are: what counts is when that is."""
    whole, every = ahead.whole(), len(state.items) - 1
    by_then = {} if whole is None else {"links": whole.questions, "low": whole.high, "high": whole.low}
    return {
        "questions": questions,
        **{name: every if by_then.get(name, math.inf) <= questions else 0 for name in ("links", "low", "high")},
        "likely": [],
        "fixed": None,
        "whole": asdict(whole) if whole else None,
        "at_once": True,
    }


def _likely(state: CertifiedState, chances: list[tuple[int, float]]) -> list[dict[str, Any]]:
    likely = [(pair_at(state.machine, k), chance) for k, chance in chances[:NAMED] if chance >= LIKELY]
    return [
        {"better": state.items[better], "worse": state.items[worse], "chance": round(chance, 3)}
        for (better, worse), chance in likely
    ]


def open_links(state: CertifiedState, ahead: Outlook) -> list[dict[str, Any]]:
    """The links of a fixed list that are not claimed yet, in the order in which they will be."""
    s = state.machine
    if s.cursor.phase != phases.PROVE:
        return []
    found = []
    for step in ahead.steps:
        better, worse = pair_at(s, step.link)
        won, lost = (int(s.proof.link[step.link, column]) for column in (st.WINS, st.LOSSES))
        proven = bool(s.proof.link[step.link, st.IS_PROVEN])
        found.append(
            {
                "first": state.items[better],
                "second": state.items[worse],
                "first_preferred": won,
                "answers": won + lost,
                "questions_needed": None if proven else max(1, round(step.alone)),
                "note": WAITS if proven else "",
            }
        )
    return found
