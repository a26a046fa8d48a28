"""What is known about the people of a study, beside its log and erasable.

Parameters of a crowd platform, consent, answers to the questionnaire, by the judge's pseudonym; how many came from
one network address at once; one row per judge as a table, and what is odd about their answers: shown, never acted
upon.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Any

from juryrank.core.watches import chooses_by_side
from juryrank.defaults import (
    BURST_FEWEST,
    BURST_MINUTES,
    BURST_SHARE,
    CHECKS_SHARE,
    FAST_FEWEST,
    FAST_SECONDS,
    MOST_COMMENT,
)
from juryrank.log import Event, LogReader, bodies
from juryrank.storage.base import Storage
from juryrank.storage.values import seconds_of
from juryrank.votes.write import table_text

if TYPE_CHECKING:
    from juryrank.study.reading import JudgeRow
    from juryrank.study.study import Study

JUDGE_NOTE = "judge/"  # what the pages remember of a judge: own work, attention checks
ABOUT_NOTE, ID_NOTE, COMMENT_NOTE = "person/", "person-id/", "comment/"
NETWORK_KEY = "network-key"  # what network addresses are hashed with, until the study closes
OTHERS_SECONDS = 0.05  # how long another process may take between looking for an id and claiming it

_claiming = threading.Lock()


class AboutPeople:
    """What is known about the people of one study."""

    def __init__(self, storage: Storage, study: int) -> None:
        self._storage, self._study = storage, study

    def of(self, judge: str) -> dict[str, Any]:
        """Everything about one judge: `parameters`, `consent_at`, `before`, `after`."""
        return dict(self._storage.note(ABOUT_NOTE + judge, study=self._study) or {})

    def all(self) -> dict[str, dict[str, Any]]:
        found = self._storage.notes(ABOUT_NOTE, study=self._study)
        return {key.removeprefix(ABOUT_NOTE): dict(value) for key, value in found.items()}

    def add(self, judge: str, facts: Mapping[str, Any]) -> None:
        """Keep these facts beside what is known already; empty ones are not kept."""
        kept = {key: value for key, value in facts.items() if value}
        if kept:
            self._storage.set_note(ABOUT_NOTE + judge, {**self.of(judge), **kept}, study=self._study)

    def pages_notes(self) -> dict[str, dict[str, Any]]:
        """What the pages remember of each judge."""
        found = self._storage.notes(JUDGE_NOTE, study=self._study)
        return {key.removeprefix(JUDGE_NOTE): dict(value) for key, value in found.items()}

    # ------------------------------------------------------------------ what they said about a choice
    def comment(self, judge: str, question: int, words: str) -> None:
        """Keep what a judge said about an answer, in the place of what was said before; empty: nothing."""
        kept = {"judge": judge, "q": question, "words": words.strip()[:MOST_COMMENT]} if words.strip() else None
        self._storage.set_note(f"{COMMENT_NOTE}{judge}/{question}", kept, study=self._study)

    def comments(self) -> list[dict[str, Any]]:
        """All comments: `judge`, `q`, `words`; newest question first."""
        found = self._storage.notes(COMMENT_NOTE, study=self._study).values()
        return sorted(map(dict, found), key=lambda one: -int(one["q"]))

    # ------------------------------------------------------------------ ids of a platform
    def judge_of(self, identity: str) -> str | None:
        """The judge whom a platform knows by this id."""
        found = self._storage.note(_key(identity), study=self._study)
        return None if found is None else str(found)

    def claim(self, identity: str, judge: str) -> str:
        """The judge of this id from now on: `judge`, unless another has it already. Two tabs get the same one."""
        with _claiming:
            known = self.judge_of(identity)
            if known is None:
                self._storage.set_note(_key(identity), judge, study=self._study)
        if known is None:
            time.sleep(OTHERS_SECONDS)  # another process may have looked before we wrote, and written after
            known = self.judge_of(identity)
        return known or judge

    def release(self, identity: str, judge: str) -> None:
        """The judge who claimed this id could not join after all."""
        if self.judge_of(identity) == judge:
            self._storage.set_note(_key(identity), None, study=self._study)

    def erase(self, judge: str) -> bool:
        """Forget everything about a judge, with the platform's ids; False: nothing was known."""
        known = self._storage.note(ABOUT_NOTE + judge, study=self._study) is not None
        for key, said in self._storage.notes(COMMENT_NOTE, study=self._study).items():
            if said["judge"] == judge:
                self._storage.set_note(key, None, study=self._study)
                known = True
        for key, value in self._storage.notes(ID_NOTE, study=self._study).items():
            if value == judge:
                self._storage.set_note(key, None, study=self._study)
        self._storage.set_note(ABOUT_NOTE + judge, None, study=self._study)
        return known


