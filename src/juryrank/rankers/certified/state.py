"""What the certified ranker knows: options, who is here, the machine, the attempts, the terms of its questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from juryrank.core.levels import elimination_level, level_of
from juryrank.core.tallies import AnswerTallies
from juryrank.quoting import in_sentence
from juryrank.rankers.certified.core import phases
from juryrank.rankers.certified.core import state as st
from juryrank.rankers.certified.core.giving_up import EVEN, GOES_ON, margin_of
from juryrank.rankers.certified.core.machine import Query
from juryrank.rankers.certified.core.pair_answers import HIGH_WINS, JUDGE, LOW_WINS, NEXT_NODE, NONE, chain
from juryrank.rankers.certified.core.phases import SET
from juryrank.rankers.certified.core.prove.attempt import adopt_list
from juryrank.rankers.certified.core.search.gaps import FREE, ITEM, heaviest
from juryrank.rankers.certified.core.search.insert import place
from juryrank.rankers.certified.core.state import link_of, pair_at
from juryrank.rankers.certified.cross_questions import NOT_BEST
from juryrank.rankers.certified.cross_questions import PHASE as CROSS
from juryrank.rankers.certified.examination import CrossExamination
from juryrank.rankers.certified.objective import Aim, prior_terms
from juryrank.rankers.contract.roster import SharedState
from juryrank.types import Judge, Question

ByJudge = dict[Judge, tuple[int, int]]


@dataclass(slots=True)
class CertifiedState(SharedState):
    """`machine` is the state machine as arrays, `views` the same memory for kernels that are not compiled."""

    aim: Aim
    assume: str
    repeats: int | None
    trust_repeats: bool
    joining: bool
    tallies: AnswerTallies = field(default_factory=AnswerTallies)  # for the monitor
    ended: list[dict[str, Any]] = field(default_factory=list)  # attempts that are over
    proving: set[int] = field(default_factory=set)  # open questions of the running attempt
    cross: CrossExamination = field(init=False)
    views: st.State = field(init=False)
    _machine: st.State = field(init=False)

    def __post_init__(self) -> None:
        self.cross = CrossExamination(self)

    @property
    def machine(self) -> st.State:
        return self._machine

    @machine.setter
    def machine(self, machine: st.State) -> None:
        self._machine, self.views = machine, st.as_views(machine)

    @property
    def gave_up(self) -> bool:
        """Was asking stopped because one pair cannot be told apart (see `patience`)?"""
        c = self.views.cursor
        return bool(c.gave_up != GOES_ON and c.phase != phases.CERTIFIED)

    def answers_about(self, a: int, b: int) -> ByJudge:
        """All answers about one pair, of the search and of every attempt: judge -> how often a, how often b."""
        t = self.machine.tallies
        by: ByJudge = {}
        node = int(chain(t, a, b))
        while node != NONE:
            low, high = int(t.node[node, LOW_WINS]), int(t.node[node, HIGH_WINS])
            if low or high:
                by[self.judge_names[int(t.node[node, JUDGE])]] = (low, high) if a < b else (high, low)
            node = int(t.node[node, NEXT_NODE])
        return by


def in_all(by: ByJudge) -> tuple[int, int]:
    """The answers of all judges together.

    >>> in_all({"ann": (3, 1), "bob": (2, 0)})
    (5, 1)
    """
    return sum(good for good, _ in by.values()), sum(bad for _, bad in by.values())


# ----------------------------------------------------------------------------
# Keeps the record of the attempts that are over, and follows a recorded one.
def attempt_record(error: float, attempt: int, questions: int, outcome: str) -> dict[str, Any]:
    """One attempt, for the result's `details`."""
    return {
        "attempt": attempt,
        "level": level_of(error, attempt),
        "questions": questions,
        "outcome": outcome,
    }


class Watched:
    """Notes the end of an attempt while something happens to the machine."""

    def __init__(self, state: CertifiedState, outcome: str) -> None:
        self.state, self.outcome = state, outcome

    def __enter__(self) -> None:
        c = self.state.views.cursor
        self.phase, self.attempt, self.asked = c.phase, c.attempt, c.attempt_asked

    def __exit__(self, *problem: object) -> None:
        c = self.state.views.cursor
        ran = self.phase in (phases.PROVE, phases.CERTIFIED) and self.attempt > 0
        goes_on = c.phase in (phases.PROVE, phases.CERTIFIED) and c.attempt == self.attempt
        if ran and not goes_on:
            outcome = "certified, then " + self.outcome if self.phase == phases.CERTIFIED else self.outcome
            self.state.ended.append(attempt_record(self.state.error, self.attempt, self.asked, outcome))


