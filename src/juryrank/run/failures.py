"""When a program that judges is given up: after several failures in a row, or at once if it cannot be used.

The rule is the same for a ranking in one call (`loop.py`) and for the runs of a study (`study/runner`).
"""

from __future__ import annotations

from collections.abc import Iterable

from juryrank.defaults import FAILURES_IN_A_ROW
from juryrank.errors import JudgeUnusable


class FailuresInARow:
    """How often each judge has failed since its last answer.

    >>> failures = FailuresInARow(["ann"])
    >>> [failures.hopeless("ann", ValueError("no answer")) for _ in range(3)]
    [False, False, True]
    >>> failures.answered("ann")
    >>> failures.hopeless("ann", ValueError("no answer")), failures.of["ann"]
    (False, 1)
    """

    def __init__(self, judges: Iterable[str]) -> None:
        self.of = dict.fromkeys(judges, 0)

    def answered(self, judge: str) -> None:
        """An answer resets the count."""
        self.of[judge] = 0

    def hopeless(self, judge: str, problem: BaseException) -> bool:
        """Note one more failure; True: ask this judge no more."""
        self.of[judge] += 1
        return isinstance(problem, JudgeUnusable) or self.of[judge] >= FAILURES_IN_A_ROW
