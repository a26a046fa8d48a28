"""Do the answers look as the proof assumes? The checker's own five watches.

    below chance   a judge agrees with the order less often than a coin                       a note
    by side        a judge prefers a side of the screen, whatever is on it                    a note
    same again     a judge, asked a pair again, repeats mistakes too faithfully               withholds
    uneven         a link is answered unlike the rest by the same judges (steady only)        withholds
    cycle          answers on a pair contradict the order                                     withholds

Each compares the capital of a gambler who bets against the assumption with a level shared out over the five and
over what each looks at, so that all together speak in at most 1 % of good runs. Judges get 1/2, 1/6, 1/12, ... of
a level, in the order of their first answers: so any number may arrive. (One sign is a test at a single moment
instead: few changes, in `same again`.)
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from juryrank.quoting import in_sentence
from juryrank.statements.promises import Withheld
from juryrank.verify.arithmetic.evidence import log_of_majority
from juryrank.verify.certified.answers import Answers, upper
from juryrank.verify.record import Record
from juryrank.verify.report import Check

ENOUGH = math.log(5 / 0.01)  # five watches, 1 % false alarms


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something in the answers does not look as assumed."""

    kind: str
    words: str
    judge: str = ""
    withheld: Withheld | None = None  # why a proof is not claimed, where this withholds it


def alarms(answers: Answers, order: Sequence[str], *, steady: bool) -> list[Alarm]:
    """All that is wrong with these answers, held against this order."""
    place = {item: k for k, item in enumerate(order)}
    agreement = answers.agreement(place)
    found = [*_below_chance(agreement), *_by_side(answers), *_same_again(answers, place, agreement)]
    if steady:
        found += _uneven(answers, order, place, agreement)
    return [*found, *_cycle(answers, place)]


def withheld(found: Sequence[Alarm], suspects: frozenset[str]) -> list[Alarm]:
    """The alarms that withhold a certificate; not those about repeats that do not count anyway."""
    return [
        alarm for alarm in found if alarm.withheld and not (alarm.kind == "same again" and alarm.judge in suspects)
    ]


def _against(bad: int, good: int, share: int) -> bool:
    """Is it beyond chance that so many more answers are bad than good?"""
    return bad > good and log_of_majority(bad, good) > ENOUGH + math.log(share)


def _shared(place: int) -> int:
    """One over the share of a level that the judge at this place has: 2, 6, 12, ..."""
    return (place + 1) * (place + 2)


def _below_chance(agreement: Mapping[str, tuple[int, int]]) -> Iterator[Alarm]:
    for place, (judge, (good, bad)) in enumerate(agreement.items()):
        if _against(bad, good, _shared(place)):
            who, of = in_sentence(judge), good + bad
            words = f"Judge {who} agrees with this order in only {good} of {of} answers, less than chance."
            yield Alarm("below chance", words, judge)


def _by_side(answers: Answers) -> Iterator[Alarm]:
    for place, (judge, (left, right)) in enumerate(answers.sides.items(), 1):  # 0: all together, in a report
        n = left + right
        capital = n * math.log(2) + math.lgamma(left + 1) + math.lgamma(right + 1) - math.lgamma(n + 2)
        if capital > ENOUGH + math.log(3 * _shared(place)):  # lists of judges and gold pairs have the other thirds
            side = "left" if left > right else "right"
            yield Alarm(
                "by side",
                f"Judge {in_sentence(judge)} chose the {side} side in {max(left, right)} of {n} answers.",
                judge,
            )


@dataclass(slots=True)
class _Repeats:
    """One judge's repeats: as before or not, and after an answer against the order."""

    same: int = 0
    changed: int = 0
    wrong_again: int = 0
    corrected: int = 0


def _repeats_of(answers: Answers, place: Mapping[str, int]) -> dict[str, _Repeats]:
    found: defaultdict[str, _Repeats] = defaultdict(_Repeats)
    for (judge, pair), winners in answers.said.items():
        better, tally = upper(pair, place), found[judge]
        for before, now in pairwise(winners):
            tally.same += before == now
            tally.changed += before != now
            tally.wrong_again += before != better and now == before
            tally.corrected += before != better and now != before
    return found


