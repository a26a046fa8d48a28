"""What more people or more questions would settle, in words: a headline and what is likely. No promise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from juryrank.quoting import in_sentence
from juryrank.report.words.formats import counted, isolated
from juryrank.statements.details import Details

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
    who = str(one.get("label") or counted(int(one["people"]), "more person", "more people"))
    each = f", {counted(int(one['sitting']), 'question')} each," if one.get("sitting") else ""
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
    more = counted(int(one["questions"]), "more question")
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
    about = f"about {counted(int(span['questions']), 'more question')}"
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