def place_all(s: Any) -> None:
    """End the placing of items: a recorded attempt begins, so they all had their places when it was recorded.

    Here they may have none: an answer was taken back since, or another version weighed the answers differently.
    """
    c = s.cursor
    if c.phase != phases.INSERT:
        return
    for row in range(c.rows):
        if s.slots.row[row, ITEM] != FREE:
            place(s, row, heaviest(s.slots, row))
    c.placed = c.next_arrival = c.items
    s.cursor.bits_left = 0.0


# ----------------------------------------------------------------------------
# Questions with their terms, as everybody sees them, and questions as the machine knows them. What the terms say
# is in `core/prove/evidence.py`: they are all that a proof can be recomputed from.
def proof_terms(state: CertifiedState, judge: int, better: int, worse: int) -> dict[str, Any]:
    """What is fixed when a link is asked."""
    s, items = state.machine, state.items
    attempt = int(s.cursor.attempt)
    terms: dict[str, Any] = {"phase": "prove", "attempt": attempt, "link": [items[better], items[worse]]}
    if s.cursor.attempt_asked == 0:
        terms["list"] = [items[k] for k in s.order[: len(items)]]
        if s.cursor.objective == SET:
            terms["top"] = int(s.cursor.top)
        terms["surest"] = s.proof.link[: len(items) - 1, st.FIXED].tolist()
        terms["level"] = level_of(state.error, attempt)
    if state.assume != "steady":
        terms["bet"] = float(s.cursor.draft_bet)
    elif not s.proof.judge[judge, st.HAS_PRIOR]:
        terms |= prior_terms(s, judge)
    return terms


def elimination_terms(state: CertifiedState, tested: int) -> dict[str, Any]:
    """What is fixed when an item is tested for being the best; with an epoch's first question its level."""
    c = state.machine.cursor
    terms: dict[str, Any] = {"phase": NOT_BEST, "item": state.items[tested], "bet": float(c.draft_bet)}
    if c.attempt_asked == 0:
        terms["epoch"] = int(c.attempt)
        terms["level"] = elimination_level(state.error, int(c.attempt), state.joining)
    return terms


def item_lane(tested: int) -> tuple[str, int]:
    """Answers count per tested item, in the order asked."""
    return (NOT_BEST, tested)


def elimination_lane(state: CertifiedState, question: Question) -> tuple[str, int] | None:
    """The lane of a recorded question, if it belongs to one."""
    tested = question.terms.get("item")
    mine = state.machine.cursor.objective == phases.ELIMINATION and tested in (question.left, question.right)
    return item_lane(state.roster.item(tested)) if mine and "bet" in question.terms else None


def read(state: CertifiedState, question: Question) -> Query:
    """A question as the machine knows it. Foreign ones count as repair."""
    terms = question.terms
    judge, left, right = (
        state.roster.judge(question.judge),
        state.roster.item(question.left),
        state.roster.item(question.right),
    )
    as_listed, turned = (left, right), (right, left)
    if terms.get("phase") == "insert" and terms.get("item") in (question.left, question.right):
        x, y = as_listed if terms["item"] == question.left else turned
        return Query(judge, x, y, phases.INSERT, 0, 0.0)
    if question.id in state.proving and terms.get("phase") == NOT_BEST:
        x, y = as_listed if terms["item"] == question.left else turned
        return Query(judge, x, y, phases.ELIMINATE, 0, float(terms["bet"]))
    if question.id in state.proving:
        x, y = as_listed if terms["link"][0] == question.left else turned
        return Query(judge, x, y, phases.PROVE, int(terms["attempt"]), float(terms.get("bet", 0.0)))
    if crosses(state, question):
        x, y = as_listed if state.machine.place[left] < state.machine.place[right] else turned
        return Query(judge, x, y, phases.REPAIR, int(terms["attempt"]), float(terms.get("bet", 0.0)))
    return Query(judge, left, right, phases.REPAIR, 0, 0.0)


def crosses(state: CertifiedState, question: Question) -> bool:
    """Is it asked because the proven list rests on repeats that may be memory?"""
    return of_cross_examination(state, question) and bool(state.views.cursor.phase == phases.CERTIFIED)


def of_cross_examination(state: CertifiedState, question: Question) -> bool:
    """Was it asked for that in the running attempt? An answer taken back since may have opened the proof again."""
    terms = question.terms
    return terms.get("phase") == CROSS and bool(terms.get("attempt") == state.views.cursor.attempt)


