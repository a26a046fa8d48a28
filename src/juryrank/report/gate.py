"""A gate for builds: how a ranking ended, as an exit code, as a summary in Markdown and as a JUnit file.

PROVEN 0        what was asked for is proven             REFUTED 4    what was required is proven not to hold
NOT_PROVEN 3    neither, within the budget               NOT_ASKED 5  judges could not be asked
"""

from __future__ import annotations

import enum
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from typing import Any

from juryrank.quoting import visible
from juryrank.report.view import view_of
from juryrank.report.words.formats import clean, percent
from juryrank.report.words.jury import interval_words
from juryrank.statements.details import JuryDetails
from juryrank.types import Ranking

MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~])")
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class GateOutcome(enum.IntEnum):
    """How it ended; the number is the exit code."""

    PROVEN = 0
    NOT_PROVEN = 3
    REFUTED = 4
    NOT_ASKED = 5

    @property
    def words(self) -> str:
        """As a person says it.

        >>> GateOutcome.NOT_ASKED.words
        'judges could not be asked'
        """
        return WORDS[self]


WORDS = {
    GateOutcome.PROVEN: "proven",
    GateOutcome.NOT_PROVEN: "not proven",
    GateOutcome.REFUTED: "refuted",
    GateOutcome.NOT_ASKED: "judges could not be asked",
}
MARKS = {
    GateOutcome.PROVEN: "✅",
    GateOutcome.NOT_PROVEN: "❔",
    GateOutcome.REFUTED: "❌",
    GateOutcome.NOT_ASKED: "⚠️",
}


def outcome_of(ranking: Ranking, problem: str | None = None) -> GateOutcome:
    """How a ranking ended; `problem`: why nobody could be asked any more."""
    if ranking.proven:
        return GateOutcome.PROVEN
    if ranking.refuted:
        return GateOutcome.REFUTED
    return GateOutcome.NOT_ASKED if problem else GateOutcome.NOT_PROVEN


# ----------------------------------------------------------------------------
# Markdown: for a job's summary or a comment
def summary(ranking: Ranking, *, problem: str | None = None, title: str = "", cost: float | None = None) -> str:
    """What was claimed and what came of it, the share with its interval, calls and money, five cases."""
    outcome, view = outcome_of(ranking, problem), view_of(ranking, title=title)
    jury = ranking.details.jury
    answered = any(judge.answered for judge in ranking.judges)
    headline = view.title if answered or ranking.proven else outcome.words
    parts = [f"### {MARKS[outcome]} {escape(headline)}"]
    if problem:
        parts.append(escape(problem))
    parts += [_claims(jury), f"{escape(view.subtitle.split('  ')[0])}{_money(cost)}", *_cases(jury)]
    if ranking.proven or ranking.refuted or (answered and not ranking.post_hoc):
        parts.append(f"> {escape(ranking.statement)}")
    return "\n\n".join(filter(None, parts)) + "\n"


def escape(text: object) -> str:
    """A text as Markdown shows it, on one line.

    >>> escape("a|b <c>")
    'a\\\\|b \\\\<c\\\\>'
    """
    return MARKDOWN.sub(r"\\\1", visible(" ".join(str(text).split())))


def _money(cost: float | None) -> str:
    return "" if cost is None else f" Cost: {cost:.4g}."


def _claims(jury: JuryDetails) -> str:
    rows = [
        (
            f"{_name(row['better'])} over {_name(row['worse'])}",
            _ended(row),
            interval_words(row),
            f"{row['calls']:,}",
        )
        for row in jury.get("claims") or ()
    ]
    return _table(("claim", "outcome", "share (estimate, 90 % interval)", "calls"), rows)


def _ended(row: Mapping[str, Any]) -> str:
    if row.get("refuted"):
        return "refuted"
    return "not proven" if row["resolution"] is None else "proven"


def _cases(jury: JuryDetails) -> list[str]:
    """Of each claim with cases to show: where the two differ most."""
    found = []
    for claim in jury.get("claims") or ():
        rows = [
            (escape(row["case"]), percent(row["share"]), f"{row['answers']:,}") for row in claim.get("cases", ())
        ]
        if rows:
            better, worse = _name(claim["better"]), _name(claim["worse"])
            found.append(f"Where {better} and {worse} differ most, of the cases asked (an estimate):")
            found.append(_table(("case", f"{better} preferred", "answers"), rows))
    return found


def _name(item: object) -> str:
    return escape(clean(str(item)))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


# ----------------------------------------------------------------------------
# JUnit: a test case for each claim
def junit(ranking: Ranking, *, problem: str | None = None, title: str = "", cost: float | None = None) -> str:
    """One test case per required claim, or one for what was asked for; what is not proven failed."""
    outcome = outcome_of(ranking, problem)
    jury = ranking.details.jury
    rows = list(jury.get("claims") or ()) if jury.get("objective") == "require" else []
    cases = [(f"{row['better']} over {row['worse']}", _of_claim(row, outcome)) for row in rows]
    cases = cases or [(str(ranking.details.objective or "order"), outcome)]
    failures = sum(ended in (GateOutcome.NOT_PROVEN, GateOutcome.REFUTED) for _, ended in cases)
    errors = sum(ended is GateOutcome.NOT_ASKED for _, ended in cases)
    suite = ET.Element(
        "testsuite", name="juryrank", tests=str(len(cases)), failures=str(failures), errors=str(errors)
    )
    text = summary(ranking, problem=problem, title=title, cost=cost)
    for name, ended in cases:
        case = ET.SubElement(suite, "testcase", classname=_xml(title) or "juryrank", name=_xml(name))
        if ended is not GateOutcome.PROVEN:
            kind = "error" if ended is GateOutcome.NOT_ASKED else "failure"
            ET.SubElement(case, kind, type=ended.name.lower(), message=_xml(problem or ended.words)).text = _xml(
                text
            )
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _of_claim(row: Mapping[str, Any], outcome: GateOutcome) -> GateOutcome:
    if row["resolution"] is not None:
        return GateOutcome.PROVEN
    if row.get("refuted"):
        return GateOutcome.REFUTED
    return GateOutcome.NOT_ASKED if outcome is GateOutcome.NOT_ASKED else GateOutcome.NOT_PROVEN


def _xml(text: str) -> str:
    """Without the characters that XML does not have."""
    return NOT_XML.sub("\ufffd", text)