def _same_again(
    answers: Answers, place: Mapping[str, int], agreement: Mapping[str, tuple[int, int]]
) -> Iterator[Alarm]:
    """A fresh look repeats a mistake at most half of the time, and changes at least as often as it is wrong."""
    found = _repeats_of(answers, place)
    for at, (judge, tally) in enumerate(found.items()):
        good, bad = agreement[judge]
        firsts = good + bad - tally.same - tally.changed
        mistakes = bad - tally.wrong_again - (tally.changed - tally.corrected)
        few = _log_so_few(tally.changed, tally.same + tally.changed, mistakes, firsts)
        share = 2 * _shared(at)  # two signs
        if _against(tally.wrong_again, tally.corrected, share) or -few > ENOUGH + math.log(share):
            times = (tally.same, tally.changed, mistakes, firsts)
            why = Withheld("same again", judges=(judge,), counts=times)
            yield Alarm("same again", f"{why.words}.", judge, why)


def _log_so_few(changed: int, repeats: int, mistakes: int, firsts: int) -> float:
    """log P(at most so many of all changes and mistakes are changes), were both equally frequent."""
    marked = changed + mistakes
    if not marked or not repeats:
        return 0.0
    least = max(0, marked - firsts)
    ways, of_k = 0, math.comb(repeats, least) * math.comb(firsts, marked - least)
    for k in range(least, min(changed, repeats) + 1):  # C(repeats, k) C(firsts, marked - k), from the one before
        ways += of_k
        of_k = of_k * (repeats - k) * (marked - k) // ((k + 1) * (firsts - marked + k + 1))
    return math.log(ways) - math.log(math.comb(repeats + firsts, marked)) if ways else -math.inf


def _uneven(
    answers: Answers, order: Sequence[str], place: Mapping[str, int], agreement: Mapping[str, tuple[int, int]]
) -> Iterator[Alarm]:
    """Links that the same judges answer worse or better than the rest."""
    capital: defaultdict[int, float] = defaultdict(float)
    for (judge, pair), winners in answers.said.items():
        k, lowest = sorted(place[item] for item in pair)
        if lowest == k + 1:
            good = winners.count(order[k])
            capital[k] += _own_accuracy(good, len(winners) - good, *agreement[judge])
    for k, log_value in capital.items():
        if log_value > ENOUGH + math.log(max(len(order) - 1, 1)):
            why = Withheld("uneven", items=(order[k], order[k + 1]))
            yield Alarm("uneven", f"{why.words}.", withheld=why)


def _own_accuracy(good: int, bad: int, all_good: int, all_bad: int) -> float:
    """What a gambler gains who gives a link an accuracy of its own, against the best single accuracy."""
    apart = _jeffreys(good, bad) + _jeffreys(all_good - good, all_bad - bad)
    n = all_good + all_bad
    return apart - sum(count * math.log(count / n) for count in (all_good, all_bad) if count)


def _jeffreys(good: int, bad: int) -> float:
    return math.lgamma(good + 0.5) + math.lgamma(bad + 0.5) - math.lgamma(good + bad + 1) - math.log(math.pi)


def _cycle(answers: Answers, place: Mapping[str, int]) -> Iterator[Alarm]:
    """A pair whose own answers contradict the order."""
    tally: defaultdict[frozenset[str], list[int]] = defaultdict(lambda: [0, 0])
    for (_, pair), winners in answers.said.items():
        good = winners.count(upper(pair, place))
        tally[pair][0] += good
        tally[pair][1] += len(winners) - good
    pairs = max(len(place) * (len(place) - 1) // 2, 1)
    for pair, (good, bad) in tally.items():
        if _against(bad, good, pairs):
            better, worse = sorted(pair, key=place.__getitem__)
            why = Withheld("cycle", items=(better, worse), counts=(bad, good + bad))
            yield Alarm("cycle", f"{why.words}.", withheld=why)


# ----------------------------------------------------------------------------
# Was a judge asked the same pair more often than the study allows?
NAME = "repeats"


def check_repeats(record: Record, repeats: int | None) -> Check:
    """Search and all attempts count together: a judge who remembers proves nothing by saying it again."""
    if repeats is None:
        return Check(NAME, True, "unlimited: whoever made the study says that every answer is a fresh one")
    times: Counter[tuple[str, frozenset[str]]] = Counter()
    for question in record.questions.values():
        key = (question.judge, question.pair)
        times[key] += 1
        if times[key] > repeats:
            left, right = sorted(question.pair)
            return Check(
                NAME, False, f"question {question.id}: {question.judge} is asked {left} or {right} "
                f"{times[key]} times; {repeats} allowed",
            )  # fmt: skip
    return Check(NAME, True, f"no judge was asked the same pair more than {repeats} times")
