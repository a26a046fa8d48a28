"""Who is ahead according to the answers so far, in words and rows: estimates, kept apart from what is promised."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp
from typing import Any

from juryrank.quoting import in_sentence
from juryrank.rankers.contract.estimates import no_top
from juryrank.report.words.formats import WITHDRAWN, isolated, named, rank_words
from juryrank.statements.details import Details
from juryrank.statements.numbers import number_of
from juryrank.types import Estimates, ItemEstimate, Ranking

TITLE, BADGE = "Who is ahead", "estimate"
NO_BEST = "No item is {exactly}the best: by what is proven, none of them comes before all others."
NO_TOP = "No {k} items are {exactly}the top {k}: by what is counted, a circle or a tie crosses any such line."
VERY_LIKELY, OPEN_LEAST = 0.85, 0.2  # chances of the top that are called very likely; that leave a place open
NAMED_MOST = 4  # items in one sentence
HELD = (0.93, 14_700)  # how often 90 % intervals held, of so many checked: benchmarks/results/estimates.csv
DOT = "The dot is"  # in pictures


@dataclass(frozen=True, slots=True)
class EstimateRow:
    """One item; `low`, `beats` and `high` are shares from 0 to 1, `promised` the ranks that are promised."""

    place: int
    item: str
    low: float
    beats: float
    high: float
    top: float
    rank: str
    promised: str
    known: bool
    withdrawn: bool = False  # nobody is asked about it any more
    none: bool = False  # it is known that there is no top: nobody has a chance of it

    @property
    def top_words(self) -> str:
        return "none" if self.none else chance_words(self.top)

    @property
    def span_words(self) -> str:
        return f"{100 * self.low:.0f} to {100 * self.high:.0f} %"


@dataclass(frozen=True)
class EstimateView:
    """The rows in the order of the result; `says` sums them up, `note` explains how to read them."""

    rows: tuple[EstimateRow, ...]
    k: int
    level: float
    says: str
    note: str

    @property
    def top_title(self) -> str:
        return "chance to be the best" if self.k == 1 else f"chance of the top {self.k}"

    @property
    def note_of_table(self) -> str:
        """The same where numbers stand instead of dots."""
        return self.note.replace(DOT, "Shown is", 1)

    @property
    def score_title(self) -> str:
        return f"preferred to another, {100 * self.level:.0f} % interval"

    @cached_property
    def promised(self) -> bool:
        """Is anything promised about any rank?"""
        return any(row.promised for row in self.rows)


def estimate_view(ranking: Ranking) -> EstimateView | None:
    """What to show of the estimates; None without answers, where the whole order is proven anyway, and for a gate.

    A gate asks about its own pairs alone: who is ahead of all others is not its question.
    """
    found = ranking.estimates
    proven = ranking.certified and not ranking.post_hoc
    gate = ranking.details.jury.get("objective") == "require"
    if found is None or proven or gate or not found.answers or len(found.items) < 2:
        return None
    ranges = dict(zip(ranking.order, ranking.ranges, strict=True)) if ranking.ranges else {}
    guesses = found.items
    gone = ranking.details.withdrawn
    rows = [
        _row(place, guess, ranges.get(guess.item), len(guesses), gone) for place, guess in enumerate(guesses, 1)
    ]
    none = _no_top(ranking, found.k)
    rows = [replace(row, none=True) for row in rows] if none else rows
    says = none or leaders(rows, found.k)
    return EstimateView(tuple(rows), found.k, found.level, says, _note(found))


def _no_top(ranking: Ranking, k: int) -> str:
    """What is said where it is known that there is no top k; empty: there may be one."""
    exactly = "exactly " if ranking.resolution else ""  # some may be so at the resolution that is proven
    return (NO_BEST if k == 1 else NO_TOP).format(k=k, exactly=exactly) if no_top(ranking, k) else ""


def _row(
    place: int, guess: ItemEstimate, span: tuple[int, int] | None, items: int, gone: Container[object]
) -> EstimateRow:
    wide = span is None or 2 * (span[1] - span[0] + 1) > items  # one that leaves more than half of the list open
    return EstimateRow(
        place=place,
        item=named(guess.item, gone),
        low=_share(guess.score_low),
        beats=guess.beats,
        high=_share(guess.score_high),
        top=guess.top,
        rank=rank_words(guess.rank_low, guess.rank_high),
        promised="" if wide or span is None else rank_words(*span),
        known=guess.known,
        withdrawn=guess.item in gone,
    )


def _share(log_odds: float) -> float:
    return 1 / (1 + exp(-log_odds))


def leaders(rows: Sequence[EstimateRow], k: int) -> str:
    """One or two sentences about the top: who is most likely in it, and who could still come in.

    >>> def row(item, top): return EstimateRow(1, item, 0.4, 0.5, 0.6, top, "", "", True)
    >>> leaders([row("a", 0.97), row("b", 0.71), row("c", 0.34), row("d", 0.02)], 2)
    'Most likely in the top 2: a and b. c could still replace one of them (34 %).'
    >>> leaders([row("a", 0.97), row("b", 0.91), row("c", 0.12)], 2)
    'a and b are very likely in the top 2.'
    """
    group = "the best" if k == 1 else f"in the top {k}"
    likely = sorted(rows, key=lambda row: -row.top)
    chosen, others = likely[:k], [row for row in likely[k:] if row.top >= OPEN_LEAST]
    if chosen[0].top < OPEN_LEAST:
        return (
            f"Nobody stands out yet: even {_said(chosen[0])} is {group} with a chance of only "
            f"{chance_words(chosen[0].top)}."
        )
    names = _listed(_few([_said(row) for row in chosen]))
    if chosen[-1].top >= VERY_LIKELY:
        return f"{names} {'is' if k == 1 else 'are'} very likely {group}."
    chance = f" ({chance_words(chosen[0].top)})" if k == 1 else ""
    return " ".join([f"Most likely {group}: {names}{chance}.", *_challengers(others, k)])


def _few(names: list[str]) -> list[str]:
    """As many names as one sentence bears; the rest is counted."""
    return names if len(names) <= NAMED_MOST + 1 else [*names[:NAMED_MOST], f"{len(names) - NAMED_MOST} more"]


def _challengers(rows: Sequence[EstimateRow], k: int) -> list[str]:
    """A sentence about who could still come into the top; none where nobody has a fair chance."""
    if not rows:
        return []
    could = "could still be it" if k == 1 else "could still replace one of them"
    if len(rows) == 1:
        return [f"{_said(rows[0])} {could} ({chance_words(rows[0].top)})."]
    return [f"{_listed(_few([f'{_said(row)} ({chance_words(row.top)})' for row in rows]))} {could}."]


def _said(row: EstimateRow) -> str:
    """A row's item in a sentence."""
    name = row.item.removesuffix(WITHDRAWN) if row.withdrawn else row.item
    return isolated(in_sentence(name)) + (WITHDRAWN if row.withdrawn else "")


