"""What a jury found, as lines of text: each claim with its evidence, groups of cases, who disagrees."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from juryrank.report.words.formats import clean, columns, pad, percent
from juryrank.statements import below_of, evidence_of, most_of, needed_at, resolution_of, share_of, sure_of
from juryrank.statements.details import JuryDetails
from juryrank.types import Ranking

MOST_NAME = 24
MOST_LEANING = 4  # groups that lean the other way, in a terminal
CASES_APART, CASES_AGAINST = "Cases that tell them apart", "Cases that go against the order"


def basis_words(jury: JuryDetails, answered: int, asked: int, judges: int) -> str:
    """What it rests on: calls that were answered, out of all there are. Questions without an answer are no part.

    >>> basis_words({"calls_in_all": 4000, "cases": 80}, 100, 103, 1)
    '100 of 4,000 calls of the whole evaluation (2.5 %): 1 judge, 80 cases. 3 more questions got no answer.'
    >>> basis_words({"identical": 20}, 80, 80, 1)
    '80 calls: 1 judge. 20 ties needed no call: the outputs are the same.'
    """
    identical, calls, missing = int(jury.get("identical") or 0), answered, asked - answered
    ties = f"{identical:,} tie{'' if identical == 1 else 's'}"
    besides = f" {ties} needed no call: the outputs are the same." if identical else ""
    besides += f" {missing:,} more question{' ' if missing == 1 else 's '}got no answer." if missing else ""
    if known := int(jury.get("started_from") or 0):
        besides += f" The search started from strengths of {known:,} of the systems; they are no evidence."
    if (used := (jury.get("forecast") or {}).get("used")) is not None:
        besides += f" {share_words(used)} of the stake rests on forecasts by {clean(jury['forecast']['by'])}."
    who = f"{judges:,} judge{'' if judges == 1 else 's'}"
    cases = f", {jury['cases']:,} case{'' if jury['cases'] == 1 else 's'}" if jury.get("cases") else ""
    whole = jury.get("calls_in_all")
    if not whole:
        return f"{calls:,} calls: {who}{cases}.{besides}"
    part = share_words(calls / whole)
    return f"{calls:,} of {whole:,} calls of the whole evaluation ({part}): {who}{cases}.{besides}"


def share_words(share: float) -> str:
    """A share in percent, with as many digits as matter.

    >>> share_words(0.025), share_words(0.31), share_words(0.0004)
    ('2.5 %', '31 %', '0.04 %')
    """
    digits = 0 if share >= 0.0995 else 1 if share >= 0.00995 else 2
    return f"{100 * share:.{digits}f} %"


def claim_lines(jury: JuryDetails, *, rows: int) -> list[str]:
    """One line per claim: what was said so far (an estimate), the evidence, and what is proven."""
    claims = list(jury.get("claims") or ())
    if not claims:
        return []
    level = jury.get("level") or 0.0
    shown = claims if len(claims) <= rows else claims[-rows:]  # the least sure ones matter most
    names = [(_name(row["better"]), _name(row["worse"])) for row in shown]
    left, right = (max(columns(pair[side]) for pair in names) for side in (0, 1))
    lines = [f"Claims, surest first (evidence of {needed_at(level)} proves one)" if level else "Claims"]
    head = " " * (left + right + 9) + "share (90 % interval)   calls   evidence  proven at"
    lines.append(head)
    for row, (better, worse) in zip(shown, names, strict=True):
        lines.append(
            f"  {pad(better, left)} over {pad(worse, right)} {interval_words(row):<21} {row['calls']:>7,} "
            f"{claim_evidence(row, jury['resolutions']):>10}  {proven_words(row, jury['resolutions'])}"
        )
    if len(claims) > len(shown):
        lines.append(f"  and {len(claims) - len(shown):,} surer ones")
    return lines


def claim_evidence(row: Mapping[str, Any], resolutions: Sequence[float]) -> str:
    """The most evidence that a claim had, at the resolution at which it is stated (or else must be first).

    >>> row = {"counted": False, "evidence": [310.0, 26.04, 1.5], "resolution": 0.05}
    >>> claim_evidence(row, [0.1, 0.05, 0.0]), claim_evidence({**row, "resolution": None}, [0.1, 0.05, 0.0])
    ('26', '310')
    """
    if row["counted"]:
        return "counted"
    at = 0 if row["resolution"] is None else list(resolutions).index(row["resolution"])
    return evidence_of(row["evidence"][at])


def proven_words(row: Mapping[str, Any], resolutions: Sequence[float]) -> str:
    if row["resolution"] is None:
        return "refuted" if row.get("refuted") else "not yet"
    reached = [e for e in resolutions if e >= row["resolution"]]
    return ", ".join(map(resolution_of, reached))


def interval_words(row: Mapping[str, Any]) -> str:
    """A share, with its interval where there are answers enough for one.

    >>> interval_words({"share": 0.534, "low": 0.49, "high": 0.577}), interval_words({"share": 1.0, "low": None})
    ('53.4 % (49 to 58)', '100 %')
    """
    if row["share"] is None:
        return "-"
    if row.get("low") is None:
        return percent(row["share"])
    low, high = math.floor(100 * row["low"] + 1e-9), math.ceil(100 * row["high"] - 1e-9)
    return f"{percent(row['share'])} ({low} to {high})"


def _name(item: object) -> str:
    text = clean(str(item))
    return text if columns(text) <= MOST_NAME else text[: MOST_NAME - 1] + "…"


def resolution_words(jury: JuryDetails) -> str:
    """How far the resolution has fallen, step by step; empty where there is only one step.

    >>> resolution_words({"resolutions": [0.1, 0.05, 0.02, 0.0], "resolution": 0.05, "claims": [{}]})
    'Resolution falls step by step: proven at 0.1 (40 %), then 0.05 (45 %); not at 0.02 (48 %), 0 (50 %).'
    >>> resolution_words({"resolutions": [0.1, 0.0], "resolution": None, "claims": [{}]})
    'Resolution falls step by step: not all claims are proven at 0.1 (40 %) yet.'
    """
    steps, reached = list(jury.get("resolutions") or ()), jury.get("resolution")
    if len(steps) < 2 or not jury.get("claims"):
        return ""
    said = [f"{resolution_of(e)} ({share_of(e)})" for e in steps]
    proven = [word for word, e in zip(said, steps, strict=True) if reached is not None and e >= reached]
    open_ = said[len(proven) :]
    parts = [f"proven at {', then '.join(proven)}"] if proven else [f"not all claims are proven at {said[0]} yet"]
    parts += [f"not at {', '.join(open_)}"] if proven and open_ else []
    return f"Resolution falls step by step: {'; '.join(parts)}."


def case_words(jury: JuryDetails) -> str:
    """How many cases tell nothing apart; empty: none."""
    even = jury.get("even_cases") or 0
    return f"{even:,} case{' tells' if even == 1 else 's tell'} nothing apart: only ties." if even else ""


def case_lines(jury: JuryDetails, *, rows: int) -> list[str]:
    """Which cases tell the systems apart, and which go against the order: estimates, from two answers on."""
    lines: list[str] = []
    for some, title in ((jury.get("cases_apart"), CASES_APART), (jury.get("telling_cases"), CASES_AGAINST)):
        found = list(some or ())[: max(rows // 2, 1)]
        if found:
            wide = max(columns(_name(row["case"])) for row in found)
            lines.append(f"{title} (answers that agree with the order)")
            lines += [
                f"  {pad(_name(row['case']), wide)}  {percent(row['agreeing']):>6} of {row['answers']:,}"
                for row in found
            ]
    even = case_words(jury)
    return [*lines, *([f"  {even}"] if even else [])]


def group_lines(jury: JuryDetails) -> list[str]:
    """How far each group of cases agrees with the order shown: an estimate."""
    groups = jury.get("by_group") or ()
    if not groups:
        return []
    wide = max(columns(clean(row["group"]) or "none") for row in groups)
    lines = ["By group of cases (answers that agree with the order, ties half)"]
    lines += [
        f"  {pad(clean(row['group']) or 'none', wide)}  {percent(row['agreeing']):>6} of {row['answers']:,}"
        for row in groups
    ]
    for row in list(jury.get("group_disagreements") or ())[:MOST_LEANING]:
        pair = f"{_name(row['better'])} over {_name(row['worse'])}"
        group = _name(row["group"]) or "none"
        lines.append(f"  {group} leans the other way: {pair} {percent(row['share'])} of {row['answers']:,}")
    return lines


def disagreement_lines(jury: JuryDetails, *, rows: int) -> list[str]:
    """Judges whose own answers about a claim lean the other way."""
    found = list(jury.get("disagreements") or ())
    if not found:
        return []
    lines = ["Judges who lean the other way"]
    for row in found[:rows]:
        words = f"{_name(row['judge'])} gives {_name(row['better'])} over {_name(row['worse'])}"
        lines.append(f"  {words} {percent(row['share'])} of {row['answers']:,}")
    if len(found) > rows:
        lines.append(f"  and {len(found) - rows:,} more")
    return lines


# ----------------------------------------------------------------------------
# One line that cannot be misread: who gets how much against whom, on what, by how many judges, how surely.
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


def _refuted(jury: JuryDetails) -> str:
    claims, against = jury["claims"], jury["refuted"][0]
    if len(claims) > 1:
        return f"not all {len(claims):,} required claims hold"
    below = below_of(jury["resolutions"][-1])
    return f"{clean(against['better'])} gets less than {below} against {clean(against['worse'])}"


def _plain(objective: str) -> str:
    return objective.replace("-", " ")


def _scope(jury: JuryDetails) -> str:
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
