"""From raw events to a Record. Reading never stops at a fault: each is noted under the check it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from juryrank.quoting import in_sentence
from juryrank.verify.record.conduct import earlier, moment, too_early, too_late
from juryrank.verify.record.gold import GoldScore, below_half
from juryrank.verify.record.record import (
    ANSWERS,
    DEADLINES,
    EVENTS,
    FAILED,
    GRADED,
    GRADED_AS,
    OWN_WORK,
    PASSED_OVER,
    QUESTIONS,
    WITHOUT_A_JUDGE,
    Aside,
    Asked,
    Record,
)
from juryrank.verify.room import room_for

# ----------------------------------------------------------------------------
# What judges were shown besides names: was it changed once answers had been given?
#
# Wording and contents are no part of the promise, which is about the answers. But whoever turns "Which is
# better?" into "Which is worse?", or swaps two texts, makes the same answers say something else: so a reader is
# told.
QUESTION, SETUP = "question", "setup"
OF_ITEMS = ("contents", "rows")  # by item: those of items that join are new, and change nothing


def reworded(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """What judges had been shown and are not any more: the names of such settings.

    >>> reworded({"question": "Better?"}, {"question": "Worse?", "lease": 60})
    ['question']
    >>> reworded({"rows": {"a": 1}}, {"rows": {"a": 1, "b": 2}})
    []
    """
    found = [QUESTION] if QUESTION in after and after[QUESTION] != before.get(QUESTION) else []
    for name in OF_ITEMS:
        old, new = before.get(name), after.get(name)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            found += [name] if any(new.get(item) != shown for item, shown in old.items()) else []
    outer, inner = before.get(SETUP) or {}, after.get(SETUP)
    if not isinstance(outer, Mapping):
        raise ValueError(f"{SETUP!r} held no settings before it")
    return found + reworded(outer, inner) if isinstance(inner, Mapping) else found


# ----------------------------------------------------------------------------
# From raw events to a Record. Reading never stops at a fault: each is noted under the check it belongs to
Event = Mapping[str, Any]
IMPORTED = "import"  # the source of a question that another program asked


def read_events(events: Sequence[Event]) -> Record:
    """Read a log from its `created` event on; its fields have been checked by `reading`."""
    created = events[0]["data"]
    record = Record(created, events, edits=list(created.get("edits") or []), room=room_for(events))
    record.wording = dict(created.get("settings") or {})
    _join(record, record.items, created.get("items") or (), "item")
    _join(record, record.judges, created.get("judges") or (), "judge")
    record.founders, record.first_items = len(record.judges), len(record.items)
    prices = created.get("prices")
    for judge in () if prices is None else sorted(prices.keys() ^ record.judges.keys()):
        record.fault(EVENTS, f"the study fixes prices, and {judge!r} has one without being a judge, or has none")
    for event in events[1:]:
        try:
            moment(event["at"])
            READERS[event["kind"]](record, event)
        except (KeyError, TypeError, ValueError, OverflowError) as problem:
            record.fault(EVENTS, f"event {event['seq']} ({event['kind']}) makes no sense: {problem}")
    return record


def _join(record: Record, known: dict[str, None], names: Iterable[str], what: str) -> None:
    for name in names:
        if name in known:
            record.fault(EVENTS, f"{what} {name!r} joins a second time")
        known[name] = None


def _created(record: Record, event: Event) -> None:
    record.fault(EVENTS, f"event {event['seq']} creates the study a second time")


def _asked(record: Record, event: Event) -> None:
    data = event["data"]
    q = Asked(
        event["seq"], data["q"], data["judge"], data["left"], data["right"], data.get("terms") or {},
        data.get("deadline"), case=data.get("case"), imported=data.get("source") == IMPORTED,
        shown=tuple(data.get("shown") or ()),
    )  # fmt: skip
    if q.imported and not record.edits:  # the first event of such a log says so, unless somebody struck it out
        record.edits.append(f"question {q.id} was asked by another program: how its pair was chosen is not known")
    if record.questions and q.id <= next(reversed(record.questions)):
        record.fault(QUESTIONS, f"question {q.id} is numbered out of order, or asked twice")
        return
    if q.judge not in record.judges:
        record.fault(QUESTIONS, f"question {q.id} is to {q.judge!r}, who is not a judge")
    if bool(q.shown) != record.together or (q.shown and (q.left, q.right) != (q.shown[0], q.shown[-1])):
        record.fault(QUESTIONS, f"question {q.id} does not show what its ranker shows at once")
    for item in q.shown or (q.left, q.right):
        if item not in record.items:
            record.fault(QUESTIONS, f"question {q.id} shows {item!r}, which is not an item")
    if q.left == q.right:
        record.fault(QUESTIONS, f"question {q.id} shows {q.left!r} against itself")
    if too_late(event["at"], q.deadline):
        record.fault(DEADLINES, f"question {q.id} was asked after its own deadline")
    sitting = q.terms.get("sitting")
    if type(sitting) is int:
        record.of_sitting.setdefault(sitting, []).append(q)
        record.sitting_deadlines.setdefault(sitting, data.get("sitting_deadline"))
        record.sitting_idle.setdefault(sitting, (data.get("sitting_idle"), event["at"]))
    record.questions[q.id] = q
    record.of_judge.setdefault(q.judge, []).append(q)


def _told(record: Record, event: Event) -> None:
    number, word = event["data"]["q"], event["data"]["answer"]
    q = record.questions.get(number)
    if q is None:
        record.fault(ANSWERS, f"event {event['seq']} answers question {number}, which was never asked")
    elif q.told is not None:
        record.fault(ANSWERS, f"question {number} is answered twice")
    else:
        _ends_with_sitting(record, q)  # an undo opened it again
        q.answer, q.told, q.grade = word, event["seq"], event["data"].get("grade")
        source = event["data"].get("source")
        q.without_judge, q.own_work = source in (WITHOUT_A_JUDGE, PASSED_OVER), source == OWN_WORK
        q.failed = source == FAILED and word == "skip"
        if q.grade is not None and not _grade_fits(record, word, q.grade):
            record.fault(ANSWERS, f"question {number} has a grade that does not go with its answer or its ranker")
        q.order = event["data"].get("order")
        if not _order_fits(q, word):
            record.fault(ANSWERS, f"question {number} has no order, or one that does not go with it")
        if source == PASSED_OVER and (word != "skip" or q.pair.isdisjoint(record.withdrawn)):
            record.fault(ANSWERS, f"question {number} is passed over, although no item of it was withdrawn")
        if source == WITHOUT_A_JUDGE and word != "tie":
            record.fault(ANSWERS, f"question {number} is answered without a judge, and not by a tie")
        if q.own_work and word == "skip":  # unseen, so the answer before it can still be taken back
            record.last_own_work[q.judge] = number
        elif not q.without_judge:
            record.last_answer[q.judge] = number
            record.last_own_work.pop(q.judge, None)
        _was_active(record, q, event["at"])
        if q.expired is None and too_late(event["at"], q.deadline):
            record.fault(DEADLINES, f"question {number} was answered after its deadline, and counted")


def _grade_fits(record: Record, word: str, grade: float) -> bool:
    return record.settings.get("ranker") in GRADED and GRADED_AS.get(word) == (grade > 0) - (grade < 0)


def _order_fits(q: Asked, word: str) -> bool:
    """Does the answer put all that were shown in order? A tie of all and a skip need no order."""
    if q.order is None:
        return not q.shown or word in ("tie", "skip")
    place = {item: at for at, tier in enumerate(q.order) for item in tier}
    if q.grade is not None or sum(map(len, q.order)) != len(place) or place.keys() != set(q.shown):
        return False
    lead = place[q.right] - place[q.left]
    return GRADED_AS.get(word) == (lead > 0) - (lead < 0)


def _was_active(record: Record, q: Asked, at: str | None) -> None:
    """A sitting that ends when its person is idle: counted from the last answer at a place that counts."""
    sitting = q.terms.get("sitting")
    if type(sitting) is int and sitting in record.sitting_idle and not q.terms.get("beyond") and q.expired is None:
        record.sitting_idle[sitting] = (record.sitting_idle[sitting][0], at)


def _expired(record: Record, event: Event) -> None:
    number = event["data"]["q"]
    q = record.questions.get(number)
    if q is None:
        record.fault(DEADLINES, f"event {event['seq']} expires question {number}, which was never asked")
    elif not q.open:
        record.fault(DEADLINES, f"question {number} expires at event {event['seq']}, although it had ended before")
    else:
        q.expired = event["seq"]
        _gives_up(record, event, q.deadline, f"question {number} expires", imported=q.imported)
        early = too_early(event["at"], q.deadline)
        if early:
            record.fault(DEADLINES, f"question {number} expired {early}")


def _gives_up(record: Record, event: Event, deadline: str | None, what: str, *, imported: bool = False) -> None:
    """Where there is no clock, or another program asked, nobody can say why; a study ends nothing without one."""
    if deadline is not None:
        return
    if event["at"] is None or imported:
        record.given_up += 1
    else:
        record.fault(DEADLINES, f"{what} at event {event['seq']}, although no deadline was fixed for it")


def _lapsed(record: Record, event: Event) -> None:
    """The deadline of a whole sitting, fixed with its first question: what is open in it expires."""
    number = event["data"]["sitting"]
    if number not in record.sitting_deadlines or number in record.lapsed:
        record.fault(DEADLINES, f"sitting {number} lapses at event {event['seq']}, but is not open")
        return
    record.lapsed[number] = event["seq"]
    deadline = earlier(record.sitting_deadlines[number], *record.sitting_idle[number])
    _gives_up(record, event, deadline, f"sitting {number} lapses")
    early = too_early(event["at"], deadline)
    if early:
        record.fault(DEADLINES, f"sitting {number} lapsed {early}")
    for q in record.of_sitting[number]:
        _ends_with_sitting(record, q)


def _ends_with_sitting(record: Record, q: Asked) -> None:
    """What is open when its sitting lapses has expired; an answer that an undo lets in later is late, too."""
    sitting = q.terms.get("sitting")
    lapsed = record.lapsed.get(sitting) if type(sitting) is int else None
    if lapsed is not None and q.open and not q.terms.get("beyond"):
        q.expired, q.lapsed = lapsed, True


def _retracted(record: Record, event: Event) -> None:
    data = event["data"]
    q = record.questions.get(data["q"])
    if q is None or q.told is None or q.taken_back:
        words = f"event {event['seq']} takes back an answer to question {data['q']} that does not stand"
        record.fault(ANSWERS, words)
        return
    said = {"told": q.told, "judge": q.judge, "answer": q.answer}
    for name, value in said.items():
        if data[name] != value:
            record.fault(ANSWERS, f"the {name!r} of event {event['seq']} is not that of question {q.id}")
    if not data["post_hoc"] and _is_own_undo(record, event, q):
        record.undone[q.judge] = record.undone.get(q.judge, 0) + 1
    else:
        record.edits.append(f"answer to question {q.id} taken back at event {event['seq']}")
    if data["post_hoc"]:
        q.taken_back = True  # it blocks nothing, and says nothing either
    else:
        q.answer = q.told = None  # the question is open again on its old terms


def _is_own_undo(record: Record, event: Event, q: Asked) -> bool:
    """The judge's own, in time, before their next answer. A program that answers anew would be drawing again."""
    last = (record.last_answer.get(q.judge), record.last_own_work.get(q.judge))
    if q.id not in last or too_late(event["at"], q.deadline):
        return False
    fresh = record.settings.get("fresh") or record.options.get("fresh")
    return event["data"]["by"] == "judge" and not fresh