def _listed(names: Sequence[str]) -> str:
    *rest, last = names
    return f"{', '.join(rest)} and {last}" if rest else last


def _note(found: Estimates) -> str:
    held, checked = HELD
    kept = f"Intervals like these held in {100 * held:.0f} % of {checked:,} checked cases."
    meaning = f"{DOT} the chance that an answer prefers the item to a random other one."
    return f"{meaning} {kept} {found.note}"


def chance_words(chance: float) -> str:
    """A chance in percent that never claims certainty.

    >>> chance_words(0.437), chance_words(0.0004), chance_words(0.9999), chance_words(0.0)
    ('44 %', '<1 %', '>99 %', '<1 %')
    """
    if chance < 0.01:
        return "<1 %"
    return ">99 %" if chance > 0.99 else f"{100 * chance:.0f} %"


# ----------------------------------------------------------------------------
# What more people or more questions would settle, in words: a headline and what is likely. No promise
PEOPLE_TITLE, QUESTIONS_TITLE = "If more people answer", "If more questions are asked"
JUDGES_TITLE = "What is still to come"


@dataclass(frozen=True, slots=True)
class ForecastWords:
    """What more answers would settle, as a whole sentence, and what most likely."""

    headline: str
    likely: tuple[str, ...] = ()


def forecast_title(details: Details) -> str:
    """The words above a forecast."""
    if details.these_judges:
        return JUDGES_TITLE
    return PEOPLE_TITLE if details.majority else QUESTIONS_TITLE


