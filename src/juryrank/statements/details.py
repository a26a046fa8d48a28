"""What a result says besides its order: about whom it claims something, what is open, what more would settle.

Each family of rankers fills its own kind; whoever shows a result reads fields, never guesses from what is there.
JSON holds the same names, without those that are empty and belong to other families.
"""

from __future__ import annotations

import enum
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar, TypeAlias, TypedDict

Names: TypeAlias = Sequence[Hashable]  # of items or judges
Row: TypeAlias = Mapping[str, Any]


class Whom(enum.Enum):
    """About whom or what something is claimed."""

    NOBODY = "nothing is claimed"
    TRUTH = "the true order"
    MAJORITY = "what a majority says: of people, or of exactly these judges"
    CASES = "what these judges say on all cases"


class JuryDetails(TypedDict, total=False):
    """What judges say on cases: all of it, or nothing where nobody was asked about cases. A shape of JSON."""

    objective: str
    resolution: float | None  # the finest that is proven for all claims
    resolutions: list[float]
    mode: str  # table, or fresh
    cases: int
    cells: int | None
    cells_asked: int
    calls_in_all: int | None
    attempts: int
    attempt: int | None
    level: float | None
    claims: list[dict[str, Any]]  # better, worse, asked, share, evidence, proven, counted, resolution, refuted
    identical: int  # ties of outputs that are the same
    started_from: int  # systems whose strengths were known before
    forecast: dict[str, Any]  # by whom, and the share of the stake that rests on it
    refused: int
    failed: int
    ties: int
    pairs: list[dict[str, Any]]
    by_judge: list[dict[str, Any]]
    by_group: list[dict[str, Any]]
    disagreements: list[dict[str, Any]]
    group_disagreements: list[dict[str, Any]]
    telling_cases: list[dict[str, Any]]
    cases_apart: list[dict[str, Any]]
    even_cases: int
    dropped_judges: list[Any]
    judges: list[Any]
    changes: dict[str, list[Any]]
    seed_from: str
    none_exists: bool
    refuted: list[dict[str, Any]]  # claims: better, worse, counted, evidence, level
    survives: bool  # would the proof survive the worst of all that was not said?
    from_first_draw: bool  # does it stand whichever list was chosen?
    circles: list[list[Any]]
    circles_are: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """What any result may say.

    >>> Details(reason="chosen for you").to_json(), Details().opinions
    ({'reason': 'chosen for you'}, False)
    """

    whom: ClassVar[Whom] = Whom.NOBODY

    objective: str = ""  # what is to be proven; empty: the whole order, link by link
    k: int | None = None  # how many items are wanted at the top
    about: str = ""  # of a majority: "population", or "panel" for exactly these judges
    relation: str = ""
    finished: bool = False  # has everybody been asked everything?
    placed: int | None = None
    unplaced: Names = ()
    withdrawn: Names = ()
    phase: str = ""
    level: float | None = None  # at which something may be claimed now
    claims: Sequence[Row] = ()  # of links: better, worse, attempt, level
    lines: Sequence[int] | None = None
    top: Mapping[int, Mapping[str, Names]] = field(default_factory=dict)
    settled_count: int = 0
    pairs_count: int = 0
    settled_pairs: Sequence[Sequence[Any]] = ()
    counted_count: int | None = None
    tied_count: int = 0
    tied: Sequence[Names] = ()
    impossible_lines: Sequence[int] = ()
    cycles: Sequence[Names] = ()
    circles: Sequence[Names] = ()
    circles_are: str = ""  # counted, proven or estimated
    people: int = 0
    answers: int = 0
    ties: int = 0
    skips: int = 0
    open_pairs: Sequence[Row] = ()
    forecast: Mapping[str, Any] = field(default_factory=dict)
    jury: JuryDetails = field(default_factory=JuryDetails)
    reason: str = ""  # why this ranker was chosen
    missing: Mapping[str, Any] = field(default_factory=dict)  # answers that the promise does without
    gold: Mapping[str, Row] = field(default_factory=dict)  # judge -> how it did on gold pairs
    models: Mapping[str, Row] = field(default_factory=dict)  # model -> what it did and cost
    refold: Mapping[str, int] = field(default_factory=dict)  # answers that another ranker could use

    @property
    def opinions(self) -> bool:
        """Is it about what judges say, who are then neither right nor wrong?"""
        return self.whom in (Whom.MAJORITY, Whom.CASES)

    @property
    def majority(self) -> bool:
        """Is it about a majority, of people or of exactly these judges?"""
        return self.whom is Whom.MAJORITY

    @property
    def these_judges(self) -> bool:
        """Is it the majority of exactly these judges, which is counted?"""
        return self.about == "panel"

    @property
    def on_cases(self) -> bool:
        """Is it about what these judges say on all cases?"""
        return self.whom is Whom.CASES

    @property
    def neighbours(self) -> bool:
        """Are the links those between neighbours of a list, each a claim of its own?"""
        return not self.objective and not self.opinions

    def to_json(self) -> dict[str, Any]:
        """Plain values by name; what is empty and could be so for every ranker is left out."""
        found = {}
        for one in fields(self):
            value = getattr(self, one.name)
            default = one.default_factory() if one.default_factory is not MISSING else one.default
            if default is MISSING or value != default:
                found[one.name] = value
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifiedDetails(Details):
    """The true order by links, or the best by elimination. `gave_up`: the pair that could not be told apart."""

    whom: ClassVar[Whom] = Whom.TRUTH

    assume: str
    repeats: int | None
    never_changing: Names
    phase: str
    attempts: Sequence[Row]
    level: float | None
    claims: Sequence[Row]
    proven_links: int
    placed: int
    unplaced: Names
    late: int
    forecast: Mapping[str, Any]
    open_pairs: Sequence[Row]
    eliminated: Names | None = None
    gave_up: Row | None = None
    fewest_judges: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperDetails(Details):
    """The true order by the paper's rankers."""

    whom: ClassVar[Whom] = Whom.TRUTH

    placed: int
    unplaced: Names
    late: int
    constants: str
    selection_answers: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MajorityDetails(Details):
    """A majority. The tied, the counted and the impossible are known of exactly these judges only."""

    whom: ClassVar[Whom] = Whom.MAJORITY

    objective: str
    about: str
    relation: str
    k: int | None
    groups: Sequence[Names]
    lines: Sequence[int]
    top: Mapping[int, Mapping[str, Names]]
    settled_count: int
    pairs_count: int
    settled_pairs: Sequence[Sequence[Any]]
    open_pairs: Sequence[Row]
    forecast: Mapping[str, Any]
    cycles: Sequence[Names]
    circles: Sequence[Names]
    circles_are: str
    people: int
    answers: int
    ties: int
    skips: int
    level: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedDetails(MajorityDetails):
    """The majority of exactly these judges, counted."""

    counted_count: int
    tied_count: int
    tied: Sequence[Names]
    impossible_lines: Sequence[int]
    finished: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CasesDetails(Details):
    """What these judges say on all cases."""

    whom: ClassVar[Whom] = Whom.CASES

    objective: str
    k: int | None
    jury: JuryDetails


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessDetails(Details):
    """A best guess, without a promise."""

    repeats: int | None
    doubt: float


NO_DETAILS = Details()
