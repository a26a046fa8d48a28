"""One ranking: a ranker, and the log of every question that it asked and every answer it was told.

The log is in memory, unless a `KeptLog` is given: then every answer is on disk before the next question, and a log
that has answers already is gone on with.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from juryrank.core.tallies import AnswerTallies
from juryrank.errors import BadInput, JudgeUnreachable, MoneySpent
from juryrank.judges.models.money import ROUNDING
from juryrank.log import (
    GENESIS,
    Author,
    Event,
    Fold,
    answers_taken_back,
    chained,
    fold,
    recorded_question,
    settings,
)
from juryrank.log.bodies import (
    IDENTICAL,
    RECALLED,
    WITHDRAWN,
    Aside,
    Asked,
    Edited,
    Expired,
    ItemsWithdrawn,
    JudgePaused,
    JudgeResumed,
    Lapsed,
    Probed,
    Retracted,
    Told,
)
from juryrank.log.fields import Body
from juryrank.log.folding import Paid, asked, with_gold, with_reasons
from juryrank.log.gold import GoldBook, gold_words
from juryrank.rankers.contract.roster import grade_of, order_of, side_of
from juryrank.run.calls import in_words
from juryrank.run.gold import GoldQuestion, aside_of
from juryrank.run.items import Catalogue
from juryrank.types import SKIP, TIE, Answer, Question, Ranking

if TYPE_CHECKING:
    from juryrank.verify.certificate import LiveStatement

LONGEST_REASON = 500  # characters of a failure that a log keeps
PROGRAM = "program"  # the source of an answer that a program gave
NOBODY_ASKED = (IDENTICAL, RECALLED, WITHDRAWN)  # sources of answers for which nobody was asked now
SPENT = "spent"  # the key, among a kept ranking's settings, of what all its calls have cost


class KeptLog(Protocol):
    """A log that lasts: `events` is what it holds, `write` adds steps and gives back their events.

    `recall`: what its judge said to the very same in an earlier ranking, and the source to write for it.
    """

    events: Sequence[Event]

    def write(self, steps: Sequence[tuple[str, Mapping[str, Any]]]) -> Sequence[Event]: ...

    def recall(self, question: Question) -> tuple[Answer, str] | None: ...


class Session:
    """Ask, tell, expire, undo; `events` is the log, `ranking` the result with that log attached.

    >>> session = Session(["a", "b"], judges=["ann"], ranker="iir", error=0.1)
    >>> question = session.ask()
    >>> session.tell(question, "a")
    >>> [event.kind for event in session.events]
    ['created', 'asked', 'told']
    """

    def __init__(
        self,
        items: Sequence[str],
        *,
        judges: Sequence[str],
        ranker: str,
        error: float,
        seed: int = 0,
        budget: int | None = None,
        prices: Mapping[str, float] | None = None,
        money: float | None = None,
        options: Mapping[str, Any] | None = None,
        lease: float | None = None,
        keep: Callable[[Mapping[str, Any]], KeptLog] | None = None,
        cached: Collection[str] = (),
    ) -> None:
        """`cached`: judges whose answers are on disk as soon as they arrive, here or not."""
        created = settings(
            items,
            judges=judges,
            ranker=ranker,
            error=error,
            seed=seed,
            budget=None if keep else budget,
            prices=None if prices is None else dict(prices),
            money=None if keep else money,
            options=dict(options or {}),
            lease=lease,
        )
        self._steps: list[tuple[str, Mapping[str, Any]]] = [("created", created)]
        self._chained: list[Event] = []
        self._on_disk = 0  # how many of them a kept log has
        self._held = False  # is what happens now written only if it ends with a proof?
        self.cached = frozenset(cached)
        self._spent_before = 0.0
        self._withdrawn: set[str] = set()
        self.ranker = Fold.start(created).ranker
        self.set_aside_because: dict[str, str] = {}
        self.failures: dict[str, list[str]] = {}  # by judge, in words
        self.gold = GoldBook()
        self.seen = AnswerTallies()
        self._paid = Paid(prices)
        self._last_told: tuple[Question, str, int] | None = None  # with the answer and its seq
        self._more_to_say = False  # was anything left out or taken back, or a gold pair asked?
        self._budget = budget
        self._kept = keep(created) if keep is not None else None
        if self._kept is not None:
            self._go_on(self._kept.events)

    def _go_on(self, events: Sequence[Event]) -> None:
        """Take over a log: its answers count, its open questions are asked first, its judges are asked again."""
        self._steps, self._chained = [(event.kind, event.data) for event in events], list(events)
        self._on_disk = len(events)
        known = fold(events)
        self.ranker, self.gold = known.ranker, known.gold
        self._note_all(events)
        for question in self.open_questions:
            if self._is_withdrawn(question):
                self.tell(question, SKIP, source=WITHDRAWN)
        for judge in known.because:
            if self.ranker.done or self.gold.refutes(judge) or judge in self.cached:
                self.set_aside_because[judge] = known.because[judge]
            else:
                self.ranker.resume_judge(judge)
                self._write(JudgeResumed(judge=judge))

    def _note_all(self, events: Sequence[Event]) -> None:
        """What is remembered beside the ranker: sides, money, the answer that can be taken back."""
        questions: dict[int, Question] = {}
        taken_back, _ = answers_taken_back(events)
        for event in events[1:]:
            body = event.body
            self._note(body)
            if isinstance(body, Asked):
                questions[body.q] = recorded_question(body)
            elif isinstance(body, Told) and event.seq not in taken_back and body.source not in NOBODY_ASKED:
                question = questions[body.q]
                self.seen.count(str(question.judge), "left", "right", body.answer)
                self._last_told = question, body.answer, event.seq
            elif isinstance(body, Retracted):
                self._last_told = None
            elif isinstance(body, ItemsWithdrawn):
                self._withdrawn.update(body.items)
            elif isinstance(body, Edited):
                self._spent_before = float((body.settings or {}).get(SPENT, self._spent_before))

    # ------------------------------------------------------------------ what happens
    def ask(self, judge: str | None = None) -> Question | None:
        question = None if self.spent else self.ranker.ask(judge)
        if question is not None:
            self._write(asked(question))
        return question

    def tell(
        self, question: Question, answer: Answer, *, source: str | None = None, cost: float | None = None
    ) -> None:
        self.ranker.tell(question, answer)
        if source == IDENTICAL:
            self.ranker.waive(question)
        said = side_of(question, answer)
        self.seen.count(str(question.judge), "left", "right", said)
        grade, order = grade_of(answer), order_of(answer)
        self._write(Told(q=question.id, answer=said, grade=grade, order=order, source=source, cost=cost))
        if source not in NOBODY_ASKED:  # nobody gave that one now, so nobody can take it back
            self._last_told = question, said, len(self._steps)

    def pass_over(self, question: Question, *, identical: bool) -> bool:
        """Need nobody be asked? Two identical outputs are a tie, a withdrawn item is skipped, and an answer that
        its judge gave to the very same before is known."""
        if self._is_withdrawn(question):
            self.tell(question, SKIP, source=WITHDRAWN)
        elif identical:
            self.tell(question, TIE, source=IDENTICAL)
        elif self._kept is None or str(question.judge) in self.cached:
            return False
        elif (known := self._kept.recall(question)) is not None:
            self.tell(question, known[0], source=known[1])
        else:
            return False
        return True

    def _is_withdrawn(self, question: Question) -> bool:
        return not self._withdrawn.isdisjoint(map(str, question.shown or (question.left, question.right)))

    def expire(self, question: Question, *, cost: float | None = None) -> None:
        self.ranker.expire(question)
        self._write(Expired(q=question.id, cost=cost))

    def fail(
        self, question: Question, why: str, *, cost: float | None = None, final: bool = False, outage: bool = False
    ) -> None:
        """The judge could not answer: the question expires, or stays open for the next run of a kept ranking.

        `final`: the next run would get no other answer. `outage`: it could not even be asked, so this is written
        only with a proof that did without; else the next run asks the same again, as if it had not been asked.
        """
        self.failures.setdefault(str(question.judge), []).append(why)
        if self._kept is not None and self.ranker.waits_for_nobody and not cost and not final:
            return
        if outage and not cost:
            self.hold()
        self.expire(question, cost=cost)

    def hold(self) -> None:
        """Write nothing from here on until `release`: answers that arrive are in the cache."""
        self._flush()
        self._held = self._kept is not None

    def release(self, *, proven: bool, spent: float | None = None) -> None:
        """A run is over: what was held back is written with a proof, else forgotten; `spent`: by all runs."""
        if self._held and proven:
            del self._chained[self._on_disk :]
            self._held = False
            self._flush()
        if self._kept is not None and spent is not None and spent > (self.paid or 0.0) + ROUNDING:
            self._kept.write([Edited(settings={SPENT: spent}).step])  # calls that no event of the log holds

    def set_aside(self, judge: str, why: str, *, sitting: int | None = None) -> None:
        """Ask this judge no more; answers already given stay. Its unfinished sitting, if given, lapses."""
        self.ranker.pause_judge(judge)
        why = why[:LONGEST_REASON]
        self._write(JudgePaused(judge=judge, reason=why))
        self.set_aside_because[judge] = why
        if sitting is not None:
            self.ranker.lapse(sitting)
            self._write(Lapsed(sitting=sitting))

    def aside(self, answer: Aside) -> None:
        """Keep an answer that never counts; a judge surely wrong about gold pairs is set aside."""
        self._write(answer)
        if self.gold.note(answer) and answer.judge in self.ranker.judge_names:
            self.ranker.refute_judge(answer.judge)
            if self.ranker.sets_aside and answer.judge not in self.set_aside_because:
                self.set_aside(answer.judge, gold_words(self.gold.records[answer.judge].to_dict()))

    def probed(self, found: Probed) -> None:
        """Keep what was found when a judge was tried out; it is never evidence."""
        self._write(found)

    def undo(self) -> Question:
        """Take the last answer back: its question is open again, and must be answered anew."""
        if self._last_told is None:
            raise BadInput("there is no answer to take back; only the last one can be taken back, once")
        (question, said, seq), self._last_told = self._last_told, None
        if said in ("left", "right"):
            self.seen.sides[str(question.judge)][said == "right"] -= 1
        judge = str(question.judge)  # whoever is at the terminal is the judge: programs do not come here
        undone = Retracted(
            q=question.id, told=seq, judge=judge, answer=said, post_hoc=False, by=Author.JUDGE.value
        )
        self._write(undone)
        known = fold(self.events)
        self.ranker, self.gold = known.ranker, known.gold
        return question

    def _note(self, body: Body) -> None:
        self._more_to_say |= isinstance(body, Expired | Lapsed | Retracted | Aside) or (
            isinstance(body, Told) and body.answer == "skip"
        )
        self._paid.note(body)

    def _write(self, body: Body) -> None:
        self._note(body)
        self._steps.append(body.step)
        if not isinstance(body, Asked):  # a question alone would be asked again all the same
            self._flush()

    def _flush(self) -> None:
        if self._kept is not None and not self._held and self._on_disk < len(self._steps):
            self._chained.extend(self._kept.write(self._steps[self._on_disk :]))
            self._on_disk = len(self._steps)

    # ------------------------------------------------------------------ what is known
    @property
    def events(self) -> tuple[Event, ...]:
        """The log, each event carrying the hash of the one before (hashed when first looked at)."""
        self._flush()
        for step in self._steps[len(self._chained) :]:
            previous = self._chained[-1].hash if self._chained else GENESIS
            self._chained.append(chained(previous, len(self._chained) + 1, *step))
        return tuple(self._chained)

    @property
    def ranking(self) -> Ranking:
        """The result so far, in the ranker's own names."""
        return self._result(self.ranker.ranking, judges=False)

    @property
    def stated(self) -> Ranking:
        """The result with the statement that its certificate has."""
        return self._result(self.ranker.ranking, judges=True)

    def _result(self, found: Ranking, *, judges: bool) -> Ranking:
        found = with_gold(with_reasons(found, self.set_aside_because), self.gold)
        if self._more_to_say:
            found = self._live.complete(found, state=len(self._steps), judges=judges)
        return found if self.paid is None else replace(found, cost=self.paid)

    @property
    def paid(self) -> float | None:
        """What its calls have cost, in this run and before; None: no event says."""
        return max(self._paid.total or 0.0, self._spent_before) or self._paid.total

    @cached_property
    def _live(self) -> LiveStatement:
        from juryrank.verify.certificate import LiveStatement

        return LiveStatement(lambda: self.events)

    @property
    def spent(self) -> bool:
        """Is the budget used up? (A kept ranking may be gone on with under a larger one, so its log has none.)"""
        asked = self.ranker.questions
        return self.ranker.spent or (self._kept is not None and self._budget is not None and asked >= self._budget)

    @property
    def goes_on(self) -> bool:
        """Will the same ranking have more to ask another time?"""
        return self._kept is not None and not self.ranker.done and not self.spent

    @property
    def open_questions(self) -> list[Question]:
        """Asked and not answered, in the order asked."""
        return list(self.ranker.open_questions)

    @property
    def nobody_left(self) -> bool:
        """Was everybody set aside?"""
        return set(self.set_aside_because) == set(self.ranker.judge_names)

    def certificate(self) -> dict[str, Any]:
        """The result and its log as one document."""
        from juryrank.verify import certificate

        return certificate(self.events, self.ranking)


