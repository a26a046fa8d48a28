"""The certified ranker: search by any means, fix a list, then prove its links with fresh answers.

The same promise as the paper's rankers for a small part of the questions. The algorithm is the state machine in
`rankers/certified/core/machine.py`; here it meets the contract: names, lanes, budgets, joining, snapshots.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from juryrank.core import chance
from juryrank.core.tallies import AnswerTallies
from juryrank.defaults import DEFAULT_BUDGET_PER_ITEM, NEXT_QUESTIONS
from juryrank.errors import BadInput, CannotJoin
from juryrank.options import CertifiedChoices
from juryrank.rankers.certified.core import phases, resize
from juryrank.rankers.certified.core import state as st
from juryrank.rankers.certified.core.eliminate import begin_elimination
from juryrank.rankers.certified.core.giving_up import go_on
from juryrank.rankers.certified.core.judge_accuracy import ALLOWED
from juryrank.rankers.certified.core.machine import (
    Query,
    advance,
    answered,
    asked,
    blank,
    choose,
    counts,
    cramped,
    drop_doubted,
)
from juryrank.rankers.certified.core.phases import ELIMINATION, change_phase
from juryrank.rankers.certified.core.prove.attempt import end_attempt
from juryrank.rankers.certified.core.search.gaps import INSERTIONS
from juryrank.rankers.certified.core.search.repair import look_again
from juryrank.rankers.certified.core.state import NO_LINK, above, link_of
from juryrank.rankers.certified.cross_questions import NOT_BEST
from juryrank.rankers.certified.forecast import forecast_of, outlook
from juryrank.rankers.certified.objective import (
    assumptions,
    read_aim,
    recorded_prior,
    unanimous_judges,
)
from juryrank.rankers.certified.outlook import Outlook
from juryrank.rankers.certified.result import START_AGAIN, ranking_of, voided
from juryrank.rankers.certified.state import (
    CertifiedState,
    Watched,
    crosses,
    elimination_lane,
    elimination_terms,
    follow,
    item_lane,
    of_cross_examination,
    position_of,
    proof_terms,
    read,
)
from juryrank.rankers.certified.status import judge_report, progress_of
from juryrank.rankers.contract.limits import RecordedUse
from juryrank.rankers.contract.ranker import Draft, FewestAnswers, Ranker
from juryrank.types import SKIP, TIE, Answer, Item, Judge, JudgeReport, Progress, Question, Ranking, Status, Wait

ARRIVAL_STREAM, TURN_STREAM = 11, 12  # streams of chance: order of insertion, order of the judges
MOST_COUNT = 10**15  # more than will ever be asked, and less than arrays can count
SPARE_JUDGES = 2  # with limited repeats: judges kept for the proof beyond the fewest that could do


class Certified(Ranker):
    """Search, then prove.

    >>> ranker = Certified(["a", "b", "c"], judges=["ann", "bob"], error=0.1)
    >>> while (question := ranker.ask()) is not None:
    ...     ranker.tell(question, min(question.left, question.right))
    >>> ranker.ranking.order, ranker.ranking.certified
    (('a', 'b', 'c'), True)
    """

    name: ClassVar[str] = "certified"
    title: ClassVar[str] = "search, then prove: the whole order with a certificate, for few questions"
    recorded = RecordedUse.EVIDENCE
    true_order = True
    any_order = False  # its search uses answers as they come; only its proof does not

    declared = CertifiedChoices
    chosen: CertifiedChoices

    def __init__(self, items: Iterable[Item], *, judges: Iterable[Judge], **given: Any) -> None:
        super().__init__(items, judges=judges, **given)
        chosen = self.chosen
        self.aim = read_aim(chosen.objective, chosen.k, assume=chosen.assume, items=len(self.items))
        self.joining, self.assume, self.repeats = chosen.joining, chosen.assume, chosen.repeats
        self._ahead: tuple[tuple[int, ...], Outlook] | None = None
        self._some_barred = False  # may somebody not be asked, as the machine has it?
        self._refuted: set[int] = set()  # judges whom gold pairs show to be wrong more often than right
        self._void = False  # does all that was found about the best item rest on such a judge?
        self.state = CertifiedState(
            self.roster,
            self.outstanding,
            self.error,
            self.seed,
            self.aim,
            chosen.assume,
            chosen.repeats,
            chosen.trust_repeats,
            chosen.joining,
        )
        self._machine = st.start(
            chance.shuffled(range(len(self.items)), self.seed, ARRIVAL_STREAM),
            chance.shuffled(range(len(self.judge_names)), self.seed, TURN_STREAM),
            error=self.error,
            prices=[self.prices[judge] for judge in self.judge_names],
            assume=st.ASSUMPTIONS.index(chosen.assume),
            repeats=st.UNLIMITED if chosen.repeats is None else min(chosen.repeats, MOST_COUNT),
            patience=math.inf if chosen.patience is None else min(chosen.patience, MOST_COUNT),
            objective=self.aim.kind,
            top=self.aim.top(len(self.items)),
            joining=chosen.joining,
            claims_first=chosen.joining or self._may_stop_early(),
            insert=INSERTIONS.index(chosen.insert),
        )
        if self._machine.cursor.phase == phases.ELIMINATE:
            begin_elimination(self._views)
        self._keep_judges()

    def _may_stop_early(self) -> bool:
        """Is there a budget, in questions or in money, below the one that all rankers have?"""
        return self.money is not None or self.budget < DEFAULT_BUDGET_PER_ITEM * len(self.items)

    @property
    def _machine(self) -> st.State:
        return self.state.machine

    @_machine.setter
    def _machine(self, machine: st.State) -> None:
        self.state.machine = machine

    @property
    def _views(self) -> st.State:
        return self.state.views

    # ------------------------------------------------------------------ asking
    def _choose(self, judge: int | None) -> Draft | None:
        self._look_around()
        s = self._views
        if s.cursor.phase == phases.CERTIFIED:
            return self.state.cross.choose(judge)
        if not choose(s, st.ANYBODY if judge is None else judge):
            return None
        c = s.cursor
        chosen, first, second = c.draft_judge, c.draft_first, c.draft_second
        if c.draft_phase == phases.INSERT:
            return Draft(chosen, first, second, None, {"phase": "insert", "item": self.items[first]})
        if c.draft_phase == phases.REPAIR:
            return Draft(chosen, first, second, None, {"phase": "repair"})
        if c.draft_phase == phases.ELIMINATE:
            return Draft(chosen, first, second, item_lane(first), elimination_terms(self.state, first))
        return Draft(
            chosen, first, second, self._lane(first, second), proof_terms(self.state, chosen, first, second)
        )

    def _lane(self, better: int, worse: int) -> Hashable:
        attempt = self._views.cursor.attempt
        return ("prove", attempt) if self.assume == "steady" else ("prove", attempt, better, worse)

    def pause_judge(self, judge: Judge) -> None:
        super().pause_judge(judge)
        self._look_around()

    def resume_judge(self, judge: Judge) -> None:
        super().resume_judge(judge)
        self._look_around()

    def refute_judge(self, judge: Judge) -> None:
        """The promise assumes that no judge is wrong more often than right: what may rest on this one is void.

        The attempt ends without a claim, and so does every one before it; the next one asks the others.
        """
        u = self.roster.judge(judge)
        self._refuted.add(u)
        if self.roster.asked[u]:
            self._end_for_good()
        self._look_around()

    def _end_for_good(self) -> None:
        s = self._views
        if self.aim.kind == ELIMINATION:
            self._void = True
            return
        s.cursor.claims = s.cursor.claimed = 0
        if s.cursor.phase in (phases.PROVE, phases.CERTIFIED) and len(self.items) > 1:
            with Watched(self.state, "gold pairs spoke against a judge"):
                end_attempt(s)
                change_phase(s.cursor, phases.LINK_DOUBTED)
                look_again(s)
                advance(s)

    def _look_around(self) -> None:
        """Tell the machine who may be asked, and how much may still be spent.

        After every event that changes it, and not only before choosing: a replay chooses nothing.
        """
        s = self._views
        left = float(self.budget - self.questions)
        if self.money is not None:
            leader = self.judge_names[s.cursor.leader]
            left = min(left, (self.money - self.cost) / max(self.prices[leader], 1e-9))
        s.cursor.budget_left = left
        if self.roster.paused or self._refuted or self.money is not None or self._some_barred:
            barred = self.roster.paused | self._refuted
            allowed = [u not in barred and self._affordable(u) for u in range(len(self.judge_names))]
            self._machine.jury.tally[:, ALLOWED] = allowed
            self._some_barred = not all(allowed)

    def _look_at_money(self) -> None:
        """After an answer another judge may lead, whose price says how many questions the money pays for."""
        if self.money is not None:
            self._look_around()

    def _asked(self, question: Question) -> None:
        self._make_room()
        if self._belongs(question):
            self.state.proving.add(question.id)
        s, q = self._views, self._read(question)
        crossing = of_cross_examination(self.state, question)
        if "prior" in question.terms and (crossing or counts(s, q)):
            s.proof.judge[q.judge, st.HAS_PRIOR] = 1
            self._machine.proof.prior[q.judge] = recorded_prior(question.terms)
        if crossing or q.phase in (phases.PROVE, phases.ELIMINATE):
            self.state.cross.asked(question.id, q.judge, q.first, q.second)
        asked(s, q, position_of(self.state, q))
        self._look_around()

    def _belongs(self, question: Question) -> bool:
        """Was it asked for the running attempt? Only those count in it: whatever was out before does not."""
        return self.outstanding.has_lane(question.id)

    def _read(self, question: Question) -> Query:
        """A question as the machine knows it."""
        return read(self.state, question)

    def _lane_for(self, question: Question) -> Hashable:
        terms = question.terms
        if terms.get("phase") == NOT_BEST:
            return elimination_lane(self.state, question)
        if terms.get("phase") != "prove" or not {"attempt", "link"} <= terms.keys():
            return None
        if "list" in terms:
            follow(self.state, terms)
        s = self._views
        running = s.cursor.phase == phases.PROVE and s.cursor.attempt == terms["attempt"]
        if not running or set(terms["link"]) != {question.left, question.right}:
            return None
        better, worse = (self.roster.item(item) for item in terms["link"])
        link = link_of(s, better, worse)
        return self._lane(better, worse) if link != NO_LINK and above(s, link) == better else None

    # ------------------------------------------------------------------ answers
    def _count(self, question: Question, answer: Answer) -> None:
        self._make_room()
        q = self._read(question)
        self.state.proving.discard(question.id)
        self.state.tallies.count(question.judge, question.left, question.right, answer)
        first_won = answer == self.items[q.first]
        if answer in (TIE, SKIP):
            self.state.cross.closed(question.id)
        elif crosses(self.state, question) or q.phase == phases.ELIMINATE or counts(self._views, q):
            self.state.cross.counted(question, q.judge, (q.first, q.second), first_won, q.bet)
        with Watched(self.state, "answers spoke against a link of the list"):
            if answer in (TIE, SKIP):
                blank(self._views, q)
            else:
                answered(self._views, q, first_won)
                if crosses(self.state, question):
                    self._doubt(q.first, q.second)
        self._look_at_money()

    def _doubt(self, x: int, y: int) -> None:
        """Others were asked about a proven link: if all answers together now speak against it, search again."""
        c = self._views.cursor
        claimed = c.claimed
        self._disclaim()
        if c.stay or not drop_doubted(self._views, x, y):
            c.claimed = claimed
        advance(self._views)

    def _disclaim(self) -> None:
        """An attempt that may end in the middle of a cross-examination leaves no claims: they rest on suspects."""
        if self.state.cross.goes_on:
            self._machine.cursor.claimed = 0

    def _expired(self, question: Question) -> None:
        self._make_room()
        q = self._read(question)
        self.state.proving.discard(question.id)
        self.state.cross.closed(question.id)
        with Watched(self.state, "answers spoke against a link of the list"):
            blank(self._views, q)
        self._look_at_money()

    def _make_room(self) -> None:
        if cramped(self._views):
            self._machine = resize.roomier(self._machine)

    # ------------------------------------------------------------------ joining
    def _judge_joined(self, u: int) -> None:
        turn = chance.shuffled(range(u + 1), self.seed, TURN_STREAM)
        self._machine = resize.with_judge(self._machine, turn, self.prices[self.judge_names[u]])
        go_on(self._machine)
        self._keep_judges()
        self._look_around()

    def _items_joining(self, items: Sequence[Item]) -> None:
        """Items may join, unless all of δ is spent on those that are here."""
        if not self.joining:
            raise CannotJoin("this ranking was started with joining=False: all of δ is spent on the first items")
        self._disclaim()

    def _items_joined(self, count: int) -> None:
        total = len(self.items)
        new = chance.shuffled(range(total - count, total), self.seed, ARRIVAL_STREAM)
        self._machine.cursor.top = self.aim.top(total)
        with Watched(self.state, "items joined"):
            self._machine = resize.with_items(self._machine, new)
        go_on(self._machine)

    def _keep_judges(self) -> None:
        """With limited repeats, a judge asked a pair in the search cannot help to prove it: keep enough back."""
        judges = len(self.judge_names)
        reserve = self.fewest_judges + SPARE_JUDGES if judges >= self.fewest_judges else 0
        self._machine.cursor.search_judges = max(1, judges - reserve)

    @property
    def fewest_judges(self) -> int:
        """With `repeats`=1: how many unanimous judges a link needs at least, in a first attempt."""
        return unanimous_judges(self.error)

    @classmethod
    def fewest_answers(cls, *, items: int, error: float, options: Mapping[str, Any]) -> FewestAnswers | None:
        if options.get("repeats") != 1:
            return None
        return FewestAnswers(unanimous_judges(error), "a link")

    @classmethod
    def assumptions(cls, options: Mapping[str, Any]) -> tuple[str, ...]:
        return assumptions(assume=options.get("assume"), repeats=options.get("repeats"))

    # ------------------------------------------------------------------ what is known
    def _finished(self) -> bool:
        if self._void:
            return True
        if self._views.cursor.phase == phases.CERTIFIED:
            return not self.state.cross.goes_on or self.state.cross.stuck
        return self.gave_up or self._nobody_left()

    @property
    def gave_up(self) -> bool:
        """Was asking stopped because one pair cannot be told apart (see `patience`)?"""
        return self.state.gave_up

    def _nobody_left(self) -> bool:
        """With limited repeats: nothing is out, and no judge may be asked anything any more."""
        if self.repeats is None or self.open_questions or not self.judge_names:
            return False
        allowed = self._machine.jury.tally[:, ALLOWED]
        before = allowed.copy()
        allowed[:] = 1
        found = choose(self._views, st.ANYBODY)
        allowed[:] = before
        return not found

    def _done_words(self) -> str:
        if self._void:
            return START_AGAIN
        if self.gave_up:
            return "Two items cannot be told apart: the ranking was given up, not certified."
        return super()._done_words()

    def _why(self, judge: int | None) -> Status:
        if self._choose(judge) is not None:
            return Status(Wait.READY, "There is a question: ask.")
        if judge is not None and self.repeats is not None and self._choose(None) is not None:
            return Status(Wait.WAIT, "You have answered what we would ask you now; others go on.")
        return Status(Wait.WAIT, "Other judges must answer first; ask again in a moment.")

    def _ranking(self) -> Ranking:
        ahead = None if self._views.cursor.phase == phases.CERTIFIED else self._outlook()
        found = ranking_of(self.state, name=self.name, judges=self.judges, ahead=ahead)
        return voided(found) if self._void else found

    def _judge_report(self, u: int) -> JudgeReport:
        return judge_report(self.state, u)

    def _progress(self) -> Progress:
        return progress_of(self.state, None if self.gave_up else self._outlook())

    def forecast(self, questions: int = NEXT_QUESTIONS) -> dict[str, Any]:
        """What so many more questions would settle, and how many the whole order takes; no promise.

        >>> ranker = Certified(["a", "b", "c"], judges=["ann", "bob"], error=0.1)
        >>> sorted(ranker.forecast(50))
        ['fixed', 'high', 'likely', 'links', 'low', 'questions', 'whole']
        """
        if isinstance(questions, bool) or not isinstance(questions, int) or questions < 0:
            raise BadInput(f"questions is {questions!r}; it is a number of questions, 0 or more")
        return forecast_of(self.state, self._outlook(), questions)

    def _outlook(self) -> Outlook:
        """Made once for each state of the answers."""
        c = self._views.cursor
        sizes = len(self.items), len(self.judge_names), len(self.roster.paused), len(self.open_questions)
        now = (c.questions, c.answers, self.budget, *sizes)
        if self._ahead is None or self._ahead[0] != now:
            self._ahead = (now, outlook(self._machine))
        return self._ahead[1]

    # ------------------------------------------------------------------ snapshots
    def _state(self) -> dict[str, Any]:
        return {
            "machine": resize.to_json(self._machine),
            "ended": self.state.ended,
            "witness": self.state.tallies.state(),
            "sides": [[judge, both] for judge, both in self.state.tallies.sides.items()],
            "cross": self.state.cross.to_json(),
            **({"refuted": [sorted(self._refuted), self._void]} if self._refuted else {}),
        }

    def _load(self, state: Mapping[str, Any]) -> None:
        self._machine = resize.from_json(state["machine"])
        self.state.ended = list(state["ended"])
        self.state.proving = set(self.outstanding.uncounted)
        self._some_barred = True
        refuted, self._void = state.get("refuted", ([], False))
        self._refuted = set(refuted)
        self.state.tallies = AnswerTallies.load(state["witness"], dict(state["sides"]))
        self._look_around()
        self.state.cross.load(state["cross"])
