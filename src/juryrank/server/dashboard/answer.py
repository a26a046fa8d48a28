"""A result in the words of people: who leads, what is proven or why nothing is, what to do next, what to note."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from juryrank.defaults import TOO_CLOSE
from juryrank.quoting import in_sentence
from juryrank.rankers.panel.wording import TOO_FEW, WIDE_RANGES
from juryrank.report.view import View
from juryrank.report.words.estimates import EstimateRow, EstimateView, chance_words
from juryrank.report.words.formats import isolated
from juryrank.statements import sure_of
from juryrank.statements.numbers import number_of
from juryrank.types import Ranking

NORMAL = (TOO_FEW, WIDE_RANGES)  # beginnings of remarks about what every study goes through
NOTHING_YET = "nothing yet"
NO_RANK = re.compile("^(nothing yet: |no rank yet; |no rank: )", re.I)  # what stands before it says so already
MORE_ANSWERS = "a proof takes more answers about the same pairs"


def leader_of(found: EstimateView | None) -> EstimateRow | None:
    """The item that most likely belongs on top; None: nobody can say yet."""
    rows = [row for row in found.rows if row.known and not row.none] if found else []
    return max(rows, key=lambda row: (row.top, row.beats), default=None)


def leading_words(row: EstimateRow, k: int) -> str:
    """How sure that is.

    >>> leading_words(EstimateRow(1, "a", 0.4, 0.5, 0.6, 0.9, "", "", True), 3)
    '90 % top 3'
    """
    return f"{row.top_words} {'the best' if k == 1 else f'top {k}'}"


# ---------------------------------------------------------------------------- what is proven
def proven_words(ranking: Ranking, view: View) -> tuple[str, str]:
    """What is proven in a word or two, and how surely; or that nothing is, and why."""
    if ranking.post_hoc:
        return "nothing any more", "answers were changed or left out afterwards"
    if view.guesses_only:
        return "nothing", "this method only estimates"
    if not view.promises:
        return NOTHING_YET, _why_nothing(ranking, view)
    sure = "counted" if ranking.details.these_judges else f"at least {sure_of(ranking.error)} sure"
    return _what(ranking, view), sure


def _why_nothing(ranking: Ranking, view: View) -> str:
    few = next((words for words in ranking.warnings if words.startswith(TOO_FEW)), "")
    if few:
        return few.removeprefix(f"{TOO_FEW}: ").split(". ")[0]
    if view.people and not ranking.details.these_judges:
        return MORE_ANSWERS
    return NO_RANK.sub("", view.nothing_proven).removesuffix(".")


def _what(ranking: Ranking, view: View) -> str:
    details, objective = ranking.details, ranking.details.objective
    if ranking.certified:
        return "the whole order"
    if ranking.proven and (objective == "best" or objective.startswith("top-")):
        return "the best one" if objective in ("best", "top-1") else f"the {objective.replace('-', ' ')}"
    if ranking.proven and objective == "require":
        return "what was asked for"
    if view.lines:
        return f"{len(view.lines) + 1} groups"
    if details.settled_count:
        return f"{details.settled_count:,} of {number_of(details.pairs_count, 'pair')}"
    done = sum(link.settled for link in ranking.links)
    return f"{done:,} of {number_of(len(ranking.links), 'step')}" if done else "some ranks"


# ---------------------------------------------------------------------------- what to do next
def next_words(ranking: Ranking, view: View) -> list[str]:
    """What would bring a proof, from the forecasts that the result holds; what cannot be told apart."""
    found, forecast = view.estimates, ranking.details.forecast
    told = isinstance(forecast, Mapping) and forecast.get("words")
    if found is None or told or not view.people or ranking.details.these_judges:
        return [one.headline for one in reversed(view.forecasts)][:1]
    crossing = _crossing(ranking, found)
    if not crossing:
        return [one.headline for one in view.forecasts][:1]
    goal = "the best one" if found.k == 1 else f"the top {found.k}"
    sitting, ahead = int((forecast or {}).get("sitting") or 1), [one.headline for one in view.forecasts][:1]
    return [*_too_close(crossing), *_people(crossing, goal, sitting, ahead)]


def _crossing(ranking: Ranking, found: EstimateView) -> list[Mapping[str, Any]]:
    """The open pairs of one item inside the likeliest top and one outside."""
    guesses = ranking.estimates.items if ranking.estimates else ()
    top = {str(one.item) for one in sorted(guesses, key=lambda one: -one.top)[: found.k]}
    pairs = ranking.details.open_pairs
    return [one for one in pairs if (str(one["first"]) in top) != (str(one["second"]) in top)]


def _too_close(crossing: Sequence[Mapping[str, Any]]) -> list[str]:
    """Pairs that no number of people tells apart."""
    close = [one for one in crossing if one.get("note") == "too close"]
    if not close:
        return []
    first, second = (isolated(in_sentence(close[0][side])) for side in ("first", "second"))
    more = f" So are {number_of(len(close) - 1, 'other pair')}." if len(close) > 1 else ""
    return [
        f"{first} and {second} are too close to call: more people will not help (it would take over "
        f"{TOO_CLOSE}).{more}"
    ]


def _people(crossing: Sequence[Mapping[str, Any]], goal: str, sitting: int, ahead: Sequence[str]) -> list[str]:
    """At least how many people the top would take: everybody answers few pairs, and each pair takes several."""
    needed = [int(one["people_needed"]) for one in crossing if one.get("people_needed") is not None]
    unknown = len(crossing) - len(needed)
    if not needed or unknown > len(needed):
        return [f"It is too early to say how many people would settle {goal}.", *ahead]
    least = max(max(needed), -(-sum(needed) // max(sitting, 1)))
    rounded = least if least < 20 else -(-least // 10) * 10
    return [f"At least {rounded:,} more {'person' if rounded == 1 else 'people'} would settle {goal}."]


# ---------------------------------------------------------------------------- what to note
def notes_of(ranking: Ranking, alarms: Iterable[str], *, late: int, names: Mapping[str, str]) -> list[str]:
    """Remarks, the most important first: changes after the fact, suspicious answers, then what the ranker says."""
    changed = [f"Nothing is proven any more: {_named(words, names)}." for words in ranking.post_hoc]
    usual = [words for words in ranking.warnings if not words.startswith(NORMAL)]
    came_late = [f"{number_of(late, 'answer')} came too late: kept, not counted."] if late else []
    return list(dict.fromkeys(chain(changed, alarms, usual, came_late)))


def _named(words: str, names: Mapping[str, str]) -> str:
    """People by their names, and no numbers of events.

    >>> _named("answers of person-1 were discarded at event 248", {"person-1": "Ann"})
    'answers of Ann were discarded'
    """
    said = re.sub(r",? \(?at event [\d,]+\)?", "", words)
    return re.sub(r"person-[0-9a-z]+", lambda found: names.get(found[0], found[0]), said)


# ---------------------------------------------------------------------------- to take along
def slide_of(name: str, ranking: Ranking, view: View, basis: str) -> View:
    """The view as a picture for a slide: who is ahead, what is proven, what it rests on; no table beside them."""
    if view.estimates is None:
        return view
    proven, sure = proven_words(ranking, view)
    return replace(
        view, title=name, subtitle=f"Proven: {proven} ({sure}). {basis}", open_pairs=(), forecasts=(), judges=(),
        footer="", warnings=(), post_hoc=(),
    )  # fmt: skip


def plain_text(name: str, ranking: Ranking, view: View, basis: str) -> str:
    """The result to paste into a mail: the order with chances, what is proven, what it rests on."""
    found = view.estimates
    proven, sure = proven_words(ranking, view)
    if found is None:
        lines = [f"{row.guess}. {row.item}" for row in view.rows]
        says = [view.title[:1].upper() + view.title[1:] + "."]
    else:
        group = "the best" if found.k == 1 else f"top {found.k}"
        lines = [f"{row.place}. {row.item} ({chance_words(row.top)} {group})" for row in found.rows]
        says = [f"{found.says} (Best estimate so far.)"]
    return "\n".join([name, *says, "", *lines, "", f"Proven: {proven} ({sure}).", basis])
