"""The second check: the log is played through the ranker itself, which must ask the same and show the same.

This is no independent check: it runs the program that the certificate is about. It shows that the questions were
the ranker's own (nobody chose others), and that estimates are what the program makes of these answers. A
processor or a version that computes differently may choose differently.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from juryrank.errors import JuryrankError
from juryrank.log import Event, EventKind, Fold, fold, recorded_question
from juryrank.log.paid import Paid
from juryrank.log.seeds import opened_in
from juryrank.rankers.contract.ranker import Ranker
from juryrank.types import Question
from juryrank.verify.certificate import estimates_of, exceeds
from juryrank.verify.compare import ROUNDING, difference
from juryrank.verify.report import Check, Finding
from juryrank.verify.words import several

IMPORTED = "import"
SEARCH = "the search, played again by its recorded rule, fixes the same {lists} at the same places"


def check_search(document: Mapping[str, Any]) -> Check:
    """Were the lists of claims chosen by the rule of the search, or by somebody who knew the answers?

    The search is guesswork, so the ranker's own code may play it again; evidence is the checker's own affair.
    """
    events = [Event(row["seq"], row["kind"], row["data"], row["at"], row["hash"]) for row in document["events"]]
    try:
        lists, fault = _search_fault(events)
    except (JuryrankError, KeyError, TypeError, ValueError, IndexError, AssertionError) as problem:
        return Check("search", False, f"the search cannot be played again on this log: {problem}")
    return Check("search", not fault, fault or SEARCH.format(lists=several(lists, "list")))


def _search_fault(events: Sequence[Event]) -> tuple[int, str]:
    """How many lists were fixed by the rule, and the first question that was not chosen by it, in words."""
    secret = opened_in(events)
    state = Fold.start(events[0].data, secret=secret)
    lists: set[int] = set()
    before = state.ranker.lists_now(ahead=_drawn_ahead_next(events, 1))
    for number, event in enumerate(events[1:], start=2):
        asked = event.kind == EventKind.ASKED and event.data.get("source") != IMPORTED
        if asked:
            recorded = recorded_question(event.body)  # type: ignore[arg-type]
            if fault := state.ranker.not_by_rule(recorded, before=before):
                return len(lists), f"question {recorded.id} ({recorded.left} or {recorded.right}): {fault}"
            rows = (*recorded.terms.get("ahead", ()), recorded.terms)
            lists |= {row["list"]["number"] for row in rows if "list" in row}
        state.apply(event)
        if state.stale:  # the past has changed
            state = fold(events[:number], secret=secret)
        before = [] if asked else before
        if ahead := _drawn_ahead_next(events, number):
            before = [*before, *state.ranker.lists_now(ahead=ahead)]
    return len(lists), ""


def _drawn_ahead_next(events: Sequence[Event], number: int) -> int:
    """How many cells of the next question were drawn at an earlier moment."""
    for event in events[number:]:
        if event.kind == EventKind.ASKED:
            return len((event.data.get("terms") or {}).get("ahead", ()))
    return 0


def check_rerun(document: Mapping[str, Any], finding: Finding, *, edited: bool) -> list[Check]:
    """Same questions, same claims, same estimates."""
    events = [Event(row["seq"], row["kind"], row["data"], row["at"], row["hash"]) for row in document["events"]]
    try:
        asked, fault = same_questions(events)
        questions = fault or f"the ranker, played through the log, asks the same {several(asked, 'question')}"
        ranking = fold(events).ranking()
    except (JuryrankError, KeyError, TypeError, ValueError, IndexError, AssertionError) as problem:
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
