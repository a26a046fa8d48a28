"""What another ranker, or another error, would have made of the same answers. Always post-hoc.

The same ranker with another error replays the recorded questions. Another ranker asks its own questions, and
the log answers them as far as it can: each recorded answer is given out once, to the judge and pair it was for.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from juryrank.direct.options import ranker_options
from juryrank.log import Event, Fold, answers_taken_back, fold, post_hoc, recorded_question
from juryrank.rankers.base import Ranker, answer_of
from juryrank.types import Answer, Item, Judge, Ranking

MISSES_PER_JUDGE = 3  # so many questions a judge in a row without a recorded answer end it

Votes = dict[tuple[Judge, frozenset[Item]], deque[Answer]]


def refold(
    log: Sequence[Event], *, ranker: str | None, error: float | None, options: Mapping[str, Any]
) -> Ranking:
    """The ranking of a log under other rules."""
    created = dict(log[0].data)
    before = (created["ranker"], created["error"], created.get("options") or {})
    after = (ranker or before[0], before[1] if error is None else error, {**before[2], **options})
    if after[0] != before[0]:
        fresh = bool(created.get("fresh"))  # another ranker does not know the options of the first
        after = (*after[:2], ranker_options(after[0], dict(options), fresh=fresh, assume=None))
    created.update(ranker=after[0], error=after[1], options=after[2])
    if after[0] == before[0]:
        state = fold([replace(log[0], data=created), *log[1:]])
    else:
        state = Fold.start(_joined(created, log))
        state.edits.extend(answers_taken_back(log)[1])
        _answer_from(recorded_votes(log), state.ranker)
    return post_hoc(state.ranking(), _changes(before, after, log[-1].seq))


def recorded_votes(log: Sequence[Event]) -> Votes:
    """The answers that count, by judge and pair, in the order they were asked."""
    gone, _ = answers_taken_back(log)
    late = {event.data["q"] for event in log if event.kind == "expired"}
    told = {event.data["q"]: event for event in log if event.kind == "told" and event.seq not in gone}
    votes: Votes = defaultdict(deque)
    for event in log:
        if event.kind == "asked" and event.data["q"] in told and event.data["q"] not in late:
            question = recorded_question(event.data)
            answer = answer_of(question, told[question.id].data["answer"])
            votes[question.judge, frozenset((question.left, question.right))].append(answer)
    return votes


def _answer_from(votes: Votes, ranker: Ranker) -> None:
    patience = misses = MISSES_PER_JUDGE * max(len(ranker.judge_names), 1)
    while misses and not ranker.done and (question := ranker.ask()) is not None:
        given = votes.get((question.judge, frozenset((question.left, question.right))))
        if given:
            ranker.tell(question, given.popleft())
            misses = patience
        else:
            ranker.expire(question)
            misses -= 1


def _joined(created: dict[str, Any], log: Sequence[Event]) -> dict[str, Any]:
    """The settings with the items and judges that joined later."""
    items = [*created["items"], *(item for e in log if e.kind == "items_added" for item in e.data["items"])]
    judges = [*created["judges"], *(e.data["judge"] for e in log if e.kind == "judge_added")]
    prices = dict(created.get("prices") or {})
    prices.update({e.data["judge"]: e.data.get("price", 1.0) for e in log if e.kind == "judge_added"})
    full = {judge: prices.get(judge, 1.0) for judge in judges}
    return {**created, "items": items, "judges": judges, "prices": full}


def _changes(before: tuple[Any, ...], after: tuple[Any, ...], seq: int) -> list[str]:
    names = ("ranker", "error", "options")
    changed = [f"{n} {b!r} became {a!r}" for n, b, a in zip(names, before, after, strict=True) if a != b]
    return [f"{', '.join(changed) or 'folded again'}, chosen after event {seq}"]
