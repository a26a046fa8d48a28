"""Arena-Hard and MT-Bench: `model_answer/*.jsonl`, and `model_judgment` with two games per question, swapped.

A question with two turns is two cases, as judges see it: "81" (the first answer) and "81 turn 2" (both).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from juryrank.errors import BadInput
from juryrank.votes.formats.shape import Format, Output, VoteRow, broken, has, text_of, vote_row, vote_table
from juryrank.votes.tables import FileContent, FileTable, JsonRow

TITLE = "Arena-Hard or MT-Bench"
ANSWERS, JUDGMENTS = "model_answer", "model_judgment"  # folders of its data
BASELINE = "baseline"  # of judgments that do not name theirs
SCORES = {"A>>B": 1.0, "A>B": 0.5, "A=B": 0.0, "B=A": 0.0, "B>A": -0.5, "B>>A": -1.0, "A<B": -0.5, "A<<B": -1.0}
FIRST_WINS = {"model_1": 1.0, "model_2": -1.0, "tie": 0.0}
NO_VERDICT = (None, "", "error")
UNNAMED = "the judgments do not name their baseline; it is called 'baseline' here"


def part(folder: Path, name: str) -> Path:
    """Of a folder that holds both, `ANSWERS` or `JUDGMENTS` as it is wanted; else the folder itself."""
    levels = ("", "*/", "*/*/")
    found = {
        each: [at for level in levels for at in sorted(folder.glob(level + each)) if at.is_dir()]
        for each in (ANSWERS, JUDGMENTS)
    }
    if not all(found.values()):
        return folder
    if len(found[name]) > 1:
        several = ", ".join(map(str, found[name]))
        raise BadInput(f"{folder} holds several folders {name}; give one of {several}")
    return found[name][0]


def recognises(content: FileContent) -> bool:
    return _answers(content) or _judgments(content) or _pairs(content) or _single(content)


def _answers(content: FileContent) -> bool:
    return has(content, "question_id", "model_id", "choices") or has(content, "uid", "model", "messages")


def _judgments(content: FileContent) -> bool:
    return has(content, "model", "judge", "games")


def _pairs(content: FileContent) -> bool:
    return has(content, "question_id", "model_1", "model_2", "g1_winner", "g2_winner")


def _single(content: FileContent) -> bool:
    return has(content, "question_id", "model", "judgment", "score")


def votes(content: FileContent) -> FileTable | None:
    if _judgments(content):
        records = [vote for row in content.rows for vote in _games(row)]
        unnamed = any(not row.value.get("baseline") for row in content.rows if isinstance(row.value, dict))
        return vote_table(TITLE, records, notes=[UNNAMED] if unnamed else [])
    _refuse_single(content)
    return vote_table(TITLE, [v for row in content.rows for v in _both(row)]) if _pairs(content) else None


def _refuse_single(content: FileContent) -> None:
    if _single(content):
        raise BadInput(
            f"{content.name} holds a score for each answer (MT-Bench, mode single): nobody compared two, so there "
            "is nothing to fit and no output to show. Give the judgments of pairs (mode pairwise-all or "
            "pairwise-baseline) to juryrank fit, or model_answer/*.jsonl to juryrank rank"
        )


def _games(row: JsonRow) -> Iterator[VoteRow]:
    """Game 1 shows the baseline as A, game 2 as B."""
    if row.problem or not isinstance(row.value, dict) or "games" not in row.value:
        yield broken(row.line, row.problem or "this row has no games")
        return
    cell = row.value
    baseline, model = str(cell.get("baseline") or BASELINE), str(cell["model"])
    for place, game in enumerate(cell["games"] or []):
        left, right = (model, baseline) if place % 2 else (baseline, model)
        said = game.get("score") if isinstance(game, Mapping) else None
        known = said in NO_VERDICT or said in SCORES
        yield vote_row(
            row.line,
            judge=cell["judge"],
            left=left,
            right=right,
            grade=SCORES.get(str(said)),
            case=cell.get("question_id", cell.get("uid")),
            problem="" if known else f"the score is {said!r}; it is one of {', '.join(SCORES)}",
        )


def _both(row: JsonRow) -> Iterator[VoteRow]:
    if row.problem or not isinstance(row.value, dict) or "g1_winner" not in row.value:
        yield broken(row.line, row.problem or "this row has no g1_winner")
        return
    cell = row.value
    judge = cell.get("judge", "judge")
    for side, first, second in (("g1", "model_1", "model_2"), ("g2", "model_2", "model_1")):
        said = cell[f"{side}_winner"]
        known = said in NO_VERDICT or said in FIRST_WINS
        grade = FIRST_WINS.get(said) if known else None
        yield vote_row(
            row.line,
            judge=", ".join(map(str, judge)) if isinstance(judge, list) else judge,
            left=cell[first],
            right=cell[second],
            grade=grade if grade is None or side == "g1" else -grade,
            case=turn_name(cell["question_id"], int(cell.get("turn") or 1)),
            problem="" if known else f"{side}_winner is {said!r}; it is one of {', '.join(FIRST_WINS)} or error",
        )


def turn_name(question: Any, turn: int) -> str:
    """The case of a question's turn.

    >>> turn_name(81, 1), turn_name(81, 2)
    ('81', '81 turn 2')
    """
    return str(question) if turn == 1 else f"{question} turn {turn}"


def outputs(content: FileContent) -> Iterator[Output] | None:
    _refuse_single(content)
    return _turns(content) if _answers(content) else None


def _turns(content: FileContent) -> Iterator[Output]:
    for row in content.rows:
        cell = row.value
        if "messages" in cell:
            asked, said = ([m for m in cell["messages"] if m["role"] == who] for who in ("user", "assistant"))
            given = text_of(asked[-1]["content"]) if asked else None
            answer = text_of(said[-1]["content"]) if said else None
            yield Output(str(cell["model"]), str(cell["uid"]), answer, given)
            continue
        turns = [text_of(turn) for turn in (cell["choices"] or [{"turns": []}])[0]["turns"]] or [None]
        for n in range(1, len(turns) + 1):
            whole = "\n\n".join(f"Answer {k}:\n{turn}" for k, turn in enumerate(turns[:n], start=1))
            name = turn_name(cell["question_id"], n)
            yield Output(str(cell["model_id"]), name, turns[0] if n == 1 else whole)


FORMAT = Format(
    "arena-hard",
    TITLE,
    "answers with question_id, model_id, choices (or uid, model, messages); judgments with model, judge, games, "
    "or with model_1, model_2, g1_winner, g2_winner (scores of single answers compare nothing)",
    recognises,
    votes,
    outputs,
    uses=(
        (
            "juryrank fit model_judgment/gpt-4",
            "scores from both games, sides swapped; a game without a verdict is a refusal",
        ),
        (
            "juryrank rank model_answer --cases question.jsonl --judges judges.toml",
            "a claim; the second turn of a question is a case of its own",
        ),
    ),
)
