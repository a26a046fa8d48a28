"""A panel of people (or a fixed list of judges): rank ranges, lines between groups, top-k, with a promise.

A person's questions come in one *sitting*, whose plan is fixed on arrival from sittings already counted and
blind to who arrives. Sittings count in order of arrival; nobody waits for anybody. The first question of a
sitting carries the plan in its terms, the others their place:

    terms = {"sitting": 7, "place": 0, "plan": [["a", "b"], ["c", "d"], ...]}, then {"sitting": 7, "place": 1}, ...

With about="panel" the judges are a fixed list, each asked a pair once, and a majority is counted, not inferred.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from juryrank.core.levels import read_objective
from juryrank.core.panel.counting import BySittings, Counting
from juryrank.core.panel.fixed_judges import FixedJudges
from juryrank.core.panel.sittings import Given, Sitting, Sittings
from juryrank.errors import BadInput, CannotJoin, UnknownName
from juryrank.rankers.contract.algorithm import Draft
from juryrank.rankers.contract.ranker import Ranker
from juryrank.rankers.panel import sittings, status
from juryrank.rankers.panel.fixed_judges import choose_vote, record_vote
from juryrank.rankers.panel.forecast import forecast_of
from juryrank.rankers.panel.options import check_options, new_count
from juryrank.rankers.panel.result import PanelView, build_ranking, promised
from juryrank.types import SKIP, TIE, Answer, Item, Judge, JudgeReport, Progress, Question, Ranking, Status, Wait

DEFAULT_SITTING = 10  # questions a person
PLAN_STREAM = 11  # stream of chance: pairs that look equally useful, and random matchings
T = TypeVar("T")


class Panel(Ranker):
    """Ranges, lines and top-k for a panel.

    >>> panel = Panel(["a", "b", "c"], objective="best", error=0.1, sitting=3)
    >>> for person in range(40):
    ...     panel.add_judge(person)
    ...     while (question := panel.ask(person)) is not None:
    ...         panel.tell(question, min(question.left, question.right))
    >>> panel.done, panel.ranking.details["groups"]
    (True, [['a'], ['b', 'c']])
    """

    name: ClassVar[str] = "panel"
    title: ClassVar[str] = "People: rank ranges, lines between groups and top-k, for what a majority would say"
    fresh_answers: ClassVar[bool] = False
    needs_judges: ClassVar[bool] = False

    def __init__(
        self,
        items: Iterable[Item],
        *,
        judges: Iterable[Judge] = (),
        objective: str = "ranges",
        about: str = "population",
        relation: str = "head-to-head",
        sitting: int = DEFAULT_SITTING,
        k: int | None = None,
        joining: bool = True,
        **shared: Any,
    ) -> None:
        options: dict[str, Any] = {"objective": objective, "about": about, "relation": relation, "k": k}
        super().__init__(items, judges=judges, **shared, **options, sitting=sitting, joining=joining)
        self.objective, self.k = read_objective(objective, k)
        self.about, self.relation, self.sitting, self.joining = about, relation, sitting, joining
        check_options(self)
        self._book = Sittings()
        self._ties = self._skips = 0
        self._foreign: set[int] = set()
        self._counted: Counting = new_count(self)
        self._version = 0  # moves whenever something is counted
        self._cache: dict[str, tuple[int, Any]] = {}

    # ------------------------------------------------------------------ choosing
    def _choose(self, judge: int | None) -> Draft | None:
        if isinstance(self._counted, FixedJudges):
            return choose_vote(self, self._counted, judge)
        return sittings.choose_question(self, judge)

    def _plan(self) -> list[tuple[int, int]]:
        """The plan for whoever arrives next; it knows the counted sittings, never the person."""
        number = len(self._book.sittings) + 1

        def make() -> list[tuple[int, int]]:
            rng = np.random.default_rng([self.seed & 0xFFFFFFFFFFFF, PLAN_STREAM, number])
            return self._sat.plan(self.sitting, sittings.waiting(self), rng)

        return self._cached("plan", make)

    # ------------------------------------------------------------------ counting
    def _asked(self, question: Question) -> None:
        if isinstance(self._counted, FixedJudges):
            u, i, j = self._indices(question)
            if not question.terms.get("vote") or self._counted.asked[u, i, j]:
                self._foreign.add(question.id)
            else:
                self._counted.ask(u, i, j)
        elif not sittings.enter(self, question):
            self._foreign.add(question.id)
        self._cache.pop("plan", None)

    def _indices(self, question: Question) -> tuple[int, int, int]:
        return self._judge(question.judge), self._item(question.left), self._item(question.right)

    def _count(self, question: Question, answer: Answer) -> None:
        if question.id in self._foreign:
            return
        if isinstance(self._counted, FixedJudges):
            self._vote(question, answer)
            return
        number, place = question.terms["sitting"], question.terms["place"]
        sitting = self._book.sittings[number - 1]
        self._book.answer(number, place, sittings.given(sitting.plan[place], answer, self._item_index))
        self._count_due()

    def _vote(self, question: Question, answer: Answer | None) -> None:
        self._version += 1
        self._ties += answer is TIE
        self._skips += answer is SKIP
        record_vote(self, question, answer)

    def _expired(self, question: Question) -> None:
        if question.id in self._foreign:
            return
        if isinstance(self._counted, FixedJudges):
            self._vote(question, None)
            return
        self._book.answer(question.terms["sitting"], question.terms["place"], Given.EXPIRED)
        self._count_due()

    def lapse(self, sitting: int) -> None:
        """The deadline of a sitting, fixed on arrival, has passed: its open questions expire, and it counts."""
        if self._book.numbered(sitting) is None:
            raise UnknownName(f"there is no sitting {sitting}; {len(self._book.sittings)} have begun")
        for question in self.open_questions:
            if question.terms.get("sitting") == sitting and question.id not in self._foreign:
                self.expire(question)
        self._book.lapse(sitting)
        self._count_due()

    @property
    def _sat(self) -> BySittings:
        assert isinstance(self._counted, BySittings)
        return self._counted

    def _count_due(self) -> None:
        for sitting in self._book.due():
            self._version += 1
            said = list(sitting.given.values())
            self._ties += said.count(Given.TIE)
            self._skips += said.count(Given.SKIP)
            self._sat.count_person(sitting.number, sitting.preferences(), arrived=len(self._book.sittings))

    @property
    def people(self) -> int:
        """How many people have given a counted answer (ties and skips included)."""
        if self.about == "panel":
            return sum(answered > 0 for answered in self._answered_of)
        heard = (sitting.given.values() for sitting in self._book.counted_sittings())
        return sum(any(given is not Given.EXPIRED for given in said) for said in heard)

    @property
    def sittings(self) -> tuple[Sitting, ...]:
        """Every sitting in order of arrival (for callers that keep deadlines: see `lapse`)."""
        return tuple(self._book.sittings)

    # ------------------------------------------------------------------ results
    def _finished(self) -> bool:
        return self._cached("finished", self._counted.finished)

    def _view(self) -> PanelView:
        return self._cached("view", lambda: PanelView.of(self._counted, self._book))

    def _ranking(self) -> Ranking:
        return build_ranking(self, self._view())

    def claims(self) -> NDArray[np.bool_]:
        """The pairs (row over column, by item index) that the statement covers now."""
        counted, no_guess = self._counted, np.zeros(len(self.items))
        return self._cached("claims", lambda: promised(counted, counted.order(no_guess))[0])

    def forecast(self, people: int = 20) -> dict[str, Any]:
        """What `people` more people would settle, with an interval; no promise."""
        if not isinstance(people, int) or people < 0:
            raise BadInput(f"people is {people!r}; it is a number of people, 0 or more")
        seen: dict[str, Any] = self._cached(f"forecast {people}", lambda: forecast_of(self, people))
        return deepcopy(seen)

    def _progress(self) -> Progress:
        return status.progress(self)

    def _judge_report(self, u: int) -> JudgeReport:
        return status.judge_report(self, u)

    def _why(self, judge: int | None) -> Status:
        if self._choose(judge) is not None:
            return Status(Wait.READY, "There is a question: ask.")
        return status.why_not(self, judge)

    # ------------------------------------------------------------------ joining, snapshots
    def _judge_joining(self, judge: Judge) -> None:
        if self.about == "panel":
            raise CannotJoin(
                f"this ranking is about the majority of exactly {len(self.judge_names)} judges; {judge!r} would "
                "make it another question: start a new one with everybody, or use about='population'"
            )

    def _judge_joined(self, u: int) -> None:
        self._cache.clear()

    def _items_joining(self, items: Sequence[Item]) -> None:
        if not self.joining:
            raise CannotJoin("this panel was started with joining=False: all of δ is spent on the first items")

    def _items_joined(self, count: int) -> None:
        if count:
            self._counted.join(count, arrived=len(self._book.sittings))
            self._version += 1

    def _lane_for(self, question: Question) -> Hashable:
        return None  # whole sittings are counted in order: see the book

    def _cached(self, what: str, make: Callable[[], T]) -> T:
        """What follows from the counted answers, made once for each state of them."""
        if self._cache.get(what, (-1, None))[0] != self._version:
            self._cache[what] = (self._version, make())
        made: T = self._cache[what][1]
        return made

    def _state(self) -> dict[str, Any]:
        return {
            "book": self._book.state(),
            "counted": self._counted.state(),
            "ties": self._ties,
            "skips": self._skips,
            "foreign": sorted(self._foreign),
        }

    def _load(self, state: Mapping[str, Any]) -> None:
        self._book.load(state["book"])
        self._counted.load(state["counted"])
        self._ties, self._skips = state["ties"], state["skips"]
        self._foreign = set(state["foreign"])
        self._version += 1
