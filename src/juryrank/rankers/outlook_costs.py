"""What each part of a certified ranking still takes, read from the machine: insertion, repair, links.

A link's evidence is a random walk that drifts upwards: to climb by d it takes d/drift questions on average, with
variance d·σ²/drift³. The search has no such law; its costs were fitted to simulated runs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from juryrank.core import state as st
from juryrank.core.accuracy import ALLOWED, BITS, BLANKS, MEAN, VOTES, WEIGHT
from juryrank.core.curiosity import may_ask
from juryrank.core.doubt import accuracy_here, chance_of, log_odds
from juryrank.core.evidence import ACCURACY_GRID, BET_MOST, level_of
from juryrank.core.proof import steady_evidence
from juryrank.core.repair import REPAIR_STOP
from juryrank.core.tallies import NONE
from juryrank.rankers.outlook import Costs, Floats, Outlook, Step

MOST_STEPS = 120  # links looked at one by one; the others are taken to be like these
ACCURACY_LEAST = 0.53  # judges nearer to chance than this would never get there, and are not asked for long
UNLIKELY = 0.005  # accuracies less likely than this are left out
# Fitted on simulated worlds other than those of the benchmark
INSERT_WASTE = 1.3  # questions for a bit of insertion, as a multiple of what the leader's answers can carry
PLACED_DOUBT = 0.06  # doubt that each item brings into the repair
REPAIR_WORK = 1.4  # evidence a link, for the doubt to fall by a factor e
SEARCH_SPREAD, PROOF_SPREAD = 0.5, 0.15  # standard deviations, as shares of the mean, beyond what is modelled
FAILS = 0.12  # chance that a list will have to be given up, before it is fixed


@dataclass(frozen=True, slots=True)
class Judging:
    """How good the next answers may be: accuracies with their weights, and the share of questions answered."""

    accuracy: Floats
    weights: Floats
    answered: float
    steady: bool

    def climb(self, distance: float, hardness: float = 1.0) -> Costs:
        """Questions until a link's evidence has grown by exp(distance); on hard pairs logits shrink."""
        p = 1 / (1 + np.exp(-hardness * np.log(self.accuracy / (1 - self.accuracy))))
        p = np.maximum(p, ACCURACY_LEAST)
        up, down = self._steps(p)
        drift = p * up + (1 - p) * down
        mean = np.maximum(distance + up / 2, 0.0) / drift
        variance = mean * (p * (1 - p) * (up - down) ** 2 / drift**2 + 1 - self.answered)
        return Costs(np.maximum(mean, 1.0) / self.answered, (variance + 0.1) / self.answered**2)

    def _steps(self, p: Floats) -> tuple[Floats, Floats]:
        """What an answer that agrees, and one that does not, adds to the log of the evidence."""
        if self.steady:
            weight = np.log(p / (1 - p))
            return weight, -weight
        bet = np.minimum(2 * p - 1, BET_MOST)
        return np.log1p(bet), np.log1p(-bet)


def outlook(s: st.State) -> Outlook:
    """What the machine has before it."""
    n = s.numbers
    judging = _judging(s)
    nothing = Costs(np.zeros(len(judging.weights)), np.zeros(len(judging.weights)))
    if n[st.PHASE] == st.CERTIFIED or n[st.ITEMS] < 2:
        return Outlook(judging.weights, None, (), None, 1.0, nothing)
    links, proving = int(n[st.ITEMS]) - 1, bool(n[st.PHASE] == st.PROVE)
    attempt = int(n[st.ATTEMPT]) + (not proving)
    fresh, again = (judging.climb(_needed(s, m)) for m in (attempt, attempt + 1))
    search = None if proving else _search(s, judging)
    ahead = s.proof.link[n[st.CLAIMED] : links, st.FIXED].tolist() if proving else list(range(links))
    done, holds, steps = search or nothing, 1.0 if proving else 1 - FAILS, []
    for k in ahead[:MOST_STEPS]:
        costs, right = _link(s, k, judging) if proving else (fresh, _enough(s, fresh, judging, k))
        done, holds = done + costs, holds * right
        steps.append(Step(k, done.spread(PROOF_SPREAD), holds))
    others = len(ahead) - len(steps)
    done = done + fresh.times(others * (1 - n[st.PROVEN] / links if proving else 1))
    reachable = n[st.REPEATS] == st.UNLIMITED or holds > 0.5
    whole = done.spread(PROOF_SPREAD) if reachable else None
    return Outlook(judging.weights, search, tuple(steps), whole, holds, again.times(links))


