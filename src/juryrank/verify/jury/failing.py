"""What the answers rule out by count: required claims, or every choice that could meet the objective."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from juryrank.verify.jury.book import Book
from juryrank.verify.jury.setup import JuryOptions
from juryrank.verify.room import Room

BookOf = Callable[[str, str], Book | None]
MOST_SETS = 5000  # sets looked at before nothing is said


def failing_claims(setup: JuryOptions, step: int, book_of: BookOf) -> list[tuple[str, str]]:
    """The required claims that are counted false at this resolution."""
    if setup.objective != "require" or step == len(setup.resolutions):
        return []
    return [claim for claim in setup.required if _loses(setup, step, book_of, *claim)]


def none_exists(setup: JuryOptions, step: int, books: Iterable[Book], room: Room) -> bool:
    """Is it counted that no k systems are each at least as good as every other one at this resolution?"""
    if setup.objective != "top" or step == len(setup.resolutions) or len(setup.items) < 2:
        return False
    number = {item: i for i, item in enumerate(setup.items)}
    beaten_by: list[list[int]] = [[] for _ in setup.items]
    for book in books:
        for item, other in ((book.first, book.second), (book.second, book.first)):
            if book.by_count(item, setup.resolutions[step]) is False:
                beaten_by[number[item]].append(number[other])
    if setup.k == 1:
        return all(beaten_by)
    return not _choice_exists(beaten_by, int(setup.k or 0), room)


def _loses(setup: JuryOptions, step: int, book_of: BookOf, better: str, worse: str) -> bool:
    book = book_of(better, worse)
    return book is not None and book.by_count(better, setup.resolutions[step]) is False


def _choice_exists(beaten_by: Sequence[Sequence[int]], k: int, room: Room) -> bool:
    """Is there a set of k that holds whatever beats a member? (True where telling takes too long.)

    >>> circle = [[2], [0], [1], []]  # 0 loses to 2, 1 to 0, 2 to 1
    >>> _choice_exists(circle, 2, Room()), _choice_exists(circle, 3, Room())
    (False, True)
    """
    needs = {_with_all_above(beaten_by, item, room) for item in range(len(beaten_by))}
    seen, waiting = {frozenset[int]()}, [frozenset[int]()]
    while waiting:
        base = waiting.pop()
        room.take(len(needs) * (1 + k // 10), "which systems could be chosen")
        for more in needs:
            union = base | more
            if len(union) == k or len(seen) > MOST_SETS:
                return True
            if len(union) < k and union not in seen:
                seen.add(union)
                waiting.append(union)
    return False


def _with_all_above(beaten_by: Sequence[Sequence[int]], item: int, room: Room) -> frozenset[int]:
    """An item, what beats it, what beats that, and so on."""
    found, waiting = {item}, [item]
    while waiting:
        next_one = beaten_by[waiting.pop()]
        room.take(1 + len(next_one), "which systems could be chosen")
        new = set(next_one) - found
        found |= new
        waiting += new
    return frozenset(found)
