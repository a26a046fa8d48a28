"""What more people or more questions would settle, in words: a headline and what is likely. No promise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from juryrank.report.words.formats import clean, counted, isolated

PEOPLE_TITLE, QUESTIONS_TITLE = "If more people answer", "If more questions are asked"
JUDGES_TITLE = "What is still to come"


@dataclass(frozen=True, slots=True)
class ForecastWords:
    """What more answers would settle; or a whole sentence, where a number would make no sense."""

    headline: str
    likely: tuple[str, ...] = ()


def forecast_title(details: Mapping[str, Any], *, people: bool) -> str:
    """The words above a forecast."""
    if details.get("about") == "panel":
        return JUDGES_TITLE
    return PEOPLE_TITLE if people else QUESTIONS_TITLE


def forecasts_of(forecast: Any) -> list[ForecastWords]:
    """The words for a ranker's forecast, or for several of them."""
    given = forecast if isinstance(forecast, list | tuple) else [forecast] if forecast else []
    return [words for one in given for words in _words_of(one)]


def _words_of(one: Mapping[str, Any]) -> list[ForecastWords]:
    if one.get("words"):
        return [ForecastWords(str(one["words"]))]
    return _of_people(one) if "people" in one else _of_questions(one)


def _of_people(one: Mapping[str, Any]) -> list[ForecastWords]:
    who = one.get("label") or f"next {counted(int(one['people']), 'person', 'people')}"
    each = f", {counted(int(one['sitting']), 'question')} each" if one.get("sitting") else ""
    more = _more(one, "link", "links") if "links" in one else _more(one, "pair", "pairs")
    also = _of_people(one["also"]) if one.get("also") else []
    return [ForecastWords(f"{who}{each}: {more}", _likely(one)), *also]


def _of_questions(one: Mapping[str, Any]) -> list[ForecastWords]:
    """Links that the next questions would settle; the whole order.

    >>> span = {"questions": 240, "low": 180, "high": 390}
    >>> for said in _of_questions({"questions": 100, "links": 3, "low": 1, "high": 5, "whole": span}):
    ...     print(said.headline)
    next 100 questions: 3 more links (1 to 5)
    whole order: about 240 more questions (180 to 390)
    """
    headline = f"next {counted(int(one['questions']), 'question')}: {_more(one, 'link', 'links')}"
    said = [ForecastWords(headline, _likely(one))]
    if one.get("fixed"):
        said.insert(0, ForecastWords(f"list to be proven: fixed after {_span(one['fixed'])}"))
    if one.get("whole"):
        said.append(ForecastWords(f"whole order: {_span(one['whole'])}"))
    else:
        said.append(ForecastWords("whole order: out of reach with these judges, each asked a pair so few times"))
    return said


def _span(span: Mapping[str, int]) -> str:
    about = f"about {counted(int(span['questions']), 'more question')}"
    return f"{about} ({int(span['low']):,} to {int(span['high']):,})"


def _more(one: Mapping[str, Any], single: str, plural: str) -> str:
    """How many more, with the interval."""
    count = one[plural]
    sure = one.get("low") is None or one["low"] == one["high"]
    span = "" if sure else f" ({one['low']:g} to {one['high']:g})"
    return f"{count:g} more {single if count == 1 else plural}{span}"


def _likely(one: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(
        f"{_percent(maybe['chance'])} % chance: {_name(maybe['better'])} before {_name(maybe['worse'])}"
        for maybe in one.get("likely") or ()
    )


def _name(item: object) -> str:
    return isolated(clean(item))


def _percent(chance: float) -> int:
    """A chance in percent, at most 99: no forecast is certain."""
    return min(round(100 * float(chance)), 99)
