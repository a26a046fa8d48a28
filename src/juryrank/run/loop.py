"""The one loop: judges answer a ranking's questions until it is done, stopped, or nobody is left to ask.

    in turn     all judges are plain functions: each is called in the caller's own thread, one at a time
    together    many questions open at once; a plain function runs in a thread of its own

What is asked, and what an outcome means, is decided by whose loop it is:

    `rank`, in one call (`session.py`)      outcomes count in the order asked, whichever came back first: what is
                                            asked next depends on the answers alone and not on who was fast. A
                                            question whose judge failed expires.
    a run of a study (`study/run.py`)       others ask and answer at the same time, so outcomes count as they come.
                                            A question whose judge failed is skipped: what is asked next must not
                                            favour questions that are easy to answer.

A call that raises, or answers something else, is tried again where that is wanted. A judge that fails too often
(`calls.py`) is set aside, and the others go on.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from itertools import count
from typing import Any, Protocol, TypeVar

from juryrank.defaults import OPEN_AT_ONCE
from juryrank.errors import BadAnswer, JudgeFailed, JudgeRefused, JudgeUnreachable, JudgeUnusable, MoneySpent
from juryrank.judges.command import CommandJudge
from juryrank.judges.models.judge import ModelJudge
from juryrank.judges.models.money import BILL, Purse
from juryrank.judges.recorded import TableJudge
from juryrank.log.bodies import MODEL, REFUSED
from juryrank.rankers.contract.roster import SIDES, answer_of
from juryrank.run.calls import (
    Call,
    FailureRate,
    Interrupts,
    Pace,
    call_judge,
    end_all,
    in_words,
    is_async,
    last_answers,
    pause_after,
    run_to_end,
    without_waiting,
)
from juryrank.run.gold import GoldPlan, GoldQuestion, said_as_side
from juryrank.run.items import Catalogue
from juryrank.run.session import LONGEST_REASON, PROGRAM
from juryrank.types import SKIP, Answer, Question

Result = TypeVar("Result")


class Asking(Protocol):
    """Whose loop it is: what is asked, and what becomes of an outcome."""

    set_aside_because: Mapping[str, str]  # judges who are not asked any more, and why

    def left_open(self) -> Iterable[Question]:
        """What an earlier run has asked and nobody answered: it comes first."""

    def next_question(self) -> Question | None:
        """The next question; None: there is none now."""

    def pause(self) -> float | None:
        """Nothing is open, and there is nothing to ask: how many seconds to wait; None: it is over."""

    def answered(
        self,
        question: Question,
        answer: Answer,
        *,
        source: str,
        cost: float | None,
        seconds: float,
        comment: str,
    ) -> None:
        """A judge has answered, or refused to."""

    def failed(self, question: Question, problem: Exception, *, model: bool, cost: float | None) -> bool:
        """A judge could not answer; True: ask this judge no more."""

    def given_up(self, question: Question | GoldQuestion, problem: Exception, why: str) -> None:
        """A judge is asked no more."""

    def aside(self, question: GoldQuestion, answer: str, *, seconds: float, **known: Any) -> None:
        """An answer that never counts."""

    def tick(self) -> None:
        """Something has happened."""

    async def close(self) -> None:
        """The loop is over."""


async def visited(call: Callable[[], Result]) -> Result:
    """Visit a ranking that is in memory."""
    return call()


class Loop:
    """The loop of one ranking; `go` in an event loop, or `run`."""

    def __init__(
        self,
        asking: Asking,
        judges: Mapping[str, Callable[..., Any]],
        *,
        catalogue: Catalogue,
        ordered: bool = True,
        concurrency: int | None = None,
        paces: Mapping[str, Pace] | None = None,
        time_limit: float | None = None,
        tries: int = 1,
        first_pause: float = 0.0,
        purse: Purse | None = None,
        fees: Mapping[str, float] | None = None,
        gold: GoldPlan | None = None,
        beside: Callable[[], Mapping[str, Iterator[GoldQuestion]]] | None = None,
        draw: Callable[[Question], int] | None = None,
        renewed: Callable[[], Catalogue] | None = None,
        visit: Callable[[Callable[[], Any]], Awaitable[Any]] = visited,
        heard: Collection[str] | None = None,
    ) -> None:
        """`visit`: how a ranking is reached. `renewed`: what judges are shown, with items that joined since.

        `first_pause`: seconds before a call is tried again, twice as long each time; where it is 0, a judge that
        took too long is not tried again. `fees`: what one call of a program costs. `beside`: questions for judges
        whose answers never count. `heard`: None where a program's answer under way at Ctrl-C is not waited for.
        """
        self.asking, self.judges, self.catalogue, self.ordered = asking, dict(judges), catalogue, ordered
        asynchronous = any(map(is_async, self.judges.values()))
        self.together = not ordered or time_limit is not None or asynchronous
        self.concurrency = concurrency or (OPEN_AT_ONCE if asynchronous else 1)
        models = [judge for judge in self.judges.values() if isinstance(judge, ModelJudge)]
        self.in_rounds = any(judge.settings.batch for judge in models)
        self.paces = paces or {name: Pace() for name, judge in self.judges.items() if not is_async(judge)}
        self.time_limit, self.tries, self.first_pause = time_limit, tries, first_pause
        self.purse, self.fees, self.gold = purse, fees or {}, gold
        self._beside_of, self._beside = beside, dict[str, Iterator[GoldQuestion]]()
        self._draw, self._renewed, self._visit = draw, renewed, visit
        self._heard = None if heard is None else set(heard)
        self.interrupted = self.stopping = False
        self.ended = ""  # why nothing more is asked, where neither the ranker nor the user said so
        self.last_failure: BaseException | None = None
        self.problems = 0  # calls that failed, tried again or not
        self.again: deque[Question] = deque()  # open questions, which come before new ones
        self.calls: list[Call] = []  # under way, in the order asked
        self._taking: asyncio.Task[None] | None = None  # an outcome, being taken in
        self._failures = FailureRate(self.judges)
        self._interrupts = Interrupts()

    def run(self) -> None:
        """Until done, interrupted, or nobody is left."""
        if not self.together:
            with self._interrupts.guarded():
                without_waiting(self.go())
            self.interrupted = self._interrupts.wanted
            return
        try:
            run_to_end(self.go)
        except KeyboardInterrupt:  # a second one, while answers under way were waited for
            self.interrupted = True

    async def go(self) -> None:
        """Ask and answer; cancelled, it keeps what judges are answering."""
        try:
            await self._all_asked()
        except asyncio.CancelledError:
            if self.stopping:
                raise  # what was under way has had its time
            self.interrupted = True
            await self._last_answers()
        finally:
            await end_all([call.task for call in self.calls if call.task is not None])
            await self.asking.close()

    async def _all_asked(self) -> None:
        for judge in self.judges if self.gold is not None else ():
            for first in self.gold.start(judge) if self.gold is not None else ():
                await self._send(first)
        while self.calls:
            await self._some_over()
        if self._beside_of is not None:
            self._beside = dict(await self._visit(self._beside_of))
            for opinions in self._beside.values():
                await self._send_first(opinions)
        self.again.extend(await self._visit(self.asking.left_open))
        while True:
            while self._room() and (question := await self._next()) is not None:
                await self._send(question)
            if self.calls:
                await self._some_over()
                while self.in_rounds and any(isinstance(call.question, Question) for call in self.calls):
                    await self._some_over()  # the next batch is chosen knowing all answers of this one
            elif self._over() or (pause := await self._visit(self.asking.pause)) is None:
                return
            else:
                await asyncio.sleep(pause)

    # ------------------------------------------------------------------ what is asked
    def _over(self) -> bool:
        """Is nothing more to be asked, whatever is left?"""
        return bool(self.ended) or self.stopping or self.interrupted or self._interrupts.wanted

    def _room(self) -> bool:
        if self._over():
            return False
        if not self.ordered and any(pace.waiting for pace in self.paces.values()):
            return False  # a question waits for its judge to be free: no other one need be asked yet
        return sum(call.judge not in self._beside for call in self.calls) < self.concurrency

    async def _next(self) -> Question | None:
        question = self.again.popleft() if self.again else await self._visit(self.asking.next_question)
        if question is not None:
            self._failures.asked(str(question.judge), question.id)
        return question

    async def _send(self, question: Question | GoldQuestion) -> None:
        call = Call(question)
        if self.together:
            self.calls.append(call)
            call.task = asyncio.create_task(self._call(call))
            return
        await self._call(call)
        await self._take_in(call)

    async def _send_first(self, questions: Iterator[GoldQuestion]) -> None:
        question = next(questions, None)
        if question is not None:
            await self._send(question)

    # ------------------------------------------------------------------ one call
    async def _call(self, call: Call) -> None:
        """Ask the judge; what it says, or how it failed, is in the call then."""
        try:
            async with self._turn(call.judge):
                gold = isinstance(call.question, GoldQuestion)
                if self.interrupted or (gold and (self._over() or call.judge in self.asking.set_aside_because)):
                    call.dropped = True
                    return
                began = time.monotonic()
                call.said = await self._answer(call)
                call.seconds = time.monotonic() - began
        except KeyboardInterrupt:
            if self.together:
                raise
            self._interrupts.wanted = call.dropped = True
        except Exception as problem:
            call.problem = problem

    def _turn(self, judge: str) -> AbstractAsyncContextManager[None]:
        return self.paces[judge].turn() if self.together and judge in self.paces else nullcontext()

    async def _answer(self, call: Call) -> Any:
        judge, question = self.judges[call.judge], call.question
        if not isinstance(judge, ModelJudge):
            return await self._tried(call, judge)
        BILL.set(call.bill)  # of this task alone
        shown = await self._shown(question)
        draw = question.draw if isinstance(question, GoldQuestion) else None
        if isinstance(question, Question) and self._draw is not None:
            draw = await self._visit(partial(self._draw, question))
        try:  # models keep their own time limit, from sending on, and try again themselves
            return self._read(question, shown, await self._asked(question)(*shown, draw=draw))
        except Exception as problem:
            self.problems += not isinstance(problem, JudgeRefused)
            raise

    async def _tried(self, call: Call, judge: Callable[..., Any]) -> Any:
        """What a program says. (Asking another question instead would favour those that are easy to answer.)"""
        for tried in count(1):
            fee = self.fees.get(call.judge, 0.0)
            if self.purse is not None:
                await self.purse.take(fee)
            call.bill.under_way += 1
            try:
                shown = await self._shown(call.question)
                said = await self._of_program(self._asked(call.question), shown)
                answer = self._read(call.question, shown, said)
                if self._heard is not None:
                    self._heard.add(call.judge)
                return answer
            except Exception as problem:
                self.problems += 1
                slow = isinstance(problem, TimeoutError) and self.time_limit is not None
                if tried >= self.tries or self.interrupted or (slow and not self.first_pause):
                    if slow:
                        raise JudgeFailed(
                            f"gave no answer within the time limit of {self.time_limit:g} s"
                        ) from None
                    raise
            finally:
                call.bill.under_way -= 1
                if self.purse is not None:
                    self.purse.settle(fee, spent=fee)  # it costs the same whatever came of it
                call.bill.cost += fee
            if self.first_pause:
                await asyncio.sleep(pause_after(tried, first=self.first_pause))
        raise AssertionError("there is at least one try")

    async def _of_program(self, judge: Callable[..., Any], shown: tuple[Any, ...]) -> Any:
        if self.together:
            return await call_judge(judge, shown, time_limit=self.time_limit)
        with self._interrupts.waiting():
            return judge(*shown)

    def _asked(self, question: Question | GoldQuestion) -> Callable[..., Any]:
        """How its judge is called: programs and models order letters, where several are shown together."""
        judge = self.judges[str(question.judge)]
        together = isinstance(question, Question) and question.shown
        return judge.order if together and isinstance(judge, ModelJudge | CommandJudge) else judge

    async def _shown(self, question: Question | GoldQuestion) -> tuple[Any, ...]:
        """What a judge is called with."""
        if isinstance(question, GoldQuestion):
            if self._renewed is not None and not self.catalogue.names:
                self.catalogue = await self._visit(self._renewed)
            return self.catalogue.shown_aside(question.left, question.right, question.case)
        if isinstance(self.judges[str(question.judge)], TableJudge):
            return question.left, question.right, question.case
        try:
            return self._shown_now(question)
        except KeyError:  # at first, and for items that joined since
            if self._renewed is None:
                raise
            self.catalogue = await self._visit(self._renewed)
            return self._shown_now(question)

    def _shown_now(self, question: Question) -> tuple[Any, ...]:
        """All outputs in the order shown; to programs and models, under letters."""
        lettered = isinstance(self.judges[str(question.judge)], ModelJudge | CommandJudge)
        return (self.catalogue.lettered_for if lettered else self.catalogue.shown_for)(question)

    def _read(self, question: Question | GoldQuestion, shown: tuple[Any, ...], said: Any) -> Any:
        """The answer: as the catalogue reads it, or one of the words left, right, tie, skip."""
        if inspect.iscoroutine(said):
            said.close()
            raise JudgeFailed("gave something to await: write it as `async def`, so that it can be seen")
        if isinstance(question, GoldQuestion):
            return said_as_side(question, shown, said)
        try:
            return self.catalogue.answer(question, said)
        except BadAnswer:
            if isinstance(said, str) and said in (SIDES[2:] if question.shown else SIDES):
                return answer_of(question, said)
            raise

    # ------------------------------------------------------------------ outcomes
    async def _some_over(self) -> None:
        """Wait for an outcome, and take it in: of the first one asked, or of those that came."""
        waited = self.calls[:1] if self.ordered else self.calls
        await asyncio.wait([call.task for call in waited if call.task], return_when=asyncio.FIRST_COMPLETED)
        for call in [call for call in waited if call.task is not None and call.task.done()]:
            self.calls.remove(call)
            self._taking = asyncio.create_task(self._take_in(call))
            await asyncio.shield(self._taking)  # what has come is kept, whatever happens meanwhile

    async def _last_answers(self) -> None:
        """Take in what is being answered; nothing new is sent."""
        if self._taking is not None:
            await asyncio.wait([self._taking])
            self._taking.result()  # raises where an answer could not be kept
        for call in await last_answers(self.calls, self.judges, heard=self._heard or ()):
            if call.task is not None and call.task.done() and not call.task.cancelled():
                await self._take_in(call)

    async def _take_in(self, call: Call) -> None:
        if call.dropped or (self.interrupted and self._was_cut_off(call)):
            return
        if isinstance(call.problem, MoneySpent):
            self.ended = str(call.problem)
        if isinstance(call.question, GoldQuestion):
            await self._gold_over(call, call.question)
        else:
            await self._counted_over(call, call.question)
        await self._visit(self.asking.tick)
        for due in self._due(call):
            await self._send(due)

    def _was_cut_off(self, call: Call) -> bool:
        """Did it fail because we stop? Then its question stays open for the next run."""
        if isinstance(call.problem, JudgeUnreachable):
            return True
        program = not isinstance(self.judges[call.judge], ModelJudge)
        return program and not isinstance(call.problem, JudgeRefused | MoneySpent | None)

    async def _counted_over(self, call: Call, question: Question) -> None:
        asking, problem, cost = self.asking, call.problem, self._cost(call)
        model = isinstance(self.judges[call.judge], ModelJudge)
        known: dict[str, Any] = {"cost": cost, "seconds": round(call.seconds, 6)}
        if problem is None:
            self._failures.over(call.judge, question.id, failed=False)
            source = MODEL if model else PROGRAM
            await self._visit(partial(asking.answered, question, call.said, source=source, comment="", **known))
        elif isinstance(problem, JudgeRefused):
            self._failures.over(call.judge, question.id, failed=False)
            why = in_words(problem)
            await self._visit(partial(asking.answered, question, SKIP, source=REFUSED, comment=why, **known))
        elif not isinstance(problem, MoneySpent):
            self.last_failure = problem
            hopeless = self._failures.over(call.judge, question.id, failed=True, problem=problem)
            if await self._visit(partial(asking.failed, question, problem, model=model, cost=cost)) or hopeless:
                often = "" if isinstance(problem, JudgeUnusable) else f"{self._failures.words(call.judge)}, "
                await self._given_up(question, problem, f" ({often}last at question {question.id})")
        elif call.bill.cost:  # tries before the one that was too dear were paid for
            await self._visit(partial(asking.failed, question, problem, model=model, cost=call.bill.cost))

    async def _gold_over(self, call: Call, question: GoldQuestion) -> None:
        """Keep an answer that never counts; a judge that cannot be used is set aside at once."""
        problem, cost = call.problem, call.bill.cost or None
        if isinstance(problem, MoneySpent) and not cost:
            return
        comment = None if problem is None else REFUSED
        if problem is not None and not isinstance(problem, JudgeRefused):
            comment = in_words(problem)[:LONGEST_REASON]
        said = call.said if problem is None else "skip"
        seconds = round(call.seconds, 6)
        await self._visit(partial(self.asking.aside, question, said, seconds=seconds, comment=comment, cost=cost))
        if isinstance(problem, JudgeUnusable):
            self.last_failure = problem
            await self._given_up(question, problem, " (on gold pairs)")

    async def _given_up(self, question: Question | GoldQuestion, problem: Exception, when: str) -> None:
        if str(question.judge) not in self.asking.set_aside_because:
            why = in_words(problem)[:LONGEST_REASON] + when
            await self._visit(partial(self.asking.given_up, question, problem, why))

    def _due(self, call: Call) -> list[GoldQuestion]:
        """What is asked because this one was answered: a gold pair now and then, and a model's next opinion."""
        opinion = isinstance(call.question, GoldQuestion)
        if (
            self._over()
            or call.judge in self.asking.set_aside_because
            or (opinion and call.judge not in self._beside)
        ):
            return []
        due = None if self.gold is None else self.gold.due(call.judge)
        further = next(self._beside[call.judge], None) if opinion else None
        return [question for question in (due, further) if question is not None]

    def _cost(self, call: Call) -> float | None:
        """What a log keeps of it: of models with a price, and of a program that took more than one call."""
        judge = self.judges[call.judge]
        if isinstance(judge, ModelJudge):
            return None if judge.settings.price is None else call.bill.cost
        return call.bill.cost if call.bill.cost > self.fees.get(call.judge, 0.0) else None
