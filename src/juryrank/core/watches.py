"""Do the answers look as the promise assumes? Five watches, each with plain words when it speaks.

    below chance   a judge agrees with the result less often than a coin
    by side        a judge prefers a side of the screen, whatever is on it
    same again     a judge, asked a pair again, repeats mistakes too faithfully for a fresh look
    uneven         a link is answered unlike the rest by the same judges (matters only under steady)
    cycle          answers on a pair contradict the order: x over y, y over z, z over x

Each watch compares the capital of a gambler who bets that the assumption is broken (see `core/lead_table.py`) with
FALSE_ALARM, shared out over the watches and over whatever it looks at: judges, links or pairs. A
capital holds at every moment, so one may look after each answer. (One sign is a test at a single moment instead:
few changes, in `same again`. How often it speaks falsely is measured.) All watches together speak in at most
FALSE_ALARM of runs in which the assumptions hold and the order is right. An alarm proves no mistake; silence
proves nothing. A judge who never changes an answer raises no alarm, as nothing in the answers tells a perfect
judge from one who repeats itself: the certified ranker asks others instead
(`rankers/certified/cross_examination/`).
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache

from juryrank.core.lead_table import log_evidence
from juryrank.core.tallies import LOG_LEVEL, Alarm, AnswerTallies, judge_level, side_level
from juryrank.quoting import in_sentence
from juryrank.statements.promises import Withheld


# ----------------------------------------------------------------------------
# Repeats that are too much alike: a judge who remembers, or a program that always says the same.
#
# Such a judge, asked again and again, "proves" its own mistakes, so these alarms withhold a certificate, and a
# judge who never changes an answer is cross-examined (`rankers/certified/cross_examination/`).
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
            found = Withheld("same again", judges=(judge,), counts=(same, changed, mistakes, firsts))
            words = f"{found.words}, and prove nothing new. Use repeats=1."
            yield Alarm("same again", words, (judge,), withheld=found)


def withholding(alarms: Iterable[Alarm], examined: Collection[Hashable]) -> list[Alarm]:
    """The alarms that withhold a certificate: not those about the repeats of judges whose repeats do not count."""
    return [
        alarm for alarm in alarms
        if alarm.withheld and not (alarm.kind == "same again" and set(alarm.about) <= set(examined))
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


# ----------------------------------------------------------------------------
# Do the answers look as the promise assumes? Five watches, each with plain words when it speaks.
__all__ = [
    "Alarm",
    "AnswerTallies",
    "below_chance",
    "by_side",
    "chooses_by_side",
    "cycle",
    "same_again",
    "turns_with_side",
    "uneven",
    "watch",
]


def watch(
    seen: AnswerTallies, order: Sequence[Hashable], *, steady: bool = False, random_sides: bool = True
) -> tuple[Alarm, ...]:
    """All alarms about these answers and this order (best first).

    `steady`: the promise assumes one accuracy per judge. `random_sides`: sides were shown at random.

    >>> votes = [("ann", "a", "b", "a"), ("bob", "b", "a", "b")] * 20
    >>> [alarm.kind for alarm in watch(AnswerTallies.of(votes), ["a", "b"])]
    ['below chance', 'by side', 'by side', 'same again']
    """
    place = {item: k for k, item in enumerate(order)}
    agreement = _agreement(seen, place)
    alarms = [*below_chance(agreement)]
    if random_sides:
        alarms += by_side(seen)
    alarms += same_again(seen, place, agreement)
    if steady:
        alarms += uneven(seen, order, agreement)
    alarms += cycle(seen, place)
    return tuple(alarms)


def _agreement(seen: AnswerTallies, place: Mapping[Hashable, int]) -> dict[Hashable, tuple[int, int]]:
    """Each judge's answers with and against the order."""
    total: dict[Hashable, tuple[int, int]] = {}
    for judge, x, y, for_x, for_y in seen.wins():
        good, bad = (for_x, for_y) if place[x] < place[y] else (for_y, for_x)
        so_far = total.get(judge, (0, 0))
        total[judge] = (so_far[0] + good, so_far[1] + bad)
    return total


def below_chance(agreement: Mapping[Hashable, tuple[int, int]]) -> Iterator[Alarm]:
    """Judges who contradict the result more often than a coin would."""
    for place, (judge, (good, bad)) in enumerate(agreement.items()):
        if bad > good and log_evidence(bad, good) > judge_level(place):
            yield Alarm(
                "below chance",
                f"Judge {in_sentence(judge)} agrees with this order in only {good} of {good + bad} answers, "
                "less than chance: perhaps the question was read the other way round.",
                (judge,),
            )


def by_side(seen: AnswerTallies) -> Iterator[Alarm]:
    """Judges whose answer depends on which item is shown left."""
    for place, (judge, (left, right)) in enumerate(seen.sides.items(), 1):
        if chooses_by_side(left, right, place=place):
            more, side = max((left, "left"), (right, "right"))
            yield Alarm(
                "by side",
                f"Judge {in_sentence(judge)} chose the {side} side in {more} of {left + right} answers, although "
                "sides are random: these answers say more about the screen than about the items.",
                (judge,),
            )


