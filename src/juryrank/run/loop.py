"""Letting judges answer a session's questions until it is done, stopped, or nobody is left to ask.

    in turn     all judges are plain functions: each is called in the caller's own thread, one at a time
    together    some judge is async, or there is a time limit: many questions open at once; a plain function
                runs in a thread of its own, one call at a time per judge

A judge who raises, answers something else or exceeds the time limit has that question expired, and is set
aside after three such failures in a row; the others go on. When nobody is left: JudgeFailed.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from juryrank.defaults import FAILURES_IN_A_ROW
from juryrank.errors import JudgeFailed, JudgeRefused, JudgeUnusable, JuryrankError, MoneySpent
from juryrank.judges.models.judge import ModelJudge
from juryrank.log.bodies import IDENTICAL, REFUSED
from juryrank.run.event_loops import end_all, in_thread, run_to_end
from juryrank.run.interrupts import Interrupts
from juryrank.run.items import Catalogue
from juryrank.run.retries import patient
from juryrank.run.session import Session
from juryrank.types import SKIP, TIE, Question

MANY_AT_ONCE = 8  # open questions, where some judge is async


def next_question(session: Session, catalogue: Catalogue) -> Question | None:
    """The next question that needs a judge; two identical outputs are a tie without a call."""
    while (question := session.ask()) is not None and catalogue.identical(question):
        session.tell(question, TIE, source=IDENTICAL)
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
        tick: Callable[[], None] = lambda: None,
        closing: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.session, self.catalogue = session, catalogue
        again = session.ranker.knows_cases  # a drawn cell is never passed on
        self.judges = {name: _tried_again(judge) if again else judge for name, judge in judges.items()}
        self.time_limit, self.tick, self.closing = time_limit, tick, closing
        self.together = time_limit is not None or any(map(is_async, judges.values()))
        asynchronous = any(map(is_async, judges.values()))
        self.concurrency = concurrency or (MANY_AT_ONCE if asynchronous else 1)
        self.interrupted = False
        self.ended = ""  # why nothing more is asked, where neither the ranker nor the user said so
        self.last_failure: BaseException | None = None
        self._failures = dict.fromkeys(judges, 0)

    def run(self) -> None:
        """Until done, interrupted, or nobody is left."""
        if self.together:
            run_to_end(self._together)
        else:
            self._in_turn()

    # ------------------------------------------------------------------ in turn
    def _in_turn(self) -> None:
        interrupts = Interrupts()
        with interrupts.guarded():
            while not interrupts.wanted and (question := self._ask()) is not None:
                try:
                    with interrupts.waiting():
                        said = self.judges[str(question.judge)](*self._shown(question))
                except KeyboardInterrupt:
                    interrupts.wanted = True
                    break
                except Exception as problem:
                    self._failed(question, problem)
                else:
                    self._said(question, said)
                self.tick()
        self.interrupted = interrupts.wanted

    # ------------------------------------------------------------------ together
    async def _together(self) -> None:
        locks = {name: asyncio.Lock() for name, judge in self.judges.items() if not is_async(judge)}
        calls: dict[asyncio.Task[Any], Question] = {}
        try:
            while True:
                while len(calls) < self.concurrency and not self.ended and (question := self._ask()) is not None:
                    calls[asyncio.create_task(self._call(question, locks))] = question
                if not calls:
                    return
                finished, _ = await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
                for call in sorted(finished, key=lambda call: calls[call].id):
                    self._collect(calls.pop(call), call)
        except asyncio.CancelledError:
            self.interrupted = True
        finally:
            await end_all(calls)
            if self.closing is not None:
                await self.closing()

    async def _call(self, question: Question, locks: Mapping[str, asyncio.Lock]) -> Any:
        name = str(question.judge)
        judge = self.judges[name]
        if name not in locks:
            limit = (
                None if isinstance(judge, ModelJudge) else self.time_limit
            )  # models keep their own, from sending on
            return await asyncio.wait_for(judge(*self._shown(question)), limit)
        async with locks[name]:
            return await asyncio.wait_for(in_thread(judge, *self._shown(question)), self.time_limit)

    def _collect(self, question: Question, call: asyncio.Task[Any]) -> None:
        problem = call.exception()
        if isinstance(problem, TimeoutError) and self.time_limit is not None:
            problem = JudgeFailed(f"gave no answer within the time limit of {self.time_limit:g} s")
        if problem is None:
            self._said(question, call.result())
        elif isinstance(problem, MoneySpent):
            self.ended = str(problem)
        elif isinstance(problem, Exception):
            self._failed(question, problem)
        else:
            raise problem
        self.tick()

    # ------------------------------------------------------------------ both
    def _ask(self) -> Question | None:
        return next_question(self.session, self.catalogue)

    def _shown(self, question: Question) -> tuple[Any, ...]:
        return self.catalogue.shown_for(question)

    def _said(self, question: Question, said: Any) -> None:
        try:
            if inspect.iscoroutine(said):
                said.close()
                raise JudgeFailed("gave something to await: write it as `async def`, so that it can be seen")
            answer = self.catalogue.answer(question, said)
        except Exception as problem:
            self._failed(question, problem)
            return
        self.session.tell(question, answer)
        self._failures[str(question.judge)] = 0

    def _failed(self, question: Question, problem: Exception) -> None:
        name = str(question.judge)
        if isinstance(problem, JudgeRefused):
            self.session.tell(question, SKIP, source=REFUSED)
            return
        self.session.fail(question, in_words(problem))
        self.last_failure = problem
        self._failures[name] += 1
        hopeless = isinstance(problem, JudgeUnusable) or self._failures[name] >= FAILURES_IN_A_ROW
        if hopeless and name not in self.session.set_aside_because:
            times = f"{self._failures[name]} failures in a row" if self._failures[name] > 1 else "once is enough"
            why = f"{in_words(problem)} ({times}, last at question {question.id})"
            self.session.set_aside(name, why, sitting=question.terms.get("sitting"))


def _tried_again(judge: Callable[..., Any]) -> Callable[..., Any]:
    """A judge that is called again when it fails; models do so themselves."""
    return judge if isinstance(judge, ModelJudge) else patient(judge)


def is_async(judge: Callable[..., Any]) -> bool:
    """Is this an async function, or an object whose call is one?

    >>> is_async(max)
    False
    """
    return inspect.iscoroutinefunction(judge) or inspect.iscoroutinefunction(getattr(judge, "__call__", None))  # noqa: B004


def in_words(problem: BaseException) -> str:
    """A failure for people: our own errors as they are, others with their kind.

    >>> in_words(ValueError("no such model"))
    'raised ValueError: no such model'
    """
    return str(problem) if isinstance(problem, JuryrankError) else f"raised {type(problem).__name__}: {problem}"
