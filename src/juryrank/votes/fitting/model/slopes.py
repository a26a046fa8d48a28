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


class Slopes:
    """The log slopes h_u, normal around a common mean with a spread that is learned.

    Scores without the judge's own votes are noisier than the scores, so all slopes come out flatter by about the
    same factor. It is the common mean, and is taken off: 1 is the median judge.
    """

    def __init__(self, like: Likelihood) -> None:
        self.like, self.own_votes = like, OwnVotes(like)
        self.mean = 0.0

    def learn(self, x: Floats) -> float:
        """One Newton step of all slopes (in place), then of their mean and spread; how far the spread moved."""
        like, block = self.like, self.like.layout.block("slope")
        before = like.spread["slope"]
        raw = x[block] + self.mean
        pull, known = self._votes_say(x, raw)
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
        pull, known = self._votes_say(alike, np.full(many, self.mean))
        spare = float(np.sum(pull**2 - known)) / max(float(np.sqrt(2 * np.sum(known**2))), TINY_COUNT)
        if spare < ASKED_FOR:
            x[block] = 0.0
            self.like.spread["slope"] = LEAST_SPREAD

    def _votes_say(self, x: Floats, raw: Floats) -> tuple[Floats, Floats]:
        """Per judge: the derivative in the log slope, and the information about it."""
        like, many = self.like, len(self.like.votes.judges)
        gap, usable = self.own_votes.gaps(x)
        at = x.copy()
        at[like.layout.block("slope")] = raw
        pull, known = np.zeros(many), np.zeros(many)
        for start in range(0, len(gap), PIECE):
            part = slice(start, start + PIECE)
            piece = like.piece(at, like.votes.part(part), gap=gap[part])
            lever = piece.slope * piece.gap * usable[part]
            pull += np.bincount(piece.votes.judge, derivatives(piece)[1] * lever, many)
            known += np.bincount(piece.votes.judge, information(piece)[0] * lever**2, many)
        return pull, known
