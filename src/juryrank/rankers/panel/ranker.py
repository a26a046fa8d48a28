"""A panel of people (or a fixed list of judges): rank ranges, lines between groups, top-k, with a promise.

A person's questions come in one *sitting*, whose plan is fixed on arrival from sittings already counted and
blind to who arrives. Sittings count in order of arrival; nobody waits for anybody. The first question of a
sitting carries the plan in its terms, the others their place:

    terms = {"sitting": 7, "place": 0, "plan": [["a", "b"], ["c", "d"], ...]}, then {"sitting": 7, "place": 1}, ...

With about="panel" the judges are a fixed list, each asked a pair once, and a majority is counted, not inferred.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from juryrank.core import chance
from juryrank.core.levels import Objective, read_objective
from juryrank.defaults import DEFAULT_SITTING, PEOPLE_AHEAD
from juryrank.errors import BadInput, CannotJoin, UnknownName
from juryrank.options import PanelChoices
from juryrank.rankers.contract.limits import JUDGE_STREAM, Draft, RecordedTerms, RecordedUse
from juryrank.rankers.contract.ranker import FewestAnswers, Ranker
from juryrank.rankers.panel import sittings, status, wording
from juryrank.rankers.panel.core.fixed_judges import FixedJudges
from juryrank.rankers.panel.core.head_to_head import HeadToHead
from juryrank.rankers.panel.core.sittings import Given, Sitting
from juryrank.rankers.panel.large.ballot import LargeBallot
from juryrank.rankers.panel.large.judges import LargeJudges
from juryrank.rankers.panel.result import build_ranking, by_rank, outline
from juryrank.rankers.panel.state import PanelOptions, PanelState
from juryrank.rankers.panel.status import forecast_for
from juryrank.rankers.panel.view import promised
from juryrank.types import SKIP, TIE, Answer, Item, Judge, JudgeReport, Progress, Question, Ranking, Status

if TYPE_CHECKING:
    from juryrank.rankers.panel.large.result import LargeView


class Panel(Ranker):
    """Ranges, lines and top-k for a panel.

    >>> panel = Panel(["a", "b", "c"], objective="best", error=0.1, sitting=3)
    >>> for person in range(40):
    ...     panel.add_judge(person)
    ...     while (question := panel.ask(person)) is not None:
    ...         panel.tell(question, min(question.left, question.right))
    >>> panel.done, panel.ranking.details.groups
    (True, [['a'], ['b', 'c']])
    """

    name: ClassVar[str] = "panel"
    title: ClassVar[str] = "People: rank ranges, lines between groups and top-k, for what a majority would say"
    recorded = RecordedUse.OPINIONS
    true_order = False
    any_order = True
    sets_aside = False  # it is about what everybody says, whoever is right
    needs_judges: ClassVar[bool] = False
    study_options: ClassVar[Mapping[str, Any]] = {"spread": True}

    declared = PanelChoices
    chosen: PanelChoices

    def __init__(self, items: Iterable[Item], *, judges: Iterable[Judge] = (), **given: Any) -> None:
        super().__init__(items, judges=judges, **given)
        chosen = self.chosen
        aim, k = read_objective(chosen.objective, chosen.k)
        plan = (chosen.about, chosen.relation, chosen.sitting, chosen.joining, chosen.beyond, chosen.spread)
        read = PanelOptions(aim, k, *plan)
        sizes = {"items": len(self.items), "judges": len(self.judge_names)}
        read.check(**sizes)
        counted = read.new_count(sizes["items"], sizes["judges"], error=self.error, seed=self.seed)
        self.state = PanelState(self.roster, self.outstanding, self.error, self.seed, read, counted)

    @classmethod
    def assumptions(cls, options: Mapping[str, Any]) -> tuple[str, ...]:
        return wording.assumptions(about=options.get("about"), objective=options.get("objective"))

    @classmethod
    def caption(cls, ranking: Ranking) -> str:
        return wording.caption(ranking)

    @classmethod
    def counts_models(cls, options: Mapping[str, Any]) -> bool:
        return options.get("about") == "panel"

    @classmethod
    def recorded_terms(cls, options: Mapping[str, Any]) -> RecordedTerms:
        return RecordedTerms.VOTES if options.get("about") == "panel" else RecordedTerms.SITTINGS

    @classmethod
    def fewest_answers(cls, *, items: int, error: float, options: Mapping[str, Any]) -> FewestAnswers | None:
        wanted, k = read_objective(options.get("objective") or PanelChoices.default("objective"), options.get("k"))
        counted = HeadToHead(items, error=error, objective=wanted, k=k, joining=options.get("joining", True))
        return FewestAnswers(
            counted.table.fewest, "a line" if wanted in (Objective.TIERS, Objective.TOP) else "a pair"
        )

    @classmethod
    def planned_sitting(cls, options: Mapping[str, Any], *, items: int) -> int | None:
        if options.get("about") == "panel":
            return None  # a fixed list of judges, each of whom answers as often as there is something to ask
        return min(int(options.get("sitting") or DEFAULT_SITTING), items * (items - 1) // 2)

    # ------------------------------------------------------------------ choosing
    def _choose(self, judge: int | None) -> Draft | None:
        if self.state.options.about == "panel":
            return self._choose_vote(self.state.jury, judge)
        return sittings.choose_question(self.state, judge)

    def _choose_vote(self, jury: FixedJudges | LargeJudges, judge: int | None) -> Draft | None:
        """The pair nearest to a majority, among those that the objective needs first; then what decides most."""
        everybody = range(len(self.judge_names))
        judges = [u for u in everybody if u not in self.roster.paused] if judge is None else [judge]
        if isinstance(jury, LargeJudges):
            pair = jury.next_pair(judges)
        else:
            pair = jury.next_pair(judges, self.state.cached("needed_first", jury.needed_first))
        if pair is None:
            return None
        free = [u for u in judges if not jury.was_asked(u, *pair)]
        least = min(self.roster.asked[u] for u in free)
        fewest = [u for u in free if self.roster.asked[u] == least]
        whom = chance.pick(fewest, self.seed, JUDGE_STREAM, self.outstanding.next_id)
        return Draft(whom, *pair, terms={"vote": True})

    # ------------------------------------------------------------------ counting
    def _asked(self, question: Question) -> None:
        if self.state.options.about == "panel":
            u, i, j = self.state.indices(question)
            if not question.terms.get("vote") or self.state.jury.was_asked(u, i, j):
                self.state.foreign.add(question.id)
            else:
                self.state.jury.ask(u, i, j)
        elif not sittings.enter(self.state, question):
            self.state.foreign.add(question.id)
        self.state.cache.pop("plan", None)

    def _count(self, question: Question, answer: Answer) -> None:
        if question.id in self.state.foreign:
            return
        if self.state.options.about == "panel":
            self._vote(self.state.jury, question, answer)
            return
        number, place = question.terms["sitting"], question.terms["place"]
        sitting = self.state.book.sittings[number - 1]
        self.state.book.answer(number, place, sittings.given(sitting.plan[place], answer, self.roster))
        self._count_due()

    def _vote(self, jury: FixedJudges | LargeJudges, question: Question, answer: Answer | None) -> None:
        """One judge's word on a pair; None: it never came."""
        self.state.version += 1
        self.state.ties += answer is TIE
        self.state.skips += answer is SKIP
        chosen = answer is not None and answer is not TIE and answer is not SKIP
        better = self.roster.item(answer) if chosen else None
        jury.vote(*self.state.indices(question), better=better, even=answer is TIE, silent=answer is None)

    def _expired(self, question: Question) -> None:
        if question.id in self.state.foreign:
            return
        if self.state.options.about == "panel":
            self._vote(self.state.jury, question, None)
            return
        self.state.book.answer(question.terms["sitting"], question.terms["place"], Given.EXPIRED)
        self._count_due()

    def owns(self, judge: Judge, items: Iterable[Item]) -> None:
        """The judge's own work, before the first question; field-share records it there, as it must know."""
        if self.state.options.relation == "field-share":
            self.state.owns[self.roster.judge(judge)] = frozenset(map(self.roster.item, items))

    @property
    def waits_for_nobody(self) -> bool:
        return self.state.options.about == "panel"

    def lapse(self, sitting: int) -> None:
        """The deadline of a sitting, fixed on arrival, has passed: its open questions expire, and it counts."""
        if self.state.book.numbered(sitting) is None:
            raise UnknownName(f"there is no sitting {sitting}; {len(self.state.book.sittings)} have begun")
        for question in self.open_questions:
            ours = question.terms.get("sitting") == sitting and not question.terms.get("beyond")
            if ours and question.id not in self.state.foreign:
                self.expire(question)
        self.state.book.lapse(sitting)
        self._count_due()

    def _count_due(self) -> None:
        for sitting in self.state.book.due():
            self.state.version += 1
            said = [given for place, given in sitting.given.items() if place < sitting.promised]
            self.state.ties += said.count(Given.TIE)
            self.state.skips += said.count(Given.SKIP)
            self.state.by_sittings.count_person(sitting.number, sitting.preferences(), own=sitting.own)

    @property
    def people(self) -> int:
        """How many people have given a counted answer (ties and skips included)."""
        return self.state.people

    @property
    def sittings(self) -> tuple[Sitting, ...]:
        """Every sitting in order of arrival (for callers that keep deadlines: see `lapse`)."""
        return tuple(self.state.book.sittings)

    def left_early(self) -> tuple[Judge, ...]:
        return tuple(self.judge_names[sitting.judge] for sitting in self.state.book.sittings if sitting.left_early)

    # ------------------------------------------------------------------ results
    def _finished(self) -> bool:
        return self.state.finished()

    def _ranking(self) -> Ranking:
        """In one order with the estimates, which are from all answers: only promises wait for their turn."""
        if self.state.large is not None:
            return self._large_ranking(self.state.large)
        view = self.state.view()
        if self.state.options.about != "panel" and self.heard.answers:
            found = self._estimates(outline(self.state, view))
            view = view.ordered(self.state.counted, by_rank(self.state, found))
        return build_ranking(self.state, view, ranker=self.name)

    def _large_ranking(self, count: LargeBallot | LargeJudges) -> Ranking:
        from juryrank.rankers.panel.large.result import LargeView, build_large

        view = self._large_view(count)
        if isinstance(count, LargeBallot) and self.heard.answers:
            found = self._estimates(outline(self.state, view))
            view = LargeView.of(count, by_rank(self.state, found))
        return build_large(self.state, view, ranker=self.name)

    def _large_view(self, count: LargeBallot | LargeJudges) -> LargeView:
        from juryrank.rankers.panel.large.result import LargeView

        guess = count.scores.mean if isinstance(count, LargeBallot) else count.guess()
        return self.state.cached("large view", lambda: LargeView.of(count, guess))

    def claims(self) -> NDArray[np.bool_]:
        """The pairs (row over column, by item index) that the statement covers now."""
        if self.state.large is not None:
            return self._large_claims(self.state.large)
        counted, no_guess = self.state.counted, np.zeros(len(self.items))
        return self.state.cached("claims", lambda: promised(counted, counted.shown(no_guess))[0])

    def _large_claims(self, count: LargeBallot | LargeJudges) -> NDArray[np.bool_]:
        table = np.zeros((len(self.items), len(self.items)), dtype=bool)
        for i, j in self._large_view(count).promised:
            table[i, j] = True
        return table

    def forecast(self, people: int = PEOPLE_AHEAD) -> dict[str, Any]:
        """What `people` more people would settle, with an interval; no promise."""
        if not isinstance(people, int) or people < 0:
            raise BadInput(f"people is {people!r}; it is a number of people, 0 or more")
        return forecast_for(self.state, people)

    def _progress(self) -> Progress:
        return status.progress(self.state)

    def _dropped(self, judge: int) -> JudgeReport | None:
        return None  # nobody is: no need to fit everybody's answers, as a report does

    def _judge_report(self, u: int) -> JudgeReport:
        return status.judge_report(self.state, u)

    def _why(self, judge: int | None) -> Status:
        if self._choose(judge) is not None:
            return status.ready(self.state, judge)
        return status.why_not(self.state, judge)

    # ------------------------------------------------------------------ joining, snapshots
    def _judge_joining(self, judge: Judge) -> None:
        if self.state.options.about == "panel":
            raise CannotJoin(
                f"this ranking is about the majority of the judges it began with; {judge!r} would "
                "make it another question: start a new one with everybody, or use about='population'"
            )

    def _judge_joined(self, u: int) -> None:
        self.state.cache.clear()

    def _items_joining(self, items: Sequence[Item]) -> None:
        if not self.state.options.joining:
            raise CannotJoin("this panel was started with joining=False: all of δ is spent on the first items")

    def _items_joined(self, count: int) -> None:
        if count:
            self.state.count.join(count, arrived=len(self.state.book.sittings))
            self.state.version += 1

    def _items_leaving(self, items: Sequence[int]) -> None:
        if self.state.options.about == "panel" or self.state.options.relation != "head-to-head":
            raise BadInput(
                "only a panel about a population, head to head, can go on without an item; start a new study with "
                "the other items"
            )
        if len(self.state.withdrawn | set(items)) > len(self.items) - 2:
            raise BadInput("fewer than two items would be left to compare; close the study instead")
        self.state.withdrawn |= set(items)
        self.state.version += 1

    def _lane_for(self, question: Question) -> Hashable:
        return None  # whole sittings are counted in order: see the book

    def _state(self) -> dict[str, Any]:
        withdrawn = {"withdrawn": sorted(self.state.withdrawn)} if self.state.withdrawn else {}
        return {
            "book": self.state.book.state(),
            "counted": self.state.count.state(),
            "ties": self.state.ties,
            "skips": self.state.skips,
            "foreign": sorted(self.state.foreign),
            **withdrawn,
        }

    def _load(self, state: Mapping[str, Any]) -> None:
        self.state.book.load(state["book"])
        large = "won" in state["counted"]
        if large != (self.state.large is not None):  # items joined, and the way of counting stays as it began
            sizes = (len(self.items), len(self.judge_names))
            start = self.state.options.new_count(*sizes, error=self.error, seed=self.seed, large=large)
            self.state.count = start
        self.state.count.load(state["counted"])
        self.state.ties, self.state.skips = state["ties"], state["skips"]
        self.state.foreign = set(state["foreign"])
        self.state.withdrawn = set(state.get("withdrawn", ()))
        self.state.version += 1
