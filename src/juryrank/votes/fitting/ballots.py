"""What a fit works on: one row per counted vote, or per kind of equal votes with how many there are; and who was
compared with whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from juryrank.errors import BadVotes

Floats: TypeAlias = NDArray[Any]
Ints: TypeAlias = NDArray[Any]
Bools: TypeAlias = NDArray[Any]


LEFT_WON, RIGHT_WON, TIED = 0, 1, 2  # what `Ballots.outcome` holds
SCORES = np.array([1.0, 0.0, 0.5])  # of left
FEWER = 8  # times as many votes as there are kinds of them, from which on they are counted by pairs
AT_ONCE = 1 << 20  # votes


@dataclass(frozen=True, slots=True)
class Ballots:
    """Counted votes, sorted by judge (so that sums per judge run over neighbours).

    `judged` and `sided` say whether the source names judges, and which item was shown on which side. `case`
    numbers the case of each vote (a vote without one has a number of its own); None where there are no cases.
    `grade` says by how much, from 1 (left) to -1 (right); None where no vote is between a win and a tie.
    """

    judge: Ints
    left: Ints
    right: Ints
    outcome: NDArray[np.int8]
    items: tuple[str, ...]
    judges: tuple[str, ...]
    case: Ints | None = None
    cases: tuple[str, ...] = ()  # their names
    grade: Floats | None = None
    count: Ints | None = None  # how many equal votes each row stands for; None: one
    control: Floats | None = None  # votes by columns of `controls.bent`
    controls: tuple[tuple[str, float], ...] = ()  # each with what one standard deviation is
    judged: bool = True
    sided: bool = True
    duplicates: int | None = 0  # rows that repeat another row in every column; None: nobody looked
    left_out: tuple[str, ...] = ()  # what was not counted, in words
    never_compared: tuple[str, ...] = ()  # items of a study without a counted vote
    notes: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        """How many rows."""
        return len(self.outcome)

    @property
    def total(self) -> int:
        """How many votes."""
        return len(self) if self.count is None else int(self.count.sum())

    @property
    def weight(self) -> Any:
        """How many votes each row is; 1 where each is one."""
        return 1.0 if self.count is None else self.count

    def votes_where(self, chosen: Any) -> int:
        """How many votes the chosen rows are."""
        return int(np.sum(chosen * self.weight))

    def one_by_one(self) -> Ballots:
        """A row for each vote."""
        if self.count is None:
            return self
        return replace(self.part(np.repeat(np.arange(len(self)), self.count)), count=None)

    def by_pairs(self) -> Ballots:
        """The same votes whoever gave them, where that is far fewer rows: for what asks for no judge."""
        n, m = len(self.items), len(self.items) ** 2
        if self.grade is not None or self.control is not None or FEWER * 3 * m > len(self):
            return self
        many = np.zeros(3 * m, dtype=np.int64)
        for start in range(0, len(self), AT_ONCE):
            part = self.part(slice(start, start + AT_ONCE))
            kind = part.outcome.astype(np.int64) * m + part.left.astype(np.int64) * n + part.right
            many += np.bincount(kind, None if part.count is None else part.count, 3 * m).astype(np.int64)
        kind = np.flatnonzero(many)
        return replace(
            self, judge=np.zeros(len(kind), dtype=np.int32), left=(kind % m // n).astype(np.int32),
            right=(kind % n).astype(np.int32), outcome=(kind // m).astype(np.int8), case=None, cases=(),
            count=many[kind],
        )  # fmt: skip

    @property
    def size_in_words(self) -> str:
        """How many votes, items and judges."""
        counts = {"vote": self.total, "item": len(self.items), "judge": len(self.judges)}
        return ", ".join(f"{many:,} {what}{'' if many == 1 else 's'}" for what, many in counts.items())

    @property
    def ties(self) -> int:
        """How many votes are ties."""
        return self.votes_where(self.outcome == TIED)

    @property
    def score(self) -> NDArray[np.float64]:
        """Left's score: 1, 0, or a half for a tie; a grade counts by its size."""
        if self.grade is not None:
            return (1 + self.grade) / 2
        return SCORES.take(self.outcome)

    def part(self, chosen: Any) -> Ballots:
        """Some of the votes, with the same items and judges."""
        return replace(
            self,
            judge=self.judge[chosen],
            left=self.left[chosen],
            right=self.right[chosen],
            outcome=self.outcome[chosen],
            case=None if self.case is None else self.case[chosen],
            grade=None if self.grade is None else self.grade[chosen],
            count=None if self.count is None else self.count[chosen],
            control=None if self.control is None else self.control[chosen],
        )

    def seen(self) -> NDArray[np.int64]:
        """How many votes each item has."""
        n = len(self.items)
        both = np.bincount(self.left, self.count, n) + np.bincount(self.right, self.count, n)
        return both.astype(np.int64)

    def decided(self) -> NDArray[np.int64]:
        """How many votes of each item are not ties."""
        return self.part(self.outcome != TIED).seen()

    def per_judge(self) -> NDArray[np.int64]:
        """How many votes each judge has."""
        return np.bincount(self.judge, self.count, len(self.judges)).astype(np.int64)


def sorted_by_judge(ballots: Ballots) -> Ballots:
    """The same votes in order of their judges."""
    if np.all(np.diff(ballots.judge) >= 0):
        return ballots
    return ballots.part(np.argsort(ballots.judge, kind="stable"))


