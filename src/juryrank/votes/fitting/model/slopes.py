"""How sharply each judge tells items apart, learned against scores without the judge's own votes."""

from __future__ import annotations

import numpy as np

from juryrank.votes.fitting.arrays import Floats
from juryrank.votes.fitting.model.likelihood import PIECE, Likelihood, derivatives, information
from juryrank.votes.fitting.model.own_votes import OwnVotes

LEAST_SPREAD, MOST_SPREAD = 0.03, 3.0
LONGEST_STEP = 1.0  # of a log slope, in one Newton step
TINY_COUNT = 1e-9
ASKED_FOR = 3.0  # standard errors by which judges must differ more than chance would make them
PLACEBOS, PLACEBO_SEED = 3, 1763  # shuffled scores beside which tastes are measured


class Slopes:
    """The log slopes h_u, normal around a common mean with a spread that is learned.

    Scores without the judge's own votes are noisier than the scores, so all slopes come out flatter by about the
    same factor. It is the common mean, and is taken off: 1 is the median judge.

    Judges have tastes of their own, which move their votes along any direction, not only that of the scores. How
    far is seen along shuffled scores; what slopes are learned from counts as so much noisier (a quasi-likelihood).
    """

    def __init__(self, like: Likelihood) -> None:
        self.like, self.own_votes = like, OwnVotes(like)
        self.mean = 0.0
        rng = np.random.default_rng(PLACEBO_SEED)
        self.shuffles = [rng.permutation(like.layout.items) for _ in range(PLACEBOS)]

    def learn(self, x: Floats) -> float:
        """One Newton step of all slopes (in place), then of their mean and spread; how far the spread moved."""
        like, block = self.like, self.like.layout.block("slope")
        before = like.spread["slope"]
        raw = x[block] + self.mean
        pull, known, tastes = self._votes_say(x, raw)
        pull, known = pull / tastes, known / tastes
        step = (pull - (raw - self.mean) / before**2) / (known + before**-2)
        raw = raw + np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        weight = known / (known + before**-2)  # how much of a slope its votes determine
        self.mean = float(np.sum(weight * raw) / max(float(np.sum(weight)), TINY_COUNT))
        x[block] = raw - self.mean
        second = float(np.sum(x[block] ** 2)) / max(float(np.sum(weight)), TINY_COUNT)
        like.spread["slope"] = float(np.clip(np.sqrt(second), LEAST_SPREAD, MOST_SPREAD))
        return abs(like.spread["slope"] / before - 1)

    def settle(self, x: Floats) -> None:
        """Keep slopes apart only where the votes ask for it (a score test of the spread), else all are 1."""
        many, block = len(self.like.votes.judges), self.like.layout.block("slope")
        alike = x.copy()
        alike[block] = 0.0
        pull, known, tastes = self._votes_say(alike, np.full(many, self.mean))
        error = tastes * float(np.sqrt(2 * np.sum(known**2)))
        if float(np.sum(pull**2 - tastes * known)) < ASKED_FOR * max(error, TINY_COUNT):
            x[block] = 0.0
            self.like.spread["slope"] = LEAST_SPREAD

    def _votes_say(self, x: Floats, raw: Floats) -> tuple[Floats, Floats, float]:
        """Per judge: the derivative in the log slope, and the information about it; and how many times noisier
        than chance the derivative is along shuffled scores."""
        like, many, block = self.like, len(self.like.votes.judges), self.like.layout.block("slope")
        gap, usable = self.own_votes.gaps(x)
        at = x.copy()
        at[block] = raw
        sums = np.zeros((2 * (1 + PLACEBOS), many))
        for start in range(0, len(gap), PIECE):
            part = slice(start, start + PIECE)
            piece = like.piece(at, like.votes.part(part), gap=gap[part])
            slope, votes = piece.slope * usable[part], piece.votes
            dz, about, judge = derivatives(piece)[1] * slope, information(piece)[0] * slope**2, votes.judge
            first, last = int(judge[0]), int(judge[-1]) + 1
            levers = [piece.gap, *(x[s[votes.left]] - x[s[votes.right]] for s in self.shuffles)]
            for k, lever in enumerate(levers):
                sums[2 * k, first:last] += np.bincount(judge - first, dz * lever, last - first)
                sums[2 * k + 1, first:last] += np.bincount(judge - first, about * lever**2, last - first)
        placebo = float(np.sum(sums[2::2] ** 2)) / max(float(np.sum(sums[3::2])), TINY_COUNT)
        return sums[0], sums[1], max(placebo, 1.0)
