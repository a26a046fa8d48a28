"""A ranking as a log: events in one total order, each carrying the hash of the one before.

State = fold(events). Everything that happens to a ranking is one of the kinds below, so that undo, another
ranker, another error or an audit are all the same operation: fold again.

    created    items, judges, ranker, error, seed, budget, options, ...    (always seq 1)
    asked      q, judge, left, right, terms, deadline (UTC, by the database's clock; null: none)
    told       q, answer (left | right | tie | skip), and what is known about it (response_time, source, comment)
    expired    q
    lapsed     sitting
    retracted  q, told (seq of the answer taken back), post_hoc (true unless it is the judge's own undo, in
               time and before that judge's next answer: then the question is open again on its old terms)
    judge_added | judge_paused | judge_resumed | judge_removed (discard: true drops their answers: post-hoc)
    items_added | closed | reopened | edited (settings: wording and the like, no effect
    on the ranking)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from juryrank.errors import BadInput
from juryrank.rankers.contract.ranker import Ranker
from juryrank.rankers.contract.sides import answer_of
from juryrank.rankers.registry import make_ranker
from juryrank.types import Question, Ranking

LOG_SCHEMA = 1
GENESIS = "0" * 64
NOTHING: Mapping[int, bool] = {}
POST_HOC_STATEMENT = "Post-hoc: something was chosen after answers had been seen, so this promises nothing."


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a log. `at` is UTC, for people: nothing is decided by it."""

    seq: int
    kind: str
    data: Mapping[str, Any]
    at: str | None = None
    hash: str = ""


def chained(previous: str, seq: int, kind: str, data: Mapping[str, Any], at: str | None = None) -> Event:
    """The event that follows the one whose hash is `previous`.

    >>> first = chained(GENESIS, 1, "created", {"items": ["a", "b"]})
    >>> len(first.hash)
    64
    """
    return Event(seq, kind, data, at, event_hash(previous, seq, kind, data, at))


