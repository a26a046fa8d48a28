"""What another ranker, or another error, would have made of the same answers. Always post-hoc.

    the same ranker      replays the recorded questions
    by opinions          takes every answer: each judge is one sitting, and has one opinion on a pair
    by evidence          the list is the best guess from all answers; those about neighbours are the evidence
    by answers           asks its own questions, and the log answers them as far as it can, each answer once; if
                         that does not settle the order, it is the best guess from all answers

Each ranker says which of them it uses (`Ranker.recorded`).

The result says how many of the log's answers the ranker could use.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from juryrank.core.intervals import wilson
from juryrank.core.levels import level_of
from juryrank.core.tallies import AnswerCounts
from juryrank.log import Event, Fold, LogReader, answers_taken_back, bodies, fold, post_hoc
from juryrank.log.chain import SecretSeed, answer_anew
from juryrank.rankers import ranker_class
from juryrank.rankers.certified.core.prove.evidence import BET_LEAST, BET_MOST, log_bet
from juryrank.rankers.contract.estimates import estimates_of
from juryrank.rankers.contract.limits import RecordedUse
from juryrank.run.options import ranker_options
from juryrank.storage.values import first_events
from juryrank.study.refold.recorded_answers import RecordedAnswers, best_guess, opinions, plain_links
from juryrank.types import Item, Judge, JudgeReport, Link, Ranking
from juryrank.votes.logs import events_from_votes, votes_of
from juryrank.votes.vote import Outcome, Vote

Rules = tuple[str, float, dict[str, Any]]  # ranker, error, options


def refold(
    log: Sequence[Event],
    *,
    ranker: str | None,
    error: float | None,
    options: Mapping[str, Any],
    secret: SecretSeed | None = None,
) -> Ranking:
    """The ranking of a log under other rules."""
    created = dict(log[0].data)
    before: Rules = (created["ranker"], created["error"], created.get("options") or {})
    after: Rules = (ranker or before[0], before[1] if error is None else error, {**before[2], **options})
    if after[0] != before[0]:
        fresh = answer_anew(created)  # another ranker does not know the options of the first
        after = (*after[:2], ranker_options(after[0], dict(options), fresh=fresh, assume=None))
    created.update(ranker=after[0], error=after[1], options=after[2])
    if after[0] == before[0]:
        result = fold([replace(log[0], data=created), *log[1:]], secret=secret).ranking()
    else:
        result = _by_another(_joined(created, log), log)
    return post_hoc(result, _changes(before, after, log[-1].seq))


def _by_another(created: dict[str, Any], log: Sequence[Event]) -> Ranking:
    votes = [vote for vote in votes_of(log) if vote.counts or vote.outcome is Outcome.SKIP]
    result = WAYS[ranker_class(created["ranker"]).recorded](created, votes)
    return post_hoc(result, answers_taken_back(log)[1])


def _by_opinions(created: dict[str, Any], votes: Sequence[Vote]) -> Ranking:
    counted = opinions(votes)
    terms = ranker_class(created["ranker"]).recorded_terms(created["options"])
    story = [body.step for body in events_from_votes(counted, terms=terms)]
    result = fold(first_events(created, story, "")).ranking()
    if len(counted) == len(votes):
        return _explained(result, used=len(votes), answers=len(votes), words="")
    words = f": as {len(counted):,} opinions, a judge's majority where they answered a pair several times"
    return _explained(result, used=len(votes), answers=len(votes), words=words)


def _by_weighing(created: dict[str, Any], votes: Sequence[Vote]) -> Ranking:
    Fold.start(created)  # refuses what the ranker would refuse
    result, used = weighed(
        best_guess(created["items"], votes),
        votes,
        judges=created["judges"],
        prices=created["prices"],
        error=created["error"],
        ranker=created["ranker"],
        repeats=created["options"].get("repeats"),
    )
    words = (
        " as evidence, those about neighbours. The list is the best guess from all answers, and the same answers "
        "speak for it: its evidence is flattered"
    )
    return _explained(_estimated(result, votes), used=used, answers=len(votes), words=words)


def _by_asking(created: dict[str, Any], votes: Sequence[Vote]) -> Ranking:
    state, recorded = Fold.start(created), RecordedAnswers(votes)
    recorded.answer_all(state.ranker)
    result, used = replace(state.ranking(), questions=recorded.given), recorded.given
    words = ": it asks its own questions, and the rest of the log answers other ones" if used < len(votes) else ""
    if not result.certified:
        words += ". It could not settle the order by them, so the order is the best guess from all answers"
        result = _guessed(result, created["items"], votes)
    return _explained(result, used=used, answers=len(votes), words=words)


WAYS: Mapping[RecordedUse, Callable[[dict[str, Any], Sequence[Vote]], Ranking]] = {
    RecordedUse.OPINIONS: _by_opinions,
    RecordedUse.EVIDENCE: _by_weighing,
    RecordedUse.ANSWERS: _by_asking,
}


def _guessed(result: Ranking, items: Sequence[str], votes: Sequence[Vote]) -> Ranking:
    """The result with every item in the order that all answers suggest, and nothing settled."""
    order = best_guess(items, votes)
    spans = ((1, len(order)),) * len(order)
    details = replace(result.details, placed=None, unplaced=())  # no list of its own
    guessed = replace(result, order=order, links=plain_links(order, votes), ranges=spans, details=details)
    return _estimated(guessed, votes)


def _estimated(result: Ranking, votes: Sequence[Vote]) -> Ranking:
    """With estimates from all the log's answers, also those that the ranker could not use."""
    numbers = {item: k for k, item in enumerate(result.order)}
    judges = {judge: u for u, judge in enumerate(dict.fromkeys(vote.judge for vote in votes))}
    counts = AnswerCounts()
    for vote in votes:
        if vote.outcome is not Outcome.SKIP:
            preferred = numbers[vote.winner] if vote.winner else None
            first, second = numbers[vote.left], numbers[vote.right]
            counts.add(judges[vote.judge], first=first, second=second, preferred=preferred)
    how: dict[str, Any] = {"judges": len(judges), "opinions": not ranker_class(result.ranker).weighs_judges()}
    # the evidence is flattered and promises nothing, so that its ranges bound no estimate
    found = estimates_of(replace(result, ranges=()), counts.table(), numbers=numbers, **how)
    return replace(result, estimates=found)


