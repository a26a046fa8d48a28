"""What a result shows, read from any ranker's `Ranking`: text, picture and page all draw this.

Drawing code checks for nothing: what a ranker does not say is empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from juryrank.quoting import in_sentence
from juryrank.rankers.panel.open_pairs import EXACT_TIE, NOBODY_CHOSE
from juryrank.report.words.estimates import (
    EstimateView,
    ForecastWords,
    estimate_view,
    forecast_title,
    forecasts_of,
)
from juryrank.report.words.formats import clean, named, rank_words
from juryrank.report.words.headlines import (
    NOTHING_PROVEN,
    as_promised,
    footer_of,
    guesses_only,
    legend_of,
    neighbours_only,
    nothing_proven,
    promises,
    subtitle_of,
    title_of,
)
from juryrank.statements import evidence_of, missing_words, needed_at
from juryrank.statements.details import Details, JuryDetails
from juryrank.types import JudgeReport, Ranking

CHAINS_TITLE = "Settled: each before the next"
BEFORE = " > "  # between the items of a settled chain


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One item: its place in the best guess and the ranks it can have (None: nothing is promised)."""

    item: str
    guess: int
    best: int | None
    worst: int | None
    withdrawn: bool = False  # nobody is asked about it any more

    @property
    def rank(self) -> str:
        return "" if self.best is None or self.worst is None else rank_words(self.best, self.worst)

    @property
    def settled(self) -> bool:
        return self.best is not None and self.best == self.worst


@dataclass(frozen=True, slots=True)
class OpenPair:
    """A pair not settled yet, what was answered so far, and how much more it would take."""

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
class View:
    """A result, ready to be drawn."""

    title: str
    subtitle: str
    rows: tuple[ItemRow, ...]
    lines: tuple[int, ...]
    chains: tuple[tuple[str, ...], ...]  # settled neighbours, each before the next
    joined: tuple[int, ...]  # the places whose link to the next place belongs to a chain
    unplaced: tuple[str, ...]
    open_title: str
    open_columns: tuple[str, str, str]
    open_pairs: tuple[OpenPair, ...]
    forecast_title: str
    forecasts: tuple[ForecastWords, ...]
    tops: tuple[Top, ...]
    judges: tuple[JudgeReport, ...]
    promise: str
    footer: str
    line_legend: str
    warnings: tuple[str, ...]
    post_hoc: tuple[str, ...]
    people: bool
    jury: JuryDetails  # what a jury on cases says beside: claims, groups of cases
    estimates: EstimateView | None = None
    guesses_only: bool = False  # the ranker never promises anything
    neighbours_only: bool = False  # an order of fixed judges in which only neighbours were surely compared
    promises: bool = False  # is anything promised: a rank, a line, a pair?
    nothing_proven: str = NOTHING_PROVEN  # what stands where ranks would stand, if none is
    gold: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # judge -> how it did on gold pairs
    models: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # model -> what it did and cost

    @property
    def basis(self) -> str:
        """The subtitle, without the promise where that is said in full elsewhere."""
        return self.subtitle.split("  ")[0] if self.promise else self.subtitle

    @property
    def opinions(self) -> bool:
        """Have the judges opinions, which are not right or wrong? Then their `accuracy` is agreement."""
        return self.people or bool(self.jury)

    @property
    def gate(self) -> bool:
        """Is it about required claims? Then it says nothing about ranks."""
        return self.jury.get("objective") == "require"

    @property
    def ranged(self) -> bool:
        """Is any range of ranks known?"""
        return any(row.best is not None for row in self.rows)

    @property
    def transitive(self) -> str:
        """The condition under which ranks hold that follow from proven neighbours; empty: there is none."""
        chain = self.jury.get("objective") == "order" and self.jury.get("resolution") == 0
        if chain and self.ranged:
            return "if transitive"
        return "if no circle" if self.neighbours_only and self.ranged else ""

    @property
    def ranks(self) -> int:
        """The last rank: items that are not placed yet have one too."""
        return max([len(self.rows), *(row.worst for row in self.rows if row.worst is not None)])


def view_of(ranking: Ranking, *, title: str = "") -> View:
    """What there is to show of a result; `title` is the study's name or question.

    >>> from juryrank import rank
    >>> [row.item for row in view_of(rank(["b", "a"], {"ann": min}, seed=1)).rows]
    ['a', 'b']
    """
    ranking = as_promised(ranking)
    details = ranking.details
    people = details.majority  # the promise is about opinions
    aimed = not details.neighbours  # links are not the neighbours of a list
    pairs = [] if neighbours_only(ranking) else _open_pairs(details)  # the others follow: nobody will be asked
    lines = _lines(ranking)
    whole = aimed or ranking.certified  # other words say it
    return View(
        title=title_of(ranking, clean(title), lines),
        subtitle=subtitle_of(ranking),
        rows=tuple(_rows(ranking)),
        lines=lines,
        chains=() if whole else tuple(_chains(ranking)),
        joined=() if whole else _joined(ranking),
        unplaced=tuple(map(clean, details.unplaced)),
        open_title=_open_title(pairs, aimed=aimed and not details.on_cases),
        open_columns=("pair", "first preferred", _needed_title(details, known=bool(pairs))),
        open_pairs=tuple(pairs if pairs or aimed or guesses_only(ranking) else _open_links(ranking)),
        forecast_title=forecast_title(details),
        forecasts=_forecasts(details),
        tops=tuple(_tops(details.top)),
        judges=ranking.judges,
        promise=_promise(ranking),
        footer=footer_of(ranking, people=people),
        line_legend=legend_of(ranking, people=people, lines=bool(lines)),
        warnings=ranking.warnings,
        post_hoc=ranking.post_hoc,
        people=people,
        jury=details.jury,
        estimates=estimate_view(ranking),
        guesses_only=guesses_only(ranking),
        promises=promises(ranking),
        nothing_proven=nothing_proven(ranking),
        neighbours_only=neighbours_only(ranking),
        gold=details.gold,
        models=details.models,
    )


