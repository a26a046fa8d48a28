"""Letting judges answer a session's questions until it is done, stopped, or nobody is left to ask.

    in turn     all judges are plain functions: each is called in the caller's own thread, one at a time
    together    some judge is async, or there is a time limit: many questions open at once; a plain function
                runs in a thread of its own, one call at a time per judge

The ranker is told outcomes in the order in which it asked, whichever came back first. So what it asks next depends
on the answers alone and not on who was fast: the same seed and answers give the same questions, from a cache too.

A judge who raises, answers something else or exceeds the time limit has that question expired, and is set
aside where that happens too often (`failures.py`); the others go on. When nobody is left: JudgeFailed.
"""

from __future__ import annotations

import asyncio
import inspect
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from typing import Any

from juryrank.errors import JudgeFailed, JudgeRefused, JudgeUnreachable, JudgeUnusable, MoneySpent
from juryrank.judges.models.judge import ModelJudge
from juryrank.judges.models.money import BILL, Bill, Purse
from juryrank.judges.table import TableJudge
from juryrank.log.bodies import MODEL, REFUSED
from juryrank.run.calls import (
    TRIES,
    CallUnderWay,
    FailureRate,
    Interrupts,
    call_judge,
    end_all,
    in_words,
    is_async,
    last_answers,
    run_to_end,
)
from juryrank.run.gold import GoldPlan, GoldQuestion, aside_of, said_as_side
from juryrank.run.items import Catalogue
from juryrank.run.models import Draws
from juryrank.run.session import LONGEST_REASON, Session
from juryrank.types import SKIP, Question

MANY_AT_ONCE = 8  # open questions, where some judge is async


def next_question(session: Session, catalogue: Catalogue) -> Question | None:
    """The next question that needs a judge."""
    while (question := session.ask()) is not None:
        known = question.left in catalogue and question.right in catalogue
        if not session.pass_over(question, identical=known and catalogue.identical(question)):
            break
    return question


