"""One line that cannot be misread: who gets how much against whom, on what, by how many judges, how surely."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from juryrank.report.words.formats import clean
from juryrank.statements import below_of, most_of, share_of, sure_of
from juryrank.types import Ranking

MOST_CHOSEN_NAMED = 3  # chosen systems that a headline names
NOT_PROVEN = {
    "order": "the order, each over the next, is",
    "best": "the best is",
    "require": "what is required is",
}


def jury_headline(ranking: Ranking, objective: str) -> str:
    """What is proven, refuted or counted, in numbers; else what is not."""
    jury = ranking.details.jury
    if ranking.refuted:
        return f"{_refuted(jury)}, {_scope(jury)} ({_sure(ranking)})"
    if jury["none_exists"] and not ranking.proven:
        return f"counted: there is no {_plain(objective)}" + (" one" if objective == "best" else "")
    if not ranking.proven:
        return f"{NOT_PROVEN.get(objective) or f'the {_plain(objective)} are'} not proven"
    return f"{_proven(ranking, objective)}, {_scope(jury)} ({_sure(ranking)})"


def _proven(ranking: Ranking, objective: str) -> str:
    jury, resolution, n = ranking.details.jury, ranking.resolution or 0.0, len(ranking.order)
    if objective == "require":
        claims = jury["claims"]
        if len(claims) > 1:
            return f"in each of {len(claims):,} required claims the first gets at least {share_of(resolution)}"
        better, worse = clean(claims[0]["better"]), clean(claims[0]["worse"])
        return f"{better} gets at least {share_of(resolution)} against {worse}"
    if objective == "order":
        return f"each of these {n:,} gets at least {share_of(resolution)} against the next one"
    k = ranking.details.k or 1
    chosen = ranking.order[:k]
    if k > MOST_CHOSEN_NAMED:
        against = f"any of the first {k:,}"
    else:
        against = " or ".join(filter(None, [", ".join(map(clean, chosen[:-1])), clean(chosen[-1])]))
    if len(others := ranking.order[k:]) == 1:
        return f"{clean(others[0])} gets at most {most_of(resolution)} against {against}"
    return f"none of the other {len(others):,} gets more than {most_of(resolution)} against {against}"


def _refuted(jury: Mapping[str, Any]) -> str:
    claims, against = jury["claims"], jury["refuted"][0]
    if len(claims) > 1:
        return f"not all {len(claims):,} required claims hold"
    below = below_of(jury["resolutions"][-1])
    return f"{clean(against['better'])} gets less than {below} against {clean(against['worse'])}"


def _plain(objective: str) -> str:
    return objective.replace("-", " ")


def _scope(jury: Mapping[str, Any]) -> str:
    """On which cases, by how many judges."""
    judges = len(jury["judges"])
    by = "by this judge" if judges == 1 else f"by these {judges:,} judges"
    if not jury["cases"]:
        return by
    cases = int(jury["cases"])
    return f"on {'this case' if cases == 1 else f'these {cases:,} cases'} {by}"


def _sure(ranking: Ranking) -> str:
    jury = ranking.details.jury
    rows = jury["refuted"] if ranking.refuted else jury["claims"]
    return "counted" if all(row["counted"] for row in rows) else f"proven, {sure_of(ranking.error)}"