def _judge_removed(record: Record, event: Event) -> None:
    _known_judge(record, event)
    if event["data"].get("discard"):
        name = event["data"]["judge"]
        own = record.of_judge.get(name, [])
        record.room.take(len(own), "how often a judge's answers are discarded")
        gone = [q for q in own if q.told is not None and not q.taken_back]
        for q in gone:
            q.taken_back = True
        record.edits.append(f"{len(gone)} answers of judge {in_sentence(name)} discarded at event {event['seq']}")


def _known_judge(record: Record, event: Event) -> None:
    if event["data"]["judge"] not in record.judges:
        record.fault(EVENTS, f"event {event['seq']} is about {event['data']['judge']!r}, who is not a judge")


def _judge_added(record: Record, event: Event) -> None:
    _join(record, record.judges, [event["data"]["judge"]], "judge")
    _hold_gold_against(record, event["data"]["judge"], event["seq"])


def _items_added(record: Record, event: Event) -> None:
    joined = tuple(event["data"]["items"])
    if not joined:
        record.fault(EVENTS, f"event {event['seq']} adds no item")
    _join(record, record.items, joined, "item")
    record.joins.append((event["seq"], joined))
    record.joined_at.update(dict.fromkeys(joined, event["seq"]))
    record.join_seqs.append(event["seq"])
    record.join_totals.append(len(record.items))


