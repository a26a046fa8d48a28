"""The results of iir, ada-iir, oracle, two-stage and subset-two-stage, recomputed from the raw events."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from juryrank.statements.numbers import number_of
from juryrank.statements.promises import PaperPromise
from juryrank.verify.paper.pseudocode import Globals, PaperSettings, Steps, Wants
from juryrank.verify.record import Asked, Record
from juryrank.verify.report import Check, Finding, Missing
from juryrank.verify.terms import is_number, is_whole, unknown

# ----------------------------------------------------------------------------
# Lots drawn by a study's seed (SplitMix64), written a second time: who is in a subset, how ties break
MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
TIES, SUBSET = 3, 4  # streams


def lot(seed: int, stream: int, k: int) -> float:
    """The k-th number in [0, 1) of a stream.

    >>> 0 <= lot(7, SUBSET, 1) < 1
    True
    """
    z = 0
    for step in (seed * GOLDEN + 0x632BE59BD9B4E019, stream * 0xD1342543DE82EF95, k * GOLDEN):
        z = (z + step) & MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        z ^= z >> 31
    return (z >> 11) / 2**53


def drawn(values: Sequence[int], count: int, seed: int) -> list[int]:
    """So many of `values` by lot, in ascending order."""
    lots = [lot(seed, SUBSET, k) for k in range(len(values))]
    return sorted(values[k] for k in sorted(range(len(values)), key=lots.__getitem__)[:count])


# ----------------------------------------------------------------------------
# A log played through the paper's pseudocode
#
# Answers of one duel count in the order in which they were asked: one waits until all before it are answered or
# have expired. One that comes after its duel's verdict does not count; nor do ties, skips and silence.
Lane = tuple[object, object]  # stage and duel, as a question's terms say them


@dataclass(slots=True)
class Replay:
    """The algorithm as far as the log takes it. `order` is worst first, once it is done."""

    record: Record
    steps: Steps[list[int]]
    wants: Wants | None = None
    order: list[int] | None = None
    counted: int = 0
    faults: list[str] = field(default_factory=list)

    def play(self) -> Replay:
        """All questions and answers, in the order of the log."""
        self._next(None)
        judge = {name: u for u, name in enumerate(self.record.judges)}
        item = {name: k for k, name in enumerate(self.record.items)}
        lanes: dict[Lane, deque[Asked]] = {}
        ended: set[int] = set()
        for _, q, begins in self._moments():
            lane = (q.terms.get("stage"), q.terms.get("duel"))
            queue = lanes.setdefault(lane, deque())
            if begins:
                queue.append(q)
                continue
            ended.add(q.id)
            while queue and queue[0].id in ended:
                due = queue.popleft()
                if due.winner is not None and self._fits(due, lane, item):
                    self._answer(due, judge[due.judge], item[due.winner])
        return self

    def _moments(self) -> list[tuple[int, Asked, bool]]:
        """(event, question, True: asked, False: ended)."""
        questions = self.record.questions.values()
        found = [(q.seq, q, True) for q in questions]
        found += [(q.ended, q, False) for q in questions if q.ended is not None]
        return sorted(found, key=lambda moment: moment[0])

    def _fits(self, q: Asked, lane: Lane, item: dict[str, int]) -> bool:
        wants = self.wants
        if wants is None or lane != (wants.stage, wants.duel):
            return False
        return {item[q.left], item[q.right]} == {wants.z, wants.j}

    def _answer(self, q: Asked, u: int, winner: int) -> None:
        wants = self.wants
        assert wants is not None  # it fits
        self.record.room.take(3 * (len(wants.users) + len(wants.allowed)), "so many judges for each answer")
        if u in wants.users or u in wants.allowed:
            self.counted += 1
            self._next((u, winner == wants.z))
        elif wants.stage != "select":  # there, judges may be dropped while questions to them are out
            self.faults.append(f"question {q.id} counts for duel {wants.duel}, but {q.judge!r} had been dropped")

    def _next(self, sent: tuple[int, bool] | None) -> None:
        try:
            self.wants = next(self.steps) if sent is None else self.steps.send(sent)
        except StopIteration as end:
            self.wants, self.order = None, end.value


# ----------------------------------------------------------------------------
# The results of iir, ada-iir, oracle, two-stage and subset-two-stage, recomputed from the raw events
ALPHA = {"paper": 0.15, "released": 0.05}  # the accuracies that a selection tells apart, unless the study says
KNOWN = ("constants", "fresh")
MORE_KNOWN = {
    "oracle": ("best",),
    "two-stage": ("selection", "alpha"),
    "subset-two-stage": ("selection", "alpha", "subset"),
}


@dataclass(frozen=True, slots=True)
class PaperOptions:
    """What a study of one of the paper's rankers was made with."""

    constants: str
    fresh: bool
    best: str | None
    selection: str
    alpha: float
    subset: int | None