def position_of(state: CertifiedState, q: Query) -> int:
    """Where the machine finds the pair: the opponent's position (INSERT) or the link (else)."""
    s = state.views
    c = s.cursor
    if q.phase != phases.INSERT:
        return int(link_of(s, q.first, q.second)) if q.phase == phases.PROVE else int(s.place[q.first])
    drafted = c.draft_first == q.first and c.draft_second == q.second
    if drafted and s.order[c.draft_position] == q.second:
        return int(c.draft_position)
    found = np.flatnonzero(state.machine.order[: c.placed] == q.second)
    return int(found[0]) if len(found) else -1


def follow(state: CertifiedState, terms: Mapping[str, Any]) -> None:
    """A recorded attempt begins: its list was fixed then, so it is the list, whatever would be chosen now."""
    s = state.machine
    c = s.cursor
    if c.phase == phases.CERTIFIED or set(terms["list"]) != set(state.items):
        return
    if c.objective == phases.ELIMINATION or terms.get("top") != (int(c.top) if c.objective == SET else None):
        return
    order = np.array([state.roster.item(item) for item in terms["list"]], np.int64)
    surest = np.array(terms.get("surest", range(len(order) - 1)), np.int64)
    untouched = c.phase == phases.PROVE and c.attempt == terms["attempt"] and c.attempt_asked == 0
    if untouched and np.array_equal(s.order[: len(order)], order):
        pass  # begun already, before answers that came since: beginning again would weigh the links anew
    elif untouched or terms["attempt"] > c.attempt:
        with Watched(state, "another list was tried"):
            place_all(state.views)
            adopt_list(state.views, order, terms["attempt"])
    else:
        return
    s.proof.link[: len(surest), st.FIXED] = surest


# ----------------------------------------------------------------------------
# What a certified ranking says when it has given up: on which pair, after which answers, and what to do.
EVENLY, TURNING = "evenly split", "back and forth"
MANY = 500  # answers about one pair that are worth a word while asking goes on


def stuck_at(state: CertifiedState) -> dict[str, Any]:
    """The pair that made the ranking give up, with all answers about it, for the result's `details`."""
    c = state.machine.cursor
    low, high = int(c.stuck_low), int(c.stuck_high)
    won, lost = in_all(state.answers_about(low, high))
    even = c.gave_up == EVEN
    return {
        "first": state.items[low],
        "second": state.items[high],
        "first_preferred": won,
        "answers": won + lost,
        "why": EVENLY if even else TURNING,
        **({} if even else {"turns": int(c.turns)}),  # of an even pair nobody counts them
        "patience": int(state.machine.cursor.even_limit),
    }


def takes_most(state: CertifiedState) -> bool:
    """Does one pair take most of all questions, and many?"""
    s = state.machine
    k = int(s.unsure.winner[1])
    if state.questions < MANY or s.cursor.phase not in (phases.REPAIR, phases.PROVE) or k + 1 >= len(state.items):
        return False
    answers = sum(in_all(state.answers_about(*pair_at(s, k))))
    return answers >= max(MANY, state.questions / 2)


def given_up_words(stuck: dict[str, Any], questions: int) -> str:
    """Why, and what to do.

    >>> stuck = {"first": "a", "second": "b", "first_preferred": 9_990, "answers": 20_000, "why": EVENLY}
    >>> given_up_words({**stuck, "patience": 20_000}, 20_312)[:74]
    'Gave up after 20,312 questions: a and b cannot be told apart. 9,990 of 20,'
    """
    first, second = in_sentence(stuck["first"]), in_sentence(stuck["second"])
    said = f"{stuck['first_preferred']:,} of {stuck['answers']:,} answers prefer {first}"
    start = f"Gave up after {questions:,} questions:"
    if stuck["why"] == TURNING:
        return (
            f"{start} the answers about {first} and {second} turn round again and again, and "
            f"have ended {stuck['turns']} attempts in a row ({said}). Fresh answers do not do that: perhaps "
            "judges repeat themselves and contradict each other. Ask each pair once (repeats=1), or find others."
        )
    share, more = 0.5 + margin_of(stuck["patience"]) / 2, 10 * stuck["patience"]
    return (
        f"{start} {first} and {second} cannot be told apart. {said}, so judges are unlikely "
        f"to be right about them more than {share:.1%} of the time. Treat them as equal and leave one out, find "
        f"judges who see a difference, or allow more patience (patience={more})."
    )
