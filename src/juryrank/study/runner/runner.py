"""Programs as judges: many questions at once, until the ranking is done.

    run(study, judges)      {"name": function(left, right)}, sync or async; each answers the judge of that name

A call that raises, answers something else or takes too long is tried again with growing pauses; if it still
fails, the question is answered "skip" (it carries no evidence), and a judge with too many of these is paused and
reported, while the others go on. Where a model could not even be asked (no connection, a limit, an error of its
endpoint), its question stays open, and the next run asks it. Everything acknowledged is on disk: after Ctrl-C or
kill -9 the next run first answers the questions that were left open. Ctrl-C waits for answers under way and keeps
them; a second one leaves at once.

The loop is not the one of `run/loop.py`, and cannot be without changing what is on disk. There the ranking is in
this process alone: the ranker is told answers in the order of their questions, so that a run can be repeated, and
a failed question expires. Here others ask and answer at the same time, every step is a visit to the database that
may wait, leases and questions of earlier runs count, and a failed question is recorded as skipped. What does not
depend on that is shared: one call of a judge and the words for its failure (`run/calls.py`), when a judge is given
up (`run/calls.py`), which calls are waited for at Ctrl-C (`run/calls.py`), what judges are shown and how
their answers are read (`run/items.py`), and the models.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from juryrank.errors import (
    AnsweredTwice,
    BadInput,
    JudgeRefused,
    JudgeUnreachable,
    JudgeUnusable,
    MoneySpent,
    StudyClosed,
    UnknownName,
)
from juryrank.judges.models.money import charged
from juryrank.log.bodies import FAILED, MODEL, REFUSED, Asked
from juryrank.log.chain import Event
from juryrank.log.folding import recorded_question
from juryrank.log.reader import LogReader
from juryrank.rankers.registry import ranker_class
from juryrank.run.calls import FailureRate, end_all, in_words, run_to_end
from juryrank.run.cases.kept import KEPT_CASES, NOTHING_KEPT, catalogue_kept
from juryrank.run.display import Show, showing
from juryrank.run.items import Catalogue
from juryrank.run.models import Draws, Models
from juryrank.study.ledger.ledger import THE_STUDYS_OWN
from juryrank.study.runner.asides import Asides, beside_of, check_fresh
from juryrank.study.runner.calls import FIRST_PAUSE, Calls, Judges
from juryrank.study.study import Study
from juryrank.types import SKIP, Answer, Question, Ranking


# ----------------------------------------------------------------------------
# Which draw of a question a call is: the number that keeps two answers of a model apart in its cache
#
# The log knows how often a judge was asked the same pair before; so a run that is started again, or another
# process, neither pays twice for one draw nor takes one draw for two.
class LoggedDraws(LogReader):
    """The draw number of every question of a study: how often its judge was asked this pair, shown like this."""

    def __init__(self, study: Study) -> None:
        self._study, self._seen = study, 0
        self._draws = Draws(lambda asked: (asked.judge, asked.left, asked.right, asked.case))

    def number(self, question: Question) -> int:
        self.walk(self._study.events(after=self._seen))
        return self._draws.number(question)

    def on_asked(self, event: Event, asked: Asked) -> None:
        self._draws.number(recorded_question(asked))

    def passed(self, event: Event) -> None:
        self._seen = event.seq


# ----------------------------------------------------------------------------
# Programs as judges: many questions at once, until the ranking is done
POLL = 0.2  # seconds between two looks when others must answer first
LOOK_AGAIN = 1.0  # seconds between two looks for judges who joined or left the study
SHOW_EVERY = 0.2  # seconds between two reports of progress

Result = TypeVar("Result")


@dataclass(slots=True)
class RunReport:
    """What a run did. `state`: done, spent, closed, budget, money, waiting (for others), beside or interrupted."""

    state: str = "waiting"
    asked: int = 0
    answered: int = 0
    late: int = 0
    resumed: int = 0
    failed: dict[str, str] = field(default_factory=dict)  # paused judges, and why
    problems: int = 0  # calls that failed, tried again or not
    seconds: float = 0.0
    models: dict[str, Any] = field(default_factory=dict)  # what each model did and cost
    aside: int = 0  # answers that never count: gold pairs, opinions beside the people's
    ranking: Ranking | None = None


def run(study: Study, judges: Judges, *, progress: bool | Show | None = None, **limits: Any) -> RunReport:
    """Let programs judge; see `ActiveRun` for the limits. Ctrl-C ends it with what is on disk."""
    with showing(progress) as show:
        work = ActiveRun(study, judges, show=show, **limits)
        try:
            run_to_end(work.go)
        except KeyboardInterrupt:
            work.interrupted = True  # a second one, while answers under way were waited for
        return work.finish()


class ActiveRun:
    """One run.

    `concurrency`: questions open in all. `per_judge` (at once) and `rate` (per second): one number or a mapping.
    `budget`: questions of this run; `money`: what its models may cost. `cache`: use answers paid for before.
    `gold`: pairs whose better item is known (left out: those of the study's settings); they test the judges.
    `shown`: what judges see of the items, where that is not the study's rows or outputs.
    `time_limit`: seconds a call may take. `wait`: how long to stay when there is
    nothing to ask and nobody else has a question open.
    """

    def __init__(
        self,
        study: Study,
        judges: Judges,
        *,
        concurrency: int = 8,
        budget: int | None = None,
        per_judge: int | Mapping[str, int] | None = None,
        rate: float | Mapping[str, float] | None = None,
        time_limit: float | None = None,
        retries: int = 3,
        first_pause: float = FIRST_PAUSE,
        lease: float | None = THE_STUDYS_OWN,
        resume: bool = True,
        wait: float = 0.0,
        money: float | None = None,
        cache: bool = True,
        gold: Any = None,
        shown: Callable[[Study], Catalogue] | None = None,
        show: Show | None = None,
    ) -> None:
        beside = beside_of(study, judges)
        check_fresh(study, judges)
        self.study, self.report = study, RunReport()
        self.judges = {name: judge for name, judge in judges.items() if name not in beside}
        self.concurrency, self.budget, self.lease, self.wait = concurrency, budget, lease, wait
        self.resume, self.show = resume, show
        _check_counts({"budget": budget, "retries": retries})
        self.calls = Calls(
            dict(judges),
            concurrency=concurrency,
            per_judge=per_judge,
            rate=rate,
            time_limit=time_limit,
            retries=retries,
            first_pause=first_pause,
            catalogue=lambda: self._visit(partial(self._catalogue, shown or catalogue_of)),
            draw=lambda question: self._visit(partial(self._draws.number, question)),
        )
        self._draws, self.models = LoggedDraws(study), Models(judges)
        self.models.begin(scope=f"study {study.created['seed']} {study.created_at}", money=money, cache=cache)
        for name in self.judges:
            if name not in study.judges:
                raise UnknownName(f"judge {name!r} is not in study {study.name!r}; add_judge first")
        self.asides = Asides(self, gold=gold, beside=beside)
        self._failures = FailureRate(self.judges)
        self._stopped = set[str]()  # judges that could not be asked: their questions stay open for the next run
        self._open: list[Question] = []  # could not be asked: once more when nothing else is left to ask
        self._once_more = set[int]()  # were asked a second time
        self._clerk = ThreadPoolExecutor(1, "juryrank-clerk")  # the database is visited by one thread at a time
        self._tasks: set[asyncio.Task[None]] = set()
        self._beside: set[asyncio.Task[None]] = set()  # opinions beside the people's
        self._others: set[str] = set()  # judges of the study who are not in this run
        self._look_again = 0.0
        self._shown_at = self._started = time.monotonic()
        self.stopping = self.interrupted = False

    def stop(self) -> None:
        """Ask nothing more; calls under way finish first."""
        self.stopping = True

    # ------------------------------------------------------------------ the loop
    async def go(self) -> None:
        """Ask and answer until there is nothing more to do; cancelled, it keeps what judges are answering."""
        self.calls.start()
        try:
            if await self._visit(lambda: self.study.closed):
                self.report.state = "closed"
                return
            await self._all_asked()
            if not self.judges and self.report.state == "waiting":
                self.report.state = "beside"
        except asyncio.CancelledError:
            if self.stopping:
                raise  # what was under way has had its time
            self.interrupted = self.stopping = True
            await self.calls.last_answers()
        finally:
            await end_all([*self._tasks, *self._beside])
            await self.models.close()
            self._clerk.shutdown(wait=True)

    async def _all_asked(self) -> None:
        for gold in self.asides.first():  # before anything that counts
            self._begin(self.asides.ask(gold), gold.judge)
        while self._tasks:
            await self._one_done()
        self._beside.add(asyncio.create_task(self.asides.opinions()))
        await self._take_over()
        await self._loop()
        await asyncio.wait(self._beside)
        for task in self._beside:
            task.result()

    async def _take_over(self) -> None:
        """Questions that an earlier run left open come first."""
        if not self.resume:
            return
        for question in await self._visit(self.study.open_questions):
            if question.judge in self.judges:
                self.report.resumed += 1
                self._start(question)

    async def _loop(self) -> None:
        idle_since = None
        while self.judges:
            question = await self._next() if self._room() else None
            if question is not None:
                idle_since = None
                self._start(question)
            elif self._tasks:
                idle_since = None
                await self._one_done()
            elif self._open:
                self._ask_again()
            elif await self._is_over():
                return
            else:
                idle_since = idle_since or time.monotonic()
                if time.monotonic() - idle_since >= self.wait and await self._nobody_else():
                    return
                await asyncio.sleep(POLL)

    def _ask_again(self) -> None:
        """Ask what an outage left open, on the same draw; a second outage leaves it to the next run."""
        for question in self._open:
            self._once_more.add(question.id)
            if str(question.judge) not in self.report.failed and not self.stopping:
                self._start(question)
        self._open = []

    def _room(self) -> bool:
        if self.report.state == "money" or self.stopping:
            return False
        within = self.budget is None or self.report.asked < self.budget
        return within and len(self._tasks) < self.concurrency and not self.calls.waiting

    async def _next(self) -> Question | None:
        """The next question: the ranker picks the judge if all are ours; otherwise the least busy of ours."""
        able = sorted((name for name in self.judges if name not in self.report.failed), key=self._busy)
        try:
            for name in [None] if await self._all_ours() and not self._stopped else able:
                question = await self._visit(partial(self.study.ask, name, lease=self.lease))
                if question is not None:
                    self.report.asked += 1
                    return question
        except StudyClosed:
            self.report.state = "closed"
        return None

    async def _all_ours(self) -> bool:
        now = time.monotonic()
        if now >= self._look_again:
            self._others = set(await self._visit(self.study.log.active_judges)) - set(self.judges)
            self._look_again = now + LOOK_AGAIN
        return not self._others

    def _busy(self, name: str) -> int:
        return sum(task.get_name() == name for task in self._tasks)

    async def _is_over(self) -> bool:
        if self.report.state in ("closed", "money") or self.stopping:
            return True
        progress = await self._visit(self.study.progress)
        if progress.state in ("done", "spent", "closed"):
            self.report.state = progress.state
            return True
        if self.budget is not None and self.report.asked >= self.budget:
            self.report.state = "budget"
            return True
        self.report.state = "waiting"
        return len(self.report.failed) == len(self.judges)

    async def _nobody_else(self) -> bool:
        """Is nobody else at a question? (Those of others end with their leases; ours wait for the next run.)"""
        return all(question.judge in self.judges for question in await self._visit(self.study.open_questions))

    async def _one_done(self) -> None:
        finished, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        self._tasks -= finished
        for task in finished:
            task.result()
        if self.show is not None and time.monotonic() - self._shown_at >= SHOW_EVERY:
            self._shown_at = time.monotonic()
            self.show((await self._visit(self.study.progress)).progress)

    def _start(self, question: Question) -> None:
        self._failures.asked(str(question.judge), question.id)
        self._begin(self._answer(question), str(question.judge))

    def _begin(self, call: Coroutine[Any, Any, None], judge: str) -> None:
        self._tasks.add(asyncio.create_task(call, name=judge))

    # ------------------------------------------------------------------ one question
    async def _answer(self, question: Question) -> None:
        name = str(question.judge)
        async with self.calls.turn(name):
            if self.interrupted:
                return
            began = time.monotonic()
            try:
                answer, cost = await self.calls.answer(question)
            except MoneySpent as problem:
                self.report.state = "money"
                if charged():  # tries before this one were paid for
                    await self._tell(question, SKIP, source=FAILED, comment=in_words(problem), cost=charged())
                return
            except JudgeRefused as problem:
                self._failures.over(name, question.id, failed=False)
                await self._tell(question, SKIP, source=REFUSED, comment=in_words(problem), cost=charged())
                return
            except Exception as problem:
                await self._failed(question, problem)
                return
            taken = round(time.monotonic() - began, 6)
        self._failures.over(name, question.id, failed=False)
        source = MODEL if name in self.models.judges else "program"
        await self._tell(question, answer, response_time=taken, source=source, cost=cost)
        await self.asides.after(name)

    async def _failed(self, question: Question, problem: Exception) -> None:
        """A failure is final for its question; where the judge could not even be asked, that stays open."""
        name, why = str(question.judge), in_words(problem)[:500]
        outage = isinstance(problem, JudgeUnreachable)
        if self.interrupted and (outage or name not in self.models.judges):
            return  # it was not tried again because we stop: the question stays open
        hopeless = self._failures.over(name, question.id, failed=True, problem=problem)
        if not outage or charged():  # an answer that was paid for and never seen is over
            await self._tell(question, SKIP, source=FAILED, comment=why, cost=charged())
        elif question.id in self._once_more:
            hopeless = True
        else:
            self._open.append(question)
        if not hopeless or name in self.report.failed:
            return
        often = "" if isinstance(problem, JudgeUnusable) else f"{self._failures.words(name)}, "
        self.report.failed[name] = f"{why} ({often}last question {question.id})"
        if outage:
            self._stopped.add(name)
        else:
            await self._visit(lambda: self.study.judge(name).pause(reason=why))

    async def _tell(self, question: Question, answer: Answer, **known: Any) -> None:
        try:
            receipt = await self._visit(lambda: self.study.tell(question.id, answer, **known))
        except AnsweredTwice:
            return  # another run took the question over: its answer stands
        self.report.answered += not receipt.repeated
        self.report.late += receipt.late

    # ------------------------------------------------------------------ shared parts
    def _catalogue(self, shown: Callable[[Study], Catalogue]) -> Catalogue:
        found = shown(self.study)
        found.grades = ranker_class(self.study.created["ranker"]).takes_grades
        return found

    async def _visit(self, call: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._clerk, call)

    def finish(self) -> RunReport:
        """The report with the ranking as it stands."""
        self.report.seconds = time.monotonic() - self._started
        self.report.problems = self.calls.problems
        self.report.models = self.models.did()
        self.report.aside = self.asides.asked
        if self.interrupted:
            self.report.state = "interrupted"
        self.report.ranking = self.study.ranking()
        if self.models:
            self.report.ranking = self.models.told(self.report.ranking)
        if self.show is not None:
            self.show(self.study.progress().progress)
        return self.report


def catalogue_of(study: Study) -> Catalogue:
    """Items as judges see them: their outputs on cases, or the row where the study's settings hold one."""
    settings, cases = study.settings, (study.created.get("options") or {}).get(KEPT_CASES)
    if cases is not None:
        return catalogue_kept(study.items, cases, settings.get(KEPT_CASES) or NOTHING_KEPT)
    rows = settings.get("rows") or {}
    return Catalogue([rows.get(item, item) for item in study.items])


def _check_counts(counts: Mapping[str, Any]) -> None:
    for what, number in counts.items():
        if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < 0):
            raise BadInput(f"{what} is {number!r}; it is a whole number, 0 or more")