def _needed(s: st.State, attempt: int) -> float:
    return -math.log(level_of(float(s.reals[st.ERROR]), attempt))


def _judging(s: st.State) -> Judging:
    """The leader's accuracy: its posterior in the proof, its mean before; with limited repeats, anybody's."""
    jury, u = s.jury, int(s.numbers[st.LEADER])
    votes, blanks = (int(jury.tally[:, column].sum()) for column in (VOTES, BLANKS))
    steady, answered = bool(s.numbers[st.ASSUME] == st.STEADY), (votes + 1) / (votes + blanks + 1)
    if s.numbers[st.REPEATS] != st.UNLIMITED:
        allowed = jury.tally[:, ALLOWED] > 0
        weights = jury.posterior[allowed].mean(axis=0) if allowed.any() else jury.posterior[u]
    elif s.numbers[st.PHASE] == st.PROVE:
        weights = jury.posterior[u]
    else:
        return Judging(jury.real[u : u + 1, MEAN].copy(), np.ones(1), answered, steady)
    kept = weights > UNLIKELY
    return Judging(ACCURACY_GRID[kept], weights[kept] / weights[kept].sum(), answered, steady)


def _search(s: st.State, judging: Judging) -> Costs:
    """Until the list is fixed: bits of insertion, then repair until the doubt is small."""
    n = s.numbers
    inserting = n[st.PHASE] == st.INSERT
    doubt = PLACED_DOUBT * n[st.ITEMS] if inserting else float(s.doubt.total[1])
    u = n[st.LEADER]
    p = np.maximum(judging.accuracy, ACCURACY_LEAST)
    repair = REPAIR_WORK * n[st.ITEMS] * math.log(max(doubt / REPAIR_STOP, 1.1))
    mean = repair / ((2 * p - 1) * np.log(p / (1 - p)))
    if inserting:
        mean = mean + INSERT_WASTE * s.reals[st.BITS_LEFT] / max(float(s.jury.real[u, BITS]), 1e-3)
    mean = np.maximum(mean / judging.answered, 1.0)
    return Costs(mean, (SEARCH_SPREAD * mean) ** 2)


def _link(s: st.State, k: int, judging: Judging) -> tuple[Costs, float]:
    """What link k still takes in this attempt, and the chance that it can be proven."""
    p, above, below = s.proof, int(s.order[k]), int(s.order[k + 1])
    if p.link[k, st.IS_PROVEN]:
        return Costs(np.zeros(len(judging.weights)), np.zeros(len(judging.weights))), 1.0
    begun = judging.steady and p.link[k, st.LINK_HEAD] != NONE
    now = steady_evidence(s, k) if begun else float(p.worth[k, st.NOW])
    logit = float(s.jury.real[s.numbers[st.LEADER], WEIGHT])
    here = min(max(accuracy_here(s.tallies, s.jury, above, below, logit), 0.501), 0.9999)
    costs = judging.climb(float(s.reals[st.THRESHOLD]) - now, math.log(here / (1 - here)) / logit)
    right = chance_of(log_odds(s.tallies, s.jury, above, below))
    return costs, right * _enough(s, costs, judging, k)


def _enough(s: st.State, costs: Costs, judging: Judging, k: int) -> float:
    """The chance that the judges who may still be asked about link k are enough to prove it."""
    repeats = int(s.numbers[st.REPEATS])
    if repeats == st.UNLIMITED:
        return 1.0
    above, below = int(s.order[k]), int(s.order[k + 1])
    proving = s.numbers[st.PHASE] == st.PROVE
    left = sum(may_ask(s, u, above, below) for u in range(len(s.jury.tally)) if proving or s.jury.tally[u, ALLOWED])
    return float(judging.weights @ costs.within(left * repeats + 0.5))
