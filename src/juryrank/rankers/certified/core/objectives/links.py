"""Which pairs a fixed list rests on: link k joins a better and a worse item.

    order         neighbours: the items at places k and k+1
    top-k, best   a star around the pivot, which is the k-th item (place top - 1): each better item over the pivot,
                  the pivot over each worse item; N - 1 links, as for the order

A wrong list has a wrong link in either case, and which one is fixed by the list and the truth. For the star: if
the set is wrong, some b outside is better than some a inside. If b is better than the pivot, the link "pivot over
b" is wrong; else the pivot is better than b, which is better than a, and the link "a over pivot" is wrong.
"""

from __future__ import annotations

from typing import Any, Final

from juryrank.core.gears import kernel

ORDER, SET, ELIMINATION = range(3)  # cursor.objective: links of a list, of a set, or none: see `eliminate.py`
NO_LINK: Final = -1


@kernel
def above(s: Any, k: int) -> int:
    """The better item of link k."""
    pivot = s.cursor.top - 1
    return s.order[k] if s.cursor.objective == ORDER or k < pivot else s.order[pivot]


@kernel
def below(s: Any, k: int) -> int:
    """The worse item of link k."""
    pivot = s.cursor.top - 1
    return s.order[k + 1] if s.cursor.objective == ORDER or k >= pivot else s.order[pivot]


@kernel
def link_of(s: Any, x: int, y: int) -> int:
    """The link that two items form, or NO_LINK."""
    first = min(s.place[x], s.place[y])
    last = max(s.place[x], s.place[y])
    if s.cursor.objective == ORDER:
        return first if last - first == 1 else NO_LINK
    pivot = s.cursor.top - 1
    if last == pivot:
        return first
    return last - 1 if first == pivot else NO_LINK


def decided(s: Any, x: int, y: int) -> bool:
    """Does the list say which of two items is better? A set says it of those on different sides of the pivot."""
    if s.cursor.objective == ORDER:
        return True
    first, last = sorted((int(s.place[x]), int(s.place[y])))
    return first < s.cursor.top <= last or last == s.cursor.top - 1


def pair_at(s: Any, k: int) -> tuple[int, int]:
    """Both items of link k, the better one first."""
    return int(above(s, k)), int(below(s, k))


@kernel
def listed(s: Any) -> int:
    """How many of the items placed so far are kept in order: for a set, no more than it holds."""
    return s.cursor.placed if s.cursor.objective == ORDER else min(s.cursor.placed, s.cursor.top)