def next_question(session: Session, catalogue: Catalogue) -> Question | None:
    """The next question that needs a judge."""
    while (question := session.ask()) is not None:
        known = question.left in catalogue and question.right in catalogue
        if not session.pass_over(question, identical=known and catalogue.identical(question)):
            break
    return question


class OneCall:
    """A session as the loop sees it: a failed question expires, and whoever has nothing to ask is at the end."""

    def __init__(
        self,
        session: Session,
        catalogue: Catalogue,
        *,
        ticker: Callable[[], None] | None = None,
        closing: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.session, self.catalogue = session, catalogue
        self._ticker, self._closing = ticker, closing
        self.set_aside_because: Mapping[str, str] = session.set_aside_because

    def left_open(self) -> list[Question]:
        return [] if self.session.ranker.done else self.session.open_questions

    def next_question(self) -> Question | None:
        return next_question(self.session, self.catalogue)

    def pause(self) -> float | None:
        return None  # nobody else could answer meanwhile

    def answered(
        self, question: Question, answer: Answer, *, source: str, cost: float | None, seconds: float, comment: str
    ) -> None:
        self.session.tell(question, answer, source=None if source == PROGRAM else source, cost=cost)

    def failed(self, question: Question, problem: Exception, *, model: bool, cost: float | None) -> bool:
        if isinstance(problem, MoneySpent):
            self.session.expire(question, cost=cost)
            return False
        final = model and not isinstance(problem, JudgeUnreachable)
        self.session.fail(
            question, in_words(problem), cost=cost, final=final, outage=self._outage(question, problem)
        )
        return False

    def given_up(self, question: Question | GoldQuestion, problem: Exception, why: str) -> None:
        if self._outage(question, problem):
            self.session.hold()
        sitting = question.terms.get("sitting") if isinstance(question, Question) else None
        self.session.set_aside(str(question.judge), why, sitting=sitting)

    def aside(self, question: GoldQuestion, answer: str, *, seconds: float, **known: Any) -> None:
        n = self.session.gold.asked.get(question.judge, 0) + 1
        self.session.aside(aside_of(question, n, answer, **known))

    def tick(self) -> None:
        if self._ticker is not None:
            self._ticker()

    async def close(self) -> None:
        if self._closing is not None:
            await self._closing()

    def _outage(self, question: Question | GoldQuestion, problem: Exception) -> bool:
        """Could a judge not even be asked whose answers are on disk as soon as they arrive?"""
        return isinstance(problem, JudgeUnreachable) and str(question.judge) in self.session.cached
