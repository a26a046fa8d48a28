"""Questions and answers counted by minute, hour, day or week, so that a table of them stays short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime

MOST_ROWS = 31
STEPS = {"minute": 60, "hour": 3600, "day": 86_400, "week": 7 * 86_400}
LONGEST = "week"
SHOWN = {"minute": 16, "hour": 13, "day": 10, "week": 10}  # letters of an ISO time that are worth showing


def by_period(asked: Iterable[str], answered: Iterable[str]) -> tuple[str, list[tuple[str, int, int]]]:
    """The period's name, and (its start, questions asked, answers) for every period in which something happened.

    >>> by_period(["2024-05-01T10:00:05Z"], ["2024-05-01T10:00:09Z", "2024-05-01T10:02:00Z"])
    ('minute', [('2024-05-01 10:00', 1, 1), ('2024-05-01 10:02', 0, 1)])
    """
    moments = [_seconds(asked), _seconds(answered)]
    for name, step in STEPS.items():
        asked_in, answered_in = (Counter(int(moment // step) for moment in each) for each in moments)
        starts = sorted(asked_in.keys() | answered_in.keys())
        if not starts or starts[-1] - starts[0] < MOST_ROWS or name == LONGEST:
            return name, [(_text(k * step)[: SHOWN[name]], asked_in[k], answered_in[k]) for k in starts]
    raise AssertionError("the longest period always returns")


def _seconds(times: Iterable[str]) -> list[float]:
    found = []
    for time in times:
        try:
            found.append(datetime.fromisoformat(time).timestamp())
        except ValueError:
            continue  # another program's idea of a time
    return found


def _text(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(sep=" ")
