"""What the certified ranker knows: options, who is here, the machine, the attempts. Its parts share this alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from juryrank.core.monitor.tallies import AnswerTallies
from juryrank.rankers.certified.core import phases
from juryrank.rankers.certified.core import state as st
from juryrank.rankers.certified.core.giving_up import GOES_ON
from juryrank.rankers.certified.core.pair_answers import HIGH_WINS, JUDGE, LOW_WINS, NEXT_NODE, NONE, chain
from juryrank.rankers.certified.cross_examination.examination import CrossExamination
from juryrank.rankers.certified.objective import Aim
from juryrank.rankers.contract.roster import SharedState
from juryrank.types import Judge

ByJudge = dict[Judge, tuple[int, int]]


@dataclass(slots=True)
class CertifiedState(SharedState):
    """`machine` is the state machine as arrays, `hand` the same memory for kernels in the plain gear."""

    aim: Aim
    assume: str
    repeats: int | None
    trust_repeats: bool
    joining: bool
    tallies: AnswerTallies = field(default_factory=AnswerTallies)  # for the monitor
    ended: list[dict[str, Any]] = field(default_factory=list)  # attempts that are over
    proving: set[int] = field(default_factory=set)  # open questions of the running attempt
    cross: CrossExamination = field(init=False)
    hand: st.State = field(init=False)
    _machine: st.State = field(init=False)

    def __post_init__(self) -> None:
        self.cross = CrossExamination(self)

    @property
    def machine(self) -> st.State:
        return self._machine

    @machine.setter
    def machine(self, machine: st.State) -> None:
        self._machine, self.hand = machine, st.in_hand(machine)

    @property
    def gave_up(self) -> bool:
        """Was asking stopped because one pair cannot be told apart (see `patience`)?"""
        c = self.hand.cursor
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
