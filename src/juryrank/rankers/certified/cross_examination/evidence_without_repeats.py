"""What the links of an attempt rest on: who said what, first and again; some judges' repeats can be left out.

The sums do not depend on the order of the answers.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from juryrank.rankers.certified.core.prove.evidence import log_mixture, log_supremum, most_right

Link = tuple[int, int]  # better, worse
FOR, AGAINST, GAIN = 0, 1, 2  # one judge's answers at one link, once for first answers and once for repeats


class EvidenceWithoutRepeats:
    """The answers of the running attempt, by link and judge.

    >>> repeat_evidence = EvidenceWithoutRepeats()
    >>> repeat_evidence.count(1, (0, 1), judge=7, agrees=True, gain=2.0, again=False)
    >>> repeat_evidence.count(1, (0, 1), judge=7, agrees=True, gain=2.0, again=True)
    >>> repeat_evidence.by_bets((0, 1)), repeat_evidence.by_bets((0, 1), without={7})
    (4.0, 2.0)
    """

    def __init__(self) -> None:
        self.attempt = 0
        self.answers = 0
        self._links: dict[Link, dict[int, list[list[float]]]] = {}  # link -> judge -> [first, again]

    def count(self, attempt: int, link: Link, *, judge: int, agrees: bool, gain: float, again: bool) -> None:
        """One more answer, which added `gain` to log E; those of an earlier attempt are forgotten with it."""
        if attempt != self.attempt:
            self.attempt, self.answers = attempt, 0
            self._links.clear()
        self.answers += 1
        kept = self._links.setdefault(link, {}).setdefault(judge, [[0, 0, 0.0], [0, 0, 0.0]])[again]
        kept[FOR if agrees else AGAINST] += 1
        kept[GAIN] += gain

    def by_bets(self, link: Link, *, without: Container[int] = ()) -> float:
        """log E under better-than-chance, the repeats of some judges left out."""
        judges = self._links.get(link, {}).items()
        return sum(first[GAIN] + (0.0 if judge in without else again[GAIN]) for judge, (first, again) in judges)

    def by_likelihood(
        self, links: Iterable[Link], priors: Mapping[int, Any], *, without: Container[int] = ()
    ) -> dict[Link, float]:
        """log E of all links under steady, the repeats of some judges left out."""
        tally: dict[int, dict[Link, tuple[int, int]]] = {}
        for judge, link, good, bad in self._tallies(without):
            tally.setdefault(judge, {})[link] = (good, bad)
        found = dict.fromkeys(links, 0.0)
        for judge, at in tally.items():
            answers = sum(good + bad for good, bad in at.values())
            larger = sum(max(both) for both in at.values())
            mixture = log_mixture(priors[judge], sum(good for good, _ in at.values()), answers)
            for link in found:
                good, bad = at.get(link, (0, 0))
                found[link] += mixture - log_supremum(most_right(larger, good - bad), answers)
        return found

    def _tallies(self, without: Container[int]) -> Iterator[tuple[int, Link, int, int]]:
        for link, judges in self._links.items():
            for judge, (first, again) in judges.items():
                good, bad = first[FOR], first[AGAINST]
                if judge not in without:
                    good, bad = good + again[FOR], bad + again[AGAINST]
                if good or bad:
                    yield judge, link, int(good), int(bad)

    def state(self) -> list[Any]:
        """JSON values, for snapshots."""
        rows = [[*link, judge, *both] for link, judges in self._links.items() for judge, both in judges.items()]
        return [self.attempt, rows]

    @classmethod
    def load(cls, state: Iterable[Any]) -> EvidenceWithoutRepeats:
        """The answers back from `state()`."""
        repeat_evidence = cls()
        repeat_evidence.attempt, rows = state
        repeat_evidence.answers = sum(
            int(sum(both[:GAIN])) for *_, first, again in rows for both in (first, again)
        )
        for better, worse, judge, first, again in rows:
            repeat_evidence._links.setdefault((better, worse), {})[judge] = [list(first), list(again)]
        return repeat_evidence
