"""Language models attached to studies: which ones an operator allows, and the runs that ask them.

An owner chooses among the judges of the operator's file (`juryrank serve --judges`) by name; addresses, prices and
the names of key variables come from that file alone, keys from the server's environment. Nothing of it can be set
through a page, so no page can make the server call an address that its operator did not write down.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from math import comb
from typing import Any, Final

from juryrank.defaults import PROBED
from juryrank.errors import BadInput, JuryrankError, UnknownStudy, shown
from juryrank.judges.models.cache import cache_path
from juryrank.judges.models.judge import ModelJudge
from juryrank.judges.models.money import Purse, price_of_question
from juryrank.judges.models.probe import SCOPE, Probe, probe
from juryrank.judges.models.settings import ModelSettings, read_settings
from juryrank.run.cases.catalogue import CaseCatalogue
from juryrank.run.items import Catalogue
from juryrank.server.studies.open_studies import OpenStudies
from juryrank.server.web.render import Kind
from juryrank.study import Study
from juryrank.study.run import ActiveRun, catalogue_of
from juryrank.votes.asides import models_in

logger = logging.getLogger("juryrank")
ATTACHED: Final = "models"  # the key in a study's settings
LOOK_AGAIN = 5.0  # seconds between two looks for answers of people that models have not seen
STOP = 0.2  # seconds until a run notices that it should stop
GRACE = 8.0  # seconds that calls under way are given then
OVER = ("done", "spent", "closed", "money")  # after these there is nothing more to ask
SHOWN_AS_TEXT = (Kind.TEXT, Kind.MARKDOWN)
ENDED = {
    "done": "finished: the ranking is done",
    "spent": "stopped: the study's budget is spent",
    "closed": "stopped: the study is closed",
    "money": "stopped: the money is spent",
    "waiting": "waiting for others to answer",
    "beside": "up to date with the people",
}


def allowed_models(path: str) -> dict[str, ModelSettings]:
    """The models of the operator's file, by name; none without a file."""
    return {each.name: each for each in read_settings(path)} if path else {}


@dataclass(frozen=True, slots=True)
class Attached:
    """What a study's settings say about its models."""

    names: tuple[str, ...] = ()
    money: float | None = None  # for all of them, over all runs
    running: bool = False

    @classmethod
    def of(cls, study: Study) -> Attached:
        said = study.settings.get(ATTACHED) or {}
        return cls(tuple(said.get("names", ())), said.get("money"), bool(said.get("running")))