def event_hash(previous: str, seq: int, kind: str, data: Mapping[str, Any], at: str | None) -> str:
    """SHA-256 over the hash before and the event's own canonical JSON."""
    text = json.dumps([previous, seq, kind, data, at], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    try:
        return hashlib.sha256(text.encode()).hexdigest()
    except UnicodeEncodeError:
        raise BadInput(
            f"event {seq} ({kind}) holds half a character (a lone surrogate), which no file keeps; leave it out"
        ) from None


def settings(
    items: Iterable[str], *, judges: Iterable[str], ranker: str, error: float, seed: int = 0, **more: Any
) -> dict[str, Any]:
    """The data of a `created` event."""
    return {
        "schema": LOG_SCHEMA,
        "items": list(items),
        "judges": list(judges),
        "ranker": ranker,
        "error": error,
        "seed": seed,
        **more,
    }


@dataclass(slots=True)
class Fold:
    """A ranker driven by a log. `apply` each event once, in order; `edits` lists what makes it post-hoc.

    A retraction, or answers discarded afterwards, change the past: `stale` is then True, and the caller
    folds again from the start (`fold`), where the answers concerned are left out.
    """

    created: Mapping[str, Any]
    ranker: Ranker
    seq: int = 1
    closed: bool = False
    edits: list[str] = field(default_factory=list)
    stale: bool = False

    @classmethod
    def start(cls, created: Mapping[str, Any]) -> Fold:
        """The state after a `created` event."""
        if created.get("schema") != LOG_SCHEMA:
            raise BadInput(
                f"this log has schema {created.get('schema')!r}; this version of juryrank reads {LOG_SCHEMA}"
            )
        options = dict(created.get("options") or {})
        ranker = make_ranker(
            created["ranker"],
            created["items"],
            judges=created["judges"],
            error=created["error"],
            seed=created["seed"],
            budget=created.get("budget"),
            prices=created.get("prices"),
            money=created.get("money"),
            **options,
        )
        return cls(created, ranker, edits=list(created.get("edits") or []))

    def apply(self, event: Event, *, taken_back: Mapping[int, bool] = NOTHING) -> None:
        """One more event. `taken_back` names `told` events to leave out: see `answers_taken_back`."""
        data, ranker = event.data, self.ranker
        if event.kind == "asked":
            ranker.replay(recorded_question(data))
        elif event.kind == "told":
            self._told(event, taken_back.get(event.seq))
        elif event.kind == "expired":
            ranker.expire(data["q"])
        elif event.kind == "lapsed":
            ranker.lapse(data["sitting"])
        elif event.kind == "retracted":
            self.stale = True
        elif event.kind == "judge_added":
            ranker.add_judge(data["judge"], price=data.get("price", 1.0))
        elif event.kind in ("judge_paused", "judge_removed"):
            ranker.pause_judge(data["judge"])
            if data.get("discard"):
                self.stale = True
        elif event.kind == "judge_resumed":
            ranker.resume_judge(data["judge"])
        elif event.kind == "items_added":
            ranker.add_items(data["items"])
        elif event.kind in ("closed", "reopened"):
            self.closed = event.kind == "closed"
        elif event.kind not in ("created", "edited"):
            raise BadInput(f"event {event.seq} is of unknown kind {event.kind!r}: the log is from a newer version")
        self.seq = event.seq

    def _told(self, event: Event, for_good: bool | None) -> None:
        number = event.data["q"]
        if for_good is None:
            question = self.ranker.outstanding.find(number)
            self.ranker.tell(question, answer_of(question, event.data["answer"]))
        elif for_good:  # as if it had never come, so that later answers of its lane do not wait for it
            self.ranker.expire(number)

    def ranking(self) -> Ranking:
        """The ranker's result; after an edit it is post-hoc and promises nothing."""
        return post_hoc(self.ranker.ranking, self.edits)


def post_hoc(ranking: Ranking, edits: Sequence[str]) -> Ranking:
    """The same order without its promise, as something was chosen after answers had been seen."""
    if not edits:
        return ranking
    edited = (*ranking.post_hoc, *edits)
    return replace(ranking, certified=False, proven=False, post_hoc=edited, statement=POST_HOC_STATEMENT)


def recorded_question(data: Mapping[str, Any]) -> Question:
    """The question of an `asked` event."""
    return Question(data["q"], data["judge"], data["left"], data["right"], data.get("terms") or {})


def fold(events: Iterable[Event]) -> Fold:
    """The state that a whole log stands for, with retractions and discards taken into account.

    >>> log = [chained(GENESIS, 1, "created", settings("abc", judges=["ann"], ranker="iir", error=0.1))]
    >>> fold(log).ranker.ask().judge
    'ann'
    """
    log = list(events)
    if not log or log[0].kind != "created":
        raise BadInput("a log starts with its `created` event; this one does not: it is empty or cut off")
    return fold_on(Fold.start(log[0].data), log[1:])


def fold_on(state: Fold, events: Sequence[Event]) -> Fold:
    """`state` taken further; every answer that these events take back must be told in them too."""
    taken_back, edits = answers_taken_back(events)
    state.edits.extend(edits)
    for event in events:
        state.apply(event, taken_back=taken_back)
    state.stale = False
    return state


def answers_taken_back(log: Sequence[Event]) -> tuple[dict[int, bool], list[str]]:
    """Which `told` events (by seq) to leave out, and the edits that make the result post-hoc.

    The value says whether for good (True), or whether the question is open again for its judge (False).
    """
    told: dict[int, int] = {}
    judge_of: dict[int, str] = {}
    out: dict[int, bool] = {}
    edits: list[str] = []
    for event in log:
        if event.kind == "asked":
            judge_of[event.data["q"]] = event.data["judge"]
        elif event.kind == "told":
            told[event.data["q"]] = event.seq
        elif event.kind == "retracted":
            after_the_fact = bool(event.data.get("post_hoc"))
            seq = told.pop(event.data["q"], None)  # None: discarded with its judge's answers before
            if seq is not None:
                out[seq] = after_the_fact
            if after_the_fact:
                edits.append(f"answer to question {event.data['q']} taken back at event {event.seq}")
        elif event.kind == "judge_removed" and event.data.get("discard"):
            name = event.data["judge"]
            gone = [q for q in told if judge_of.get(q) == name]
            out.update({told.pop(q): True for q in gone})
            edits.append(f"{len(gone)} answers of judge {name} discarded at event {event.seq}")
    return out, edits
