"""The usual names of a vote file's columns, and which column of a file is which."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from juryrank.errors import BadInput
from juryrank.votes.vote import COLUMNS


def words(*lines: str) -> tuple[str, ...]:
    """Words of several lines, as one tuple."""
    return tuple(word for line in lines for word in line.split())


# What a column means: the names it goes by, in order of preference (compared without case, spaces, - and _).
NAMES: dict[str, tuple[str, ...]] = {
    "judge": words(
        "judge annotator worker performer user rater labeler labeller assessor evaluator voter reviewer",
        "judge_id annotator_id worker_id performer_id user_id rater_id voter_id participant_id",
        "participant assignment_worker_id judge_user judge_name username",
    ),
    "left": words(
        "left item_a model_a option_a answer_a response_a candidate_a system_a text_a image_a a item1 model1",
        "option1 answer1 response1 candidate1 first item_left left_item left_id id_a player_a player1",
    ),
    "right": words(
        "right item_b model_b option_b answer_b response_b candidate_b system_b text_b image_b b item2 model2",
        "option2 answer2 response2 candidate2 second item_right right_item right_id id_b player_b player2",
    ),
    "winner": words(
        "winner label preferred preference choice chosen answer result outcome verdict vote selected pick",
        "decision winner_id winning_item score output",
    ),
    "loser": ("loser", "rejected", "worse", "losing_item", "other"),
    "vote_id": ("vote_id", "id", "question_id_vote", "comparison_id", "battle_id", "uuid"),
    "study": ("study", "task", "project"),
    "asked_at": ("asked_at", "shown_at", "started_at", "start_time"),
    "answered_at": (
        "answered_at",
        "timestamp",
        "tstamp",
        "time",
        "created_at",
        "submitted_at",
        "end_time",
        "date",
    ),
    "response_time": ("response_time", "duration", "seconds", "elapsed", "rt"),
    "cost": ("cost", "price", "payment"),
    "source": ("source",),
    "case": ("case", "case_id", "prompt_id"),
    "comment": ("comment", "comments", "note", "reason", "justification", "feedback"),
}
# One column per possible result, each 0 or 1.
FLAGS = ("winner_model_a", "winner_model_b", "winner_tie")
# Pairs of columns that say who won and who lost, without sides.
WINNER_LOSER = (("winner", "loser"), ("chosen", "rejected"), ("better", "worse"), ("preferred", "rejected"))
MEANINGS = (*COLUMNS, "loser", "grade")  # a grade, from 1 (left) to -1 (right), is read only where it is named


@dataclass(frozen=True, slots=True)
class Columns:
    """Which of a file's columns is which (meaning: name in the file)."""

    of: Mapping[str, str]
    flags: bool = False  # the result is in FLAGS
    sideless: bool = False  # only winner and loser are known
    ours: bool = False  # juryrank's own export: taken literally
    unused: tuple[str, ...] = field(default=())

    def with_grade(self) -> Columns:
        """The same with the column of grades that formats write."""
        return replace(self, of={**self.of, "grade": "grade"})

    def words(self) -> str:
        """What was understood, for people."""
        if self.ours:
            return "columns: juryrank's own"
        known = ", ".join(f"{meaning} = {name!r}" for meaning, name in self.of.items())
        rest = f"; not used: {', '.join(map(repr, self.unused))}" if self.unused else ""
        return f"columns: {known}{rest}"


def find_columns(header: Sequence[str], *, given: Mapping[str, str] | None = None) -> Columns:
    """Which column is which; `given` (meaning: name) overrides the guess.

    >>> find_columns(["annotator", "item_a", "item_b", "label"]).of["winner"]
    'label'
    >>> find_columns(["who", "what"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    juryrank.errors.BadInput: the columns are 'who', 'what': there is none for the left item...
    """
    names = [str(name) for name in header]
    given = dict(given or {})
    _check_given(given, names)
    if set(COLUMNS) <= set(names) and not given:
        return Columns({name: name for name in COLUMNS}, ours=True)
    if set(FLAGS) <= set(names) and "winner" not in given:
        return _fill(names, given | {"winner": FLAGS[0]}, flags=True)
    found = _fill(names, given)
    if {"left", "right"} <= found.of.keys() and found.of.keys() & {"winner", "grade"}:
        return found
    sideless = _winner_loser(names, given)
    if sideless is not None and not {"left", "right"} <= set(found.of):
        return _fill(names, given | sideless, sideless=True)
    raise BadInput(_missing(names, found.of))


def _check_given(given: Mapping[str, str], names: Sequence[str]) -> None:
    for meaning, name in given.items():
        if meaning not in MEANINGS:
            raise BadInput(f"there is no column meaning {meaning!r}; there are: {', '.join(MEANINGS)}")
        if name not in names:
            raise BadInput(f"the file has no column {name!r}; its columns are {_list(names)}")


def _fill(
    names: Sequence[str], given: Mapping[str, str], *, flags: bool = False, sideless: bool = False
) -> Columns:
    found = dict(given)
    for meaning, usual in NAMES.items():
        if (
            meaning in found
            or (meaning == "loser" and not sideless)
            or (sideless and meaning in ("left", "right"))
        ):
            continue
        free = {plain(name): name for name in reversed(names) if name not in found.values()}
        hit = next((free[plain(name)] for name in usual if plain(name) in free), None)
        if hit is not None:
            found[meaning] = hit
    order = [meaning for meaning in MEANINGS if meaning in found]
    taken = set(found.values()) | (set(FLAGS) if flags else set())
    unused = tuple(name for name in names if name not in taken)
    return Columns({meaning: found[meaning] for meaning in order}, flags, sideless, unused=unused)


def _winner_loser(names: Sequence[str], given: Mapping[str, str]) -> dict[str, str] | None:
    if "winner" in given and "loser" in given:
        return {}
    by_plain = {plain(name): name for name in reversed(names)}
    for winner, loser in WINNER_LOSER:
        if winner in by_plain and loser in by_plain:
            return {"winner": by_plain[winner], "loser": by_plain[loser]}
    return None


def _missing(names: Sequence[str], found: Mapping[str, str]) -> str:
    what = next(meaning for meaning in ("left", "right", "winner") if meaning not in found)
    thing = {"left": "the left item", "right": "the right item", "winner": "the result"}[what]
    return (
        f"the columns are {_list(names)}: there is none for {thing} (known names: "
        f"{', '.join(NAMES[what][:6])}, ...). The first line must name the columns; say which one it is with "
        f"--column {what}=NAME"
    )


def _list(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names[:20]) + (", ..." if len(names) > 20 else "")


def plain(name: str) -> str:
    """A column name without case, spaces and punctuation.

    >>> plain(" Item-A "), plain("item_a")
    ('itema', 'itema')
    """
    return re.sub(r"[\W_]+", "", name.casefold())
