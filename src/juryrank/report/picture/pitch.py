"""Sizes that the charts share: margins, and rows that grow finer with the number of items."""

from __future__ import annotations

from dataclasses import dataclass

MARGIN = 36.0
CHART_WIDTH = 780.0
LABEL_LEAST, LABEL_MOST = 60.0, 250.0


@dataclass(frozen=True, slots=True)
class Pitch:
    """The height of a row, and what follows from it: the more items, the smaller the rows."""

    row: float
    text: float

    @property
    def bar(self) -> float:
        return round(self.row * 0.42, 1)

    @property
    def dot(self) -> float:
        return max(3.6, min(6.5, self.row * 0.16))


def pitch_for(items: int) -> Pitch:
    """The row height for a number of items.

    >>> pitch_for(10).row > pitch_for(40).row > pitch_for(100).row
    True
    """
    for most, pitch in ((12, Pitch(44, 16)), (20, Pitch(36, 15)), (40, Pitch(27, 13.5)), (70, Pitch(22, 12.5))):
        if items <= most:
            return pitch
    return Pitch(18, 11.5)
