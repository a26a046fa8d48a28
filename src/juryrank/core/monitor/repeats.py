"""Repeats that are too much alike: a judge who remembers, or a program that always says the same.

Such a judge, asked again and again, "proves" its own mistakes, so these alarms withhold a certificate, and a
judge who never changes an answer is cross-examined (`rankers/certified/cross_examination/`).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from functools import cache

from juryrank.core.lead_table import log_evidence
from juryrank.core.monitor.alarm import Alarm, judge_level
from juryrank.core.monitor.tallies import AnswerTallies
from juryrank.quoting import in_sentence


def same_again(
    seen: AnswerTallies, place: Mapping[Hashable, int], agreement: Mapping[Hashable, tuple[int, int]]
) -> Iterator[Alarm]:
    """Judges who repeat themselves where a fresh look would not. Two signs.

    After an answer that contradicts the order, a fresh look contradicts it again at most half of the time. And
    a fresh look changes its mind at least as often as it is wrong, so a judge who is wrong now and then on
    pairs asked once, and hardly ever changes on pairs asked again, remembers.
    """
    repeats = _repeats(seen, place)
    for place_of_judge, (judge, (wrong_again, corrected, same, changed)) in enumerate(repeats.items()):
        needed = judge_level(place_of_judge, signs=2)
        firsts = sum(agreement[judge]) - same - changed
        mistakes = agreement[judge][1] - wrong_again - (changed - corrected)
        stubborn = wrong_again > corrected and log_evidence(wrong_again, corrected) > needed
        few_changes = -_log_few_changes(changed, same + changed, mistakes, firsts) > needed
        if stubborn or few_changes:
            found = (
                f"Judge {in_sentence(judge)}, asked pairs again, gave the same answer {same} times and another "
                f"{changed} times, but contradicts this order in {mistakes} of {firsts} first answers: "
                "repeated answers look remembered, not fresh"
            )
            words = f"{found}, and prove nothing new. Use repeats=1."
            yield Alarm("same again", words, (judge,), withholds=True, seen=f"{found}.")


def withholding(alarms: Iterable[Alarm], examined: Collection[Hashable]) -> list[Alarm]:
    """The alarms that withhold a certificate: not those about the repeats of judges whose repeats do not count."""
    return [
        alarm for alarm in alarms
        if alarm.withholds and not (alarm.kind == "same again" and set(alarm.about) <= set(examined))
    ]  # fmt: skip


def never_changing(seen: AnswerTallies) -> list[Hashable]:
    """Judges who were asked pairs again and never gave another answer; those who did so most often come first.

    Perfect, or repeating themselves, mistakes included: these answers cannot tell.

    >>> never_changing(AnswerTallies.of([("ann", "a", "b", "a"), ("ann", "b", "a", "a"), ("bob", "a", "b", "b")]))
    ['ann']
    """
    never = {judge: same for judge, (same, changed) in seen.again.items() if not changed}
    return sorted(never, key=lambda judge: -never[judge])


@cache
def probes_needed(links: int, error: float) -> int:
    """How many new pairs a judge must answer in line with a list that rests on this judge alone.

    A judge who always errs on the same share ε of pairs got the list right with probability (1-ε)^links and
    answers n new pairs right with (1-ε)^n. The least n for which (1 - (1-ε)^links) (1-ε)^n ≤ error for every ε,
    or, above 200, at most half a percent more.

    >>> probes_needed(9, 0.1), probes_needed(9, 0.25), probes_needed(99, 0.1)
    (29, 9, 316)
    """
    n = 0
    while _passes_wrongly(n, links) > error:
        n += 1 + n // 200  # a fine enough step
    return n


def _passes_wrongly(n: int, links: int) -> float:
    """max over x = 1-ε of x^n (1 - x^links), which is where x^links = n/(n + links)."""
    if links == 0:
        return 0.0
    share = n / (n + links)
    return float(share ** (n / links) * (1.0 - share))


def _repeats(seen: AnswerTallies, place: Mapping[Hashable, int]) -> dict[Hashable, list[int]]:
    """Judge -> repeats: [against the order again, corrected, same as before, unlike before]."""
    repeats: defaultdict[Hashable, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for (judge, (x, y)), answers in seen.pairs.items():
        wrong = 1 if place[x] < place[y] else 0  # which of (x first, y first) contradicts the order
        tally = repeats[judge]
        tally[0] += answers.same[wrong]
        tally[1] += answers.changed[wrong]
        tally[2] += sum(answers.same)
        tally[3] += sum(answers.changed)
    return repeats


def _log_few_changes(changed: int, repeats: int, mistakes: int, firsts: int) -> float:
    """log P(so few of all changes and mistakes are changes), if both were equally frequent (hypergeometric)."""
    total, marked = repeats + firsts, changed + mistakes
    if marked == 0 or repeats == 0:
        return 0.0
    tail = sum(
        math.exp(_log_choose(repeats, k) + _log_choose(firsts, marked - k) - _log_choose(total, marked))
        for k in range(max(0, marked - firsts), changed + 1)
    )
    return math.log(max(tail, 1e-300))


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
