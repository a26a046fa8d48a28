"""lm-evaluation-harness: `MODEL/samples_TASK_DATE.jsonl`, one per model and task; the folder names the model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from juryrank.votes.formats.shape import Format, Output, has
from juryrank.votes.tables import FileContent

FILE_NAME = re.compile(r"samples_(.+?)(_\d{4}-\d\d-\d\dT[^_]*)?$")


def recognises(content: FileContent) -> bool:
    return has(content, "doc_id", "doc", "resps")


def outputs(content: FileContent) -> Iterator[Output]:
    path = content.path
    system = path.resolve().parent.name if path is not None else "model"
    name = FILE_NAME.match(path.stem) if path is not None else None
    seen: dict[str, Any] = {}
    for row in content.rows:
        cell = row.value
        case, said = str(cell["doc_id"]), _said(cell)
        if case in seen and seen[case] == cell["resps"]:  # the same answer, scored through another filter
            continue
        seen[case] = cell["resps"]
        yield Output(system, case, said, _asked(cell)[0], name[1] if name else "")


def _asked(cell: Mapping[str, Any]) -> tuple[Any, list[Any]]:
    """The context, and the continuations where there are several to choose from."""
    given = cell.get("arguments")
    rows = [list(row.values()) for row in given.values()] if isinstance(given, Mapping) else (given or [])
    rows = [row if isinstance(row, list) else [row] for row in rows]
    return (rows[0][0] if rows else cell["doc"]), [row[1] if len(row) > 1 else None for row in rows]


def _said(cell: Mapping[str, Any]) -> Any:
    """The text generated; of log-likelihoods the continuation with the largest."""
    answers = [answer[0] if isinstance(answer, list) and answer else answer for answer in cell["resps"]]
    if answers and all(isinstance(answer, list | tuple) for answer in answers):
        choices = _asked(cell)[1]
        likely = max(range(len(answers)), key=lambda k: float(answers[k][0]))
        return choices[likely] if likely < len(choices) else None
    return answers[0] if answers else None


FORMAT = Format(
    "lm-eval",
    "lm-evaluation-harness",
    "rows with doc_id, doc, arguments, resps",
    recognises,
    outputs=outputs,
    uses=(
        (
            "juryrank rank results --judges judges.toml",
            "a claim; folders name the models, tasks are groups of cases",
        ),
    ),
)
