"""The second check: the log is played through the ranker itself, which must ask the same and show the same.

This is no independent check: it runs the program that the certificate is about. It shows that the questions were
the ranker's own (nobody chose others), and that estimates are what the program makes of these answers. A
processor or a version that computes differently may choose differently.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from juryrank.log import Event, EventKind, Fold, fold, recorded_question
from juryrank.log.chain import opened_in
from juryrank.log.folding import Paid
from juryrank.rankers.contract.ranker import Ranker
from juryrank.statements.numbers import number_of
from juryrank.types import Question
from juryrank.verify.certificate import estimates_of, exceeds
from juryrank.verify.compare import ROUNDING, difference
from juryrank.verify.report import Check, Finding
from juryrank.verify.room import AsksTooMuch, Room

IMPORTED = "import"
SO_LARGE = "the search of so large a jury"
UNEVEN = ("weights", "case_weights", "absent")  # options with which one answer may decide a pair
DECIDED = 9  # how often something can be decided about a pair: each way at four resolutions, and when all is told
SOLVED_PER_STEP = 4000  # an equation of n unknowns takes n³
CHANGES = (EventKind.ITEMS_ADDED, EventKind.JUDGE_ADDED, EventKind.JUDGE_REMOVED, EventKind.JUDGE_RESUMED)
WAYS = 3  # in which another processor's last digits may decide what is due
SEARCH = "the search, played again by its recorded rule, fixes the same {lists} at the same places"


def check_search(document: Mapping[str, Any], room: Room) -> Check:
    """Were the lists of claims chosen by the rule of the search, or by somebody who knew the answers?

    The search is guesswork, so the ranker's own code may play it again; evidence is the checker's own affair.
    Raises AsksTooMuch, before anything is played, where that is too much work for the file.
    """
    events = [Event(row["seq"], row["kind"], row["data"], row["at"], row["hash"]) for row in document["events"]]
    words = ""
    for way in range(WAYS):
        try:
            lists, fault = _search_fault(events, _Cost(events, room), way)
        except AsksTooMuch:
            if words:
                break
            raise
        except Exception as problem:  # whatever a log made by hand may bring about
            fault = f"the search cannot be played again on this log: {problem}"
        if not fault:
            return Check("search", True, SEARCH.format(lists=number_of(lists, "list")))
        words = words or fault
    return Check("search", False, words)


class _Cost:
    """What a search takes, out of the room of the file, before it is played."""

    def __init__(self, events: Sequence[Event], room: Room) -> None:
        self.room = room
        created, options = events[0].data, events[0].data.get("options") or {}
        cases = options.get("cases")
        cases = cases if isinstance(cases, int) else len(cases or "-")
        added = [len(event.data["items"]) for event in events if event.kind == EventKind.ITEMS_ADDED]
        judges, self.items = len(created["judges"]), len(created["items"]) + sum(added)
        self.table = 2 * self.items**2 + 3 * cases + judges  # opinions about all pairs, and the cells of a pair
        changes = sum(event.kind in CHANGES for event in events)
        room.take(self.table * (1 + changes), SO_LARGE)
        asked = [frozenset((e.data["left"], e.data["right"])) for e in events if e.kind == EventKind.ASKED]
        room.take(3 * judges * len(set(asked)), SO_LARGE)
        uneven = any(options.get(name) for name in UNEVEN)
        near = 1 if uneven else judges * cases / 4  # answers after which a pair may be decided
        fits = _fits(asked, after=2 * self.items, near=near)
        if options.get("start_from") is not None:  # fitted with it and without it, and early
            fits = 2 * (fits + min(len(asked), 120))
        room.take((fits + changes) * self.items**3 / SOLVED_PER_STEP, SO_LARGE)
        k = options.get("k") or _top(options.get("objective"))
        self.claims = max(self.items, k * (self.items - k))
        room.take(len(asked) * self.claims / 2, SO_LARGE)

    def again(self, events: int) -> None:
        """The log is played from its start."""
        self.room.take(self.table + 100 * events, SO_LARGE)

    def ahead(self, cells: int) -> None:
        """What the search draws next is looked up for so many cells drawn ahead, and for one that is not."""
        self.room.take((cells + 1) * (100 + self.claims), "so many cells drawn ahead")


def _fits(asked: Sequence[frozenset[Any]], *, after: int, near: float) -> float:
    """How often strengths are fitted at the most: from the first time on after each 1/40 more answers, and where
    something is decided about a pair for good. The first time: `after` so many answers, or when a pair is `near`.

    >>> pairs = [frozenset("ab"), frozenset("bc")] * 8
    >>> _fits(pairs, after=16, near=100), _fits(pairs, after=16, near=7) > 3
    (1.0, True)
    """
    times, decided = Counter[frozenset[Any]](), 0
    for number, pair in enumerate(asked, start=1):
        times[pair] += 1
        if near <= times[pair] < near + DECIDED:
            after, decided = min(after, number), decided + 1
    return min(len(asked), 40 * math.log(max(len(asked) / after, 1)) + 1 + decided)


def _top(objective: Any) -> int:
    found = re.fullmatch(r"top-(\d{1,9})", str(objective))
    return int(found[1]) if found else 1


def _search_fault(events: Sequence[Event], cost: _Cost, way: int) -> tuple[int, str]:
    """How many lists were fixed by the rule, and the first question that was not chosen by it, in words."""
    coming = _coming(events)
    state = _played(events[:1], events, way)
    lists: set[int] = set()
    for number, event in enumerate(events[1:], start=2):
        ahead, aside = coming[number - 1]
        if ahead:
            leaving = {judge for judge, last in aside.items() if last >= number}
            cost.ahead(len(aside) + state.ranker.draw_ahead(ahead, leaving=leaving))
        if event.kind == EventKind.ASKED and event.data.get("source") != IMPORTED:
            recorded = recorded_question(event.body)  # type: ignore[arg-type]
            if fault := state.ranker.not_by_rule(recorded):
                return len(lists), f"question {recorded.id} ({recorded.left} or {recorded.right}): {fault}"
            rows = (*recorded.terms.get("ahead", ()), recorded.terms)
            lists |= {row["list"]["number"] for row in rows if "list" in row}
        state.apply(event)
        if state.stale:  # the past has changed
            cost.again(number)
            state = _played(events[:number], events, way)
    return len(lists), ""


def _played(events: Sequence[Event], log: Sequence[Event], way: int) -> Fold:
    """The state after the first events of a log."""
    state = Fold.start(log[0].data, secret=opened_in(log))
    state.ranker.tip(way)
    with state.knowing(events[1:]):
        return state.walk(events[1:])


def _coming(events: Sequence[Event]) -> list[tuple[Sequence[Any], dict[Any, int]]]:
    """For each number of events: the cells that the next question says were drawn ahead, and until then who is set
    aside, at which event for the last time."""
    found: list[tuple[Sequence[Any], dict[Any, int]]] = [((), {})]
    for number, event in zip(range(len(events), 0, -1), reversed(events), strict=True):
        if event.kind == EventKind.ASKED:
            found.append(((event.data.get("terms") or {}).get("ahead", ()), {}))
        else:
            found.append(found[-1])
        if event.kind in (EventKind.JUDGE_PAUSED, EventKind.JUDGE_REMOVED):
            found[-1][1].setdefault(event.data["judge"], number)
    return found[::-1]


def check_rerun(document: Mapping[str, Any], finding: Finding, *, edited: bool) -> list[Check]:
    """Same questions, same claims, same estimates."""
    events = [Event(row["seq"], row["kind"], row["data"], row["at"], row["hash"]) for row in document["events"]]
    try:
        asked, fault = same_questions(events)
        questions = fault or f"the ranker, played through the log, asks the same {number_of(asked, 'question')}"
        ranking = fold(events).ranking()
    except Exception as problem:  # whatever a log made by hand may bring about
        return [Check("rerun", False, f"the ranker cannot follow this log: {problem}")]
    checks = [Check("questions again", not fault, questions)]
    more = "" if edited else exceeds(ranking, finding)
    checks.append(Check("result again", not more, more or "the ranker claims nothing that is not proven"))
    given, again = document["estimates"], estimates_of(ranking)
    cost = {"cost": _money(events)}  # `rank` with models shows what was paid; the ranker knows its questions only
    if cost["cost"] is not None and not difference({"cost": given.get("cost")}, cost, rounding=ROUNDING):
        again |= cost
    other = difference(given, again, at="estimates", rounding=ROUNDING)
    other = other.replace("the events give", "the ranker gives")
    checks.append(Check("estimates again", not other, other or "the ranker gives the same estimates"))
    return checks


def _money(events: Sequence[Event]) -> float | None:
    paid = Paid(events[0].data.get("prices"))
    for event in events:
        paid.note(event.body)
    return paid.total


def same_questions(events: Sequence[Event]) -> tuple[int, str]:
    """How many questions the ranker asks as recorded, and the first that it does not, in words."""
    secret = opened_in(events)
    state = Fold.start(events[0].data, secret=secret)
    asked = 0
    for number, event in enumerate(events[1:], start=2):
        if event.kind == EventKind.ASKED and event.data.get("source") != IMPORTED:
            recorded = recorded_question(event.body)  # type: ignore[arg-type]
            if not _asks(state.ranker, recorded):
                pair = f"{recorded.left} or {recorded.right}"
                return asked, f"question {recorded.id} ({pair}, to {recorded.judge}) is not the ranker's own"
            asked += 1
        else:
            state.apply(event)
        if state.stale:  # the past has changed
            state = fold(events[:number], secret=secret)
    return asked, ""


def _asks(ranker: Ranker, recorded: Question) -> bool:
    """Would the ranker ask this now? If so, it is asked. The study decides whom: people come when they like."""
    ranker.learn(recorded)
    for judge in (None, recorded.judge):
        draft = ranker.preview(judge)
        if draft is None or ranker.judge_names[draft.judge] != recorded.judge:
            continue
        pair = {ranker.items[draft.first], ranker.items[draft.second]}
        same = pair == {recorded.left, recorded.right} and not difference(
            dict(draft.terms), dict(recorded.terms), rounding=ROUNDING
        )
        if same:
            asked = ranker.ask(judge)
            return asked is not None and (asked.id, asked.left) == (recorded.id, recorded.left)
    return False
