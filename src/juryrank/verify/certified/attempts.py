"""The attempts at a proof, read from the questions: each fixed its list before anything counted in it.

A question of a proof says in its terms to which attempt and link it belongs and what was bet (see
`core.evidence`). The terms are part of the `asked` event, so they were fixed before the answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from juryrank.core.certified.prove.evidence import GRID_SIZE, level_of
from juryrank.verify.record import Asked, Record
from juryrank.verify.report import Check

NAME = "attempts"
BETTER_THAN_CHANCE, STEADY = "better-than-chance", "steady"


@dataclass(slots=True)
class Attempt:
    """One fixed list, its level, and every question asked to prove it, in the order asked."""

    number: int
    began: int  # seq of its first question
    order: list[str]
    level: float
    surest: list[int]  # links in the order in which they may be claimed
    assume: str
    questions: list[Asked] = field(default_factory=list)
    priors: dict[str, list[float]] = field(default_factory=dict)  # steady: judge -> π_u
    place: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.place = {item: k for k, item in enumerate(self.order)}

    @property
    def needed(self) -> float:
        """log(1/δ_m): the evidence that proves a link."""
        return -math.log(self.level)


def read_attempts(record: Record, assume: str) -> tuple[list[Attempt], Check]:
    """All attempts, and whether every question of theirs keeps the rules."""
    attempts: list[Attempt] = []
    faults: list[str] = []
    for question in record.questions.values():
        if question.terms.get("phase") != "prove":
            continue
        fault = _take(attempts, question, record, assume)
        if fault:
            faults.append(f"question {question.id}: {fault}")
    if faults:
        return attempts, Check(NAME, False, faults[0] + (f" (and {len(faults) - 1} more)" if faults[1:] else ""))
    counted = sum(len(attempt.questions) for attempt in attempts)
    many = "1 attempt" if len(attempts) == 1 else f"{len(attempts)} attempts"
    words = f"{many}, {counted} questions, each with its list, level and bet fixed when asked"
    return attempts, Check(NAME, True, words if attempts else "no proof was begun")


def _take(attempts: list[Attempt], question: Asked, record: Record, assume: str) -> str:
    """Put a question into its attempt; says what is wrong, or nothing."""
    number = question.terms["attempt"]
    if not attempts or number > attempts[-1].number:
        fault = _begin(attempts, question, record, assume)
        if fault:
            return fault
    attempt = attempts[-1]
    if number != attempt.number:
        return f"asked for attempt {number}, which ended when attempt {attempt.number} began"
    if any(attempt.began < seq < question.seq for seq, _ in record.joins):
        return f"asked for attempt {number}, which ended when items joined"
    better, worse = question.terms["link"]
    if {better, worse} != {question.left, question.right}:
        return f"counts for the link {better} over {worse}, but shows {question.left} and {question.right}"
    if attempt.place.get(worse) != attempt.place[better] + 1:
        return f"{better} over {worse} is not a link of the list that attempt {number} fixed"
    fault = terms_fault(attempt, question)
    if not fault:
        attempt.questions.append(question)
    return fault


def _begin(attempts: list[Attempt], question: Asked, record: Record, assume: str) -> str:
    terms = question.terms
    number = terms["attempt"]
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        return f"attempt {number!r} is not a number from 1 on"
    missing = [name for name in ("list", "level", "surest") if name not in terms]
    if missing:
        return f"the first question of attempt {number} does not fix its {missing[0]}"
    joined_later = {item for seq, items in record.joins if seq > question.seq for item in items}
    if sorted(terms["list"]) != sorted(set(record.items) - joined_later):
        return f"the list of attempt {number} does not hold each item once"
    if not math.isclose(terms["level"], level_of(record.settings["error"], number), rel_tol=1e-9):
        allowed = level_of(record.settings["error"], number)
        return f"attempt {number} has level {terms['level']!r}; the promise allows {allowed:.3g}"
    if sorted(terms["surest"]) != list(range(len(terms["list"]) - 1)):
        return f"attempt {number} does not fix an order of all its links"
    used = BETTER_THAN_CHANCE if "bet" in terms else STEADY
    if used == STEADY != assume:
        return f"attempt {number} assumes steady judges; the study was made for {assume}"
    attempts.append(Attempt(number, question.seq, terms["list"], terms["level"], terms["surest"], used))
    return ""


def terms_fault(attempt: Attempt, question: Asked) -> str:
    """What is wrong with the bet, or the prior, that a question fixes for its attempt; or nothing."""
    return _bet_fault(question) if attempt.assume == BETTER_THAN_CHANCE else _prior_fault(attempt, question)


def _bet_fault(question: Asked) -> str:
    """The proof needs every bet between 0 and 1."""
    bet = question.terms.get("bet")
    if not isinstance(bet, int | float) or isinstance(bet, bool) or not 0 <= bet <= 1:
        return f"its bet is {bet!r}, not a number from 0 to 1"
    return ""


def _prior_fault(attempt: Attempt, question: Asked) -> str:
    """A judge's first question of a steady attempt fixes a probability over accuracies, and later ones none."""
    prior: Sequence[float] | None = question.terms.get("prior")
    if question.judge in attempt.priors:
        return "" if prior is None else f"fixes a second prior for {question.judge}"
    if prior is None or len(prior) != GRID_SIZE or not _is_probability(prior):
        return f"{question.judge}'s first question of the attempt does not fix a probability over accuracies"
    attempt.priors[question.judge] = list(prior)
    return ""


def _is_probability(weights: Sequence[float]) -> bool:
    return all(weight >= 0 for weight in weights) and sum(weights) <= 1 + 1e-9


def options_of(settings: Mapping[str, Any]) -> tuple[str, int | None]:
    """(assume, repeats) of a study; repeats None: unlimited."""
    options = settings.get("options") or {}
    return options.get("assume", BETTER_THAN_CHANCE), options.get("repeats")


def trusts_repeats(settings: Mapping[str, Any]) -> bool:
    """Did whoever made the study say that a judge who never changes an answer answers afresh all the same?"""
    return bool((settings.get("options") or {}).get("trust_repeats"))
