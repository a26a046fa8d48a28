"""What a result shows, read from any ranker's `Ranking`: text, picture and page all draw this.

Rankers for panels say much in `Ranking.details` (groups, lines, open pairs, forecast); others say less. Here
the missing parts become empty ones, so that no drawing code asks twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from juryrank.report.words import clean, counted, percent, rank_words
from juryrank.types import JudgeReport, Ranking


@dataclass(frozen=True, slots=True)
class Row:
    """One item: its place in the best guess and the ranks it can have (None: nothing is promised)."""

    item: str
    guess: int
    best: int | None
    worst: int | None

    @property
    def rank(self) -> str:
        return "" if self.best is None or self.worst is None else rank_words(self.best, self.worst)

    @property
    def settled(self) -> bool:
        return self.best is not None and self.best == self.worst


@dataclass(frozen=True, slots=True)
class OpenPair:
    """A pair without a verdict, what was said so far, and what it would take."""

    first: str
    second: str
    preferred: int
    answers: int
    needed: str
    hopeful: bool  # a number stands behind `needed`


@dataclass(frozen=True, slots=True)
class Top:
    """The first `size` places: who is surely in, how many are surely out, how many may be either."""

    size: int
    inside: tuple[str, ...]
    out: int
    open: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """What more people would settle."""

    headline: str
    likely: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """A result, ready to be drawn."""

    title: str
    subtitle: str
    rows: tuple[Row, ...]
    lines: tuple[int, ...]
    open_title: str
    open_columns: tuple[str, str, str]
    open_pairs: tuple[OpenPair, ...]
    forecasts: tuple[Forecast, ...]
    tops: tuple[Top, ...]
    judges: tuple[JudgeReport, ...]
    promise: str
    footer: str
    line_legend: str
    warnings: tuple[str, ...]
    post_hoc: tuple[str, ...]
    people: bool
    certified: bool

    @property
    def ranged(self) -> bool:
        """Is any range of ranks known?"""
        return any(row.best is not None for row in self.rows)

    @property
    def unsettled(self) -> bool:
        """Known, and nothing excluded yet: every item can still have every rank."""
        return all((row.best, row.worst) == (1, len(self.rows)) for row in self.rows) and len(self.rows) > 1


def view_of(ranking: Ranking, *, title: str = "") -> View:
    """What there is to show of a result; `title` is the study's name or question."""
    details = ranking.details
    people = "objective" in details or "people" in details
    lines = _lines(ranking)
    return View(
        title=_title(ranking, clean(title), lines),
        subtitle=_subtitle(ranking),
        rows=tuple(_rows(ranking)),
        lines=lines,
        open_title="Still open" if people else "Links still open",
        open_columns=(
            ("pair", "first preferred", "people needed") if people else ("pair", "first preferred", "evidence")
        ),
        open_pairs=tuple(_open_pairs(details) if people else _open_links(ranking)),
        forecasts=tuple(_forecasts(details.get("forecast"))),
        tops=tuple(_tops(details.get("top") or {})),
        judges=ranking.judges,
        promise=ranking.statement,
        footer=_footer(ranking, people=people),
        line_legend=_line_legend(ranking, people=people) if lines else "",
        warnings=ranking.warnings,
        post_hoc=ranking.post_hoc,
        people=people,
        certified=ranking.certified,
    )


def _rows(ranking: Ranking) -> list[Row]:
    ranges: Sequence[tuple[int, int] | None] = ranking.ranges or [None] * len(ranking.order)
    rows = []
    for guess, (item, span) in enumerate(zip(ranking.order, ranges, strict=False), start=1):
        best, worst = (None, None) if span is None else span
        rows.append(Row(clean(item), guess, best, worst))
    return rows


def _lines(ranking: Ranking) -> tuple[int, ...]:
    """Positions after which a settled line stands: given, or read off ranges that do not meet."""
    given = ranking.details.get("lines")
    if given is not None:
        return tuple(sorted(int(k) for k in given if 0 < int(k) < len(ranking.order)))
    spans = ranking.ranges
    return tuple(
        k
        for k in range(1, len(spans))
        if max(worst for _, worst in spans[:k]) <= k and min(best for best, _ in spans[k:]) > k
    )


