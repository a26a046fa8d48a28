"""The values that all of juryrank shares, frozen: questions, answers, links, rankings.

Orders are best first everywhere.
"""

from __future__ import annotations

import csv
import enum
import importlib
import io
import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from juryrank.defaults import ESTIMATE_LEVEL
from juryrank.errors import BadAnswer, NoRecord, need_extra
from juryrank.statements.details import NO_DETAILS, Details

Item: TypeAlias = Hashable
Judge: TypeAlias = Hashable


class NonVote(enum.Enum):
    """An answer that prefers nothing: kept and reported, never counted as a win.

    TIE: the two are equal. SKIP: this judge cannot or will not say.

    >>> from juryrank import SKIP, TIE, rank
    >>> taste = {"ann": lambda left, right: SKIP if "d" in left + right else min(left, right)}
    >>> rank(["a", "b", "d"], taste, seed=1).judges[0].answered
    3
    """

    TIE = "tie"
    SKIP = "skip"

    def __repr__(self) -> str:
        return self.name


TIE: Final = NonVote.TIE
SKIP: Final = NonVote.SKIP


@dataclass(frozen=True, slots=True)
class Grade:
    """An answer by degree: from 1 (left is clearly better) through 0 (a tie) to -1 (right is clearly better).

    >>> Grade(0.5)
    Grade(x=0.5)
    """

    x: float

    def __post_init__(self) -> None:
        number = isinstance(self.x, int | float) and not isinstance(self.x, bool)
        if not (number and -1 <= self.x <= 1):
            raise BadAnswer(f"a grade is a number from -1 (right) to 1 (left); {self.x!r} is not")


@dataclass(frozen=True, slots=True)
class Order:
    """An answer about several that were shown together: best first, those that are equal side by side.

    >>> Order((("b",), ("a", "c"))).value("a", "b"), Order((("b",), ("a", "c"))).value("a", "c")
    (-1, 0)
    """

    tiers: tuple[tuple[Item, ...], ...]

    def place(self, item: Item) -> int:
        """The tier of an item; 0 is the best."""
        return next(at for at, tier in enumerate(self.tiers) if item in tier)

    def value(self, one: Item, other: Item) -> int:
        """1: the first of the two is better; 0: they are equal; -1: the second is."""
        here, there = self.place(one), self.place(other)
        return (there > here) - (there < here)

    def check(self, shown: Sequence[Item]) -> None:
        """Refuse an order that does not hold each item that was shown once."""
        told = [item for tier in self.tiers for item in tier]
        twice = next((item for at, item in enumerate(told) if item in told[:at]), None)
        left_out = next((item for item in shown if item not in told), None)
        strange = next((item for item in told if item not in shown), None)
        for item, what in ((strange, "which was not shown"), (twice, "twice"), (left_out, "")):
            if item is not None:
                does = "leaves out" if not what else "names"
                raise BadAnswer(f"the order {does} {f'{item!r} {what}'.strip()}; it must hold each one shown once")


# the preferred item, TIE or SKIP; a Grade, for rankers that take grades; an Order, where all are shown together
Answer: TypeAlias = Hashable


@dataclass(frozen=True, slots=True)
class Question:
    """One pair shown to one judge, in the order shown.

    `terms` is what the ranker fixed when it asked (a bet, an attempt, a plan): stored with the question,
    read back by the ranker when a log is replayed, opaque to everybody else. `case` is the case on which the two
    are compared, where the ranker knows cases. Where several are shown together, left and right are the first and
    the last of `shown`.

    >>> from juryrank import make_ranker
    >>> question = make_ranker("certified", ["a", "b"], judges=["ann"], seed=1).ask()
    >>> question.judge, sorted([question.left, question.right])
    ('ann', ['a', 'b'])
    """

    id: int
    judge: Judge
    left: Item
    right: Item
    terms: Mapping[str, Any] = field(default_factory=dict)
    case: str | None = None
    shown: tuple[Item, ...] = ()  # where several are shown together: all, in the order shown

    def __hash__(self) -> int:
        return hash((self.id, self.judge, self.left, self.right))


