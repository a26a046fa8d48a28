"""The refutation of what is required: that Z < 0, by the same bets from the other side.

"i over j at resolution ε" claims Z = Σ v (x + 2ε) >= 0. Seen from j, that it is false is a claim of the same kind,
at resolution -ε: Σ v (-x - 2ε) = -Z > 0. So it has the same payoff, the same bets and the same theorem, with a
prior that nobody chose. What failed counts against the refutation, too: nobody is refuted by silence. A tie
(Z = 0) is never refuted by count.

The level. Claims and refutation both have the attempt's whole level α. With one claim, Z >= 0 or Z < 0: only one
of the two can be stated falsely, and that happens with probability α at most. With m claims, what is stated is
"not all of them hold", from the first refutation that reaches m/α. If all hold, it is stated with probability
m α/m at most, and no claim can be stated falsely; if some claim is false, it is true, and a false claim is stated
with probability α at most. With several resolutions the finest is refuted: where that claim holds, all coarser
ones do.
"""

from __future__ import annotations

from juryrank.rankers.jury.core.attempt import Attempt
from juryrank.rankers.jury.core.evidence import UNKNOWN, Resolutions


def refutation_of(attempt: Attempt) -> Attempt:
    """Every claim of a list turned round, about the cells that count for the list."""
    turned = Attempt(
        attempt.number,
        error=1.0,
        resolutions=Resolutions((-attempt.resolutions.values[-1],), strict=True),
        order=attempt.order[::-1],
        claims=[(worse, better) for better, worse in attempt.claims],
        priors=[UNKNOWN] * len(attempt.claims),
        level=attempt.level / max(len(attempt.claims), 1),
    )
    turned.starts = attempt.starts
    return turned
