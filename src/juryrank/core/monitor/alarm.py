"""What the monitor says when answers do not look as assumed, and how sure it is before it speaks.

Every warning that rests on a test takes its level from here, so that in at most FALSE_ALARM of reports any of them
speaks falsely. (Warnings that state a count, such as "12 questions were skipped", are facts, not tests.)

    WATCHES of equal share   below chance, by side, same again, uneven, cycle (`watches`, `repeats`)
    the share of `by side`   half: each judge, and all judges together; half: judges who change on gold pairs
    a jury on cases          has no order to compare with: "same again" is free there, and used for answers that
                             turn with the side
    `fit`                    a report of its own, made at one moment: sides, and judges below chance
    a probe of a model       likewise: sides, and gold pairs
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass

FALSE_ALARM = 0.01  # share of reports in which any warning may speak although nothing is wrong
WATCHES = 5
LOG_LEVEL = math.log(WATCHES / FALSE_ALARM)
FIT_LEVEL = FALSE_ALARM / 2
PROBE_LEVEL = FALSE_ALARM / 2


def side_level(judges: int) -> float:
    """The log evidence that names a judge, or all together, as choosing by side."""
    return LOG_LEVEL + math.log(2 * (judges + 1))


def gold_odds(judges: int) -> int:
    """The evidence that says of one of so many judges with gold pairs: better, or worse, than before.

    >>> gold_odds(3)
    6000
    """
    return round(WATCHES / FALSE_ALARM * 4 * max(judges, 1))


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something in the answers does not look as assumed. `withholds`: the result may not be called certified.

    `seen` is what was seen, as the statement of a result that is withheld says it; `words` may add what it means.
    """

    kind: str
    words: str
    about: tuple[Hashable, ...]
    withholds: bool = False
    seen: str = ""
