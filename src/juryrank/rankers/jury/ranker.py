"""A jury on cases: what the whole evaluation would say, for a small part of its calls, with nothing assumed.

The ranker draws judge, case and side of every question by chances on record, and proves claims about the table
of all answers, asked or not. Judges may be wrong, alike, deterministic: the promise is about what they say.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from juryrank.core.chance import fresh_seed
from juryrank.errors import CannotJoin
from juryrank.options import ENTROPY, JuryChoices
from juryrank.rankers.contract.limits import Draft, RecordedUse
from juryrank.rankers.contract.ranker import Ranker
from juryrank.rankers.jury import asking, replaying, result, status
from juryrank.rankers.jury.core.machine import EITHER_WAY, Leniency
from juryrank.rankers.jury.core.table import later_key
from juryrank.rankers.jury.core.together import MachineOfAll
from juryrank.rankers.jury.foresight import read_foresight
from juryrank.rankers.jury.options import as_kept, check_together, read_options, read_start
from juryrank.rankers.jury.state import JuryState
from juryrank.types import Answer, Item, Judge, JudgeReport, Progress, Question, Ranking, Status


class Jury(Ranker):
    """What these judges prefer on these cases.

    >>> jury = Jury(["new", "old"], judges=["m"], cases=100, objective="best", resolution=0, seed=1)
    >>> while (question := jury.ask()) is not None:
    ...     jury.tell(question, "new")
    >>> jury.ranking.proven, jury.ranking.order, jury.questions
    (True, ('new', 'old'), 10)
    """

    name: ClassVar[str] = "jury"
    title: ClassVar[str] = (
        "Models on cases: what all judges say on all cases, proven from a small part of the calls"
    )
    recorded = RecordedUse.ANSWERS
    true_order = False  # it is about what the judges say
    any_order = True
    takes_grades: ClassVar[bool] = True
    knows_cases: ClassVar[bool] = True

    declared = JuryChoices
    chosen: JuryChoices

    def __init__(self, items: Iterable[Item], *, judges: Iterable[Judge], **given: Any) -> None:
        if given.get("seed") is None:
            given |= {"seed": fresh_seed(), "seed_from": ENTROPY}
        super().__init__(items, judges=judges, **given)
        self.options = as_kept(self.chosen)
        start = read_start(self.chosen.start_from, self.items, self.seed)
        read = read_options(self.options, items=len(self.items), start=start)
        self.joining = self.chosen.joining
        self.state = JuryState(self.roster, self.outstanding, self.error, self.seed, self.options, read)

    @classmethod
    def assumptions(cls, options: Mapping[str, Any]) -> tuple[str, ...]:
        answers = (
            "the chances of a judge's answers to a question never change"
            if options.get("fresh")
            else "an answer does not depend on what else is asked"
        )
        return (answers, "nobody knew the seed of the draws who could choose answers or cases by it")

    @property
    def strengths(self) -> list[tuple[float, float]]:
        """What the search believes of each item now, in log-odds, with a width: where another one may start."""
        return self.state.machine.opinion.strengths_now()

    # ------------------------------------------------------------------ asking and counting
    def in_rounds_of(self, questions: int) -> None:
        self.state.in_round = questions

    def _choose(self, judge: int | None) -> Draft | None:
        waiting = asking.next_waiting(self.state, judge)
        return None if waiting is None else asking.draft_of(self.state, waiting)

    def draw_ahead(self, rows: Sequence[Mapping[str, Any]], *, leaving: Collection[Judge] = ()) -> int:
        try:
            return replaying.draw_ahead(self.state, rows, leaving=leaving)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            return 0  # they make no sense, which is found out when the question comes

    def learn(self, question: Question) -> None:
        with suppress(KeyError, TypeError, ValueError, IndexError, AttributeError):
            for row in (*question.terms.get("ahead", ()), question.terms):
                read_foresight(self.state, row.get("list", {}))

    def not_by_rule(self, question: Question) -> str:
        try:
            return replaying.fault(self.state, question)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as problem:
            return f"its terms make no sense ({problem})"

    def tip(self, way: int) -> None:
        self.state.machine.leniency = self.state.machine.usual = Leniency(EITHER_WAY[way])

    def _asked(self, question: Question) -> None:
        if not asking.enter_question(self.state, question):
            self.state.foreign.add(question.id)

    def _count(self, question: Question, answer: Answer) -> None:
        self._back(question, answer, failed=question.id == self.state.failing)

    def _expired(self, question: Question) -> None:
        self._back(question, None, failed=True)

    def fail(self, question: Question) -> None:
        """The judge was called and gave no answer. That is no refusal: it counts against every claim."""
        self.state.failing = question.id
        super().fail(question)
        self.state.failing = None

    def _back(self, question: Question, answer: Answer | None, *, failed: bool = False) -> None:
        if question.id in self.state.foreign:
            return
        pair, place = asking.pair_asked(self.state, question), question.terms["place"]
        if isinstance(self.state.machine, MachineOfAll):
            values = asking.values_of(self.state, question, answer)
            self.state.tally.note_all(self.state, place, values, failed=failed)
            self.state.machine.settle_all(place, values, failed=failed)
            return
        x = asking.value_of(self.state, question, answer)
        self.state.tally.note(self.state, pair, place, question, x, failed=failed)
        self.state.machine.settle(pair, place, x, failed=failed)

    def waive(self, question: Question) -> None:
        """Two identical outputs: a tie that took no call."""
        super().waive(question)
        if question.id not in self.state.foreign:
            self.state.tally.waive(self.state, asking.pair_asked(self.state, question), question)

    def note_same_outputs(self, times: int) -> None:
        self.state.same_outputs = times

    def _lane_for(self, question: Question) -> Hashable:
        return None  # cells count in the order drawn within their pair: see rankers/jury/core/pair.py

    def pause_judge(self, judge: Judge) -> None:
        """Set a judge aside: its cells count against every claim until it is back."""
        super().pause_judge(judge)
        asking.set_aside(self.state, self.roster.judge(judge))

    def remove_judge(self, judge: Judge) -> None:
        """A judge leaves for good: the table is that of the others from now on, and claims are fixed anew."""
        self.pause_judge(judge)
        u = self.roster.judge(judge)
        if self.joining and len(self.state.members.left | {u}) < len(
            self.judge_names
        ):  # of one alone the table stays
            self.state.members.leave(u, seen=any(self.roster.answered + self.state.tally.identical))
            self._changed()

    def resume_judge(self, judge: Judge) -> None:
        super().resume_judge(judge)
        if self.state.members.come_back(self.roster.judge(judge)):
            self._changed()

    def _changed(self) -> None:
        """The table is another one."""
        asking.forget_unrecorded(self.state)
        self.state.renew_table()
        self.state.machine.change(self.state.table, len(self.items))

    def _spent(self, judge: int | None) -> bool:
        """The money is spent once the judge drawn next is too dear: another one may not be asked instead."""
        # The same tie may be drawn again and again where answers are fresh: there it counts, or nothing would end.
        ties = sum(self.state.tally.identical) if self.state.table.fresh else 0
        if self.questions + ties >= self.budget:
            return True
        if self.money is None:
            return False
        waiting = asking.next_waiting(self.state, judge)
        return waiting is not None and not self._affordable(waiting.judge)

    # ------------------------------------------------------------------ results
    def _finished(self) -> bool:
        return self.state.machine.done

    def _ranking(self) -> Ranking:
        return result.ranking(self.state, ranker=self.name, judges=self.judges)

    def _progress(self) -> Progress:
        return status.progress(self.state)

    def _judge_report(self, u: int) -> JudgeReport:
        return status.judge_report(self.state, u)

    def _why(self, judge: int | None) -> Status:
        return status.why(self.state, judge)

    def _done_words(self) -> str:
        return result.done_words(self.state)

    # ------------------------------------------------------------------ joining, snapshots
    def _judge_joining(self, judge: Judge) -> None:
        if not self.joining:
            raise CannotJoin(
                f"the promise is about the judges it began with; {judge!r} would make it another "
                "evaluation: start a new one with everybody (recorded answers can be replayed), or a study"
            )
        if self.options["weights"] is not None:
            raise CannotJoin(f"the judges of this jury have weights, and {judge!r} has none: start a new study")

    def _judge_joined(self, u: int) -> None:
        self.state.tally.grow()
        self._changed()

    def _items_joining(self, items: Sequence[Item]) -> None:
        if self.state.read.together:
            check_together(len(self.items) + len(items))
        if not self.joining:
            raise CannotJoin(
                "the promise is about a table of these items; a new one makes it another evaluation: start a new "
                "one with everything (recorded answers can be replayed), or a study"
            )

    def _items_joined(self, count: int) -> None:
        if self.state.read.together:  # whatever is out shows fewer: it is of another table
            self.state.foreign |= {question.id for question in self.outstanding.unanswered}
            asking.forget_unrecorded(self.state)
            self.state.queue, self.state.order_keys = [], {}
        self._changed()

    def fresh_entropy(self) -> int | None:
        """Whoever knows the seed could else choose, by the draws to come, what joins and what it says."""
        return fresh_seed() if self.options.get("seed_from") == ENTROPY else None

    def draw_anew(self, entropy: int) -> None:
        self.state.key = later_key(self.state.key, entropy)

    def _state(self) -> dict[str, Any]:
        return replaying.write(self.state)

    def _load(self, saved: Mapping[str, Any]) -> None:
        replaying.read(self.state, saved)