def _title(ranking: Ranking, title: str, lines: tuple[int, ...]) -> str:
    return ": ".join(part for part in (title, _headline(ranking, lines)) if part)


def _headline(ranking: Ranking, lines: tuple[int, ...]) -> str:
    """How far it is, in a few words: whole order, groups, the top, pairs or links."""
    if ranking.certified and not ranking.post_hoc:
        return "the whole order is settled"
    objective = str(ranking.details.get("objective") or "")
    if objective in ("tiers", "best") or objective.startswith("top-"):
        return _line_headline(objective, lines, items=len(ranking.order))
    pairs, settled = ranking.details.get("pairs_count"), ranking.details.get("settled_count")
    if pairs is not None and settled is not None and objective != "order":
        return f"{settled:,} of {counted(int(pairs), 'pair')} settled"
    if ranking.links:
        done = sum(link.settled for link in ranking.links)
        return f"{done} of {counted(len(ranking.links), 'link')} settled"
    if lines:
        return f"{len(lines) + 1} groups among {counted(len(ranking.order), 'item')}"
    return "best guess so far" if len(ranking.order) > 1 else "nothing to compare"


def _line_headline(objective: str, lines: tuple[int, ...], *, items: int) -> str:
    if objective == "tiers":
        return f"{len(lines) + 1} groups among {counted(items, 'item')}" if lines else "no line is settled yet"
    what = "the best is" if objective in ("best", "top-1") else f"the {objective.replace('-', ' ')} are"
    return f"{what} settled" if lines else f"{what} not settled yet"


def _subtitle(ranking: Ranking) -> str:
    return "  ".join(part for part in (_basis(ranking), _confidence(ranking)) if part)


def _basis(ranking: Ranking) -> str:
    details = ranking.details
    if "answers" in details and "people" in details:
        more = ", ".join(counted(int(details.get(f"{what}s") or 0), what) for what in ("tie", "skip"))
        apart = f" ({more} kept apart)" if details.get("ties") or details.get("skips") else ""
        jury = details.get("about") == "panel"
        people = counted(int(details["people"]), "judge" if jury else "person", "judges" if jury else "people")
        return f"{counted(int(details['answers']), 'answer')} from {people}{apart}."
    if ranking.judges:
        return f"{counted(ranking.questions, 'question')} to {counted(len(ranking.judges), 'judge')}."
    return f"{counted(ranking.questions, 'question')} asked."


_SUBJECT = {
    "tiers": "every green line holds at every moment",
    "best": "the line under the best item holds",
    "top-k": "the line under the top group holds",
    "order": "this is the majority's order, if their preferences contain no cycle",
}


def _confidence(ranking: Ranking) -> str:
    """One sentence of promise for a picture; the exact words are the ranking's own statement."""
    if ranking.post_hoc:
        return "This result is post-hoc: it promises nothing."
    details, level = ranking.details, percent(1 - ranking.error)
    if "objective" not in details:
        return ranking.statement
    if details.get("about") == "panel":
        return "Every range below is a count, not an estimate: it is about the majority of exactly these judges."
    subject = _SUBJECT.get(str(details["objective"]).partition(":")[0], "")
    if str(details["objective"]).startswith("top-"):
        subject = _SUBJECT["top-k"]
    subject = subject or "every range below holds at the same time"
    whom = "for the majority of people like these."
    if details.get("relation") == "field-share":
        whom = "for each item's share of wins against a random other, among people like these."
    return f"With {level} confidence {subject}, {whom}"


def _footer(ranking: Ranking, *, people: bool) -> str:
    dots = "The dots (best guess) carry no promise."
    if ranking.post_hoc:
        return "Post-hoc: the ranges show what these answers would settle, and nothing is promised."
    check = "Re-check it: juryrank verify."
    if ranking.details.get("about") == "panel":
        return f"This is about what most of these judges say, not about the truth. {dots} {check}"
    if people:
        return f"The promise is about what most people would say, not about the truth. {dots} {check}"
    if ranking.certified and not ranking.post_hoc:
        return f"The order is promised as a whole. {check}"
    return f"{dots} {check}" if ranking.ranges else dots


