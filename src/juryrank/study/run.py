"""Programs and models as judges of a study: many questions at once, until the ranking is done.

    run(study, judges)      {"name": function(left, right)}, sync or async; each answers the judge of that name

The loop is that of `run/loop.py`. Here every step is a visit to the log, others ask and answer at the same time,
and what an earlier run left open comes first. A call that raises, answers something else or takes too long is
tried again with growing pauses; if it still fails, the question is answered "skip" (it carries no evidence), and a
judge with too many of these is paused and reported. Where a model could not even be asked (no connection, a limit,
an error of its endpoint), its question stays open, and the next run asks it. What is acknowledged is on disk.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from juryrank.defaults import OPEN_AT_ONCE, RUN_RETRIES
from juryrank.errors import (
    AnsweredTwice,
    BadInput,
    JudgeUnreachable,
    StudyClosed,
    UnknownName,
)
from juryrank.log.bodies import FAILED, Asked
from juryrank.log.chain import Event, LogReader
from juryrank.log.folding import recorded_question
from juryrank.rankers.registry import ranker_class
from juryrank.run.calls import Pace, in_words, is_async, of_each
from juryrank.run.cases.catalogue import KEPT_CASES, NOTHING_KEPT, catalogue_kept
from juryrank.run.display import Show, showing
from juryrank.run.gold import GoldQuestion
from juryrank.run.items import Catalogue
from juryrank.run.loop import Loop
from juryrank.run.models import Draws, Models
from juryrank.run.options import check_callable, positive
from juryrank.run.session import LONGEST_REASON
from juryrank.study.asides import Asides, beside_of, check_fresh
from juryrank.study.ledger import THE_STUDYS_OWN
from juryrank.study.study import Study
from juryrank.types import SKIP, Answer, Question, Ranking

POLL = 0.2  # seconds between two looks when others must answer first
LOOK_AGAIN = 1.0  # seconds between two looks for judges who joined or left the study
SHOW_EVERY = 0.2  # seconds between two reports of progress
FIRST_PAUSE = 0.1  # seconds before a call that failed is tried again

Judges = Mapping[str, Callable[..., Any]]
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
        work.loop.run()
        return work.finish()


class ActiveRun:
    """One run, as the loop sees it; outcomes count as they come.

    `concurrency`: questions open in all. `per_judge` (at once) and `rate` (per second): one number or a mapping.
    `budget`: questions of this run; `money`: what its models may cost. `cache`: use answers paid for before.
    `gold`: pairs whose better item is known (left out: those of the study's settings); they test the judges.
    `shown`: what judges see of the items, where that is not the study's rows or outputs.
    `time_limit`: seconds a call may take. `wait`: how long to stay when there is nothing to ask and nobody else
    has a question open.
    """

    def __init__(
        self,
        study: Study,
        judges: Judges,
        *,
        concurrency: int = OPEN_AT_ONCE,
        budget: int | None = None,
        per_judge: int | Mapping[str, int] | None = None,
        rate: float | Mapping[str, float] | None = None,
        time_limit: float | None = None,
        retries: int = RUN_RETRIES,
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
        self.study, self.report, self.models = study, RunReport(), Models(judges)
        self.judges = {name: judge for name, judge in judges.items() if name not in beside}
        self.set_aside_because: Mapping[str, str] = self.report.failed
        self.budget, self.lease, self.wait, self.resume, self.show = budget, lease, wait, resume, show
        _check_counts({"budget": budget, "retries": retries})
        check_callable(judges)
        if not judges:
            raise BadInput("there is no judge to run; give at least one function")
        positive(concurrency, "concurrency")
        at_once, rates = of_each(per_judge, judges, what="per_judge"), of_each(rate, judges, what="rate")
        self.models.begin(scope=f"study {study.created['seed']} {study.created_at}", money=money, cache=cache)
        self._in_round = 0
        if self.models.in_batches:  # a batch may take a day, and the more are out, the fewer there are
            concurrency = self._in_round = max(concurrency, self.models.at_once)
            self.lease = None
        for name in self.judges:
            if name not in study.judges:
                raise UnknownName(f"judge {name!r} is not in study {study.name!r}; add_judge first")
        self.asides = Asides(study, gold=gold, beside=beside, most=budget)
        self.loop = Loop(
            self,
            judges,
            catalogue=Catalogue([]),
            ordered=False,
            concurrency=concurrency,
            paces={  # a plain function need not be safe for threads
                name: Pace(at_once=at_once[name] or (concurrency if is_async(judge) else 1), rate=rates[name])
                for name, judge in judges.items()
            },
            time_limit=positive(time_limit, "time_limit"),
            tries=retries + 1,
            first_pause=first_pause,
            gold=None if study.closed else self.asides.gold,
            beside=None if study.closed else self.asides.opinions,
            draw=LoggedDraws(study).number,
            renewed=partial(self._catalogue, shown or catalogue_of),
            visit=self._visit,
            heard=(),
        )
        self._stopped = set[str]()  # judges that could not be asked: their questions stay open for the next run
        self._open: list[Question] = []  # could not be asked: once more when nothing else is left to ask
        self._once_more = set[int]()  # were asked a second time
        self._clerk = ThreadPoolExecutor(1, "juryrank-clerk")  # the database is visited by one thread at a time
        self._others: set[str] = set()  # judges of the study who are not in this run
        self._look_again = 0.0
        self._idle_since: float | None = None
        self._shown_at = self._started = time.monotonic()

    async def _visit(self, call: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._clerk, call)

    def stop(self) -> None:
        """Ask nothing more; calls under way finish first."""
        self.loop.stopping = True

    async def close(self) -> None:
        """The loop is over."""
        await self.models.close()
        self._clerk.shutdown(wait=True)

    # ------------------------------------------------------------------ what is asked
    def left_open(self) -> list[Question]:
        """Questions that an earlier run left open."""
        found = self.study.open_questions() if self.resume and not self.study.closed else []
        mine = [question for question in found if question.judge in self.judges]
        self.report.resumed = len(mine)
        return mine

    def next_question(self) -> Question | None:
        """The next question: the ranker picks the judge if all are ours; otherwise the least busy of ours."""
        if not self.judges or (self.budget is not None and self.report.asked >= self.budget):
            return None
        able = sorted((name for name in self.judges if name not in self.report.failed), key=self._busy)
        try:
            for name in [None] if self._all_ours() and not self._stopped else able:
                question = self.study.ask(name, lease=self.lease, in_round=self._in_round)
                if question is not None:
                    self._idle_since = None
                    self.report.asked += 1
                    return question
        except StudyClosed:
            self.report.state = "closed"
        return None

    def _all_ours(self) -> bool:
        now = time.monotonic()
        if now >= self._look_again:
            self._others = set(self.study.log.active_judges()) - set(self.judges)
            self._look_again = now + LOOK_AGAIN
        return not self._others

    def _busy(self, name: str) -> int:
        return sum(call.judge == name for call in self.loop.calls)

    def pause(self) -> float | None:
        """How long to wait for others; what an outage left open is asked once more before."""
        if self._open:
            self._once_more.update(question.id for question in self._open)
            self.loop.again.extend(q for q in self._open if str(q.judge) not in self.report.failed)
            self._open = []
            return 0.0
        if self._is_over():
            return None
        self._idle_since = self._idle_since or time.monotonic()
        if time.monotonic() - self._idle_since >= self.wait and self._nobody_else():
            return None
        return POLL

    def _is_over(self) -> bool:
        if self.study.closed:
            self.report.state = "closed"
            return True
        if not self.judges:
            self.report.state = "beside"
            return True
        progress = self.study.progress()
        if progress.state in ("done", "spent", "closed"):
            self.report.state = progress.state
            return True
        if self.budget is not None and self.report.asked >= self.budget:
            self.report.state = "budget"
            return True
        return len(self.report.failed) == len(self.judges)

    def _nobody_else(self) -> bool:
        """Is nobody else at a question? (Those of others end with their leases; ours wait for the next run.)"""
        return all(question.judge in self.judges for question in self.study.open_questions())

    # ------------------------------------------------------------------ outcomes
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
        if comment:
            self._tell(question, answer, source=source, comment=comment, cost=cost or None)
        else:
            self._tell(question, answer, source=source, response_time=seconds, cost=cost)

    def failed(self, question: Question, problem: Exception, *, model: bool, cost: float | None) -> bool:
        """A failure is final for its question; where the judge could not even be asked, that stays open."""
        if not isinstance(problem, JudgeUnreachable) or cost:  # an answer that was paid for and never seen is over
            why = in_words(problem)[:LONGEST_REASON]
            self._tell(question, SKIP, source=FAILED, comment=why, cost=cost or None)
        elif question.id in self._once_more:
            return True
        else:
            self._open.append(question)
        return False

    def given_up(self, question: Question | GoldQuestion, problem: Exception, why: str) -> None:
        """A judge is asked no more: in this run, if it could not even be asked, else until somebody resumes it."""
        name = str(question.judge)
        self.report.failed[name] = why
        if isinstance(problem, JudgeUnreachable):
            self._stopped.add(name)
        elif isinstance(question, Question):
            self.study.judge(name).pause(reason=why)

    def aside(self, question: GoldQuestion, answer: str, *, seconds: float, **known: Any) -> None:
        """An answer that never counts; a judge surely wrong about gold pairs is asked no more."""
        self.report.aside += 1
        if self.asides.keep(question, answer, seconds=seconds, **known):
            self.report.failed[question.judge] = "it is wrong about gold pairs more often than right"

    def _tell(self, question: Question, answer: Answer, **known: Any) -> None:
        try:
            receipt = self.study.tell(question.id, answer, **known)
        except AnsweredTwice:
            return  # another run took the question over: its answer stands
        self.report.answered += not receipt.repeated
        self.report.late += receipt.late

    # ------------------------------------------------------------------ what is seen
    def _catalogue(self, shown: Callable[[Study], Catalogue]) -> Catalogue:
        found = shown(self.study)
        found.grades = ranker_class(self.study.created["ranker"]).takes_grades
        return found

    def tick(self) -> None:
        """Show progress now and then."""
        if self.show is not None and time.monotonic() - self._shown_at >= SHOW_EVERY:
            self._shown_at = time.monotonic()
            self.show(self.study.progress().progress)

    def finish(self) -> RunReport:
        """The report with the ranking as it stands."""
        self.report.seconds = time.monotonic() - self._started
        self.report.problems = self.loop.problems
        self.report.models = self.models.did()
        if self.loop.ended:
            self.report.state = "money"
        if self.loop.interrupted:
            self.report.state = "interrupted"
        self.report.ranking = self.study.ranking()
        if self.models:
            self.report.ranking = self.models.told(self.report.ranking)
        if self.show is not None:
            self.show(self.study.progress().progress)
        return self.report


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