class Wait(enum.Enum):
    """Why a judge has no question now."""

    READY = "ready"  # there is one: ask
    WAIT = "wait"  # others must answer first
    DONE = "done"  # the ranking is finished, or the budget is spent
    DROPPED = "dropped"  # this judge is no longer asked


@dataclass(frozen=True, slots=True)
class Status:
    """What a judge should be told: wait, done, or no longer asked; `reason` is a sentence for people."""

    state: Wait
    reason: str
    since: int | None = None  # the question number at which a dropped judge was dropped


@dataclass(frozen=True, slots=True)
class Link:
    """Two neighbours of an order with their own evidence; `evidence` is an e-value, settled at 1/`level`.

    >>> from juryrank import rank
    >>> link = rank(["a", "b"], {"ann": min, "bob": min, "cid": max}, seed=1).links[0]
    >>> link.better, link.worse, link.settled, link.answers_for, link.answers_against
    ('a', 'b', True, 2, 1)
    """

    better: Item
    worse: Item
    settled: bool
    evidence: float | None = None
    level: float | None = None
    answers_for: int = 0
    answers_against: int = 0
    by: Mapping[Judge, tuple[int, int]] = field(default_factory=dict)  # judge: (for, against)


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """What is known of one judge. `right` may be fractional: credit by how likely an answer was right.

    `accuracy` is an estimate of how often the judge is right, with its interval, where there is a true order.
    Where judges have opinions, it is agreement, and no interval goes with it: with `panel` the share of its
    choices that agree with the others', with `jury` the share of pairs on which it leans as the order does.

    >>> from juryrank import rank
    >>> [(each.name, each.answered) for each in rank(["a", "b"], {"ann": min, "bob": min}, seed=1).judges]
    [('ann', 1), ('bob', 1)]
    """

    name: Judge
    asked: int
    answered: int
    right: float
    accuracy: float | None
    low: float | None
    high: float | None
    active: bool
    dropped_at: int | None = None
    note: str = ""  # kept, seldom asked, not asked, dropped (and why), paused
    price: float = 1.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a ranking has come. `expected` is the total number of questions, with an interval where known.

    `left`: what is left to prove, in words. `money`: what the calls have cost so far; None: no price is known.
    """

    items: int
    placed: int
    settled: int
    links: int
    judges: int
    active_judges: int
    questions: int
    open: int
    expected: float | None = None
    expected_low: float | None = None
    expected_high: float | None = None
    cost: float = 0.0
    phase: str = ""
    left: str = ""
    money: float | None = None
    per_minute: float | None = None


class Source(enum.StrEnum):
    """Where an item's place in the best guess comes from."""

    INSERTION = "insertion weights"  # answers about a newcomer weigh the gaps of the list so far
    LIST = "list"  # the ranker's own list
    MODEL = "model"  # scores fitted to all answers


@dataclass(frozen=True, slots=True)
class ItemEstimate:
    """A best guess about one item, from all answers. No promise: see `Estimates`.

    `score` is the log odds that an answer like those given prefers the item to a random other one, and `beats` is
    the same as a probability. `rank` is the expected rank (1 = best). `best` and `top` are the chances of being
    the best item and one of the first k. `known` is False for an item that nobody was asked about yet.

    >>> from juryrank import rank
    >>> first = rank(["b", "a"], {"ann": min, "bob": min}, seed=1).estimates["a"]
    >>> first.rank_low, first.rank < 1.5, first.known
    (1, True, True)
    """

    item: Item
    score: float
    score_low: float
    score_high: float
    rank: float
    rank_low: int
    rank_high: int
    best: float
    top: float
    beats: float
    known: bool
    source: Source


class _Later:
    """A place for how to make what is not made yet."""

    __slots__ = ("_make",)