def _items_withdrawn(record: Record, event: Event) -> None:
    if not event["data"]["items"]:
        record.fault(EVENTS, f"event {event['seq']} withdraws no item")
    for item in event["data"]["items"]:
        if item not in record.items or item in record.withdrawn:
            record.fault(EVENTS, f"event {event['seq']} withdraws {item!r}, which is not there")
        record.withdrawn[item] = event["seq"]
    if len(record.withdrawn) > len(record.items) - 2:
        record.fault(EVENTS, f"event {event['seq']} leaves fewer than two items to compare")


def _no_effect(record: Record, event: Event) -> None:
    """Closing, keys: none of it touches an answer."""


def _edited(record: Record, event: Event) -> None:
    """Wording: no part of the promise, but the same answers may now seem to say something else."""
    after = event["data"].get("settings") or {}
    changed = reworded(record.wording, after) if record.last_answer else []
    if changed:
        record.reworded.append(f"event {event['seq']}: {', '.join(changed)}")
    record.wording.update(after)


def _aside(record: Record, event: Event) -> None:
    """An answer without a question's number: it is counted here, and nowhere else."""
    data = event["data"]
    own, gold = record.asides.setdefault(data["judge"], []), data.get("better") is not None
    if data["n"] != len(own) + 1:
        record.fault(ANSWERS, f"event {event['seq']} is its judge's answer {len(own) + 1} aside, not {data['n']}")
    if gold != (data["purpose"] == "gold"):
        record.fault(ANSWERS, f"event {event['seq']}: a gold pair has a known better side, nothing else does")
    if not gold and data["judge"] in record.judges:
        record.fault(ANSWERS, f"event {event['seq']} never counts, but is of a judge whose answers count")
    if data["left"] == data["right"]:
        record.fault(ANSWERS, f"event {event['seq']} shows something against itself")
    said = Aside(event["seq"], data["left"], data["right"], data["answer"], data.get("better"), data.get("case"))
    own.append(said)
    if gold:
        score = record.gold.setdefault(data["judge"], GoldScore())
        score.add(said.pair, said.answer, data["better"])
        _hold_gold_against(record, data["judge"], event["seq"])


