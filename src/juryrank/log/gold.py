"""How each judge does on gold pairs, whose better item is known, and when they refute it. They never count.

The first answer to each pair gives the judge's accuracy on such pairs, with an interval that holds at every
moment. Later answers to the same pairs say whether the judge changes: for one that stays the same, turning from
right to wrong is as likely as turning from wrong to right. First and second answer, third and fourth are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from juryrank.core.intervals import ANY_TIME, confidence_sequence, surely_below_half
from juryrank.core.tallies import gold_odds
from juryrank.log.bodies import Aside
from juryrank.log.kinds import Purpose
from juryrank.quoting import in_sentence
from juryrank.statements.numbers import number_of

REFUTED_AT = round(
    1 / ANY_TIME
)  # to one: the odds against this happening to a judge who is right half of the time
Pair = tuple[str, str, str]  # the two things in the order of their texts, and the case


@dataclass(slots=True)
class GoldRecord:
    """One judge's answers to gold pairs.

    >>> record = GoldRecord()
    >>> for number in range(30):
    ...     record.add((str(number), "x", ""), right=True)
    >>> record.low > 0.7, record.below_half
    (True, False)
    """

    right: int = 0  # first answers only, like the next three
    wrong: int = 0
    ties: int = 0
    none: int = 0  # failed and refused ones
    again: int = 0  # answers to pairs that were asked before
    worse: int = 0  # pairs that turned from right to wrong
    better: int = 0  # and from wrong to right
    seen: dict[Pair, bool | None] = field(default_factory=dict)  # pair -> the answer that waits for its second

    def add(self, pair: Pair, *, right: bool | None, answered: bool = True) -> None:
        """One more answer; `right` is None for a tie or no answer."""
        if pair not in self.seen:
            self.right += right is True
            self.wrong += right is False
            self.ties += right is None and answered
            self.none += not answered
            self.seen[pair] = right
            return
        self.again += 1
        before, self.seen[pair] = self.seen[pair], right
        if before is None or right is None:
            return
        self.worse += before and not right
        self.better += right and not before
        self.seen[pair] = None  # this couple is compared; the next answer begins another

    @property
    def asked(self) -> int:
        """How many pairs the judge chose a side of."""
        return self.right + self.wrong

    @property
    def low(self) -> float:
        """The lower end of the confidence sequence."""
        return confidence_sequence(self.right, self.asked)[0]

    @property
    def high(self) -> float:
        """Its upper end."""
        return confidence_sequence(self.right, self.asked)[1]

    @property
    def below_half(self) -> bool:
        """Is the judge set aside? A rule of every study, which meets a judge at one half at most once in 20."""
        return surely_below_half(self.right, self.asked, odds=REFUTED_AT)

    def wrong_on_most(self, place: int) -> bool:
        """Is it beyond chance, at the level of all warnings, that this judge is wrong more often than right?

        (`below_half` is the rule that sets a judge aside, which is quicker.)
        """
        return surely_below_half(self.right, self.asked, odds=gold_odds(place))

    def drift(self, place: int) -> str:
        """Did the judge at this place surely change on the way? `worse`, `better`, or nothing."""
        turned, odds = self.worse + self.better, gold_odds(place)
        if surely_below_half(self.better, turned, odds=odds):
            return "worse"
        return "better" if surely_below_half(self.worse, turned, odds=odds) else ""

    def to_dict(self, place: int = 0) -> dict[str, Any]:
        """Plain values for results; `place`: the judge's among those with gold pairs."""
        counts = {name: getattr(self, name) for name in ("right", "wrong", "ties", "none", "again")}
        drift = self.drift(place)
        return {**counts, "low": self.low, "high": self.high, "below_half": self.below_half, "drift": drift}