def forecasts_of(forecast: Any, *, objective: str = "") -> list[ForecastWords]:
    """The words for a ranker's forecast, or for several of them; `objective`: what is to be proven."""
    return [words for one in _several(forecast) for words in _words_of(one, objective)]


def _several(forecast: Any) -> list[Mapping[str, Any]]:
    return list(forecast) if isinstance(forecast, list | tuple) else [forecast] if forecast else []


def _words_of(one: Mapping[str, Any], objective: str) -> list[ForecastWords]:
    if one.get("words"):
        return [ForecastWords(str(one["words"]))]
    return _of_people(one) if "people" in one else _of_questions(one, objective)


def _of_people(one: Mapping[str, Any]) -> list[ForecastWords]:
    """Pairs that more people would settle; those who are invited and have not begun.

    >>> invited = {"people": 1, "label": "the one who has not begun", "pairs": 0, "low": 0, "high": 1}
    >>> ahead = {"people": 20, "sitting": 10, "pairs": 3, "low": 1, "high": 6, "also": invited}
    >>> for said in _of_people(ahead):
    ...     print(said.headline)
    20 more people, 10 questions each, would settle about 3 of the open pairs (between 1 and 6).
    The one who has not begun would settle none of the open pairs (at most 1).
    """
    who = str(one.get("label") or number_of(int(one["people"]), "more person", "more people"))
    each = f", {number_of(int(one['sitting']), 'question')} each," if one.get("sitting") else ""
    also = _of_people(one["also"]) if one.get("also") else []
    headline = f"{who[:1].upper()}{who[1:]}{each} would settle {_more(one, 'pairs')}."
    return [ForecastWords(headline, _likely(one)), *also]


def _of_questions(one: Mapping[str, Any], objective: str = "") -> list[ForecastWords]:
    """Links that the next questions would settle; all that is to be proven.

    >>> span = {"questions": 240, "low": 180, "high": 390}
    >>> for said in _of_questions({"questions": 100, "links": 3, "low": 1, "high": 5, "whole": span}):
    ...     print(said.headline)
    100 more questions would settle about 3 of the open links (between 1 and 5).
    The whole order would take about 240 more questions (between 180 and 390).
    >>> for said in _of_questions({"questions": 100, "links": 0, "low": 0, "high": 0, "whole": span}, "best"):
    ...     print(said.headline)
    To prove the best would take about 240 more questions (between 180 and 390).
    """
    at_once = one.get("at_once") or (objective in ("best", "top-1") and not one["links"])
    if at_once and one.get("whole"):
        return [ForecastWords(f"To prove the best would take {_span(one['whole'])}.")]
    more = number_of(int(one["questions"]), "more question")
    said = [ForecastWords(f"{more} would settle {_more(one, 'links')}.", _likely(one))]
    what = f"To prove the {objective.replace('-', ' ')}" if objective.startswith("top-") else "The whole order"
    if one.get("fixed"):
        said.insert(
            0, ForecastWords(f"The search for the order would take {_span(one['fixed'])}; then comes its proof.")
        )
    if one.get("whole"):
        said.append(ForecastWords(f"{what} would take {_span(one['whole'])}."))
    else:
        few = "The whole order is out of reach: these judges may be asked each pair too few times."
        said.append(ForecastWords(few))
    return said


def _span(span: Mapping[str, int]) -> str:
    about = f"about {number_of(int(span['questions']), 'more question')}"
    return f"{about} (between {int(span['low']):,} and {int(span['high']):,})"


def _more(one: Mapping[str, Any], what: str) -> str:
    """How many of what is open, with the interval."""
    count, low, high = one[what], one.get("low"), one.get("high")
    if not count:
        return f"none of the open {what}" + (f" (at most {high:g})" if high else "")
    if low is None or low == high:
        return f"{count:g} of the open {what}"
    return f"about {count:g} of the open {what} (between {low:g} and {high:g})"


def _likely(one: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(
        f"{_percent(maybe['chance'])} % chance to prove {_name(maybe['better'])} above {_name(maybe['worse'])}"
        for maybe in one.get("likely") or ()
    )


def _name(item: object) -> str:
    return isolated(in_sentence(item))


def _percent(chance: float) -> int:
    """A chance in percent, at most 99: no forecast is certain."""
    return min(round(100 * float(chance)), 99)
