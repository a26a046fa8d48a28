"""Numbers of a promise as words: for rankers, the checker, reports, pages and the terminal alike.

A promise is rounded only to a weaker one: an error, a resolution and what a proof needs go up, evidence goes down.
The checker may use this too: it shares words with the rankers, no arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import NamedTuple

from juryrank.quoting import in_sentence, in_sentences

DIGITS = 3  # of an error, a resolution or evidence that is no round number
FEWEST = Decimal("1e-9")  # below this error a row of nines is harder to read than the error itself
LONG = 12  # digits of a whole number from which only the first ones matter


def sure_of(error: float) -> str:
    """1 - δ, never more than that.

    >>> [sure_of(error) for error in (0.3, 0.025, 1 / 3, 0.0333333, 1e-7, 1e-13)]
    ['70 %', '97.5 %', '66.6 %', '96.66 %', '99.99999 %', '1 - 1e-13']
    """
    exact = _exact(error)
    if 0 < exact < FEWEST:
        return f"1 - {_rounded(exact, ROUND_CEILING).normalize():e}"
    if exact > Decimal("0.5"):  # digits of what is left count, not of the error
        return f"{_plain(100 * _rounded(1 - exact, ROUND_FLOOR))} %"
    return f"{_plain(100 * (1 - _rounded(exact, ROUND_CEILING)))} %"


def risk_of(error: float) -> str:
    """δ itself, never less than that.

    >>> [risk_of(error) for error in (0.07, 0.025, 1 / 3, 1e-7)]
    ['7 %', '2.5 %', '33.4 %', '0.00001 %']
    """
    return f"{_plain(100 * _rounded(_exact(error), ROUND_CEILING))} %"


def resolution_of(resolution: float) -> str:
    """A resolution ε, never a finer one.

    >>> [resolution_of(resolution) for resolution in (0.05, 0.0, 1 / 30, 0.00001)]
    ['0.05', '0', '0.0334', '0.00001']
    """
    return _plain(_rounded(_exact(resolution), ROUND_CEILING))


def number_of(number: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> number_of(1, "pair"), number_of(1200, "answer"), number_of(2, "person", "people")
    ('1 pair', '1,200 answers', '2 people')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def top_name(k: int | None) -> str:
    """A set of the first k, as people write it; None: the order of all.

    >>> top_name(None), top_name(1), top_name(3)
    ('order', 'best', 'top-3')
    """
    return "order" if k is None else "best" if k == 1 else f"top-{k}"


class RecordedCount(NamedTuple):
    """How many recorded answers pairs have: the least and the most where there are any, and pairs without."""

    least: int
    most: int
    empty: int
    pairs: int

    @classmethod
    def of(cls, cells: Sequence[int]) -> RecordedCount:
        """From the number of answers of each pair."""
        some = [count for count in cells if count]
        return cls(min(some, default=0), max(some, default=0), len(cells) - len(some), len(cells))


def recorded_of(recorded: RecordedCount) -> str:
    """How many recorded answers each pair has, and that those without any carry no claim.

    >>> recorded_of(RecordedCount.of([805, 805, 0]))
    'Recorded are 805 answers per pair; 1 of 3 pairs has none and carries no claim.'
    """
    least, most, empty, pairs = recorded
    each = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    verb = "has none and carries" if empty == 1 else "have none and carry"
    none = f"; {empty:,} of {pairs:,} pairs {verb} no claim"
    return f"Recorded are {each} answers per pair{none if empty else ''}."


def failing_at(resolution: float) -> str:
    """A resolution ε at which something fails, never a coarser one: what fails there fails at every finer one.

    >>> [failing_at(resolution) for resolution in (0.05, 1 / 30)]
    ['0.05', '0.0333']
    """
    return _plain(_rounded(_exact(resolution), ROUND_FLOOR))


def share_of(resolution: float) -> str:
    """The share ½ - ε that a claim at resolution ε promises, never more than that.

    >>> [share_of(resolution) for resolution in (0.05, 0.0, 1 / 30, 0.0004)]
    ['45 %', '50 %', '46.66 %', '49.96 %']
    """
    return f"{_plain(50 - 100 * _rounded(_exact(resolution), ROUND_CEILING))} %"


def below_of(resolution: float) -> str:
    """The share ½ - ε that an item stays below where its claim at resolution ε is refuted, never less than that.

    >>> [below_of(resolution) for resolution in (0.05, 0.0, 1 / 30)]
    ['45 %', '50 %', '46.67 %']
    """
    return f"{_plain(50 - 100 * _rounded(_exact(resolution), ROUND_FLOOR))} %"


def most_of(resolution: float) -> str:
    """The share ½ + ε that nobody exceeds against an item at least as good at resolution ε, never less than that.

    >>> [most_of(resolution) for resolution in (0.05, 0.0, 1 / 30)]
    ['55 %', '50 %', '53.34 %']
    """
    return f"{_plain(50 + 100 * _rounded(_exact(resolution), ROUND_CEILING))} %"


def refuted_of(
    against: Sequence[Sequence[object]], *, claims: int, error: float, resolution: float, kinds: str
) -> str:
    """What is refuted of so many required claims: of several it is proven that not all hold, not which one.

    >>> refuted_of([("new", "old")], claims=1, error=0.05, resolution=0.0, kinds="(ties count half)")
    'With probability at least 95 %: new gets less than 50 % of the answers about new and old (ties count half).'
    """
    sure = f"With probability at least {sure_of(error)}"
    if claims == 1:
        ((better, worse),) = against
        both = in_sentences((better, worse), " and ")
        below = below_of(resolution)
        return f"{sure}: {in_sentence(better)} gets less than {below} of the answers about {both} {kinds}."
    named = "; ".join(in_sentences(pair, " over ") for pair in against)
    return f"{sure}: not all {claims:,} required claims hold; the answers speak against {named}."


def evidence_of(evidence: float) -> str:
    """Evidence, never more than there is.

    >>> [evidence_of(evidence) for evidence in (24.96, 19.9999, 1234.5, 4.2, 0.0123, 2.5e18)]
    ['24.9', '19.9', '1,234', '4.2', '0.0123', '2.5e+18']
    """
    return _number(_exact(evidence), ROUND_FLOOR)


def needed_at(level: float) -> str:
    """The evidence that proves a claim at this level: 1 / level, never less.

    >>> [needed_at(level) for level in (0.04, 0.05, 0.24, 0.8 * 0.1, 0.1 / 45)]
    ['25', '20', '4.17', '12.5', '450']
    """
    return _number(_exact(1 / level), ROUND_CEILING)


def missing_words(missing: int, *, stands: bool | None) -> str:
    """What a proof would be worth if every answer that is missing had spoken against it; None: nobody knows.

    >>> missing_words(14, stands=True), missing_words(1, stands=False)[:30]
    ('It would stand even if all 14 missing answers had gone against it.', 'It would not stand if the 1 mi')
    """
    answers = "missing answer" if missing == 1 else "missing answers"
    if stands:
        which = "the 1" if missing == 1 else f"all {missing:,}"
        return f"It would stand even if {which} {answers} had gone against it."
    if stands is None:
        return f"Whether it would stand if the {missing:,} {answers} had gone against it is not known."
    return f"It would not stand if the {missing:,} {answers} had gone against it."


def level_words(tied: int, pairs: int) -> str:
    """What a count of fixed judges says where it settles no pair: nothing separates the items.

    >>> level_words(6, 6)
    'all 6 pairs are exact ties, so nothing separates the items'
    >>> level_words(3, 6), level_words(0, 6)
    ('3 of 6 pairs are exact ties, and no pair is settled', 'no pair is settled, and none is an exact tie')
    """
    if tied == pairs:
        return (
            f"all {pairs:,} pairs are exact ties, so nothing separates the items"
            if pairs > 1
            else ("the only pair is an exact tie, so nothing separates the items")
        )
    if not tied:
        return "no pair is settled, and none is an exact tie"
    ties = "is an exact tie" if tied == 1 else "are exact ties"
    return f"{tied:,} of {pairs:,} pairs {ties}, and no pair is settled"


def strength_of(survives: bool | None, *, from_first_draw: bool) -> list[str]:
    """What a jury's proof would survive; None: every answer was given, so there is nothing to survive.

    >>> strength_of(None, from_first_draw=True)
    ['It stands from the first draw: whichever list had been chosen, and whenever.']
    """
    would = "would be proven even if" if survives else "would not be proven if"
    silence = f"It {would} every answer that was refused, failed or is missing had gone against it."
    first = "It stands from the first draw: whichever list had been chosen, and whenever."
    return [*([] if survives is None else [silence]), *([first] if from_first_draw else [])]


def _exact(number: float) -> Decimal:
    """As it was written: 0.3 means three tenths, and 0.8 * 0.1 eight hundredths."""
    return Decimal(f"{float(number):.15g}")


def _rounded(number: Decimal, way: str) -> Decimal:
    """To `DIGITS` digits, or to a whole number where that says more."""
    first = number.adjusted()
    last = first - DIGITS + 1
    return number.quantize(Decimal(1).scaleb(last if first >= LONG else min(last, 0)), rounding=way)


def _plain(number: Decimal) -> str:
    """All digits, and no zeros at the end."""
    return f"{number.normalize():f}"


def _number(number: Decimal, way: str) -> str:
    short = _rounded(number, way).normalize()
    return f"{short:e}" if number.adjusted() >= LONG else f"{short:,f}"
