"""The attempts at a proof, read from the questions: each fixed its list before anything counted in it.

A question of a proof says in its terms to which attempt and link it belongs and what was bet. The terms are part
of the `asked` event, so they were fixed before the answer:

    {"phase": "prove", "attempt": m, "link": [better, worse], "bet": λ}
        the first question of attempt m also has "list" (and "top": k where the k best are looked for), "level" and
        "surest", the order in which links are claimed; under steady there is no "bet", but a judge's first
        question of the attempt has "prior" (weights on a grid of accuracies) and may have "beta" (weight, α, β)
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from juryrank.statements.numbers import number_of, top_name
from juryrank.verify.arithmetic.evidence import GRID, SHAPES, AccuracyPrior
from juryrank.verify.arithmetic.levels import attempt_level
from juryrank.verify.arithmetic.rounding import needed_at
from juryrank.verify.record import Asked, Record
from juryrank.verify.report import Check
from juryrank.verify.terms import is_number, is_whole, names, unknown, whole_numbers

NAME = "attempts"
BETTER_THAN_CHANCE, STEADY = "better-than-chance", "steady"
ROUNDING = 1e-9  # of levels and weights as a log writes them
MOST_ATTEMPTS = 10**9  # more than there can be
# Options. Two of them say nothing about the proof: patience when to stop asking, insert what to ask first
KNOWN = ("assume", "repeats", "trust_repeats", "objective", "k", "joining", "patience", "insert")
INSERTIONS = ("depth", "breadth")
FIXED = ("list", "level", "surest")  # what the first question of an attempt fixes


@dataclass(slots=True)
class Attempt:
    """One fixed list, its level, and every question asked to prove it, in the order asked."""

    number: int
    began: int  # seq of its first question
    order: list[str]
    level: Fraction
    surest: list[int]  # links in the order in which they may be claimed
    assume: str
    top: int | None = None  # the first so many of the list are claimed as a set; None: the whole order is
    questions: list[Asked] = field(default_factory=list)
    priors: dict[str, AccuracyPrior] = field(default_factory=dict)  # steady: judge -> π_u
    pairs: list[tuple[str, str]] = field(init=False)  # the links: better, worse
    place: dict[str, int] = field(init=False)
    number_of: dict[tuple[str, str], int] = field(init=False)  # of a link
    needed: float = field(init=False)  # log(1/δ_m), rounded up: the evidence that proves a link

    def __post_init__(self) -> None:
        self.pairs = links_of(self.order, self.top)
        self.place = {item: k for k, item in enumerate(self.order)}
        self.number_of = {pair: k for k, pair in enumerate(self.pairs)}
        self.needed = needed_at(self.level)

    def decides(self, pair: Iterable[str]) -> bool:
        """Does the list say which of two items is better? A set says it of those on different sides."""
        if self.top is None:
            return True
        first, last = sorted(self.place[item] for item in pair)
        return first < self.top <= last or last == self.top - 1

    def link_of(self, question: Asked) -> int:
        """Which link a question of this attempt is about."""
        better, worse = question.terms["link"]
        return self.number_of[better, worse]


def links_of(order: list[str], top: int | None) -> list[tuple[str, str]]:
    """The pairs that a list rests on: neighbours; for a set, its last item under all before it, over all after it.

    >>> links_of(["a", "b", "c", "d"], 2)
    [('a', 'b'), ('b', 'c'), ('b', 'd')]
    """
    if top is None:
        return list(pairwise(order))
    last = order[top - 1]
    return [(item, last) for item in order[: top - 1]] + [(last, item) for item in order[top:]]


def read_attempts(record: Record, assume: str) -> tuple[list[Attempt], Check]:
    """All attempts, and whether every question of theirs keeps the rules."""
    attempts: list[Attempt] = []
    faults: list[str] = []
    for question in record.questions.values():
        if question.terms.get("phase") == "prove":
            fault = _take(attempts, question, record, assume)
            if fault:
                faults.append(f"question {question.id}: {fault}")
    if faults:
        return attempts, Check(NAME, False, faults[0] + (f" (and {len(faults) - 1} more)" if faults[1:] else ""))
    questions = sum(len(attempt.questions) for attempt in attempts)
    many = f"{number_of(len(attempts), 'attempt')}, {number_of(questions, 'question')}"
    words = f"{many}, each with its list, level and bet fixed when asked"
    return attempts, Check(NAME, True, words if attempts else "no proof was begun")


def _take(attempts: list[Attempt], question: Asked, record: Record, assume: str) -> str:
    """Put a question into its attempt; says what is wrong, or nothing."""
    number = question.terms.get("attempt")
    if not is_whole(number, least=1) or number > MOST_ATTEMPTS:
        return f"attempt {number!r} is not a number from 1 on"
    if not attempts or number > attempts[-1].number:
        fault = _begin(attempts, question, record, assume)
        if fault:
            return fault
    attempt = attempts[-1]
    if number != attempt.number:
        return f"asked for attempt {number}, which ended when attempt {attempt.number} began"
    if record.joined_between(attempt.began, question.seq):
        return f"asked for attempt {number}, which ended when items joined"
    if attempt.began < record.void < question.seq:
        return f"asked for attempt {number}, which ended when gold pairs refuted a judge"
    if record.refuted.get(question.judge, question.seq) < question.seq:
        return f"asked of {question.judge}, whom gold pairs had refuted"
    fault = _fixed_again(attempt, question) or link_fault(attempt, question) or terms_fault(attempt, question)
    if not fault:
        attempt.questions.append(question)
    return fault


def _fixed_again(attempt: Attempt, question: Asked) -> str:
    """What is fixed at the start of an attempt is fixed once."""
    again = [name for name in FIXED if name in question.terms and question.seq != attempt.began]
    return f"fixes the {again[0]} of attempt {attempt.number} a second time" if again else ""


def link_fault(attempt: Attempt, question: Asked) -> str:
    """What is wrong with the link that a question counts for; or nothing."""
    link = names(question.terms.get("link"))
    if link is None or len(link) != 2:
        return "does not name its link"
    better, worse = link
    if {better, worse} != {question.left, question.right}:
        return f"counts for the link {better} over {worse}, but shows {question.left} and {question.right}"
    if (better, worse) not in attempt.number_of:
        return f"{better} over {worse} is not a link of the list that attempt {attempt.number} fixed"
    return ""


def _begin(attempts: list[Attempt], question: Asked, record: Record, assume: str) -> str:
    terms, number = question.terms, question.terms["attempt"]
    missing = [name for name in FIXED if name not in terms]
    if missing:
        return f"the first question of attempt {number} does not fix its {missing[0]}"
    order = names(terms["list"])
    if order is None or not record.is_all(order, question.seq):
        return f"the list of attempt {number} does not hold each item once"
    level = attempt_level(record.error, number)
    if not is_number(terms["level"]) or not math.isclose(terms["level"], level, rel_tol=ROUNDING):
        return f"attempt {number} has level {terms['level']!r}; the promise allows {float(level):.3g}"
    surest = whole_numbers(terms["surest"])
    if surest is None or sorted(surest) != list(range(len(order) - 1)):
        return f"attempt {number} does not fix an order of all its links"
    if terms.get("top") != top_of(record, len(order)):
        return f"attempt {number} is not about what the study was made to find"
    used = BETTER_THAN_CHANCE if "bet" in terms else STEADY
    if used == STEADY != assume:
        return f"attempt {number} assumes steady judges; the study was made for {assume}"
    attempts.append(Attempt(number, question.seq, order, level, surest, used, terms.get("top")))
    return ""


def top_of(record: Record, items: int) -> int | None:
    """How many items the study wants at the top, of so many; None: the whole order, or the best by elimination."""
    options, _ = options_of(record.settings)
    if options.k is None or options.eliminates:
        return None
    return max(1, min(options.k, items - 1))


def terms_fault(attempt: Attempt, question: Asked) -> str:
    """What is wrong with the bet, or the prior, that a question fixes for its attempt; or nothing."""
    return _bet_fault(question) if attempt.assume == BETTER_THAN_CHANCE else _prior_fault(attempt, question)


def _bet_fault(question: Asked) -> str:
    """The proof needs every bet between 0 and 1, and no ranker bets all."""
    bet = question.terms.get("bet")
    return "" if is_number(bet) and 0 <= bet < 1 else f"its bet is {bet!r}, not a number from 0 to below 1"


def _prior_fault(attempt: Attempt, question: Asked) -> str:
    """A judge's first question of a steady attempt fixes a probability over accuracies, and later ones none."""
    weights: Any = question.terms.get("prior")
    beta: Any = question.terms.get("beta", [0.0, 1.0, 1.0])
    if question.judge in attempt.priors:
        second = "prior" in question.terms or "beta" in question.terms
        return f"fixes a second prior for {question.judge}" if second else ""
    if not _is_numbers(weights, GRID) or not _is_numbers(beta, 3) or not _is_probability([*weights, beta[0]]):
        return f"{question.judge}'s first question of the attempt does not fix a probability over accuracies"
    least, most = SHAPES
    if not all(least <= shape <= most for shape in beta[1:]):
        return f"{question.judge}'s first question of the attempt fixes a Beta that no ranker writes: {beta!r}"
    attempt.priors[question.judge] = AccuracyPrior(weights, (beta[0], beta[1], beta[2]))
    return ""


