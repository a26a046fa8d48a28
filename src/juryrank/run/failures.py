"""When a judge that is called is given up: at once if it cannot be used, else by its share of failures.

The rule is the same for a ranking in one call (`loop.py`) and for the runs of a study (`study/runner`). It looks
at the judge's questions in the order in which they were asked, whichever answer came back first: so the same
outcomes always decide the same, however fast they came.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from juryrank.errors import JudgeUnusable

LOOK_BACK = 20  # of a judge's questions, the latest ones
TOO_MANY = 8  # failures more than other outcomes among these: 8 of the first 8, or 14 of 20
# At 8, a judge that fails at a fifth of its questions was never given up in 300 simulated runs of 5,000 questions,
# one that fails at half of them was after about 100 questions, and one that always fails is after 8.


class FailureRate:
    """How the latest questions of each judge ended.

    >>> rate = FailureRate(["ann"])
    >>> for question in range(9):
    ...     rate.asked("ann", question)
    >>> [rate.over("ann", question, failed=True) for question in (1, 2, 3, 4, 5, 6, 7, 8)].count(True)
    0
    >>> rate.over("ann", 0, failed=True), rate.words("ann")  # the first one asked is the last to come back
    (True, '9 of its last 9 questions failed')
    """

    def __init__(self, judges: Iterable[str]) -> None:
        self._open: dict[str, dict[int, bool | None]] = {judge: {} for judge in judges}  # in the order asked
        self._ended: dict[str, deque[bool]] = {judge: deque(maxlen=LOOK_BACK) for judge in self._open}

    def asked(self, judge: str, question: int) -> None:
        """A question is on its way to the judge."""
        self._open[judge][question] = None

    def over(self, judge: str, question: int, *, failed: bool, problem: BaseException | None = None) -> bool:
        """Note how a question ended (an answer and a refusal are no failures); True: ask this judge no more."""
        waiting, ended = self._open[judge], self._ended[judge]
        waiting[question] = failed
        hopeless = isinstance(problem, JudgeUnusable)
        while waiting and (outcome := waiting[next(iter(waiting))]) is not None:
            del waiting[next(iter(waiting))]
            ended.append(outcome)
            hopeless |= 2 * sum(ended) - len(ended) >= TOO_MANY
        return hopeless

    def words(self, judge: str) -> str:
        """How often it failed lately."""
        ended = self._ended[judge]
        return f"{sum(ended)} of its last {len(ended)} questions failed"