@dataclass(slots=True)
class GoldBook:
    """The gold records of all judges of a log."""

    records: dict[str, GoldRecord] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)  # judge -> answers that never count, of any purpose
    cost: dict[str, float] = field(default_factory=dict)  # what they took, and probes

    def paid(self, judge: str, cost: float | None) -> None:
        """Add the cost of something that never counts."""
        self.cost[judge] = self.cost.get(judge, 0.0) + (cost or 0.0)

    def note(self, aside: Aside) -> bool:
        """Take an answer in; True: from now on its judge is surely wrong more often than right."""
        self.asked[aside.judge] = self.asked.get(aside.judge, 0) + 1
        self.paid(aside.judge, aside.cost)
        if aside.purpose != Purpose.GOLD:
            return False
        record = self.records.setdefault(aside.judge, GoldRecord())
        before = record.below_half
        first, second = sorted((aside.left, aside.right))
        chosen = aside.answer in ("left", "right")
        right = aside.answer == aside.better if chosen else None
        record.add((first, second, aside.case or ""), right=right, answered=aside.answer != "skip")
        return record.below_half and not before

    def refutes(self, judge: str) -> bool:
        """Is this judge surely wrong more often than right?"""
        return judge in self.records and self.records[judge].below_half

    def to_dict(self) -> dict[str, Any]:
        """By judge, for a result's details."""
        return {judge: record.to_dict(place) for place, (judge, record) in enumerate(self.records.items())}

    def warnings(self) -> list[str]:
        """What gold pairs say against a judge, in sentences."""
        found = enumerate(self.records.items())
        return [words for place, (judge, record) in found for words in _against(judge, record, place)]

    # ------------------------------------------------------------------ snapshots
    def state(self) -> list[Any]:
        """As JSON values."""
        rows = []
        for judge, record in self.records.items():
            counts = [getattr(record, name) for name in COUNTS]
            rows.append([judge, counts, [[*pair, right] for pair, right in record.seen.items()]])
        return [rows, self.asked, self.cost]

    @classmethod
    def load(cls, state: Any) -> GoldBook:
        """The book that `state` wrote down."""
        if not state:
            return cls()
        rows, asked, cost = state
        made = cls(asked=dict(asked), cost=dict(cost))
        for judge, counts, seen in rows:
            known = {(one, two, case): right for one, two, case, right in seen}
            made.records[judge] = GoldRecord(**dict(zip(COUNTS, counts, strict=True)), seen=known)
        return made


RULE = "Of judges who are right half of the time this rule meets up to 1 in 20: it may be chance."
COUNTS = ("right", "wrong", "ties", "none", "again", "worse", "better")


def gold_words(record: Mapping[str, Any]) -> str:
    """A judge's record for people.

    >>> gold_words({"right": 18, "wrong": 2, "ties": 1, "none": 0, "low": 0.65, "high": 0.98})
    'right on 18 of 20 gold pairs (65 to 98 %), 1 tie'
    """
    asked = record["right"] + record["wrong"]
    parts = [f"right on {record['right']} of {number_of(asked, 'gold pair')}"]
    if asked:
        parts[0] += f" ({100 * record['low']:.0f} to {100 * record['high']:.0f} %)"
    if record["ties"]:
        parts.append(number_of(record["ties"], "tie"))
    if record["none"]:
        parts.append(f"{record['none']} without an answer")
    return ", ".join(parts)


def _against(judge: str, record: GoldRecord, place: int) -> list[str]:
    said, judge = [], in_sentence(judge)
    if record.wrong_on_most(place):
        said.append(f"Judge {judge} was wrong on most gold pairs: {gold_words(record.to_dict())}.")
    elif record.below_half:
        said.append(f"Judge {judge} meets the rule for gold pairs: {gold_words(record.to_dict())}. {RULE}")
    drift = record.drift(place)
    if drift:
        turned = f"{record.worse} pairs turned from right to wrong and {record.better} from wrong to right"
        said.append(f"Judge {judge} changed on the way, for the {drift}: of gold pairs asked twice, {turned}.")
    return said