def check(record: Record, shown: Sequence[str]) -> Finding:
    """What the events prove: the whole order, or nothing. `shown` makes no difference."""
    ranker = str(record.settings["ranker"])
    options, fault = _options(record.settings, record)
    fault = fault or _joined(record)
    allowed = Check("options", not fault, fault or f"constants of the {options.constants} kind")
    if fault:
        return Finding((allowed,))
    order: tuple[str, ...] | None = tuple(record.items) if len(record.items) < 2 else None
    words = "nothing to ask"
    faults: list[str] = []
    if order is None and record.judges:
        replay = Replay(record, _steps(ranker, record, options)).play()
        names = list(record.items)
        order = None if replay.order is None else tuple(names[k] for k in reversed(replay.order))
        faults = replay.faults
        words = f"{number_of(replay.counted, 'answer')} played through the paper's pseudocode, in the order asked"
    played = Check("replay", not faults, faults[0] if faults else words)
    proven = order if options.fresh else None
    missing = sum(question.missing for question in record.questions.values())
    return Finding(
        (allowed, played),
        proven=proven is not None,
        order=proven,
        ranges={item: (rank, rank) for rank, item in enumerate(proven, start=1)} if proven else {},
        promise=PaperPromise(error=record.error, finished=order is not None, fresh=options.fresh),
        details={"constants": options.constants, "fresh": options.fresh, "finished": order is not None},
        partial=False,
        missing=Missing(missing, None) if missing else None,
    )


def _joined(record: Record) -> str:
    if record.joins or len(record.judges) > record.founders:
        return "items or judges joined, which this ranker cannot take"
    return ""


def _options(settings: Mapping[str, Any], record: Record) -> tuple[PaperOptions, str]:
    given = settings.get("options") or {}
    constants = given.get("constants", "paper")
    known = isinstance(constants, str) and constants in ALPHA
    alpha = given.get("alpha")
    judges = list(record.judges)
    options = PaperOptions(
        constants if known else "paper",
        given.get("fresh", True),
        given.get("best") or (judges[0] if len(judges) == 1 else None),
        given.get("selection", "successive"),
        ALPHA[constants if known else "paper"] if alpha is None else alpha,
        given.get("subset"),
    )
    fine = (
        known
        and isinstance(options.fresh, bool)
        and (options.best is None or options.best in record.judges)
        and options.selection in ("successive", "median")
        and is_number(options.alpha)
        and 0 < options.alpha < 0.5
        and (options.subset is None or is_whole(options.subset, least=1))
        and (settings["ranker"] != "oracle" or options.best is not None)
    )
    fault = "" if fine else "the study was made with options that this ranker does not have"
    return options, unknown(given, (*KNOWN, *MORE_KNOWN.get(settings["ranker"], ()))) or fault


def _steps(ranker: str, record: Record, options: PaperOptions) -> Steps[list[int]]:
    items, judges = list(range(len(record.items))), list(range(len(record.judges)))
    released = options.constants == "released"
    settings = PaperSettings(len(items), len(judges), record.error, released, ranker == "ada-iir")
    run = Globals(settings, record.room.take)
    if ranker == "oracle":
        return run.iir(items, record.error, [list(record.judges).index(str(options.best))])
    if ranker in ("iir", "ada-iir"):
        return run.iir(items, record.error, judges)
    seed = int(record.settings.get("seed", 0))
    subset = ranker == "subset-two-stage"
    return run.two_stage(
        members=_members(judges, options, record.error, seed) if subset else judges,
        stages=4 if subset else 3,
        alpha=options.alpha / 2 if subset and not released else options.alpha,
        median=options.selection == "median",
        tie_break=lambda asked, u: lot(seed, TIES, asked + u),
    )


def _members(judges: list[int], options: PaperOptions, error: float, seed: int) -> list[int]:
    """The subset in which a judge is sought: the paper's L = ⌈log(δ/4) / log(1-α)⌉ unless the study says."""
    size = options.subset
    if size is None:
        size = min(len(judges), math.ceil(math.log(error / 4) / math.log(1 - options.alpha)))
    return drawn(judges, size, seed)
