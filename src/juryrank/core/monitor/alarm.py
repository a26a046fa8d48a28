"""What the monitor says when answers do not look as assumed, and how sure it is before it speaks.

Every warning that rests on a test takes its level from here, so that in at most FALSE_ALARM of reports any of them
speaks falsely. (Warnings that state a count, such as "12 questions were skipped", are facts, not tests.)

    WATCHES of equal share   below chance, by side, same again, uneven, cycle (`watches`, `repeats`)
    the share of `by side`   a third: all judges together, and each judge; a third: each judge in lists of judges,
                             where they stand in another order; a third: gold pairs
    among judges             the first gets 1/2, the next 1/6, 1/12, ...: places that never end sum to 1, so that
                             any number of judges may arrive one by one
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


SIDE_USES = 3  # of the share of `by side`
GOLD_TESTS = 3  # of a judge with gold pairs: wrong on most, worse than before, better than before


def judge_share(place: int) -> int:
    """One over the share of a test that goes to the judge at this place, from 0 on, by first appearance.

    >>> [judge_share(place) for place in range(4)], round(sum(1 / judge_share(place) for place in range(9999)), 3)
    ([2, 6, 12, 20], 1.0)
    """
    return (place + 1) * (place + 2)


def judge_level(place: int, *, signs: int = 1) -> float:
    """The log evidence at which a watch names the judge at this place; `signs`: how many ways it looks for."""
    return LOG_LEVEL + math.log(signs * judge_share(place))


def side_level(place: int) -> float:
    """The log evidence that names somebody as choosing by side: all together at place 0, judges from 1 on."""
    return judge_level(place, signs=SIDE_USES)


def gold_odds(place: int) -> int:
    """The evidence at which gold pairs speak against the judge at this place, from 0 on.

    >>> gold_odds(0), gold_odds(2)
    (9000, 54000)
    """
    return round(WATCHES / FALSE_ALARM) * SIDE_USES * GOLD_TESTS * judge_share(place)


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