def _explained(result: Ranking, *, used: int, answers: int, words: str) -> Ranking:
    said = f"The ranker {result.ranker} could use {used:,} of the log's {answers:,} answers{words}."
    details = replace(result.details, refold={"used": used, "answers": answers})
    return replace(result, details=details, warnings=(said, *result.warnings))


def _joined(created: dict[str, Any], log: Sequence[Event]) -> dict[str, Any]:
    """The settings with the items and judges that joined later."""
    known = _Known().walk(log)
    return {**created, "items": known.items, "judges": list(known.prices), "prices": known.prices}


class _Known(LogReader):
    """All items and judges of a log, with the judges' prices."""

    def __init__(self) -> None:
        self.items: list[str] = []
        self.prices: dict[str, float] = {}

    def on_created(self, event: Event, created: bodies.Created) -> None:
        self.items += created.items
        self.prices.update({judge: (created.prices or {}).get(judge, 1.0) for judge in created.judges})

    def on_judge_added(self, event: Event, added: bodies.JudgeAdded) -> None:
        self.prices[added.judge] = added.price

    def on_items_added(self, event: Event, added: bodies.ItemsAdded) -> None:
        self.items += added.items


def _changes(before: Rules, after: Rules, seq: int) -> list[str]:
    names = ("ranker", "error", "options")
    changed = [f"{n} {b!r} became {a!r}" for n, b, a in zip(names, before, after, strict=True) if a != b]
    return [f"{', '.join(changed) or 'folded again'}, chosen after event {seq}"]


# ----------------------------------------------------------------------------
# How far a log's answers support a list made from them: the certified ranker's bets, after the fact.
#
# The list is the best guess from all answers, and the same answers then speak for it: the evidence is flattered,
# which is why such a result promises nothing. Every answer about two neighbours counts, in the order asked, with
# a bet on its judge fixed by the answers before it.
START, START_SHARE = 8.0, 0.75  # a judge's share starts as so many answers at everybody's share, that one at 0.75
MOST_LOG = 700.0  # exp of more overflows


@dataclass(slots=True)
class _Agreement:
    """How often somebody agreed with the list so far."""

    agreed: int = 0
    answers: int = 0

    def share(self, start: float) -> float:
        return (START * start + self.agreed) / (START + self.answers)

    def add(self, agrees: bool) -> None:
        self.agreed += agrees
        self.answers += 1


