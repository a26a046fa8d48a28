"""Who took part, one row per judge: for the owner only, since names and a platform's ids are in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from juryrank.storage.plain import seconds_of
from juryrank.study.people.about import AboutPeople
from juryrank.study.people.flags import checks, flags, sides_by_lot
from juryrank.study.people.times import AnswerTimes
from juryrank.study.reading import JudgeRow
from juryrank.study.study import Study
from juryrank.votes.spreadsheets import table_text

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