def _is_numbers(given: Any, count: int) -> bool:
    return isinstance(given, list) and len(given) == count and all(map(is_number, given))


def _is_probability(weights: list[float]) -> bool:
    fine = all(0 <= weight <= 1 + ROUNDING for weight in weights)
    return fine and math.isclose(math.fsum(weights), 1, rel_tol=ROUNDING)


@dataclass(frozen=True, slots=True)
class CertifiedOptions:
    """What a study of the certified ranker was made with."""

    assume: str
    repeats: int | None  # how often a judge may be asked the same pair; None: unlimited
    trust_repeats: bool
    k: int | None = None  # how many items are wanted at the top; None: the whole order
    joining: bool = True

    @property
    def eliminates(self) -> bool:
        """Is the best item found by elimination?"""
        return self.k == 1 and self.assume == BETTER_THAN_CHANCE

    @property
    def trusted(self) -> bool:
        """Does the promise rest on repeats that nobody examined?"""
        return self.trust_repeats and self.repeats != 1

    @property
    def objective(self) -> str:
        return top_name(self.k)


def options_of(settings: Mapping[str, Any]) -> tuple[CertifiedOptions, Check]:
    """The options, and whether they are ones that the ranker has."""
    given = settings.get("options") or {}
    assume, repeats = given.get("assume", BETTER_THAN_CHANCE), given.get("repeats")
    trust, joining = given.get("trust_repeats", False), given.get("joining", True)
    known, k = _wanted(given.get("objective", "order"), given.get("k"))
    known = known and (k is None or k < max(len(settings["items"]), 2))
    fine = (
        known
        and isinstance(joining, bool)
        and assume in (BETTER_THAN_CHANCE, STEADY)
        and (repeats is None or is_whole(repeats, least=1))
        and isinstance(trust, bool)
        and _asks_as_known(given)
    )
    fault = unknown(given, KNOWN) or (
        "" if fine else "the study was made with options that this ranker does not have"
    )
    options = (
        CertifiedOptions(assume, repeats, trust, k, joining)
        if fine
        else CertifiedOptions(BETTER_THAN_CHANCE, 1, False)
    )
    return options, Check("options", not fault, fault or f"judges assumed {assume}")


def _asks_as_known(given: Mapping[str, Any]) -> bool:
    """Are the options that say what to ask, and when to stop, ones that the ranker has?"""
    patience = given.get("patience")
    return (patience is None or is_whole(patience, least=1)) and given.get("insert", INSERTIONS[0]) in INSERTIONS


def _wanted(objective: Any, k: Any) -> tuple[bool, int | None]:
    """Is this an objective of the ranker, as people write it, and how many items does it want at the top?"""
    if not isinstance(objective, str) or not (k is None or is_whole(k, least=1)):
        return False, None
    word = objective.strip().lower()
    if word == "order":
        return True, None
    numbered = re.fullmatch(r"top[- ]?([0-9]{1,9})", word)
    size = int(numbered[1]) if numbered else 1 if word == "best" else k if word == "top-k" else None
    return bool(is_whole(size, least=1)) and k in (None, size), size