@dataclass(frozen=True, slots=True)
class Estimates(_Later):
    """Best guesses about all items, in the order of the result; intervals hold `level` of the time, as measured.

    An estimate is never a promise: no part of it is in `Ranking.statement`, and `verify` checks none of it.

    >>> from juryrank import rank
    >>> found = rank(["b", "a"], {"ann": min, "bob": min}, seed=1).estimates
    >>> [guess.item for guess in found], len(found), "a" in found, found["a"].rank_low
    (['a', 'b'], 2, True, 1)
    """

    items: tuple[ItemEstimate, ...]
    level: float = ESTIMATE_LEVEL
    k: int = 1  # `top` is the chance of being among the first k
    answers: int = 0  # preferences and ties that they rest on, also those that the promise still waits for
    note: str = ""  # one line for people

    @classmethod
    def later(cls, make: Callable[[], Estimates]) -> Estimates:
        """Estimates that are made when somebody reads them: of many items that takes seconds."""
        found = cls.__new__(cls)
        object.__setattr__(found, "_make", make)
        return found

    if not TYPE_CHECKING:  # else every name would seem to be there

        def __getattr__(self, name: str) -> Any:
            names = [one.name for one in fields(self)]
            if name not in names:
                raise AttributeError(f"{type(self).__name__} has no {name!r}")
            made = self._make()
            for one in names:
                object.__setattr__(self, one, getattr(made, one))
            return getattr(self, name)

    def along(self, order: Sequence[Item]) -> Estimates:
        """The same estimates in this order."""
        by_item = {guess.item: guess for guess in self.items}
        return replace(self, items=tuple(by_item[item] for item in order))

    def __iter__(self) -> Iterator[ItemEstimate]:
        """One estimate per item, in the order of the result."""
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __contains__(self, item: object) -> bool:
        """Is there an estimate of this item?"""
        return any(found.item == item for found in self.items)

    def __getitem__(self, item: Item) -> ItemEstimate:
        """The estimate of this item."""
        for found in self.items:
            if found.item == item:
                return found
        raise KeyError(item)


