"""Where each parameter stands in the vector that the solver moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juryrank.votes.fitting.arrays import Floats
from juryrank.votes.fitting.model.spec import Spec

SHARED = ("side", "tie", "swap")  # one number each, for all judges
# (mean, spread) of weak priors on the shared numbers: they only keep them finite where all votes say the same
SHARED_PRIOR = {"side": (0.0, 10.0), "tie": (0.0, 20.0), "swap": (3.0, 1.0)}


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
        return tuple(name for name in SHARED if used[name])

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
            x[self.place(name)] = SHARED_PRIOR[name][0]
        return x
