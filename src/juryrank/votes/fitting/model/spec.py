"""Which effects a model has.

    outcomes left, right, tie have the logits z/2, -z/2, c + c_u     (Davidson 1970)
    z = link(exp(h_u) (s_left - s_right) + b + b_u)

h_u, b_u and c_u are normal around 0; their spreads are learned, and spread 0 is plain Bradley-Terry. `crowd`
(Chen et al. 2013) swaps left and right with probability 1 - η_u, η_u = σ(a + a_u), instead of slopes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from juryrank.errors import BadInput
from juryrank.votes.fitting.arrays import Floats
from juryrank.votes.fitting.intake.ballots import Ballots

MODELS = ("auto", "bt", "hbtl", "crowd")
TIES = ("auto", "davidson", "half", "drop")
SIDES = ("auto", "on", "off")
LINKS = ("logit", "thurstone")
LOOK = 300_000  # votes that are looked through for a pair shown both ways round
FEWEST_JUDGES = 5  # with fewer, nobody can learn how judges differ: `auto` is plain Bradley-Terry


@dataclass(frozen=True, slots=True)
class Spec:
    """The effects of one model."""

    model: str = "bt"
    link: str = "logit"
    tie: bool = False  # ties are an outcome (Davidson); otherwise a tie is half a win for each
    side: bool = False  # one advantage of the left side
    judge_tie: bool = False
    judge_side: bool = False
    controls: int = 0  # columns of `Ballots.control`

    @property
    def slope(self) -> bool:
        """Does each judge have a slope?"""
        return self.model == "hbtl"

    @property
    def swap(self) -> bool:
        """Does each judge swap answers with a probability of their own?"""
        return self.model == "crowd"

    @property
    def effects(self) -> tuple[str, ...]:
        """What each judge has."""
        has = {"slope": self.slope, "side": self.judge_side, "tie": self.judge_tie, "swap": self.swap}
        return tuple(name for name, there in has.items() if there)


def check_words(*, model: str, ties: str, side: str, link: str) -> None:
    """Refuse words that are no option."""
    for name, said, known in (
        ("model", model, MODELS), ("ties", ties, TIES), ("side", side, SIDES), ("link", link, LINKS),
    ):  # fmt: skip
        if said not in known:
            raise BadInput(f"there is no {name} {said!r}; there are: {', '.join(known)}")


def spec_for(ballots: Ballots, *, model: str, ties: str, side: str, link: str) -> Spec:
    """The effects that these options mean for these votes.

    `bt` stays plain unless told otherwise: its numbers are those of other programs.
    """
    enough = ballots.judged and len(ballots.judges) >= FEWEST_JUDGES
    chosen = ("hbtl" if enough else "bt") if model == "auto" else model
    if side == "on" and not ballots.sided:
        raise BadInput("--side on: the file names winner and loser only, so nobody knows what was shown where")
    with_side = side == "on" or (side == "auto" and chosen != "bt" and shows_sides(ballots))
    tie = ties in ("auto", "davidson") and ballots.grade is None and ballots.ties > 0
    many = chosen != "bt" and len(ballots.judges) > 1
    controls = 0 if ballots.control is None else ballots.control.shape[1]
    return Spec(chosen, link, tie, with_side, tie and many, with_side and many, controls)


def shows_sides(ballots: Ballots) -> bool:
    """Are left and right what judges saw? Not where every pair always stands in the same order."""
    if not ballots.sided:
        return False
    left, right = ballots.left[:LOOK], ballots.right[:LOOK]
    pairs = np.minimum(left, right).astype(np.int64) * len(ballots.items) + np.maximum(left, right)
    turned = left > right
    return len(np.intersect1d(pairs[turned], pairs[~turned])) > 0


# ----------------------------------------------------------------------------
# How a difference of scores becomes log odds
# Φ(k x) has odds of e per unit of x near 0, so that scores mean the same under both links.
THURSTONE_UNIT = math.sqrt(2 * math.pi) / 4
FARTHEST = 30.0  # log odds beyond this are all the same to a vote, and overflow further on


def thurstone(x: Floats) -> tuple[Floats, Floats]:
    """Log odds of Φ(k x), and their slope in x (Thurstone 1927, case V)."""
    from scipy.special import log_ndtr

    t = np.clip(THURSTONE_UNIT * x, -FARTHEST, FARTHEST)
    up, down = log_ndtr(t), log_ndtr(-t)
    density = -(t**2) / 2 - 0.5 * math.log(2 * math.pi)
    return up - down, THURSTONE_UNIT * np.exp(density - up - down)


# ----------------------------------------------------------------------------
# Where each parameter stands in the vector that the solver moves
SHARED = ("side", "tie", "swap")  # one number each, for all judges
# (mean, spread) of weak priors on the shared numbers: they only keep them finite where all votes say the same
SHARED_PRIOR = {"side": (0.0, 10.0), "tie": (0.0, 20.0), "swap": (3.0, 1.0)}
CONTROL_PRIOR = (0.0, 10.0)


def shared_prior(name: str) -> tuple[float, float]:
    """Mean and spread of a shared number's prior."""
    return SHARED_PRIOR.get(name, CONTROL_PRIOR)


@dataclass(frozen=True, slots=True)
class Layout:
    """Items first, then the shared numbers, then one block per effect of the judges."""

    items: int
    judges: int
    spec: Spec

    @property
    def shared(self) -> tuple[str, ...]:
        """The shared numbers in use."""
        used = {"side": self.spec.side, "tie": self.spec.tie, "swap": self.spec.swap}
        return (*(name for name in SHARED if used[name]), *self.controls)

    @property
    def controls(self) -> tuple[str, ...]:
        """The shared numbers that are effects of controls; they come last."""
        return tuple(f"control {k}" for k in range(self.spec.controls))

    def control(self, x: Floats, votes: Ballots) -> Floats | float:
        """What the controls add to the log odds of left, vote by vote."""
        if votes.control is None or not self.spec.controls:
            return 0.0
        end = self.items + len(self.shared)
        added: Floats = votes.control @ x[end - self.spec.controls : end]
        return added

    @property
    def size(self) -> int:
        return self.items + len(self.shared) + self.judges * len(self.spec.effects)

    @property
    def scores(self) -> slice:
        return slice(0, self.items)

    def place(self, name: str) -> int:
        """Where a shared number stands."""
        return self.items + self.shared.index(name)

    def block(self, effect: str) -> slice:
        """Where the judges' values of an effect stand."""
        start = self.items + len(self.shared) + self.judges * self.spec.effects.index(effect)
        return slice(start, start + self.judges)

    def value(self, x: Floats, name: str) -> float:
        """A shared number; 0 where the model has none."""
        return float(x[self.place(name)]) if name in self.shared else 0.0

    def effect(self, x: Floats, name: str) -> Floats | None:
        """The judges' values of an effect; None where the model has none."""
        return x[self.block(name)] if name in self.spec.effects else None

    def start(self) -> Floats:
        """Everybody equal."""
        x = np.zeros(self.size)
        for name in self.shared:
            x[self.place(name)] = shared_prior(name)[0]
        return x
