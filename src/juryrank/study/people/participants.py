"""Who took part, one row per judge: for the owner only, since names and a platform's ids are in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from juryrank.core.watches import chooses_by_side
from juryrank.storage.values import seconds_of
from juryrank.study.people.about import AboutPeople
from juryrank.study.people.times import AnswerTimes
from juryrank.study.reading import JudgeRow
from juryrank.study.study import Study
from juryrank.votes.write import table_text

# Columns that every study has, before and after those of its platform and its questionnaire.
WHO = ("participant", "name")
WHAT = (
    "state", "consent_at", "started_at", "last_answer_at", "minutes", "answered", "left", "right", "ties", "skips",
    "late", "left_share", "median_seconds", "checks_passed", "checks_given", "flags",
)  # fmt: skip


def participant_rows(study: Study) -> list[dict[str, Any]]:
    """Every judge: parameters, consent, what they did and when, flags, answers to the questionnaire."""
    about = AboutPeople(study.storage, study.id)
    known, notes, people = about.all(), about.pages_notes(), study.people()
    times = AnswerTimes().walk(study.events())
    rows = study.progress().judges
    parameters = _names(known.values(), "parameters")
    questions = [(part, name) for part in ("before", "after") for name in _names(known.values(), part)]
    columns = _headings(questions, taken=(*WHO, *parameters, *WHAT))
    found = []
    for place, row in enumerate(rows, 1):
        judge = str(row.report.name)
        facts = known.get(judge, {})
        person = people.get(judge)
        found.append(
            {
                "participant": judge,
                "name": person.name if person else "",
                **{name: (facts.get("parameters") or {}).get(name, "") for name in parameters},
                **_done(row, facts, notes.get(judge, {}), times),
                "flags": "; ".join(
                    flags(
                        row,
                        place=place,
                        median_time=times.median_time(judge),
                        note=notes.get(judge, {}),
                        by_lot=sides_by_lot(study.created),
                    )
                ),
                **{columns[part, name]: (facts.get(part) or {}).get(name, "") for part, name in questions},
            }
        )
    return found


def participants_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows as CSV."""
    return table_text(rows, otherwise=[*WHO, *WHAT])


def _done(row: JudgeRow, facts: Mapping[str, Any], note: Mapping[str, Any], times: AnswerTimes) -> dict[str, Any]:
    judge, chosen = str(row.report.name), row.left + row.right
    started, seconds = times.started.get(judge, ""), times.median_time(judge)
    passed, given = checks(note)
    return {
        "state": _state(row, excluded=judge in times.excluded, started=bool(started)),
        "consent_at": facts.get("consent_at", ""),
        "started_at": started,
        "last_answer_at": row.last_at or "",
        "minutes": _minutes(started, row.last_at),
        "answered": chosen + row.ties + row.skips,
        "left": row.left,
        "right": row.right,
        "ties": row.ties,
        "skips": row.skips,
        "late": row.late,
        "left_share": round(row.left / chosen, 3) if chosen else "",
        "median_seconds": "" if seconds is None else round(seconds, 2),
        "checks_passed": passed,
        "checks_given": given,
    }


def _state(row: JudgeRow, *, excluded: bool, started: bool) -> str:
    """`excluded`: the owner discarded their answers, which the log says and the result as well."""
    if excluded:
        return "excluded"
    if row.removed:
        return "removed"
    if row.paused:
        return "paused"
    return "started" if started else "invited"


def _minutes(started: str, last: str | None) -> float | str:
    return round((seconds_of(last) - seconds_of(started)) / 60, 2) if started and last else ""


def _names(facts: Iterable[Mapping[str, Any]], part: str) -> list[str]:
    return list(dict.fromkeys(name for one in facts for name in one.get(part) or {}))


def _headings(questions: Sequence[tuple[str, str]], *, taken: Iterable[str]) -> dict[tuple[str, str], str]:
    """A heading per question: its words, made unique where another column has them already."""
    used, made = set(taken), {}
    for part, name in questions:
        heading, k = name, 2
        while heading in used:
            heading, k = f"{name} ({k})", k + 1
        used.add(heading)
        made[part, name] = heading
    return made


# ----------------------------------------------------------------------------
# Flags for odd-looking answers: shown to the owner, never acted upon.
FEW = 8  # choices below which nothing is said about time
FAST_SECONDS = 1.0  # nobody reads two items in less


def sides_by_lot(created: Mapping[str, Any]) -> bool:
    """Did juryrank draw the sides? Nobody knows how another program, whose votes were imported, chose them."""
    return not (created.get("settings") or {}).get("imported")


def flags(
    row: JudgeRow, *, place: int, median_time: float | None, note: Mapping[str, Any], by_lot: bool = True
) -> list[str]:
    """The flags of the judge at this place of the list, from 1 on.

    `note`: what the pages remember of them; `by_lot`: sides were drawn.

    "One side" is the monitor's test of sides; the others are counts.

    >>> from juryrank.types import JudgeReport
    >>> row = JudgeRow(JudgeReport("ann", 20, 20, None, None, None, True, ""), left=23, right=1)
    >>> flags(row, place=2, median_time=0.8, note={})
    ['too fast', 'mostly one side']
    """
    chosen = row.left + row.right
    odd = {
        "too fast": median_time is not None and chosen >= FEW and median_time < FAST_SECONDS,
        "mostly one side": by_lot and chooses_by_side(row.left, row.right, place=place),
        "checks failed": checks_failed(note),
    }
    return [words for words, found in odd.items() if found]


def checks(note: Mapping[str, Any]) -> tuple[int, int]:
    """How many attention checks were passed, and how many were given.

    >>> checks({"checks": {"check-1": {"answer": "left", "right": True}}})
    (1, 1)
    """
    given = list((note.get("checks") or {}).values())
    return sum(bool(one["right"]) for one in given), len(given)


def checks_failed(note: Mapping[str, Any]) -> bool:
    """Were fewer than half of the attention checks passed?"""
    passed, given = checks(note)
    return 2 * passed < given
