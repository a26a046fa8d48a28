"""One drawn cell: the questions it was sent as, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass, field

from juryrank.verify.jury.cells import Cell
from juryrank.verify.jury.setup import JuryOptions
from juryrank.verify.record import Asked


@dataclass(slots=True)
class Draw:
    """One drawn cell, with the questions it was sent as."""

    judge: int
    cell: Cell
    whole: int  # the weight of its case
    chances: tuple[float, ...]
    calls: list[Asked | None]
    aside: bool = False
    answers: dict[int, float | None] = field(default_factory=dict)
    failed: float = 0.0  # share of its calls that ended without a word
    without: bool = False  # was somebody set aside who had open cells?

    @property
    def settled(self) -> bool:
        return self.aside or all(q is not None and not q.open for q in self.calls)

    def sent(self, now: int) -> int:
        """The event with which it was first asked, if before this one."""
        return min((q.seq for q in self.calls if q is not None), default=now)

    def end(self, now: int) -> int:
        """The event with which its answer was whole; one after this one where it was not."""
        ends = [now + 1 if q is None or q.ended is None else q.ended for q in self.calls]
        return 0 if self.aside else max(ends)


def value(setup: JuryOptions, draw: Draw) -> tuple[float, float, float]:
    """(mean answer from the side of the first item, share answered, share counting against) of a settled draw."""
    if draw.aside:
        return 0.0, 0.0, 1.0
    said = [draw.answers[call] for call in range(len(draw.calls))]
    given = [x for x in said if x is not None]
    refused = 1 - len(given) / len(said) - draw.failed
    lost = draw.failed + (refused if setup.against else 0.0)
    return sum(given) / len(said), len(given) / len(said), lost


def unsaid(draw: Draw) -> float:
    """The share of a settled draw's calls that ended without a word of its judge."""
    return 1.0 if draw.aside else draw.failed


def mean_square(draw: Draw) -> float:
    """The square of the mean answer; refusals are 0, whether they count against a claim or not."""
    said = [x for x in draw.answers.values() if x is not None]
    return (sum(said) / len(draw.calls)) ** 2