@dataclass(frozen=True, slots=True)
class Ranking:
    """A result: the order, which part of it is settled, and what may be said about it.

    `order` holds every item at every moment; the other fields say which part is more than a best guess.
    `certified` is True only where the ranker's promise holds for the whole order at error `error`; `proven` where
    it holds for the objective that was asked for (the whole order, a line, the top three): certified is proven.
    `ranges[i]` is the (best, worst) possible rank of `order[i]`, 1 = best, under the statement made.
    `estimates` are best guesses with intervals; they promise nothing.
    `details` says about whom something is claimed, and what only some rankers know (attempts, groups, forecasts).

    >>> from juryrank import rank
    >>> result = rank(["c", "a", "b"], {"ann": min, "bob": min, "cid": max}, seed=1)
    >>> result.order, result.proven, result.ranges
    (('a', 'b', 'c'), True, ((1, 1), (2, 2), (3, 3)))
    >>> result.statement.split(":")[0]
    'This is the majority of exactly these 3 judges'
    """

    order: tuple[Item, ...]
    certified: bool
    error: float
    questions: int
    ranker: str
    links: tuple[Link, ...] = ()
    judges: tuple[JudgeReport, ...] = ()
    ranges: tuple[tuple[int, int], ...] = ()
    statement: str = ""
    warnings: tuple[str, ...] = ()
    post_hoc: tuple[str, ...] = ()
    cost: float = 0.0
    details: Details = NO_DETAILS
    record: Any = field(default=None, compare=False, repr=False)  # the log behind it, where one was kept
    proven: bool = False
    estimates: Estimates | None = None

    def __post_init__(self) -> None:
        if self.certified:
            object.__setattr__(self, "proven", True)

    @property
    def resolution(self) -> float | None:
        """The finest resolution at which the objective is proven, for rankers that have one (0: exactly)."""
        found: float | None = self.details.jury.get("resolution")
        return found

    @property
    def refuted(self) -> bool:
        """Is it proven that what was required does not hold?"""
        return bool(self.details.jury.get("refuted")) and not (self.proven or self.post_hoc)

    def with_warnings(self, *more: str) -> Ranking:
        """The same result with further warnings."""
        return replace(self, warnings=self.warnings + more)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON (items and judges that JSON cannot hold become text)."""
        values = asdict(replace(self, record=None, details=NO_DETAILS))
        values |= {"details": self.details.to_json(), "refuted": self.refuted}
        del values["record"], values["certified"]  # the one word for success is `proven`
        plain: dict[str, Any] = json.loads(json.dumps(_stringify_keys(values), default=str))
        return plain

    def to_json(self, *, indent: int | None = 2) -> str:
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    @property
    def events(self) -> tuple[Any, ...]:
        """Every question and answer behind this result, as a chained log (where one was kept)."""
        return tuple(self._kept().events)

    def certificate(self) -> dict[str, Any]:
        """This result with its raw events, for anybody to re-check: `juryrank verify`."""
        document: dict[str, Any] = self._kept().certificate()
        return document

    def _kept(self) -> Any:
        if self.record is None:
            raise NoRecord(
                "this ranking came without its log, so there is nothing to certify; "
                "take it from juryrank.rank(...) or from a study"
            )
        return self.record

    def __repr__(self) -> str:
        """
        >>> Ranking(tuple("badc"), certified=True, error=0.05, questions=9, ranker="panel")
        <Ranking b, a, d, ...: 4 items, 9 questions, proven>
        """
        first = ", ".join(str(item)[:40] for item in self.order[:3]) + (", ..." if len(self.order) > 3 else "")
        state = "proven" if self.proven else "not proven"
        return f"<Ranking {first}: {len(self.order):,} items, {self.questions:,} questions, {state}>"

    def __str__(self) -> str:
        """What the terminal shows: who is ahead, what is promised, what to do next."""
        shown: str = importlib.import_module("juryrank.report").result_text(self)
        return shown

    def _repr_html_(self) -> str:
        """For notebooks: the result as a small page of its own."""
        shown: str = importlib.import_module("juryrank.report").result_html(self)  # by name: types know no report
        return shown

    def to_frame(self) -> Any:
        """One row per item (needs pandas: `pip install 'juryrank[votes]'`)."""
        pandas = need_extra("pandas", extra="votes", what="a data frame")
        return pandas.DataFrame(self.rows(), columns=list(ROW_COLUMNS))

    def to_csv(self) -> str:
        """One line per item: its promised ranks, then the estimates, whose columns begin with `estimated_`.

        >>> Ranking(("b", "a"), certified=False, error=0.1, questions=0, ranker="panel").to_csv().splitlines()[1]
        '1,b,,,,,,,,,,,,,,'
        """
        text = io.StringIO()
        writer = csv.DictWriter(text, ROW_COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows())
        return text.getvalue()

    def rows(self) -> list[dict[str, Any]]:
        """One mapping per item, as `to_frame` and `to_csv` show it; what is not known is None."""
        guesses = {guess.item: guess for guess in self.estimates.items} if self.estimates else {}
        settled = {(link.better, link.worse): link.settled for link in self.links}
        rows = []
        for place, item in enumerate(self.order):
            best, worst = self.ranges[place] if self.ranges else (None, None)
            row: dict[str, Any] = dict.fromkeys(ROW_COLUMNS)
            row |= {"rank": place + 1, "item": item, "best_rank": best, "worst_rank": worst}
            if place + 1 < len(self.order):
                row["settled_above_next"] = settled.get((item, self.order[place + 1]))
            if item in guesses:
                row |= {column: getattr(guesses[item], name) for column, name in ESTIMATE_COLUMNS.items()}
                row["estimate_level"] = self.estimates.level if self.estimates else None
                row["top_k"] = self.estimates.k if self.estimates else None
            rows.append(row)
        return rows


ESTIMATE_COLUMNS: Final = {
    "estimated_score": "score",
    "estimated_score_low": "score_low",
    "estimated_score_high": "score_high",
    "estimated_rank": "rank",
    "estimated_rank_low": "rank_low",
    "estimated_rank_high": "rank_high",
    "chance_best": "best",
    "chance_top_k": "top",
    "chance_beats_other": "beats",
}
ROW_COLUMNS: Final = (
    *("rank", "item", "best_rank", "worst_rank", "settled_above_next"),
    *ESTIMATE_COLUMNS,
    *("top_k", "estimate_level"),
)


def _stringify_keys(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _stringify_keys(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_stringify_keys(inner) for inner in value]
    return value