class Play:
    """One session, its judges, and who has failed how often."""

    def __init__(
        self,
        session: Session,
        catalogue: Catalogue,
        judges: Mapping[str, Callable[..., Any]],
        *,
        concurrency: int | None = None,
        time_limit: float | None = None,
        tick: Callable[[], None] | None = None,
        closing: Callable[[], Awaitable[None]] | None = None,
        gold: GoldPlan | None = None,
        purse: Purse | None = None,
        fees: Mapping[str, float] | None = None,
        draws: Draws | None = None,
    ) -> None:
        self.session, self.catalogue = session, catalogue
        self.judges = dict(judges)
        self.tries = TRIES if session.ranker.knows_cases else 1  # a drawn cell is never passed on
        self.time_limit, self.closing = time_limit, closing
        self.tick = tick or (lambda: None)
        self.together = time_limit is not None or any(map(is_async, judges.values()))
        asynchronous = any(map(is_async, judges.values()))
        self.concurrency = concurrency or (MANY_AT_ONCE if asynchronous else 1)
        self.interrupted = False
        self.ended = ""  # why nothing more is asked, where neither the ranker nor the user said so
        self.last_failure: BaseException | None = None
        self._failures = FailureRate(judges)
        self.gold = gold  # None: there are no gold pairs
        self.purse, self.fees = purse or Purse(), fees or {}  # for a call of a judge that is no model
        self._calls: deque[CallUnderWay] = deque()  # in the order asked
        self._bill = Bill()  # of the call that is taken in
        self._left_open = deque([] if session.ranker.done else session.open_questions)  # by the run before this
        self._draws = draws

    def run(self) -> None:
        """Until done, interrupted, or nobody is left."""
        if self.together:
            try:
                run_to_end(self._together)
            except KeyboardInterrupt:  # a second one, while answers under way were waited for
                self.interrupted = True
        else:
            self._in_turn()

    # ------------------------------------------------------------------ in turn
    def _in_turn(self) -> None:
        interrupts = Interrupts()
        waiting: deque[Question | GoldQuestion] = deque(self._gold_first())
        with interrupts.guarded():
            while (
                not interrupts.wanted
                and not self.ended
                and (question := waiting.popleft() if waiting else self._ask()) is not None
            ):
                self._bill = Bill()
                try:
                    with interrupts.waiting():
                        said = self._tried_in_turn(question)
                except KeyboardInterrupt:
                    interrupts.wanted = True
                    break
                except MoneySpent as problem:
                    self._money_spent(question, problem)
                except Exception as problem:
                    waiting.extend(self._over(question, problem=problem))
                else:
                    waiting.extend(self._over(question, said))
                self.tick()
        self.interrupted = interrupts.wanted

    def _tried_in_turn(self, question: Question | GoldQuestion) -> Any:
        """What the judge says. (Asking another question instead would favour those that are easy to answer.)"""
        name = str(question.judge)
        for tries_left in reversed(range(self.tries)):
            held = self.purse.hold(self.fees.get(name, 0.0))
            try:
                return self.judges[name](*self._shown(question))
            except Exception:
                if not tries_left:
                    raise
            finally:
                self._charge(held, self._bill)
        raise AssertionError("there is at least one try")

    def _charge(self, held: float, bill: Bill) -> None:
        """A call of a program is over: it costs the same whatever came of it."""
        self.purse.settle(held, spent=held)
        bill.cost += held

    def _money_spent(self, question: Question | GoldQuestion, problem: MoneySpent) -> None:
        self.ended = str(problem)
        if self._bill.cost and isinstance(question, Question):  # tries before this one were paid for
            self.session.expire(question, cost=self._bill.cost)

    def _over(
        self, question: Question | GoldQuestion, said: Any = None, *, problem: Exception | None = None
    ) -> list[GoldQuestion]:
        """Take in the outcome of a question; returns the gold pair that is due then."""
        if isinstance(question, GoldQuestion):
            self._gold_over(question, said, problem)
            return []
        if problem is None:
            self._said(question, said)
        else:
            self._failed(question, problem)
        due = None if self.gold is None else self.gold.due(str(question.judge))
        return [due] if due is not None and due.judge not in self.session.set_aside_because else []

    # ------------------------------------------------------------------ together
    async def _together(self) -> None:
        locks = {name: asyncio.Lock() for name, judge in self.judges.items() if not is_async(judge)}
        try:
            for first in self._gold_first():
                self._send(first, locks)
            while self._calls:
                await self._first_over(locks)
            while True:
                while len(self._calls) < self.concurrency and not self.ended and (question := self._ask()):
                    self._send(question, locks)
                if not self._calls:
                    return
                await self._first_over(locks)
        except asyncio.CancelledError:
            self.interrupted = True
            await self._last_answers()
        finally:
            await end_all([call.task for call in self._calls])
            if self.closing is not None:
                await self.closing()

    async def _last_answers(self) -> None:
        """Take in what is waited for; where the endpoint could not be asked, its question stays open."""
        for call in await last_answers(self._calls, self.judges):
            task, self._bill = call.task, call.bill
            if task.done() and not task.cancelled() and not isinstance(task.exception(), JudgeUnreachable):
                self._collect(call.question, task)

    def _draw(self, question: Question | GoldQuestion) -> int | None:
        if isinstance(question, GoldQuestion):
            return question.draw
        return None if self._draws is None else self._draws.number(question)

    def _send(self, question: Question | GoldQuestion, locks: Mapping[str, asyncio.Lock]) -> None:
        bill = Bill()
        self._calls.append(CallUnderWay(asyncio.create_task(self._call(question, locks, bill)), question, bill))

    async def _first_over(self, locks: Mapping[str, asyncio.Lock]) -> None:
        """Wait for the call that was sent first, and take in its outcome."""
        await asyncio.wait([self._calls[0].task])
        call = self._calls.popleft()
        self._bill = call.bill
        for due in self._collect(call.question, call.task):
            self._send(due, locks)

    async def _call(self, question: Question | GoldQuestion, locks: Mapping[str, asyncio.Lock], bill: Bill) -> Any:
        name = str(question.judge)
        judge = self.judges[name]
        if isinstance(judge, ModelJudge):  # models keep their own time limit, from sending on
            BILL.set(bill)  # of this task alone
            return await judge(*self._shown(question), draw=self._draw(question))
        async with locks.get(name) or nullcontext():
            return await self._tried(question, bill)

    async def _tried(self, question: Question | GoldQuestion, bill: Bill) -> Any:
        """As in turn; whoever exceeds the time limit is not asked again, for that takes as long again."""
        name = str(question.judge)
        for tries_left in reversed(range(self.tries)):
            held = await self.purse.take(self.fees.get(name, 0.0))
            try:
                return await call_judge(self.judges[name], self._shown(question), time_limit=self.time_limit)
            except Exception as problem:
                if not tries_left or (isinstance(problem, TimeoutError) and self.time_limit is not None):
                    raise
            finally:
                self._charge(held, bill)
        raise AssertionError("there is at least one try")

    def _collect(self, question: Question | GoldQuestion, call: asyncio.Task[Any]) -> list[GoldQuestion]:
        problem = call.exception()
        if isinstance(problem, TimeoutError) and self.time_limit is not None:
            problem = JudgeFailed(f"gave no answer within the time limit of {self.time_limit:g} s")
        due: list[GoldQuestion] = []
        if problem is None:
            due = self._over(question, call.result())
        elif isinstance(problem, MoneySpent):
            self._money_spent(question, problem)
        elif isinstance(problem, Exception):
            due = self._over(question, problem=problem)
        else:
            raise problem
        self.tick()
        return [] if self.ended else due

    # ------------------------------------------------------------------ both
    def _ask(self) -> Question | None:
        question = self._left_open.popleft() if self._left_open else next_question(self.session, self.catalogue)
        if question is not None:
            self._failures.asked(str(question.judge), question.id)
        return question

    def _shown(self, question: Question | GoldQuestion) -> tuple[Any, ...]:
        if isinstance(question, GoldQuestion):
            return self.catalogue.shown_aside(question.left, question.right, question.case)
        if isinstance(self.judges[str(question.judge)], TableJudge):
            return question.left, question.right, question.case
        return self.catalogue.shown_for(question)

    # ------------------------------------------------------------------ gold pairs
    def _gold_first(self) -> list[GoldQuestion]:
        return [] if self.gold is None else [first for judge in self.judges for first in self.gold.start(judge)]

    def _gold_over(self, question: GoldQuestion, said: Any, problem: Exception | None) -> None:
        """Keep an answer that never counts; a judge that cannot be used is set aside at once."""
        answer, comment = "skip", None
        try:
            if problem is not None:
                raise problem
            answer = said_as_side(question, self._shown(question), said)
        except Exception as failure:
            comment, problem = in_words(failure)[:LONGEST_REASON], failure
        n = self.session.gold.asked.get(question.judge, 0) + 1
        self.session.aside(aside_of(question, n, answer, comment=comment, cost=self._bill.cost or None))
        if isinstance(problem, JudgeUnusable) and question.judge not in self.session.set_aside_because:
            self.last_failure = problem
            self.session.set_aside(question.judge, f"{in_words(problem)} (on gold pairs)")

    def _said(self, question: Question, said: Any) -> None:
        try:
            if inspect.iscoroutine(said):
                said.close()
                raise JudgeFailed("gave something to await: write it as `async def`, so that it can be seen")
            answer = self.catalogue.answer(question, said)
        except Exception as problem:
            self._failed(question, problem)
            return
        self.session.tell(question, answer, **self._paid(question))
        self._failures.over(str(question.judge), question.id, failed=False)

    def _paid(self, question: Question) -> dict[str, Any]:
        """What a log keeps with a model's answer, and with a program's that took more than the one call."""
        name = str(question.judge)
        judge = self.judges[name]
        if not isinstance(judge, ModelJudge):
            return {"cost": self._bill.cost} if self._bill.cost > self.fees.get(name, 0.0) else {}
        return {"source": MODEL, "cost": None if judge.settings.price is None else self._bill.cost}

    def _failed(self, question: Question, problem: Exception) -> None:
        name = str(question.judge)
        if isinstance(problem, JudgeRefused):
            self.session.tell(question, SKIP, **{**self._paid(question), "source": REFUSED})
            self._failures.over(name, question.id, failed=False)
            return
        model = isinstance(self.judges[name], ModelJudge)
        outage = isinstance(problem, JudgeUnreachable) and name in self.session.cached
        cost = self._paid(question).get("cost")
        final = model and not isinstance(problem, JudgeUnreachable)
        self.session.fail(question, in_words(problem), cost=cost, final=final, outage=outage)
        self.last_failure = problem
        hopeless = self._failures.over(name, question.id, failed=True, problem=problem)
        if hopeless and name not in self.session.set_aside_because:
            often = "" if isinstance(problem, JudgeUnusable) else f"{self._failures.words(name)}, "
            why = f"{in_words(problem)} ({often}last at question {question.id})"
            if outage:
                self.session.hold()
            self.session.set_aside(name, why, sitting=question.terms.get("sitting"))
