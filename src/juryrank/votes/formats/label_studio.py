"""Label Studio: a project with a Pairwise control, exported as JSON or JSON-MIN. Data may name the two: model_a,
model_b."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from juryrank.votes.columns import NAMES, plain
from juryrank.votes.formats.shape import Format, VoteRow, broken, has, vote_row, vote_table
from juryrank.votes.tables import FileContent, FileTable, JsonRow

TITLE = "Label Studio"
GRADES = {"left": 1.0, "right": -1.0}


def recognises(content: FileContent) -> bool:
    if has(content, "annotation_id", "annotator"):
        return any(_chosen(row.value) for row in content.beginning)
    return has(content, "data", "annotations") and any(_pairwise(row.value) for row in content.beginning)


def _chosen(row: Any) -> Any:
    """What a row of JSON-MIN says of a pair: the one value that is a choice of a side."""
    for value in row.values() if isinstance(row, dict) else ():
        value = value[0] if isinstance(value, list) and len(value) == 1 else value
        if isinstance(value, dict) and "selected" in value:
            return value["selected"]
    return None


def _pairwise(task: Any) -> list[tuple[Mapping[str, Any], Mapping[str, Any] | None]]:
    """Each annotation of a task with its pairwise result; None where it has none."""
    notes = task.get("annotations") or [] if isinstance(task, dict) else []
    found = [(n, [r for r in n.get("result") or [] if r.get("type") == "pairwise"]) for n in notes]
    return [(n, results[0] if results else None) for n, results in found]


def votes(content: FileContent) -> FileTable:
    return vote_table(TITLE, [vote for row in content.rows for vote in _votes(row)])


def _votes(row: JsonRow) -> Iterator[VoteRow]:
    if isinstance(row.value, dict) and "annotation_id" in row.value and not row.problem:
        own = {**row.value, "completed_by": row.value.get("annotator")}
        yield _vote(row.line, own, row.value, said=_chosen(row.value))
        return
    if row.problem or not isinstance(row.value, dict) or not isinstance(row.value.get("data"), dict):
        yield broken(row.line, row.problem or "this task has no data")
        return
    task = row.value
    for note, result in _pairwise(task):
        shown = str((result or {}).get("to_name") or "").split(",")
        said = None if result is None else (result.get("value") or {}).get("selected") or ""
        yield _vote(row.line, note, task["data"], said=said, shown=shown, case=task.get("id"))


def _vote(
    line: int,
    note: Mapping[str, Any],
    data: Mapping[str, Any],
    *,
    said: Any,
    shown: Sequence[str] = (),
    case: Any = None,
) -> VoteRow:
    """One annotation; `said` is None where neither side was chosen."""
    left, right = names_of(data, shown)
    who = note.get("completed_by")
    return vote_row(
        line,
        judge=who.get("email", who.get("id")) if isinstance(who, Mapping) else who or "unknown",
        left=left,
        right=right,
        grade=None if note.get("was_cancelled") else 0.0 if said is None else GRADES.get(str(said)),
        case=data.get("id") if case is None else case,
        answered_at=note.get("created_at"),
        response_time=note.get("lead_time"),
        problem="" if left and right else _unnamed(data),
    )


def names_of(data: Mapping[str, Any], shown: Sequence[str] = ()) -> tuple[Any, Any]:
    """What the two are called: by a column that names models, else what was shown, else a usual column."""
    own = {plain(str(name)): name for name in data}
    for first, second in (
        ("modela", "modelb"),
        ("model1", "model2"),
        ("systema", "systemb"),
        ("generator1", "generator2"),
    ):
        if first in own and second in own:
            return data[own[first]], data[own[second]]
    if len(shown) == 2 and all(name.strip() in data for name in shown):
        return data[shown[0].strip()], data[shown[1].strip()]
    usual = zip(NAMES["left"], NAMES["right"], strict=False)
    pairs = [*((plain(a), plain(b)) for a, b in usual), ("text1", "text2"), ("response1", "response2")]
    a, b = next(((a, b) for a, b in pairs if a in own and b in own), ("", ""))
    return (data[own[a]], data[own[b]]) if a else ("", "")


def _unnamed(data: Mapping[str, Any]) -> str:
    return f"its data ({', '.join(map(str, data))}) does not say which two were compared; add model_a and model_b"


FORMAT = Format(
    "label-studio",
    TITLE,
    "tasks with data and annotations, whose results have the type pairwise (or JSON-MIN with what was selected)",
    recognises,
    votes,
    uses=(
        (
            "juryrank fit export.json",
            "scores, of JSON and JSON-MIN; a cancelled task is a refusal, and one left without a choice is a tie",
        ),
    ),
)