def assemble(
    judge: Any,
    left: Any,
    right: Any,
    outcome: Any,
    *,
    names: list[str],
    judges: list[str],
    case: Any = None,
    case_names: Sequence[str] = (),
    grade: Any = None,
    count: Any = None,
    **known: Any,
) -> Ballots:
    """Ballots from arrays, with only those items and judges that have a counted vote; -1 in `case` is no case, nan
    in `grade` no grade."""
    if not len(outcome):
        why = "; ".join(known.get("left_out", ())) or "there are none"
        raise BadVotes(f"there is no vote to fit ({why}): it takes a preference or a tie between two items")
    used, place = renumbered(len(names), left, right)
    sitting, seat = renumbered(len(judges), judge)
    ballots = Ballots(
        judge=seat[judge],
        left=place[left],
        right=place[right],
        outcome=np.asarray(outcome, dtype=np.int8),
        items=tuple(names[k] for k in used),
        judges=tuple(judges[k] for k in sitting),
        **_numbered(case, case_names),
        grade=_between(grade, outcome),
        count=None if count is None or np.all(count == 1) else count,
        **known,
    )
    return sorted_by_judge(ballots)


def renumbered(many: int, *columns: Any) -> tuple[Ints, Ints]:
    """Which of so many numbers occur, and which number each has among those."""
    seen = np.zeros(many, dtype=bool)
    for column in columns:
        seen[column] = True
    return np.flatnonzero(seen), (np.cumsum(seen) - 1).astype(np.int32)


def _between(grade: Any, outcome: Any) -> Any:
    """Grades, where one is neither a win nor a tie; votes without one count as wholly won."""
    if grade is None:
        return None
    whole = np.array([1.0, -1.0, 0.0])[outcome]
    filled = np.where(np.isnan(grade), whole, grade)
    return None if np.array_equal(filled, whole) else filled


def _numbered(case: Any, names: Sequence[str]) -> dict[str, Any]:
    """Cases counted from 0, each -1 as a case of its own, without a name; nothing where no vote has one."""
    if case is None or not len(case) or np.max(case) < 0:
        return {}
    alone, last = case < 0, np.max(case)
    found, numbers = np.unique(np.where(alone, last + np.cumsum(alone), case), return_inverse=True)
    return {"case": numbers.astype(np.int32), "cases": tuple(names[k] if k <= last else "" for k in found)}


# ----------------------------------------------------------------------------
# Who was compared with whom: which items share a scale, and whose scores votes alone keep finite


@dataclass(frozen=True, slots=True)
class Graph:
    """`component[k]` is the scale that item k is on (0 is the largest); `strong[c]`: does every item of component
    c lose, directly or along others, to every other one? Only then are its scores finite by the votes alone
    (Ford 1957)."""

    component: NDArray[np.int64]
    strong: tuple[bool, ...]

    @property
    def count(self) -> int:
        return len(self.strong)

    def anchors(self) -> Floats:
        """One virtual tie for each item of a component whose scores would run away."""
        return np.where(np.array(self.strong)[self.component], 0.0, 1.0)

    def centred(self, scores: Floats) -> Floats:
        """Scores that sum to 0 on each scale (the last axis is the items')."""
        if self.count == 1:
            return scores - scores.mean(axis=-1, keepdims=True)
        sizes = np.bincount(self.component, minlength=self.count)
        lines = scores.reshape(-1, len(self.component))
        means = np.stack([np.bincount(self.component, line, self.count) / sizes for line in lines])
        return scores - means[:, self.component].reshape(scores.shape)


def graph_of(votes: Ballots) -> Graph:
    """The comparisons as a graph; a tie, or a grade between, is a loss of both."""
    n = len(votes.items)
    better = np.where(votes.outcome == RIGHT_WON, votes.right, votes.left)
    worse = np.where(votes.outcome == RIGHT_WON, votes.left, votes.right)
    tied = (votes.outcome != LEFT_WON) & (votes.outcome != RIGHT_WON)
    if votes.grade is not None:  # a win by less than all of it is a share of a loss, too
        tied |= np.abs(votes.grade) < 1
    start = np.concatenate([worse, better[tied]])
    end = np.concatenate([better, worse[tied]])
    component = _components(n, votes.left, votes.right)
    roots = np.array([np.flatnonzero(component == c)[0] for c in range(component.max() + 1)])
    both = _reached(n, roots, start, end) & _reached(n, roots, end, start)
    missing = np.bincount(component[~both], minlength=len(roots))
    return Graph(component, tuple(bool(k == 0) for k in missing))


def _components(n: int, left: Any, right: Any) -> NDArray[np.int64]:
    """The number of each item's component, by size."""
    label = np.arange(n)
    while True:
        low = np.minimum(label[left], label[right])
        new = label.copy()
        np.minimum.at(new, left, low)
        np.minimum.at(new, right, low)
        new = new[new]
        if np.array_equal(new, label):
            break
        label = new
    _, numbers, sizes = np.unique(label, return_inverse=True, return_counts=True)
    place = np.empty(len(sizes), dtype=np.int64)
    place[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return place[numbers]


def _reached(n: int, roots: Any, start: Any, end: Any) -> NDArray[np.bool_]:
    """Which items can be reached from the roots along the arrows."""
    reached = np.zeros(n, dtype=bool)
    reached[roots] = True
    while True:
        more = end[reached[start] & ~reached[end]]
        if not len(more):
            return reached
        reached[more] = True