def _key(identity: str) -> str:
    return ID_NOTE + hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()


# ----------------------------------------------------------------------------
# People who came from one network address: a school class, an office, or one person with many ballots.
#
# Of an address only a keyed hash is kept, with what else is known about a person (`about`), and erased with it.
# It is in no log, no export and no certificate: what is said is how many shared one, never which.
NETWORK, CAME_AT = "network", "came_at"  # what is kept about a person


def burst_words(people: Iterable[Mapping[str, Any]]) -> str:
    """The largest burst from one address, as a sentence; empty: there is none worth mentioning.

    >>> from juryrank.storage.values import utc
    >>> class_of_30 = [{"network": "n1", "came_at": utc(10.0 * k)} for k in range(30)]
    >>> burst_words([*class_of_30, {"network": "n2", "came_at": utc(0)}])
    '30 of the 31 people who came by the open link began at one network address within 10 minutes.'
    """
    began: dict[str, list[float]] = {}
    for one in people:
        if one.get(NETWORK):
            began.setdefault(one[NETWORK], []).append(seconds_of(one[CAME_AT]))
    everybody = sum(map(len, began.values()))
    most = max((_most_at_once(sorted(times)) for times in began.values()), default=0)
    if most < BURST_FEWEST or most < BURST_SHARE * everybody:
        return ""
    return (
        f"{most:,} of the {everybody:,} people who came by the open link began at one network address within "
        f"{BURST_MINUTES} minutes."
    )


def network_words(storage: Storage, study: int) -> tuple[str, ...]:
    """What is to be said beside a study's result about where its people came from."""
    words = burst_words(AboutPeople(storage, study).all().values())
    return (words,) if words else ()


def _most_at_once(times: list[float]) -> int:
    first = most = 0
    for last, at in enumerate(times):
        while at - times[first] > 60 * BURST_MINUTES:
            first += 1
        most = max(most, last - first + 1)
    return most


# ----------------------------------------------------------------------------
# When each judge began and how fast they answered, as the log tells; and whose answers were discarded


@dataclass(slots=True)
class AnswerTimes(LogReader):
    """Read once from a log; `walk` goes on from the last event seen."""

    started: dict[str, str] = field(default_factory=dict)  # when the first question went out
    times: dict[str, list[float]] = field(default_factory=dict)  # seconds per answer, as the pages measured them
    excluded: set[str] = field(default_factory=set)  # whose answers the owner discarded
    _judge: dict[int, str] = field(default_factory=dict)

    def on_asked(self, event: Event, asked: bodies.Asked) -> None:
        self._judge[asked.q] = asked.judge
        self.started.setdefault(asked.judge, event.at or "")

    def on_told(self, event: Event, told: bodies.Told) -> None:
        judge = self._judge.pop(told.q, None)
        if told.response_time is not None and judge is not None:
            self.times.setdefault(judge, []).append(float(told.response_time))

    def on_judge_removed(self, event: Event, removed: bodies.JudgeRemoved) -> None:
        if removed.discard:
            self.excluded.add(removed.judge)

    def median_time(self, judge: str) -> float | None:
        times = self.times.get(judge)
        return median(times) if times else None


# ----------------------------------------------------------------------------
# Who took part, one row per judge: for the owner only, since names and a platform's ids are in it
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


def sides_by_lot(created: Mapping[str, Any]) -> bool:
    """Did juryrank draw the sides? Nobody knows how another program, whose votes were imported, chose them."""
    return not (created.get("settings") or {}).get("imported")


def flags(
    row: JudgeRow, *, place: int, median_time: float | None, note: Mapping[str, Any], by_lot: bool = True
) -> list[str]:
    """The flags of the judge at this place of the list, from 1 on.

    `note`: what the pages remember of them; `by_lot`: sides were drawn.

    "One side" is the monitor's test of sides; the others are counts.

    >>> from juryrank.study.reading import JudgeRow
    >>> from juryrank.types import JudgeReport
    >>> row = JudgeRow(JudgeReport("ann", 20, 20, None, None, None, True, ""), left=23, right=1)
    >>> flags(row, place=2, median_time=0.8, note={})
    ['too fast', 'mostly one side']
    """
    chosen = row.left + row.right
    odd = {
        "too fast": median_time is not None and chosen >= FAST_FEWEST and median_time < FAST_SECONDS,
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
    """Were too few of the attention checks passed?"""
    passed, given = checks(note)
    return passed < CHECKS_SHARE * given
