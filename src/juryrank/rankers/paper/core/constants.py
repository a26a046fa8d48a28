"""The two constant sets of the paper's rankers, one word each: `paper` and `released`.

`paper` is the text with its slips settled; `released` is what the authors' program does, so that figures
can be compared with theirs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from juryrank.errors import UnknownName

WALK_STEP_SUCCESS = 15 / 16  # Ren et al. 2019 (q): least chance that a step of the walk goes the right way
STEPS_PER_LOG = 512 / 25  # Ren et al. 2019: walk steps per log(2/δ)
STEPS_PER_LEVEL = 4  # Ren et al. 2019: at least this many steps per level of the tree
FINAL_SHARE = (5, 16)  # Ren et al. 2019: a leaf visited 1 + 5/16 of all steps is taken at the end
BASEL = math.pi**2 / 6  # Σ 1/t²: attempts share δ as 6δ/(π² t²)


@dataclass(frozen=True, slots=True)
class Constants:
    """What the text and the authors' program do differently."""

    name: str
    base2: bool  # logs to base 2 in duel, walk and elimination
    short_circuit: bool  # a border duel that decides a conjunction spares the other one
    split_elimination: bool  # elimination at δ/(N-1) instead of δ
    final_strict: bool  # the walk's last test is ">" instead of "≥"
    threshold_strict: bool  # elimination starts strictly above its threshold instead of at it
    judge_epsilon: float  # selection stops when its radius is below this
    split_stages: bool  # two-stage: δ/3 per stage (subset: δ/4), then the single best judge; else δ, all survivors

    def log(self, x: float) -> float:
        return math.log2(x) if self.base2 else math.log(x)


PAPER = Constants("paper", False, True, True, False, False, 0.15, True)
RELEASED = Constants("released", True, False, False, True, True, 0.05, False)
CONSTANTS = {"paper": PAPER, "released": RELEASED}


def constants_named(name: str) -> Constants:
    """A constant set by its name.

    >>> constants_named("paper").judge_epsilon
    0.15
    """
    if name not in CONSTANTS:
        raise UnknownName(f"there is no constant set {name!r}; there are: {', '.join(CONSTANTS)}")
    return CONSTANTS[name]
