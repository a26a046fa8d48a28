"""Repeats that are too much alike: a judge who remembers, or a program that always says the same.

Such a judge, asked again and again, "proves" its own mistakes, so these alarms withhold a certificate.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence

from juryrank.core.alarm import LOG_LEVEL, Alarm
from juryrank.core.majority import log_evidence
from juryrank.core.witness import Witness

ALWAYS_SAME = 46  # repeats: a judge who is right 95 % of the time changes none of so many in under 1 % of runs


def same_again(
    seen: Witness, place: Mapping[Hashable, int], agreement: Mapping[Hashable, tuple[int, int]]
) -> Iterator[Alarm]:
    """Judges who repeat themselves where a fresh look would not.

    Three signs. After an answer that contradicts the order, a fresh look contradicts it again at most half of
    the time. A fresh look changes its mind at least as often as it is wrong, so a judge who is wrong now and
    then on pairs asked once, and never changes on pairs asked again, remembers. And one who never changes at
    all cannot be told from one who remembers; nor can all judges together.
    """
    repeats = _repeats(seen, place)
    yield from _nobody_changes(repeats)
    needed = LOG_LEVEL + math.log(2 * max(len(repeats), 1))
    for judge, (wrong_again, corrected, same, changed) in repeats.items():
        firsts = sum(agreement[judge]) - same - changed
        mistakes = agreement[judge][1] - wrong_again - (changed - corrected)
        stubborn = wrong_again > corrected and log_evidence(wrong_again, corrected) > needed
        few_changes = -_log_few_changes(changed, same + changed, mistakes, firsts) > needed
        if stubborn or few_changes:
            words = (
                f"Judge {judge}, asked pairs again, gave the same answer {same} times and another {changed} "
                f"times, but contradicts this order in {mistakes} of {firsts} first answers: repeated answers "
                "look remembered, not fresh, and prove nothing new. Use repeats=1."
            )
            yield Alarm("same again", words, (judge,), withholds=True)


def _nobody_changes(repeats: Mapping[Hashable, Sequence[int]]) -> Iterator[Alarm]:
    """Judges who never gave another answer when asked again: each who was asked often enough, or all together."""
    same = sum(tally[2] for tally in repeats.values())
    if same >= ALWAYS_SAME and not any(tally[3] for tally in repeats.values()):
        who, judges = "The judges", tuple(judge for judge, tally in repeats.items() if tally[2])
        yield _never_changes(who, same, judges)
        return
    for judge, tally in repeats.items():
        if tally[3] == 0 and tally[2] >= ALWAYS_SAME:
            yield _never_changes(f"Judge {judge}", tally[2], (judge,))


def _never_changes(who: str, times: int, judges: tuple[Hashable, ...]) -> Alarm:
    words = (
        f"{who}, asked pairs again, gave the same answer all {times} times: nearly perfect, or repeating "
        "themselves, mistakes included. Then repeated answers prove nothing new: use repeats=1."
    )
    return Alarm("same again", words, judges, withholds=True)


def _repeats(seen: Witness, place: Mapping[Hashable, int]) -> dict[Hashable, list[int]]:
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
