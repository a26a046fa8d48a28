"""Numbers of a report, counted from votes: pairs, judges, sides, agreement; what models among the judges did."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.core.intervals import Share
from juryrank.log.gold import gold_words
from juryrank.report.material import Material
from juryrank.report.words.formats import clean, percent
from juryrank.votes.asides import ModelsInLog
from juryrank.votes.vote import Outcome, Vote


@dataclass(frozen=True, slots=True)
class JudgeTally:
    """What one judge did."""

    name: str
    answers: int
    ties: int
    skips: int
    late: int
    with_order: Share
    left: Share
    seconds: float | None
    cost: float


def wins(votes: Iterable[Vote]) -> Counter[tuple[str, str]]:
    """How often the first was preferred to the second."""
    return Counter((vote.winner, vote.right if vote.winner == vote.left else vote.left) for vote in votes)


def judge_tallies(votes: Iterable[Vote], order: Sequence[str]) -> list[JudgeTally]:
    """A row per judge, most answers first."""
    place = {item: k for k, item in enumerate(order)}
    by_judge: defaultdict[str, list[Vote]] = defaultdict(list)
    for vote in votes:
        by_judge[vote.judge].append(vote)
    rows = [_tally(name, own, place) for name, own in by_judge.items()]
    return sorted(rows, key=lambda row: (-row.answers, row.name))


def _tally(name: str, own: Sequence[Vote], place: dict[str, int]) -> JudgeTally:
    kinds, skips = Counter(vote.outcome for vote in own), sum(vote.skipped for vote in own)
    chosen = [vote for vote in own if vote.outcome in (Outcome.LEFT, Outcome.RIGHT)]
    ranked = [vote for vote in chosen if vote.left in place and vote.right in place]
    good = sum((place[v.left] < place[v.right]) == (v.winner == v.left) for v in ranked)
    times = [vote.response_time for vote in own if vote.response_time is not None and vote.counts]
    return JudgeTally(
        name=name,
        answers=len(chosen) + kinds[Outcome.TIE] + skips,
        ties=kinds[Outcome.TIE],
        skips=skips,
        late=kinds[Outcome.LATE],
        with_order=Share(good, len(ranked)),
        left=Share(kinds[Outcome.LEFT], len(chosen)),
        seconds=statistics.median(times) if times else None,
        cost=sum(vote.cost or 0.0 for vote in own),
    )


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often two judges prefer the same, on pairs both decided; NaN where they share none."""

    judges: tuple[str, ...]
    share: NDArray[np.float64]
    common: NDArray[np.int64]

    @property
    def overall(self) -> Share:
        """Over all pairs of judges and all pairs of items that both decided."""
        upper = np.triu_indices(len(self.judges), 1)
        common = self.common[upper]
        same = np.nan_to_num(self.share[upper]) * common
        return Share(round(float(same.sum())), int(common.sum()))

    def couples(self) -> list[tuple[str, str, int, float]]:
        """(judge, other judge, common pairs, share); those with the most common pairs first."""
        found = [
            (self.judges[i], self.judges[j], int(self.common[i, j]), float(self.share[i, j]))
            for i, j in zip(*np.triu_indices(len(self.judges), 1), strict=True)
            if self.common[i, j]
        ]
        return sorted(found, key=lambda couple: -couple[2])


def agreement(votes: Iterable[Vote], judges: Sequence[str]) -> Agreement:
    """The agreement between these judges. For a pair asked several times, what a judge said more often counts."""
    row = {name: k for k, name in enumerate(judges)}
    pairs: dict[tuple[str, str], int] = {}
    leads: defaultdict[tuple[int, int], int] = defaultdict(int)
    for vote in votes:
        if vote.judge in row:
            low, high = sorted((vote.left, vote.right))
            column = pairs.setdefault((low, high), len(pairs))
            leads[row[vote.judge], column] += 1 if vote.winner == low else -1
    said = np.zeros((len(judges), len(pairs)), dtype=np.int64)
    for (judge, column), lead in leads.items():
        said[judge, column] = (lead > 0) - (lead < 0)
    common = np.abs(said) @ np.abs(said).T
    with np.errstate(invalid="ignore", divide="ignore"):
        share = (common + said @ said.T) / (2 * common)
    return Agreement(tuple(judges), share, common)


