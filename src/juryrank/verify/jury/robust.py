"""What a proof would survive, counted by the checker: the worst of all silence, and another choice of the list."""

from __future__ import annotations

from dataclasses import dataclass, replace

from juryrank.statements import strength_of
from juryrank.verify.jury.book import Book
from juryrank.verify.jury.evidence import UNCHOSEN
from juryrank.verify.jury.lists import Listed, prove
from juryrank.verify.jury.walk import LogWalk


@dataclass(frozen=True, slots=True)
class Strength:
    """`survives`: the worst of what was not said. `from_first_draw`: whichever list was chosen, and whenever."""

    survives: bool
    from_first_draw: bool
    silent: bool  # was anything refused, failed or dropped?

    def details(self) -> dict[str, bool]:
        return {"survives": self.survives, "from_first_draw": self.from_first_draw}

    def words(self) -> list[str]:
        return strength_of(self.survives if self.silent else None, from_first_draw=self.from_first_draw)


def strength(walk: LogWalk, best: Listed) -> Strength:
    """What the list that proves most would survive."""
    return Strength(_survives(walk, best), _from_first_draw(walk, best), _silent(walk))


def _silent(walk: LogWalk) -> bool:
    draws = (draw for book in walk.books.values() for draw in book.draws if draw.settled)
    return bool(walk.setup.left) or any(
        draw.aside or any(x is None for x in draw.answers.values()) for draw in draws
    )


def _survives(walk: LogWalk, best: Listed) -> bool:
    """With refused, failed and missing answers against it, and those who were dropped in the table again."""
    setup = replace(walk.setup, against=True)
    if walk.dropped:
        setup = setup.without(setup.left - walk.dropped)
    worst = {pair: book.at_worst(setup, walk.dropped) for pair, book in walk.books.items()}

    def found(one: str, other: str) -> Book | None:
        return worst.get(frozenset((one, other)))

    again = _blank(best)
    prove(setup, again, found, walk.record.room)
    return again.steps >= best.steps > 0


def _from_first_draw(walk: LogWalk, best: Listed) -> bool:
    """From each pair's first draw, with a prior that nobody chose, at δ shared by all claims that there are.

    Whoever may set judges aside and knows the seed chooses what is drawn: then nothing does.
    """
    books = filter(None, (walk.found(*claim) for claim in best.claims))
    if walk.changed or any(draw.without for book in books for draw in book.draws):
        return False
    again = _blank(best)
    again.priors, again.square = [UNCHOSEN] * len(best.claims), 1.0
    again.starts = dict.fromkeys(best.claims, 0)
    n = len(walk.setup.items)
    prove(walk.setup, again, walk.found, walk.record.room, level=walk.setup.error / (n * (n - 1)))
    return again.steps >= best.steps > 0


def _blank(listed: Listed) -> Listed:
    blank = [[False] * len(row) for row in listed.proven]
    return replace(listed, proven=blank, most=[], priors=list(listed.priors), starts=dict(listed.starts))