def _open_title(pairs: Sequence[OpenPair], *, aimed: bool) -> str:
    if pairs and all(pair.needed in (EXACT_TIE, NOBODY_CHOSE) for pair in pairs):
        return "Without a majority"
    return "Still open" if aimed else "Links still open"


def _forecasts(details: Details) -> tuple[ForecastWords, ...]:
    """What more answers would settle. Before anybody counts nobody can say; fixed judges count one by one."""
    if details.majority and not details.people and not details.these_judges:
        return ()
    return tuple(forecasts_of(details.forecast, objective=details.objective))


def _rows(ranking: Ranking) -> list[ItemRow]:
    ranges: Sequence[tuple[int, int] | None] = ranking.ranges or [None] * len(ranking.order)
    rows, gone = [], ranking.details.withdrawn
    for guess, (item, span) in enumerate(zip(ranking.order, ranges, strict=False), start=1):
        best, worst = (None, None) if span is None else span
        rows.append(ItemRow(named(item, gone), guess, best, worst, item in gone))
    return rows


def _lines(ranking: Ranking) -> tuple[int, ...]:
    """Positions after which there is a settled line: given, or derived from ranges that do not overlap."""
    given = ranking.details.lines
    if given is not None:
        return tuple(sorted(int(k) for k in given if 0 < int(k) < len(ranking.order)))
    spans = ranking.ranges
    return tuple(
        k
        for k in range(1, len(spans))
        if max(worst for _, worst in spans[:k]) <= k and min(best for best, _ in spans[k:]) > k
    )


def _chains(ranking: Ranking) -> list[tuple[str, ...]]:
    """Runs of neighbours whose links are settled: each item ranks before the next."""
    chains: list[list[str]] = []
    going_on = False
    for link in ranking.links:
        if link.settled:
            if not going_on:
                chains.append([in_sentence(link.better)])
            chains[-1].append(in_sentence(link.worse))
        going_on = link.settled
    return [tuple(chain) for chain in chains]


def _joined(ranking: Ranking) -> tuple[int, ...]:
    """Places whose item has a settled link to the very next one (newcomers may come between two placed items)."""
    settled = {(link.better, link.worse) for link in ranking.links if link.settled}
    return tuple(k for k, pair in enumerate(pairwise(ranking.order), 1) if pair in settled)


def _open_pairs(details: Details) -> list[OpenPair]:
    over = details.these_judges and details.finished  # nobody is asked about the pairs that were not needed
    return [_open_pair(pair) for pair in details.open_pairs if not over or pair.get("note")]


def _promise(ranking: Ranking) -> str:
    """The exact words; and that missing answers could change nothing, where they could not."""
    missing = ranking.details.missing
    stands = [missing_words(missing["answers"], stands=True)] if missing.get("stands") else []
    return " ".join([ranking.statement, *stands])


def _needed_title(details: Details, *, known: bool) -> str:
    if details.these_judges:
        return "answers needed"  # of these judges: nobody else is asked
    return "people needed" if details.majority else "to be asked" if known else "evidence"


def _open_pair(pair: Mapping[str, Any]) -> OpenPair:
    more, note = pair.get("people_needed", pair.get("questions_needed")), str(pair.get("note") or "")
    needed = note or ("unknown" if more is None else f"~{int(more):,}")
    return OpenPair(
        first=clean(pair["first"]),
        second=clean(pair["second"]),
        preferred=int(pair.get("first_preferred") or 0),
        answers=int(pair.get("answers") or 0),
        needed=needed,
        hopeful=more is not None and not note,
    )


def _open_links(ranking: Ranking) -> list[OpenPair]:
    """Links not settled yet, the nearest to it first; none while the list is still being made."""
    if ranking.details.phase in ("insert", "repair"):
        return []
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
    """Evidence compared with what is needed.

    >>> evidence_words(4.2, 0.05), evidence_words(None, 0.05), evidence_words(1e9, None)
    ('4.2 of 20', '', '1,000,000,000')
    """
    if evidence is None:
        return ""
    have = evidence_of(evidence)
    return f"{have} of {needed_at(level)}" if level else have


def _tops(top: Mapping[Any, Mapping[str, Any]]) -> list[Top]:
    return [
        Top(int(size), tuple(map(clean, said["in"])), len(said["out"]), len(said["open"]))
        for size, said in sorted(top.items(), key=lambda entry: int(entry[0]))
    ]


def tick_ranks(items: int, *, most: int) -> list[int]:
    """Ranks to label on an axis: all, or every 2nd, 5th, ..., and always the first and the last.

    >>> tick_ranks(5, most=15), tick_ranks(40, most=9)
    ([1, 2, 3, 4, 5], [1, 5, 10, 15, 20, 25, 30, 35, 40])
    """
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 10**9) if items / s <= most)
    inner = [k for k in range(step, items, step) if min(k - 1, items - k) > step / 2]
    return sorted({1, *inner, items})