def _hold_gold_against(record: Record, judge: str, seq: int) -> None:
    """A judge may be surely below half with an answer to a gold pair, or be so on joining."""
    score = record.gold.get(judge)
    if score is None or judge not in record.judges or judge in record.refuted:
        return
    if below_half(score.decided, score.right):
        record.refuted[judge] = seq
        if judge in record.of_judge:
            record.void = seq


def _restored(record: Record, event: Event) -> None:
    """Anybody may write a file: the installation that signs a log did not see happen what it read from one."""
    before = record.events[event["seq"] - 2]  # the first event creates the study
    if event["data"]["events"] != before["seq"] or event["data"]["head"] != before["hash"]:
        record.fault(EVENTS, f"event {event['seq']} does not describe the events before it")
    record.restored.append(
        f"The first {event['data']['events']} events were read from a file (event {event['seq']}): this "
        "installation did not see them happen, and vouches only for what came after."
    )


READERS: dict[str, Callable[[Record, Event], None]] = {
    "created": _created,
    "asked": _asked,
    "told": _told,
    "expired": _expired,
    "retracted": _retracted,
    "judge_removed": _judge_removed,
    "judge_added": _judge_added,
    "items_added": _items_added,
    "items_withdrawn": _items_withdrawn,
    "lapsed": _lapsed,
    "judge_paused": _known_judge,
    "judge_resumed": _known_judge,
    "closed": _no_effect,
    "reopened": _no_effect,
    "edited": _edited,
    "restored": _restored,
    "key_changed": _no_effect,
    "aside": _aside,
    "probed": _no_effect,
    "seed_opened": _no_effect,
}
