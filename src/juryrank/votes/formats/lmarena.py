"""LMArena battles (JSON, JSON Lines, Parquet): model_a, model_b, winner, and who judged. CSV is a plain table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from juryrank.votes.formats.shape import Format, VoteRow, broken, has, text_of, vote_row, vote_table
from juryrank.votes.tables import FileContent, FileTable, JsonRow

TITLE = "LMArena battles"
GRADES = {"model_a": 1.0, "model_b": -1.0, "tie": 0.0, "tie (bothbad)": 0.0, "both_bad": 0.0, "bothbad": 0.0}
BATTLE = ("conversation_a", "anony", "judge_hash", "conv_metadata", "evaluation_session_id")
JUDGES = ("judge", "judge_hash", "user_id", "evaluation_session_id")


def recognises(content: FileContent) -> bool:
    return has(content, "model_a", "model_b", "winner") and any(name in content.first for name in BATTLE)


def votes(content: FileContent) -> FileTable:
    open_names = sum(isinstance(row.value, dict) and row.value.get("anony") is False for row in content.rows)
    told = [f"battles where the models' names were known: {open_names:,} (they count too)"] if open_names else []
    return vote_table(TITLE, [_vote(row) for row in content.rows], notes=told)


def _vote(row: JsonRow) -> VoteRow:
    if row.problem or not isinstance(row.value, dict) or not {"model_a", "model_b"} <= row.value.keys():
        return broken(row.line, row.problem or "this row lacks model_a or model_b")
    cell, said = row.value, row.value.get("winner")
    known = said is None or said in GRADES
    return vote_row(
        row.line,
        judge=next((cell[name] for name in JUDGES if cell.get(name) is not None), "unknown"),
        left=cell["model_a"],
        right=cell["model_b"],
        grade=GRADES.get(str(said)) if known else None,
        case=cell.get("question_id", cell.get("id")),
        length_left=_length(cell, "a"),
        length_right=_length(cell, "b"),
        answered_at=cell.get("tstamp", cell.get("timestamp")),
        problem="" if known else f"the winner is {said!r}; it is one of {', '.join(GRADES)}",
    )


def _length(cell: Mapping[str, Any], side: str) -> int | None:
    """The tokens of a side's answers, as LMArena counted them, else their characters; None: neither is there."""
    counted = (cell.get("conv_metadata") or {}).get(f"sum_assistant_{side}_tokens")
    turns = cell.get(f"conversation_{side}")
    if counted is not None or not isinstance(turns, list):
        return counted if isinstance(counted, int) else None
    return sum(len(str(text_of(turn.get("content")))) for turn in turns if turn.get("role") == "assistant")


FORMAT = Format(
    "lmarena",
    TITLE,
    f"rows with model_a, model_b, winner and one of {', '.join(BATTLE)}",
    recognises,
    votes,
    uses=(("juryrank fit battles.json", "scores; battles with known names count, and are counted for you"),),
)