@dataclass(slots=True)
class _Weighed:
    """One link's evidence so far."""

    log_evidence: float = 0.0
    highest: float = 0.0
    by: dict[Judge, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))


def weighed(
    order: Sequence[Item],
    votes: Iterable[Vote],
    *,
    judges: Sequence[Judge],
    prices: Mapping[Judge, float],
    error: float,
    ranker: str,
    repeats: int | None,
) -> tuple[Ranking, int]:
    """The list with each link's evidence, and how many answers were about its links.

    `repeats`: how many answers of one judge about one pair count (None: all, as they are fresh).

    >>> from juryrank.votes.vote import Outcome
    >>> votes = [Vote(k, judge="ann", left="a", right="b", winner="a", outcome=Outcome.LEFT) for k in range(9)]
    >>> how = {"judges": ["ann"], "prices": {"ann": 1.0}, "error": 0.1, "ranker": "certified", "repeats": None}
    >>> result, used = weighed("ab", votes, **how)
    >>> result.links[0].settled, used
    (True, 9)
    """
    links = {pair: _Weighed() for pair in pairwise(order)}
    everybody, known = _Agreement(), {judge: _Agreement() for judge in judges}
    times: Counter[tuple[Judge, tuple[Item, Item]]] = Counter()
    for vote in votes:
        pair = (vote.left, vote.right) if (vote.left, vote.right) in links else (vote.right, vote.left)
        if not vote.winner or pair not in links:
            continue
        times[vote.judge, pair] += 1
        if repeats is not None and times[vote.judge, pair] > repeats:
            continue
        agrees = vote.winner == pair[0]
        share = known[vote.judge].share(everybody.share(START_SHARE))
        _bet(links[pair], min(max(2.0 * share - 1.0, BET_LEAST), BET_MOST), vote.judge, agrees)
        known[vote.judge].add(agrees)
        everybody.add(agrees)
    level = level_of(error, 1)
    found = tuple(_link(pair, one, level) for pair, one in links.items())
    result = Ranking(
        order=tuple(order),
        certified=False,
        error=error,
        questions=everybody.answers,
        ranker=ranker,
        links=found,
        judges=tuple(_report(judge, one, prices[judge]) for judge, one in known.items()),
        ranges=chained_ranges([link.settled for link in found]),
        cost=sum(prices[judge] * one.answers for judge, one in known.items()),
    )
    return result, everybody.answers


def chained_ranges(settled: Sequence[bool]) -> tuple[tuple[int, int], ...]:
    """The ranks that each position of a list may have, if these links hold and nothing else is known.

    >>> chained_ranges([True, False])
    ((1, 2), (2, 3), (1, 3))
    """
    items = len(settled) + 1
    above = [0] * items
    below = [0] * items
    for k, holds in enumerate(settled):
        above[k + 1] = above[k] + 1 if holds else 0
    for k in reversed(range(len(settled))):
        below[k] = below[k + 1] + 1 if settled[k] else 0
    return tuple((1 + a, items - b) for a, b in zip(above, below, strict=True))


def _bet(link: _Weighed, bet: float, judge: Judge, agrees: bool) -> None:
    link.log_evidence += log_bet(bet, agrees)
    link.highest = max(link.highest, link.log_evidence)
    link.by[judge][0 if agrees else 1] += 1


def _link(pair: tuple[Item, Item], one: _Weighed, level: float) -> Link:
    by = {judge: (agreed, against) for judge, (agreed, against) in one.by.items()}
    return Link(
        *pair,
        settled=one.highest >= math.log(1.0 / level),
        evidence=math.exp(min(one.log_evidence, MOST_LOG)),
        level=level,
        answers_for=sum(agreed for agreed, _ in by.values()),
        answers_against=sum(against for _, against in by.values()),
        by=by,
    )


def _report(judge: Judge, one: _Agreement, price: float) -> JudgeReport:
    low, high = wilson(one.agreed, one.answers)
    seen = one.answers > 0
    return JudgeReport(
        name=judge,
        asked=one.answers,
        answered=one.answers,
        right=one.agreed,
        accuracy=one.agreed / one.answers if seen else None,
        low=low if seen else None,
        high=high if seen else None,
        active=True,
        note="agreement with the list's neighbours" if seen else "no answer about neighbours",
        price=price,
    )
