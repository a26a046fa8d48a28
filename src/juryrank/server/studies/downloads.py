"""Files that a study hands out: exports, the report, the certificate."""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from juryrank.errors import UnknownName
from juryrank.log import Event, LogReader, bodies
from juryrank.report import study_report
from juryrank.report.page.document import ShownItem
from juryrank.study import Study
from juryrank.study.archive import ARCHIVE, write_archive
from juryrank.study.people import AboutPeople, participant_rows, participants_csv
from juryrank.votes import FORMATS, export_votes
from juryrank.votes.vote import Outcome, Vote
from juryrank.votes.write import table_text, without_formulas

EXPORTS = (*FORMATS, ARCHIVE)
FORMAT_WORDS = {
    "csv": "For a spreadsheet (CSV)",
    "parquet": "For data frames (Parquet)",
    "votes-jsonl": "For data frames (JSON lines)",
    "jsonl": "The raw log (JSON lines)",
    "crowd-kit": "For crowd-kit (CSV)",
    "lmarena": "As LMArena has it (CSV)",
    "evalica": "For evalica (CSV)",
    ARCHIVE: "Back-up with files (ZIP)",
}
ENDINGS = {"votes-jsonl": "jsonl", "jsonl": "jsonl", "parquet": "parquet"}
LINES = "application/x-ndjson"
TYPES = {"votes-jsonl": LINES, "jsonl": LINES, "parquet": "application/vnd.apache.parquet"}
EXPORT_KINDS = ("text/csv", *dict.fromkeys(TYPES.values()), "application/zip")


def export_file(study: Study, format: str) -> Response:
    """Every answer, in one of the export formats."""
    if format not in EXPORTS:
        raise UnknownName(f"there is no format {format!r}; there are: {', '.join(EXPORTS)}")
    if format == ARCHIVE:
        return _archive(study)
    body = export_votes(study.events(), format=format, study=study.name)
    body = body if format in TYPES else without_formulas(body)
    name = f"{slug(study.name)}-{format}.{ENDINGS.get(format, 'csv')}"
    return attachment(body, name, TYPES.get(format, "text/csv; charset=utf-8"))


def _archive(study: Study) -> Response:
    """Written to the disk first: memory holds one of its files at a time, however large it is."""
    folder = tempfile.TemporaryDirectory(prefix="juryrank-")
    path = Path(folder.name) / "archive"
    try:
        write_archive(study, path)
    except BaseException:
        folder.cleanup()
        raise
    name, after = f"{slug(study.name)}.zip", BackgroundTask(folder.cleanup)
    return FileResponse(path, filename=name, media_type="application/zip", background=after)


def ranking_rows(study: Study, groups: Mapping[str, str]) -> list[dict[str, Any]]:
    """One row per item: rank, promised range, estimate with its interval, group, wins, comparisons."""
    rows, gone = study.ranking().rows(), set(study.log.withdrawn)
    wins: Counter[str] = Counter()
    met: Counter[str] = Counter()
    for left, right, answer in _Standing().walk(study.events()).answers():
        met.update((left, right))
        wins.update({"left": [left], "right": [right]}.get(answer, []))
    return [
        {
            **row,
            "group": groups.get(str(row["item"]), ""),
            "wins": wins[str(row["item"])],
            "comparisons": met[str(row["item"])],
            "withdrawn": "yes" if row["item"] in gone else "",
        }
        for row in rows
    ]


class _Standing(LogReader):
    """The answers that estimates rest on: late ones too, but none that was taken back or discarded."""

    def __init__(self) -> None:
        self._asked: dict[int, bodies.Asked] = {}
        self._said: dict[int, str] = {}

    def answers(self) -> Iterator[tuple[str, str, str]]:
        """Left, right, and which was chosen."""
        return ((self._asked[q].left, self._asked[q].right, said) for q, said in self._said.items())

    def on_asked(self, event: Event, asked: bodies.Asked) -> None:
        self._asked[asked.q] = asked

    def on_told(self, event: Event, told: bodies.Told) -> None:
        if told.answer != "skip":
            self._said[told.q] = told.answer

    def on_retracted(self, event: Event, retracted: bodies.Retracted) -> None:
        self._said.pop(retracted.q, None)

    def on_judge_removed(self, event: Event, removed: bodies.JudgeRemoved) -> None:
        if removed.discard:
            self._said = {q: said for q, said in self._said.items() if self._asked[q].judge != removed.judge}


def ranking_file(study: Study, groups: Mapping[str, str], format: str) -> Response:
    """The ranking as a table, for a spreadsheet (csv) or a program (json)."""
    rows = ranking_rows(study, groups)
    if format == "json":
        return _json_file({"study": study.name, "items": rows}, study, "ranking")
    return table_file(table_text(rows), study.name, "ranking", format)


def participants_file(study: Study, format: str) -> Response:
    """Who took part, for a spreadsheet (csv) or a program (json)."""
    rows = participant_rows(study)
    if format == "json":
        return _json_file({"study": study.name, "participants": rows}, study, "participants")
    return table_file(participants_csv(rows), study.name, "participants", format)


def table_file(table: str, study: str, what: str, format: str = "csv") -> Response:
    """A table of a study, to download."""
    if format != "csv":
        raise UnknownName(f"there is no format {format!r}; there are: csv, json")
    return attachment(table.encode(), f"{slug(study)}-{what}.csv", "text/csv; charset=utf-8")


def _json_file(document: object, study: Study, what: str) -> Response:
    body = json.dumps(document, ensure_ascii=False, indent=1, default=str).encode()
    return attachment(body, f"{slug(study.name)}-{what}.json", "application/json")


def comment_rows(study: Study, votes: Mapping[int, Vote]) -> list[dict[str, str]]:
    """What people wrote about their choices, newest first: about which pair, what they chose, and who it was."""
    people, rows = study.people(), []
    for one in AboutPeople(study.storage, study.id).comments():
        vote = votes[one["q"]]
        if vote.outcome is Outcome.RETRACTED:
            chosen = other = ""
        else:
            chosen = vote.winner or str(vote.outcome)
            other = " · ".join(item for item in (vote.left, vote.right) if item != vote.winner)
        who = people[one["judge"]].name if one["judge"] in people else one["judge"]
        rows.append({"comment": one["words"], "chosen": chosen, "other": other, "person": who})
    return rows


def comments_file(study: Study, votes: Mapping[int, Vote]) -> Response:
    """All comments, for a spreadsheet."""
    columns = ("comment", "chosen", "other", "person")
    return table_file(table_text(comment_rows(study, votes), otherwise=columns), study.name, "comments")


def certificate_file(study: Study) -> Response:
    """The result with every event behind it, for `juryrank verify`."""
    return _json_file(study.certificate(), study, "certificate")


def report_file(
    study: Study, shown: Mapping[str, ShownItem], *, names: bool = False, labels: Mapping[str, str] | None = None
) -> Response:
    """One page that opens offline; it can be shared, as people appear under their pseudonyms, and items whose
    names are for the owner alone under their `labels`."""
    body = study_report(study, names=names, shown=shown, items=labels).encode()
    ending = "report-with-names" if names else "report"
    return attachment(body, f"{slug(study.name)}-{ending}.html", "text/html; charset=utf-8")


def slug(name: str) -> str:
    """A study's name as part of a file name.

    >>> slug("Käse & Wein/2026")
    'K-se-Wein-2026'
    """
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:60] or "study"


def attachment(body: bytes, name: str, kind: str) -> Response:
    """A file to keep."""
    return Response(body, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
