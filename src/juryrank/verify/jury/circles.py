"""Ranks of a proven chain: fixed, but where the answers about two of its items say that it goes in a circle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from juryrank.verify.jury.book import Book, value

FEWEST = 2  # answers about a pair before they leave ranks open
LEVEL = 1e-9


def against(order: Sequence[str], books: Iterable[Book]) -> list[tuple[str, str]]:
    """Pairs of the order, neighbours apart, about which two answers or more prefer the lower item."""
    place, found = {item: k for k, item in enumerate(order)}, []
    for book in sorted(books, key=lambda one: sorted((place[one.first], place[one.second]))):
        above, below = sorted((book.first, book.second), key=place.__getitem__)
        if place[below] - place[above] < 2:
            continue
        told = [value(book.setup, draw)[:2] for draw in book.draws if draw.settled and not draw.aside]
        said = [x for x, given in told if given > 0]
        lean = sum(said) if book.first == above else -sum(said)
        if len(said) >= FEWEST and lean < -LEVEL:
            found.append((above, below))
    return found


def ranks(order: Sequence[str], turned: Sequence[tuple[str, str]]) -> dict[str, tuple[int, int]]:
    """The ranks that each item of a chain can have: whoever stands in a circle can have all of its places.

    >>> ranks("abcd", [("a", "c")])
    {'a': (1, 3), 'b': (1, 3), 'c': (1, 3), 'd': (4, 4)}
    """
    place = {item: rank for rank, item in enumerate(order, 1)}
    circle = {rank: rank for rank in place.values()}  # rank: the first of its circle
    for above, below in turned:
        first = circle[place[above]]
        for rank in range(place[above], place[below] + 1):
            first = min(first, circle[rank])
        joined = {circle[rank] for rank in range(place[above], place[below] + 1)}
        circle = {rank: first if start in joined else start for rank, start in circle.items()}
    last = {start: max(rank for rank, of in circle.items() if of == start) for start in circle.values()}
    return {item: (circle[rank], last[circle[rank]]) for item, rank in place.items()}