def _line_legend(ranking: Ranking, *, people: bool) -> str:
    if people:
        whom = "most of these judges prefer" if ranking.details.get("about") == "panel" else "a majority prefers"
        return f"green line = settled cut: {whom} everything above it to everything below it, pair by pair"
    return "green line = settled cut: everything above it ranks before everything below it"


def _open_pairs(details: Mapping[str, Any]) -> list[OpenPair]:
    return [_open_pair(pair) for pair in details.get("open_pairs") or ()]


def _open_pair(pair: Mapping[str, Any]) -> OpenPair:
    people, note = pair.get("people_needed"), str(pair.get("note") or "")
    needed = note or ("unknown" if people is None else f"~{int(people):,}")
    return OpenPair(
        first=clean(pair["first"]),
        second=clean(pair["second"]),
        preferred=int(pair.get("first_preferred") or 0),
        answers=int(pair.get("answers") or 0),
        needed=needed,
        hopeful=people is not None and not note,
    )


def _open_links(ranking: Ranking) -> list[OpenPair]:
    """Links without a verdict, the nearest to one first."""
    waiting = [link for link in ranking.links if not link.settled]
    waiting.sort(key=lambda link: -(link.evidence or 0.0) * (link.level or 1.0))
    return [
        OpenPair(
            clean(link.better),
            clean(link.worse),
            link.answers_for,
            link.answers_for + link.answers_against,
            evidence_words(link.evidence, link.level),
            link.evidence is not None and link.evidence > 1,
        )
        for link in waiting
    ]


def evidence_words(evidence: float | None, level: float | None) -> str:
    """Evidence against what is needed.

    >>> evidence_words(4.2, 0.05), evidence_words(None, 0.05), evidence_words(1e9, None)
    ('4.2 of 20', '', '1,000,000,000')
    """
    if evidence is None:
        return ""
    have = f"{evidence:,.0f}" if evidence >= 100 else f"{evidence:.2g}"
    if evidence >= 1e12:
        have = f"{evidence:.1e}"
    return f"{have} of {1 / level:,.0f}" if level else have


def _tops(top: Mapping[Any, Mapping[str, Any]]) -> list[Top]:
    return [
        Top(int(size), tuple(map(clean, said["in"])), len(said["out"]), len(said["open"]))
        for size, said in sorted(top.items(), key=lambda entry: int(entry[0]))
    ]


def _forecasts(forecast: Any) -> list[Forecast]:
    given = forecast if isinstance(forecast, list | tuple) else [forecast] if forecast else []
    return [_forecast(one) for one in given]


def _forecast(one: Mapping[str, Any]) -> Forecast:
    who = one.get("label") or f"next {counted(int(one['people']), 'person', 'people')}"
    each = f", {counted(int(one['sitting']), 'question')} each" if one.get("sitting") else ""
    span = f" ({one['low']:g} to {one['high']:g})" if one.get("low") is not None else ""
    more = f"{one['pairs']:g} more {'pair' if one['pairs'] == 1 else 'pairs'}{span}"
    likely = tuple(
        f"{round(100 * float(maybe['chance']))} % chance: {clean(maybe['better'])} before {clean(maybe['worse'])}"
        for maybe in one.get("likely") or ()
    )
    return Forecast(f"{who}{each}: {more}", likely)


def tick_ranks(items: int, *, most: int) -> list[int]:
    """Ranks to label on an axis: all, or every 2nd, 5th, ..., and always the first and the last.

    >>> tick_ranks(5, most=15), tick_ranks(40, most=9)
    ([1, 2, 3, 4, 5], [1, 5, 10, 15, 20, 25, 30, 35, 40])
    """
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 10**9) if items / s <= most)
    inner = [k for k in range(step, items, step) if min(k - 1, items - k) > step / 2]
    return sorted({1, *inner, items})
