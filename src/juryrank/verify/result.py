"""The `result` of a certificate: promises and counts, each a function of the raw events alone.

{"ranker", "error",
 "proven":     is the objective that was asked for proven?
 "refuted":    is it proven that what was required does not hold?
 "certified":  is the whole order proven?          "order": that order; null while it is not
 "claims":     [[better, worse, level], ...]       "ranges": [[item, best rank, worst rank], ...]
 "promise":    what is claimed, as data (see `statements`, which makes sentences of it); null after a change
 "post_hoc":   was something chosen after answers had been seen?
 "counts":     events, items, judges, asked, chosen, ties, skips, expired, late, undone, taken_back
 "judges":     the same for each judge             "details": what only this ranker promises or counts
 "missing":    answers that the promise does without, and whether it would stand had all gone against it
 "withdrawn":  items that nobody is asked about any more, where there are any
 "aside":      answers that never count (gold pairs, models in a study about people), where there are any}
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from juryrank.quoting import in_sentence
from juryrank.verify.record import Record
from juryrank.verify.record.conduct import counts, judge_rows, sentences, totals
from juryrank.verify.record.gold import GoldScore
from juryrank.verify.record.record import Aside
from juryrank.verify.report import Finding

POST_HOC = "Post-hoc: something was chosen after answers had been seen, so this promises nothing."

SET_ASIDE = (
    "By the rule for gold pairs, judge {judge} counts as wrong more often than right "
    "({right} of {decided} right); of judges who are right half of the time it meets up to 1 in 20."
)


@dataclass(frozen=True, slots=True)
class ComputedResult:
    """What was found, the `result` that follows, and what it says in words."""

    finding: Finding
    result: dict[str, Any]
    statement: str
    post_hoc: tuple[str, ...]


def outcome_of(record: Record, finding: Finding) -> ComputedResult:
    """The result that the events give."""
    rows = judge_rows(record)
    total = counts(record, rows)
    finding = _allowed(record, finding)
    promised = finding.proven or bool(finding.claims) or finding.narrowed or finding.refuted
    missing = finding.missing if promised else None
    falls = [missing.words] if missing is not None and not missing.stands else []
    more = besides(record) if promised else []
    said = POST_HOC if finding.promise is None else finding.promise.words
    finding = replace(finding, missing=missing)
    result = {
        "ranker": record.settings["ranker"],
        "error": record.settings["error"],
        "proven": finding.proven,
        "refuted": finding.refuted,
        "certified": finding.order is not None,
        "order": None if finding.order is None else list(finding.order),
        "claims": [list(claim) for claim in finding.claims],
        "ranges": [[item, best, worst] for item, (best, worst) in finding.ranges.items()],
        "promise": None if finding.promise is None else finding.promise.to_json(),
        "post_hoc": bool(record.edits),
        "counts": total,
        "judges": rows,
        "details": dict(finding.details),
        **({"missing": asdict(missing)} if missing is not None else {}),
        **({"withdrawn": sorted(record.withdrawn)} if record.withdrawn else {}),
        **({"aside": aside_rows(record)} if record.asides else {}),
    }
    return ComputedResult(finding, result, " ".join([said, *falls, *more]), tuple(record.edits))


def besides(record: Record) -> list[str]:
    """What a statement says besides the promise: what judges left out or changed, and gold pairs against them."""
    rows = judge_rows(record)
    return [*sentences(rows, totals(rows), str(record.settings["ranker"])), *gold_words(record)]


def _allowed(record: Record, finding: Finding) -> Finding:
    """Nothing is promised after an edit."""
    if not record.edits:
        return finding
    details = finding.details if not finding.refuted else {**finding.details, "refuted": []}
    return replace(
        finding,
        proven=False,
        order=None,
        claims=(),
        ranges={},
        promise=None,
        refuted=False,
        links=(),
        narrowed=False,
        details=details,
    )


# ----------------------------------------------------------------------------
# What gold pairs say against judges: they may refute one, and never support a claim.
def aside_rows(record: Record) -> list[dict[str, Any]]:
    """A row for each judge who answered something that never counts."""
    rows = []
    for judge, answers in record.asides.items():
        gold = record.gold.get(judge, GoldScore())
        row = {"judge": judge, "answers": len(answers), "gold_decided": gold.decided, "gold_right": gold.right}
        rows.append({**row, "refuted_at": record.refuted.get(judge)})
    return rows


def gold_words(record: Record) -> list[str]:
    """What gold pairs say against judges, for the statement."""
    words = []
    for judge, seq in record.refuted.items():
        then = _score(said for said in record.asides[judge] if said.seq <= seq)
        words.append(SET_ASIDE.format(judge=in_sentence(judge), right=then.right, decided=then.decided))
    return words


def _score(answers: Iterable[Aside]) -> GoldScore:
    found = GoldScore()
    for said in answers:
        if said.better is not None:
            found.add(said.pair, said.answer, said.better)
    return found