class ModelRuns:
    """One per process. A study's run is a thread with an event loop of its own; its log says where it stands."""

    def __init__(self, open_studies: OpenStudies, allowed: Mapping[str, ModelSettings]) -> None:
        self.allowed = dict(allowed)
        self._studies = open_studies
        self._stops: dict[int, threading.Event] = {}
        self._threads: dict[int, threading.Thread] = {}
        self._said: dict[int, str] = {}
        self._lock = threading.Lock()

    # ------------------------------------------------------------------ what owners do
    def attach(self, number: int, names: list[str], *, money: float | None) -> None:
        """Ask these models from now on, for at most this much money in all."""
        study = self._studies.study(number)
        self._check(study, number, names, money)
        if study.log.counts_models:
            for name in names:
                if name not in study.judges:
                    study.add_judge(name)
        study.edit(**{ATTACHED: asdict(Attached(tuple(names), money, running=True))})
        self.stop(number)
        self.start(number)

    def _check(self, study: Study, number: int, names: list[str], money: float | None) -> None:
        if not names:
            raise BadInput("no model is chosen; tick one at least")
        if unknown := [name for name in names if name not in self.allowed]:
            raise BadInput(f"this server has no model {shown(unknown[0])}; its operator says which there are")
        if money is not None and not 0 < money < 1e9:
            raise BadInput("the most to spend is a number above 0; leave it empty for no limit")
        unpriced = [name for name in names if self.allowed[name].price is None]
        if money is not None and unpriced:
            raise BadInput(
                f"{shown(unpriced[0])} has no price in the operator's file, so a limit on money could not hold; "
                "leave the limit empty, or this model out"
            )
        if not study.log.counts_models and (taken := set(names) & set(study.judges)):
            raise BadInput(f"{shown(min(taken))} is also the name of a judge; models need names of their own")
        kinds = {content.kind for content in self._studies.setup(number).contents.values()}
        if kinds - set(SHOWN_AS_TEXT):
            raise BadInput("some items are pictures, sound, film or HTML, and models here are shown text only")

    def forecast(self, number: int) -> tuple[int, dict[str, float]]:
        """Systems on cases: how many questions there are for each model, and what all of them cost it, about."""
        study = self._studies.study(number)
        catalogue = self._shown(study)
        question = next(catalogue.to_ask(), None)
        if not isinstance(catalogue, CaseCatalogue) or question is None:
            return 0, {}
        whole = len(catalogue.cases) * comb(len(catalogue.names), 2) * 2  # both sides
        shown = catalogue.shown_for(question)
        return whole, {name: whole * price_of_question(said, *shown)[0] for name, said in self.allowed.items()}

    def pause(self, number: int) -> None:
        """Ask them no more; what they answered stays."""
        study = self._studies.study(number)
        study.edit(**{ATTACHED: asdict(replace(Attached.of(study), running=False))})
        self.stop(number)
        self._said[number] = "paused"

    def state(self, number: int) -> str:
        """What the models of a study are doing, in words."""
        thread = self._threads.get(number)
        alive = thread is not None and thread.is_alive()
        return self._said.get(number, "answering") if alive or number in self._said else ""

    # ------------------------------------------------------------------ threads
    def go_on(self) -> None:
        """After a restart of the server, resume the runs that were under way."""
        if not self.allowed:
            return
        for row in self._studies.rows():
            try:
                if Attached.of(self._studies.study(row.id)).running:
                    self.start(row.id)
            except JuryrankError as problem:  # one damaged study keeps no other from starting
                logger.warning("study %d: its models were not started: %s", row.id, problem)

    def start(self, number: int) -> None:
        """Begin the run of a study, unless it is under way."""
        with self._lock:
            thread = self._threads.get(number)
            if thread is not None and thread.is_alive():
                return
            stop = self._stops[number] = threading.Event()
            self._said[number] = "starting"
            self._threads[number] = threading.Thread(target=self._work, args=(number, stop), daemon=True)
            self._threads[number].start()

    def stop(self, number: int) -> None:
        """End the run; waits until it is over."""
        with self._lock:
            stop, thread = self._stops.get(number), self._threads.get(number)
        if stop is not None and thread is not None:
            stop.set()
            thread.join(30)

    def close(self) -> None:
        """End all runs; the next start goes on with them."""
        for stop in self._stops.values():
            stop.set()
        for thread in list(self._threads.values()):
            thread.join(10)

    def _work(self, number: int, stop: threading.Event) -> None:
        try:
            study = self._studies.study(number)
            with alone(f"{study.storage.place} {number}") as first:
                if not first:
                    self._said[number] = "asked by another process of this server"
                    return
                self._probe_new(study, number, stop)
                while not stop.is_set() and self._run_once(study, number, stop):
                    seen = study.log.seq
                    while not stop.wait(LOOK_AGAIN) and study.log.seq == seen:
                        pass
        except UnknownStudy:
            self._said.pop(number, None)  # it was deleted
        except JuryrankError as problem:
            self._said[number] = f"stopped: {problem}"
        except Exception:
            logger.exception("the models of study %d stopped", number)
            self._said[number] = "stopped by a defect: see the server's log"

    @staticmethod
    def _left(study: Study) -> float | None:
        """How much of the money is left; None: there is no limit."""
        most = Attached.of(study).money
        return None if most is None else most - study.progress().model_cost

    def _run_once(self, study: Study, number: int, stop: threading.Event) -> bool:
        """Ask what can be asked now; False: there will be nothing more."""
        attached, left = Attached.of(study), self._left(study)
        if left is not None and left <= 0:
            self._said[number] = ENDED["money"]
            return False
        self._said[number] = "answering"
        run = ActiveRun(
            study, self._judges(number, attached), money=left, shown=self._shown, gold=self._gold(study)
        )
        asyncio.run(_until(run, stop))
        report = run.finish()
        failed = "; ".join(f"{name}: {why}" for name, why in report.failed.items())
        self._said[number] = failed or ENDED.get(report.state, report.state)
        return report.state not in OVER and len(report.failed) < len(attached.names)

    def _judges(self, number: int, attached: Attached) -> dict[str, ModelJudge]:
        ask = self._studies.setup(number).question
        names = [name for name in attached.names if name in self.allowed]
        if not names:
            raise BadInput("none of these models is in the operator's file any more")
        return {name: ModelJudge(replace(self.allowed[name], ask=ask)) for name in names}

    def _gold(self, study: Study) -> list[Any] | None:
        """Attention checks are gold pairs for models; None: those of the study's own settings."""
        checks = self._studies.setup(study.id).checks
        return [(check.better, check.worse, check.better) for check in checks] or None

    def _shown(self, study: Study) -> Catalogue:
        """Items as people see them: their texts."""
        contents = self._studies.setup(study.id).contents
        if not contents or self._studies.cases(study.id) is not None:
            return catalogue_of(study)
        return Catalogue(
            [{"id": item, "text": contents[item].body} if item in contents else item for item in study.items]
        )

    def _probe_new(self, study: Study, number: int, stop: threading.Event) -> None:
        """Probe models that this study has not probed yet, or that failed; the findings go into its log."""
        known = models_in(study.events()).probes
        questions = self._shown(study).samples(PROBED)
        for name, judge in self._judges(number, Attached.of(study)).items():
            tried = name in known and known[name].get("usable", True)
            if tried or not questions or stop.is_set():
                continue
            self._said[number] = f"trying out {name}"
            judge.begin(scope=SCOPE, purse=Purse(cap=self._left(study)))
            found = asyncio.run(_probed(judge, questions))
            model = f"{judge.settings.api}:{judge.settings.model}"
            study.judge(name).note_probe(found.to_dict(), model=model, cost=found.spent)


async def _probed(judge: ModelJudge, questions: list[tuple[Any, ...]]) -> Probe:
    try:
        return await probe(judge, questions, draws=PROBED)
    finally:
        await judge.close()


async def _until(run: ActiveRun, stop: threading.Event) -> None:
    """Run until it ends by itself or is told to stop; calls under way are paid for, so they may finish."""
    task = asyncio.create_task(run.loop.go())
    while not task.done() and not stop.is_set():
        await asyncio.wait([task], timeout=STOP)
    run.stop()
    await asyncio.wait([task], timeout=GRACE)
    if not task.done():
        task.cancel()
        await asyncio.wait([task])
        return
    task.result()


@contextmanager
def alone(name: str) -> Iterator[bool]:
    """Is this the only process of this machine doing so? Several workers must not spend the money twice."""
    try:
        import fcntl
    except ImportError:  # Windows: one worker only
        yield True
        return
    mark = hashlib.sha256(name.encode(errors="replace")).hexdigest()[:24]
    folder = cache_path().parent  # this user's own: in a folder that all share a name could be taken
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"run-{mark}.lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True