def chooses_by_side(left: int, right: int, *, place: int) -> bool:
    """Is one side chosen more often than sides drawn by lot explain, at whatever moment one looks?

    `place`: the judge's among all, from 1 on; 0 for all together.

    >>> chooses_by_side(312, 363, place=9), chooses_by_side(36, 4, place=9)
    (False, True)
    """
    return _log_two_sided(left, right) > side_level(place)


def turns_with_side(turned: int, seen: int, *, place: int) -> bool:
    """Does the judge at this place, from 0 on, turn round more often than a coin when the two are shown turned?

    >>> turns_with_side(6, 10, place=1), turns_with_side(19, 20, place=1)
    (False, True)
    """
    return 2 * turned > seen and log_evidence(turned, seen - turned) > judge_level(place)


def _log_two_sided(one: int, other: int) -> float:
    """log 2^n ∫ p^one (1-p)^other dp: evidence that a coin is not fair, in either direction.

    >>> round(math.exp(_log_two_sided(10, 0)), 2)  # 2^10/11
    93.09
    """
    n = one + other
    return n * math.log(2.0) + math.lgamma(one + 1) + math.lgamma(other + 1) - math.lgamma(n + 2)


def uneven(
    seen: AnswerTallies, order: Sequence[Hashable], agreement: Mapping[Hashable, tuple[int, int]]
) -> Iterator[Alarm]:
    """Links that the same judges answer worse or better than the rest: not one accuracy per judge.

    The capital of a gambler who gives the link an accuracy of its own, against the best single accuracy.
    """
    place = {item: k for k, item in enumerate(order)}
    capital: defaultdict[int, float] = defaultdict(float)
    tally: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
    for judge, x, y, for_x, for_y in seen.wins():
        k = min(place[x], place[y])
        if abs(place[x] - place[y]) != 1:
            continue
        good, bad = (for_x, for_y) if place[x] == k else (for_y, for_x)
        all_good, all_bad = agreement[judge]
        capital[k] += _log_jeffreys(good, bad) + _log_jeffreys(all_good - good, all_bad - bad)
        capital[k] -= _log_best(all_good, all_bad)
        tally[k][0] += good
        tally[k][1] += bad
    for k, log_value in capital.items():
        if log_value > LOG_LEVEL + math.log(max(len(order) - 1, 1)):
            good, bad = tally[k]
            yield Alarm(
                "uneven",
                f"{order[k]} over {order[k + 1]} has {good} answers for and {bad} against, unlike these judges' "
                "other answers: pairs are not equally hard, so a result that assumes steady judges is not safe. "
                "Use assume='better-than-chance'.",
                (order[k], order[k + 1]),
                withheld=Withheld("uneven", items=(order[k], order[k + 1])),
            )


def _log_jeffreys(good: int, bad: int) -> float:
    """log ∫ p^good (1-p)^bad dπ(p) with π = Beta(½, ½), whose worst regret is the least."""
    return math.lgamma(good + 0.5) + math.lgamma(bad + 0.5) - math.lgamma(good + bad + 1) - math.log(math.pi)


def _log_best(good: int, bad: int) -> float:
    """sup over p of good·log p + bad·log(1-p)."""
    n = good + bad
    return sum(count * math.log(count / n) for count in (good, bad) if count)


def cycle(seen: AnswerTallies, place: Mapping[Hashable, int]) -> Iterator[Alarm]:
    """A pair whose own answers contradict the order: with the links between, a circle of preferences."""
    tally: defaultdict[tuple[Hashable, Hashable], list[int]] = defaultdict(lambda: [0, 0])
    for _, x, y, for_x, for_y in seen.wins():
        upper, lower = (x, y) if place[x] < place[y] else (y, x)
        good, bad = (for_x, for_y) if upper == x else (for_y, for_x)
        tally[upper, lower][0] += good
        tally[upper, lower][1] += bad
    pairs = len(place) * (len(place) - 1) / 2
    needed = LOG_LEVEL + math.log(max(pairs, 1))
    for (upper, lower), (good, bad) in tally.items():
        if bad > good and log_evidence(bad, good) > needed:
            found = Withheld("cycle", items=(upper, lower), counts=(bad, good + bad))
            path = " over ".join(map(str, _path(tally, place, upper, lower)))
            circle = f"The answers go round in a circle: {path} over {upper}. No order fits them all."
            yield Alarm("cycle", circle if path else f"{found.words}.", (upper, lower), withheld=found)


def _path(
    tally: Mapping[tuple[Hashable, Hashable], Sequence[int]], place: Mapping[Hashable, int],
    start: Hashable, end: Hashable,
) -> list[Hashable]:  # fmt: skip
    """The shortest chain of majorities from `start` down to `end`, none against the order; else empty."""
    below: defaultdict[Hashable, list[Hashable]] = defaultdict(list)
    for (upper, lower), (good, bad) in tally.items():
        if good > bad and place[lower] <= place[end]:
            below[upper].append(lower)
    came: dict[Hashable, Hashable] = {start: start}
    queue = deque([start])
    while queue and end not in came:
        here = queue.popleft()
        for lower in below[here]:
            if lower not in came:
                came[lower] = here
                queue.append(lower)
    if end not in came:
        return []
    path = [end]
    while path[-1] != start:
        path.append(came[path[-1]])
    return path[::-1]
