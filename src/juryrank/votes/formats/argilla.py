"""Argilla: records as JSON (`dataset.records.to_json`) or flat (`to_list(flatten=True)`), with a question that
picks or ranks two responses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from juryrank.votes.columns import plain
from juryrank.votes.formats.label_studio import names_of
from juryrank.votes.formats.shape import Format, VoteRow, broken, has, vote_row, vote_table
from juryrank.votes.tables import FileContent, FileTable, JsonRow

TITLE = "Argilla"
SIDES = {"1": 1.0, "a": 1.0, "left": 1.0, "first": 1.0, "2": -1.0, "b": -1.0, "right": -1.0, "second": -1.0}
USERS = ".responses.users"  # ends a column of flat records
TIES = ("tie", "equal", "same", "both", "neither", "draw")


def recognises(content: FileContent) -> bool:
    if has(content, "fields", "responses"):
        return isinstance(content.first["responses"], dict)
    return any(isinstance(row.value, dict) and bool(_questions(row.value)) for row in content.beginning)


def _questions(record: Mapping[str, Any]) -> list[str]:
    """The questions of a flat record."""
    return [str(name).removesuffix(USERS) for name in record if str(name).endswith(USERS)]


def _nested(record: Mapping[str, Any]) -> dict[str, Any]:
    """A flat record as it is otherwise written: fields and metadata side by side, answers by question."""
    responses = {}
    for name in _questions(record):
        parts = (record.get(f"{name}.responses{part}") or [] for part in ("", ".users", ".status"))
        responses[name] = [
            {"value": value, "user_id": user, "status": how} for value, user, how in zip_longest(*parts)
        ]
    fields = {name: cell for name, cell in record.items() if "." not in name and name not in ("id", "status")}
    return {"id": record.get("id"), "fields": fields, "responses": responses}


def votes(content: FileContent) -> FileTable:
    return vote_table(TITLE, [vote for row in content.rows for vote in _votes(row)])


def _votes(row: JsonRow) -> Iterator[VoteRow]:
    record = row.value
    if isinstance(record, dict) and _questions(record):
        record = _nested(record)
    if row.problem or not isinstance(record, dict) or not isinstance(record.get("fields"), dict):
        yield broken(row.line, row.problem or "this record has no fields")
        return
    left, right = names_of({**record["fields"], **(record.get("metadata") or {})})
    for question, answers in (record.get("responses") or {}).items():
        for answer in answers or []:
            if (said := _grade(answer.get("value"))) is False:
                continue  # another question, such as a comment or a rating
            problem = "" if left and right else (
                f"its fields ({', '.join(record['fields'])}) do not say which two were compared; name them "
                "response-1 and response-2, and put model_a and model_b into the metadata"
            )  # fmt: skip
            skipped = answer.get("status") == "discarded"
            yield vote_row(
                row.line,
                judge=answer.get("user_id") or "unknown",
                left=left,
                right=right,
                grade=None if skipped else said,
                case=record.get("id"),
                problem=problem,
                comment=question,
            )


def _grade(value: Any) -> Any:
    """Who is better: by a label that ends in the side, or by ranks; False where it is neither.

    >>> _grade("response-2"), _grade([{"value": "response-1", "rank": 1}, {"value": "response-2", "rank": 2}])
    (-1.0, 1.0)
    """
    if isinstance(value, list) and len(value) == 2 and all(isinstance(v, Mapping) and "rank" in v for v in value):
        one, other = value if _grade(value[0]["value"]) == 1.0 else value[::-1]
        return float((other["rank"] > one["rank"]) - (other["rank"] < one["rank"]))
    if not isinstance(value, str):
        return False
    word = plain(value)
    if word in TIES:
        return 0.0
    stems = ("response", "answer", "model", "option", "completion", "text", "output", "")
    return next((grade for side, grade in SIDES.items() for stem in stems if word == stem + side), False)


FORMAT = Format(
    "argilla",
    TITLE,
    "records with fields and responses, whose answers pick or rank response-1 and response-2",
    recognises,
    votes,
    uses=(
        (
            "juryrank fit records.json",
            "scores from questions that pick or rank `response-1` and `response-2`, flat or not",
        ),
    ),
)
