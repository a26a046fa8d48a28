"""What the monitor says when answers do not look as assumed, and how sure it is before it speaks."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass

FALSE_ALARM = 0.01  # share of good runs in which any watch may speak
WATCHES = 5
LOG_LEVEL = math.log(WATCHES / FALSE_ALARM)


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something in the answers does not look as assumed. `withholds`: the result may not be called certified."""

    kind: str
    words: str
    about: tuple[Hashable, ...]
    withholds: bool = False
