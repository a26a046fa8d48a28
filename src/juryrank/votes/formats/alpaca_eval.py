"""AlpacaEval: `model_outputs.json` (instruction, output, generator), `annotations.json` (preference, 1 to 2)."""

from __future__ import annotations

from collections.abc import Iterator

from juryrank.votes.formats.shape import CaseNames, Format, Output, VoteRow, broken, has, vote_row, vote_table
from juryrank.votes.tables import FileContent, FileTable, JsonRow

TITLE = "AlpacaEval"
BOTH = ("instruction", "output_1", "output_2", "generator_1", "generator_2")


def recognises(content: FileContent) -> bool:
    return has(content, "instruction", "output", "generator") or has(content, *BOTH, "preference")


def votes(content: FileContent) -> FileTable | None:
    """Graded votes. Which output was shown first is drawn by AlpacaEval and not recorded."""
    if not has(content, *BOTH):
        return None
    names = CaseNames()
    return vote_table(TITLE, [_vote(row, names) for row in content.rows], sided=False)


def _vote(row: JsonRow, names: CaseNames) -> VoteRow:
    if row.problem or not isinstance(row.value, dict) or not {*BOTH} <= row.value.keys():
        return broken(row.line, row.problem or f"this row lacks one of {', '.join(BOTH)}")
    cell, said = row.value, row.value.get("preference")
    grade, problem = None, ""
    if said == 0:  # how older annotators write a draw
        grade = 0.0
    elif isinstance(said, int | float) and 1 <= said <= 2:
        grade = round(3 - 2 * said, 9)
    elif said is not None and said == said:  # neither null nor NaN: those are refusals
        problem = f"the preference is {said!r}; AlpacaEval's go from 1 (output_1) to 2 (output_2)"
    left, right = cell["generator_1"], cell["generator_2"]
    judge = cell.get("annotator") or "annotator"
    return vote_row(
        row.line,
        judge=judge,
        left=left,
        right=right,
        grade=grade,
        case=names.name(cell["instruction"], of=(judge, left, right), row=cell),
        problem=problem,
        length_left=len(str(cell["output_1"])),
        length_right=len(str(cell["output_2"])),
        cost=cell.get("price_per_example"),
        response_time=cell.get("time_per_example"),
    )


def outputs(content: FileContent) -> Iterator[Output]:
    """The outputs, also those that stand in annotations."""
    names = CaseNames()
    for row in content.rows:
        cell = row.value
        for n in ("", "_1", "_2"):
            if f"generator{n}" in cell and f"output{n}" in cell:
                system, other = str(cell[f"generator{n}"]), cell.get("generator_2" if n == "_1" else "generator_1")
                given, twice = cell["instruction"], cell if n else None  # annotations written twice add no cases
                case = names.name(given, of=(system, other, cell.get("annotator")), row=twice)
                yield Output(system, case, cell[f"output{n}"], given, group=cell.get("dataset"), again=bool(n))


FORMAT = Format(
    "alpaca-eval",
    TITLE,
    "rows with instruction, output, generator; or with output_1, output_2, generator_1, generator_2, preference",
    recognises,
    votes,
    outputs,
    uses=(
        ("juryrank fit annotations.json", "scores; a `null` preference is a refusal, never a tie"),
        (
            "juryrank rank new/model_outputs.json old/model_outputs.json --judges judges.toml",
            "a claim about two systems on all instructions",
        ),
    ),
)
