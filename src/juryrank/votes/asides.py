"""What a log holds of models: opinions beside the people's, what answers cost, what a probe found.

An opinion is a vote like any other for tables of agreement, and counts in no result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from juryrank.log import Event, LogReader, bodies
from juryrank.log.bodies import FAILED, MODEL, REFUSED
from juryrank.log.kinds import Purpose
from juryrank.votes.logs import DECIDED
from juryrank.votes.vote import Vote

BESIDE: Final = "beside"  # the source of an opinion


@dataclass(slots=True)
class ModelsInLog(LogReader):
    """The models of a log, by name."""

    opinions: list[Vote] = field(default_factory=list)
    counted: Counter[str] = field(default_factory=Counter)  # model -> answers that count
    cost: dict[str, float] = field(default_factory=dict)
    probes: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    behind: dict[str, str] = field(default_factory=dict)  # name -> which model
    failed: Counter[str] = field(default_factory=Counter)  # questions without an answer that could be had or read
    refused: Counter[str] = field(default_factory=Counter)  # and that it would not answer
    asked: Counter[str] = field(default_factory=Counter)  # of all that models were asked
    _judge: dict[int, str] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """Models that answered, gave an opinion or were tried out, in alphabetical order."""
        return sorted({*self.counted, *(vote.judge for vote in self.opinions), *self.probes})

    def on_asked(self, event: Event, asked: bodies.Asked) -> None:
        self._judge[asked.q] = asked.judge

    def on_told(self, event: Event, told: bodies.Told) -> None:
        judge = self._judge[told.q]
        if told.source == MODEL:
            self.counted[judge] += 1
        self._note(judge, failed=told.source == FAILED, refused=told.source == REFUSED)
        self._paid(judge, told.cost)

    def on_expired(self, event: Event, expired: bodies.Expired) -> None:
        if expired.cost is not None:  # a model was called, and gave no answer
            judge = self._judge[expired.q]
            self._note(judge, failed=True, refused=False)
            self._paid(judge, expired.cost)

    def on_aside(self, event: Event, aside: bodies.Aside) -> None:
        self._paid(aside.judge, aside.cost)
        none = aside.answer == "skip"
        refused = none and aside.comment == REFUSED
        self._note(aside.judge, failed=none and not refused, refused=refused)
        if aside.purpose == Purpose.BESIDE:
            self.opinions.append(_opinion(event, aside))

    def _note(self, judge: str, *, failed: bool, refused: bool) -> None:
        self.asked[judge] += 1
        self.failed[judge] += failed
        self.refused[judge] += refused

    def _paid(self, judge: str, cost: float | None) -> None:
        if cost is not None:
            self.cost[judge] = self.cost.get(judge, 0.0) + cost

    def on_probed(self, event: Event, probed: bodies.Probed) -> None:
        self.probes[probed.judge] = probed.found
        self._paid(probed.judge, probed.cost)
        if probed.model:
            self.behind[probed.judge] = probed.model


def models_in(events: Iterable[Event]) -> ModelsInLog:
    """Read a log.

    >>> models_in([Event(2, "probed", {"judge": "small", "found": {"fresh": False}})]).names
    ['small']
    """
    return ModelsInLog().walk(events)


def _opinion(event: Event, aside: bodies.Aside) -> Vote:
    return Vote(
        vote_id=event.seq,
        study="",
        seq=event.seq,
        judge=aside.judge,
        left=aside.left,
        right=aside.right,
        winner={"left": aside.left, "right": aside.right}.get(aside.answer, ""),
        outcome=DECIDED[aside.answer],
        case=aside.case or "",
        answered_at=event.at or "",
        response_time=aside.response_time,
        cost=aside.cost,
        source=BESIDE,
    )