# ----------------------------------------------------------------------------
# Models among the judges: what each did and cost, how it did on gold pairs, how often it agrees with people
MATRIX_JUDGES = 12  # on a dashboard: more are unreadable there; the report has more
NEVER_COUNT = "Models in a study about people stand beside them: nothing of it counts in the promise about people."


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model."""

    name: str
    model: str
    counted: int  # answers that count in the result
    beside: int  # opinions that do not
    cost: float | None
    gold: str
    with_people: Share
    fresh: bool | None = None
    remarks: tuple[str, ...] = field(default_factory=tuple)

    @property
    def people_words(self) -> str:
        """How often it agrees with most people, in words.

        >>> row = ModelRow("m", "", 0, 9, None, "", Share(8, 9))
        >>> row.people_words
        '89 % of 9 pairs (57 to 98 %)'
        """
        share = self.with_people
        if not share.whole:
            return ""
        pairs = f"{share.whole} pair{'' if share.whole == 1 else 's'}"
        return f"{100 * share.value:.0f} % of {pairs} ({100 * share.low:.0f} to {100 * share.high:.0f} %)"

    @property
    def cost_words(self) -> str:
        return "" if self.cost is None else f"{self.cost:.4g}"

    @property
    def fresh_words(self) -> str:
        return {True: "yes", False: "no", None: ""}[self.fresh]


def model_rows(material: Material) -> list[ModelRow]:
    """A row per model."""
    models, gold = material.models, material.ranking.details.gold
    rows = []
    for name in models.names:
        own = [vote for vote in (*material.decided, *opinions(material)) if vote.judge == name]
        probe: Mapping[str, Any] = models.probes.get(name, {})
        rows.append(
            ModelRow(
                name=clean(name),
                model=clean(models.behind.get(name, "")),
                counted=models.counted[name],
                beside=sum(vote.judge == name for vote in models.opinions),
                cost=models.cost.get(name),
                gold=gold_words(gold[name]) if name in gold else "",
                with_people=with_majority(own, people_votes(material)),
                fresh=probe.get("fresh"),
                remarks=(*_without_answer(models, name), *map(str, probe.get("remarks") or ())),
            )
        )
    return rows


def _without_answer(models: ModelsInLog, name: str) -> list[str]:
    failed, refused, asked = models.failed[name], models.refused[name], models.asked[name]
    if not failed + refused:
        return []
    share = percent((failed + refused) / asked)
    return [f"It gave no answer to {share} of {asked:,} questions ({failed:,} failed, {refused:,} refused)."]


def opinions(material: Material) -> list[Vote]:
    """Models' opinions that prefer one of the two items."""
    return [vote for vote in material.models.opinions if vote.outcome in (Outcome.LEFT, Outcome.RIGHT)]


def people_votes(material: Material) -> list[Vote]:
    """The decided votes of everybody who is not a model."""
    models = set(material.models.names)
    return [vote for vote in material.decided if vote.judge not in models]


def with_majority(own: Iterable[Vote], others: Iterable[Vote]) -> Share:
    """On how many pairs somebody agrees with the majority of the others; pairs without a majority are left out."""
    mine, theirs = _leads(own), _leads(others)
    common = [pair for pair, lead in mine.items() if lead and theirs.get(pair)]
    return Share(sum((mine[pair] > 0) == (theirs[pair] > 0) for pair in common), len(common))


def all_agreement(material: Material, judges: Iterable[str]) -> Agreement:
    """The agreement between these judges, people and models alike."""
    return agreement([*material.decided, *opinions(material)], list(judges))


def busiest(material: Material, most: int) -> list[str]:
    """The judges of a table of agreement: all models first, then those who decided most pairs."""
    count: defaultdict[str, int] = defaultdict(int)
    for vote in (*material.decided, *opinions(material)):
        count[vote.judge] += 1
    models = [name for name in material.models.names if name in count]
    rest = sorted((name for name in count if name not in models), key=lambda name: -count[name])
    return [*models, *rest][:most]


def _leads(votes: Iterable[Vote]) -> dict[tuple[str, str], int]:
    leads: defaultdict[tuple[str, str], int] = defaultdict(int)
    for vote in votes:
        low, high = sorted((vote.left, vote.right))
        leads[low, high] += 1 if vote.winner == low else -1
    return dict(leads)
