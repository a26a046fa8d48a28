"""What a jury found, as lines of text: each claim with its evidence, groups of cases, who disagrees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from juryrank.report.words.formats import clean, columns, pad, percent

MOST_NAME = 24


def basis_words(jury: Mapping[str, Any], questions: int, judges: int) -> str:
    """What it rests on: calls out of all calls.

    >>> basis_words({"calls_in_all": 4000, "cases": 80}, 100, 1)
    '100 of 4,000 calls of the whole evaluation (2.5 %): 1 judge, 80 cases.'
    """
    who = f"{judges:,} judge{'' if judges == 1 else 's'}"
    cases = f", {jury['cases']:,} case{'' if jury['cases'] == 1 else 's'}" if jury.get("cases") else ""
    whole = jury.get("calls_in_all")
    if not whole:
        return f"{questions:,} calls: {who}{cases}."
    part = share_words(questions / whole)
    return f"{questions:,} of {whole:,} calls of the whole evaluation ({part}): {who}{cases}."


def share_words(share: float) -> str:
    """A share of a whole with as many digits as matter.

    >>> share_words(0.025), share_words(0.31), share_words(0.0004)
    ('2.5 %', '31 %', '0.04 %')
    """
    digits = 0 if share >= 0.0995 else 1 if share >= 0.00995 else 2
    return f"{100 * share:.{digits}f} %"


def claim_lines(jury: Mapping[str, Any], *, rows: int) -> list[str]:
    """One line per claim: what was said so far (an estimate), the evidence, and what is proven."""
    claims = list(jury.get("claims") or ())
    if not claims:
        return []
    level = jury.get("level") or 0.0
    shown = claims if len(claims) <= rows else claims[-rows:]  # the least sure ones matter most
    names = [(_name(row["better"]), _name(row["worse"])) for row in shown]
    left, right = (max(columns(pair[side]) for pair in names) for side in (0, 1))
    lines = [f"Claims, surest first (evidence of {1 / level:,.0f} proves one)" if level else "Claims"]
    head = " " * (left + right + 9) + "share  calls   evidence  proven at"
    lines.append(head)
    for row, (better, worse) in zip(shown, names, strict=True):
        lines.append(
            f"  {pad(better, left)} over {pad(worse, right)} {_percent(row['share']):>6} {row['asked']:>6,} "
            f"{_evidence(row):>10}  {_proven(row, jury['resolutions'])}"
        )
    if len(claims) > len(shown):
        lines.append(f"  and {len(claims) - len(shown):,} surer ones")
    return lines


def _evidence(row: Mapping[str, Any]) -> str:
    if row["counted"]:
        return "counted"
    best = max(
        (e for e, ok in zip(row["evidence"], row["proven"], strict=True) if ok), default=max(row["evidence"])
    )
    return f"{best:,.1f}" if best < 1e5 else f"{best:.1e}"


def _proven(row: Mapping[str, Any], resolutions: Sequence[float]) -> str:
    if row["resolution"] is None:
        return "not yet"
    reached = [e for e in resolutions if e >= row["resolution"]]
    return ", ".join(f"{e:g}" for e in reached)


def _percent(share: float | None) -> str:
    return "-" if share is None else percent(share)


def _name(item: object) -> str:
    text = clean(str(item))
    return text if columns(text) <= MOST_NAME else text[: MOST_NAME - 1] + "…"


def group_lines(jury: Mapping[str, Any]) -> list[str]:
    """How far each group of cases agrees with the order shown: an estimate."""
    groups = jury.get("by_group") or ()
    if not groups:
        return []
    wide = max(columns(clean(row["group"]) or "none") for row in groups)
    lines = ["By group of cases (answers that agree with the order, ties half)"]
    return lines + [
        f"  {pad(clean(row['group']) or 'none', wide)}  {percent(row['agreeing']):>6} of {row['answers']:,}"
        for row in groups
    ]


def disagreement_lines(jury: Mapping[str, Any], *, rows: int) -> list[str]:
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
