"""What a jury knows: options, who is here, the table, the machine, unsent calls. Its parts share this alone."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from juryrank.rankers.contract.roster import SharedState
from juryrank.rankers.jury.asking import UnsentCall
from juryrank.rankers.jury.core.evidence import Resolutions
from juryrank.rankers.jury.core.machine import Machine
from juryrank.rankers.jury.core.table import ALL, DRAW_ALL, Pair, Table, draw_key, rates
from juryrank.rankers.jury.core.together import MachineOfAll
from juryrank.rankers.jury.foresight import KnownForecasts, read_forecast, rows_of
from juryrank.rankers.jury.options import JuryOptions, make_table, on_record, read_required
from juryrank.rankers.jury.status import JudgeCounts


# ----------------------------------------------------------------------------
# Who is in the table: judges and items may join, judges may leave for good; each change makes another table
@dataclass(slots=True)
class Members:
    """`items` and `judges` were there at the start; `left` are judges who are out of the table now.

    >>> members = Members(3, 2)
    >>> members.leave(1, seen=True)
    >>> members.changes("abcd", ["m", "n"])
    {'dropped': ['n'], 'dropped_before_answers': [], 'judges_joined': [], 'items_joined': ['d']}
    """

    items: int
    judges: int
    left: set[int] = field(default_factory=set)
    unseen: set[int] = field(default_factory=set)  # of those: left before any answer was seen

    def leave(self, u: int, *, seen: bool) -> None:
        """A judge is out; `seen`: after answers had been seen."""
        self.left.add(u)
        if not seen:
            self.unseen.add(u)

    def come_back(self, u: int) -> bool:
        """A judge is in again; False if they had not left."""
        out = u in self.left
        self.left.discard(u)
        self.unseen.discard(u)
        return out

    def changes(self, items: Sequence[Any], judges: Sequence[Any]) -> dict[str, list[Any]]:
        """What is different from the start, by name."""
        return {
            "dropped": [judges[u] for u in sorted(self.left - self.unseen)],
            "dropped_before_answers": [judges[u] for u in sorted(self.unseen)],
            "judges_joined": list(judges[self.judges :]),
            "items_joined": list(items[self.items :]),
        }

    def state(self) -> dict[str, Any]:
        return {
            "items": self.items, "judges": self.judges, "left": sorted(self.left), "unseen": sorted(self.unseen)
        }  # fmt: skip

    @classmethod
    def read(cls, saved: Mapping[str, Any]) -> Members:
        return cls(saved["items"], saved["judges"], set(saved["left"]), set(saved["unseen"]))


# ----------------------------------------------------------------------------
# What a jury knows: options, who is here, the table, the machine, unsent calls. Its parts share this alone
@dataclass(slots=True)
class JuryState(SharedState):
    """`options` as they were given, `read` the same in the program's words."""

    options: Mapping[str, Any]
    read: JuryOptions
    key: str = field(init=False)  # of the draws: the seed, and the hash of what is on record before them
    members: Members = field(init=False)
    table: Table = field(init=False)  # the whole evaluation with everybody who is in it now
    rates: tuple[float, ...] = field(init=False)
    machine: Machine = field(init=False)
    tally: JudgeCounts = field(init=False)
    forecasts: KnownForecasts | None = field(init=False)  # of what the judges will say, by somebody cheap
    queue: list[UnsentCall] = field(default_factory=list)  # drawn, not sent: the judge has not come yet
    unrecorded: list[dict[str, Any]] = field(default_factory=list)  # drawn ahead, not in any question's terms yet
    strength: tuple[Any, dict[str, bool]] = (None, {})  # what the proof shown would survive, and of which state
    in_round: int = 0  # questions that go out together: up to so many, the search holds none back
    failing: int | None = None  # the question that is just being told to have failed
    foreign: set[int] = field(default_factory=set)  # questions that this ranker did not draw
    order_keys: dict[int, str] = field(default_factory=dict)  # by judge: the key with which it was first drawn
    same_outputs: int = field(init=False)  # how often two systems give the same output for a case

    def __post_init__(self) -> None:
        self.members = Members(len(self.items), len(self.judge_names))
        self.renew_table()
        forecast = read_forecast(
            self.options.get("forecast"), fresh=self.options["fresh"], unnamed=self.read.unnamed
        )
        self.forecasts = None if forecast is None else KnownForecasts(*forecast, len(self.items))
        required = read_required(self.options["require"], self.items)
        prices = [self.prices[judge] for judge in self.judge_names]
        self.key = draw_key(self.seed, on_record(self.options, self.items, self.judge_names, prices))
        self.machine = (MachineOfAll if self.read.together else Machine)(
            self.table,
            len(self.items),
            objective=self.read.objective,
            k=self.read.k,
            error=self.error,
            resolutions=Resolutions(self.read.resolutions),
            seed=self.seed,
            refusals_against=self.read.refusals_against,
            required=required,
            start=self.read.start,
            forecast=None if forecast is None else partial(rows_of, self),
        )
        self.tally = JudgeCounts(len(self.judge_names))
        self.same_outputs = int(self.options.get("same_outputs", 0))

    def renew_table(self) -> None:
        """The table of whoever is here now."""
        self.table = self.table_of(self.members.left)
        self.rates = rates([self.prices[judge] for judge in self.judge_names])

    def table_of(self, left: set[int]) -> Table:
        """The table without those who left."""
        return make_table(
            self.read,
            self.items,
            self.judge_names,
            weights=self.options["weights"],
            case_weights=self.options["case_weights"],
            absent=self.options["absent"],
            fresh=self.options["fresh"],
            left=left,
        )

    def names(self, pair: Pair) -> tuple[Hashable, Hashable]:
        """What a draw of this pair hangs on."""
        if pair == ALL:
            return DRAW_ALL, tuple(self.items)
        return self.items[pair[0]], self.items[pair[1]]

    def case_name(self, case: int) -> str | None:
        return None if self.read.unnamed else self.read.cases[case]
