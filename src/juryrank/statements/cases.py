"""What is claimed of judges on cases: shares of their answers, by whom, on what, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from juryrank.quoting import in_sentence, in_sentences
from juryrank.statements.numbers import (
    RecordedCount,
    failing_at,
    number_of,
    recorded_of,
    refuted_of,
    resolution_of,
    share_of,
    strength_of,
)
from juryrank.statements.promises import Name, Promise

Pair: TypeAlias = tuple[Name, Name]

LISTED = 8  # names written out in a sentence; more are counted
SILENT = (
    "It says nothing about other cases or judges, nor whether the judges are right: it is about what they say."
)
FORESEEN = "Forecasts by {} were on record before the first draw: they save calls, and are not what this is about."
SEEDS = {
    "owner": "The draws follow a seed that its owner chose.",
    "committed": "The draws follow a seed that was committed by its hash before the first question.",
    "entropy": "The draws follow a seed that nobody chose, by the word of whoever made the study.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The whole evaluation that a promise is about. `cases`: None where items are compared without any."""

    items: int
    judges: int
    cases: int | None
    both_sides: bool
    fresh: bool  # judges answer anew each time
    refusals_against: bool
    weighed: bool
    seed_from: str
    together: bool = False  # each question shows all systems
    recorded: RecordedCount | None = None  # where answers come from a file
    absent: int = 0  # comparisons without an output
    dropped: tuple[Name, ...] = ()
    judges_joined: tuple[Name, ...] = ()
    items_joined: tuple[Name, ...] = ()
    forecast_by: str = ""  # who foresaw what the judges say, if anybody

    @property
    def words(self) -> str:
        """Whose answers these are, and what is assumed."""
        cases = "" if self.cases is None else f", {number_of(self.cases, 'case')}"
        sides = ", both sides" if self.both_sides else ""
        if self.together:
            those = f"all {self.items}" if not self.absent else f"all of the {self.items} that have an output"
            sides = f", where {those} are shown together, in two opposite orders per case drawn by the seed"
        whose = f"{number_of(self.judges, 'judge')}{cases}{sides}"
        if self.fresh:
            about = (
                f"This is about the mean answers of {whose}, each answering anew every time; it assumes that the "
                "chances of a judge's answers to a question never change."
            )
        else:
            about = (
                f"This is about all answers of the whole evaluation ({whose}), asked or not; it assumes only that "
                "an answer does not depend on what else is asked."
            )
        return " ".join(filter(None, [about, self._missing]))

    @property
    def _missing(self) -> str:
        """Whoever has no output where it would lose leaves the case out of every comparison: that is said."""
        if self.recorded is not None:
            return recorded_of(self.recorded)
        if not self.absent:
            return ""
        whole = (
            f"{self.items * (self.items - 1) // 2 * (self.cases or 1):,} comparisons of two systems on one case"
        )
        return f"{self.absent:,} of the {whole} are left out, as an output is missing."

    @property
    def changes(self) -> str:
        """Who was dropped or joined after answers had been seen; empty: nobody."""
        groups = (
            (self.dropped, "judge", "dropped"),
            (self.judges_joined, "judge", "joined"),
            (self.items_joined, "system", "joined"),
        )
        parts = [f"{number_of(len(who), what)} {did} ({listed(who, ', ')})" for who, what, did in groups if who]
        last = "The claims were fixed anew after the last change."
        return f"After the start: {'; '.join(parts)}. {last}" if parts else ""

    @property
    def remarks(self) -> list[str]:
        """What every statement ends with: changes, what it says nothing about, who chose the draws."""
        foreseen = FORESEEN.format(in_sentence(self.forecast_by)) if self.forecast_by else ""
        return [*filter(None, [self.changes, foreseen]), SILENT, SEEDS[self.seed_from]]

    def kinds(self, refusals: str) -> str:
        """How answers that are no choice count."""
        left = refusals if self.refusals_against else "refusals left out"
        return f"(ties count half, graded answers by their size, {left}{', by weight' if self.weighed else ''})"


@dataclass(frozen=True, slots=True)
class AgainstGoal:
    """What speaks against what was asked for, at a resolution.

    `kind`: "counted" (these required claims fail), "refuted" (by proof) or "none" (no choice meets it).

    >>> AgainstGoal("counted", 0.05, (("new", "old"),)).words(k=0)
    'Counted: new is not at least as good as old at resolution 0.05.'
    """

    kind: str
    resolution: float
    pairs: tuple[Pair, ...] = ()

    def words(self, *, k: int, refusals_against: bool = False) -> str:
        """In a sentence, where it is counted.

        Where refusals count against a claim, it may be false by nothing else: nobody has to have said so.

        >>> AgainstGoal("none", 0.0).words(k=1, refusals_against=True)
        'Counted: no system is at least as good as every other, with refusals counted against it.'
        """
        at = f" at resolution {failing_at(self.resolution)}" if self.resolution else ""
        claimed, single = self.kind == "counted", k == 1
        if claimed:
            said = "; ".join(in_sentences(pair, " is not at least as good as ") for pair in self.pairs)
        elif single:
            said = "no system is at least as good as every other"
        else:
            said = f"no {k} systems are each at least as good as every other"
        if refusals_against:
            end = f", with refusals counted against {'it' if claimed or single else 'them'}"
        else:
            end = "; each one loses to some other" if single and not claimed else ""
        return f"Counted: {said}{at}{end}."


@dataclass(frozen=True, slots=True)
class ProofStrength:
    """What a proof would survive. `survives`: all that was not said; None: every answer was given."""

    survives: bool | None
    from_first_draw: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CasesPromise(Promise):
    """Shares of the answers. `resolutions`: those that are proven, coarsest first; none: nothing is.

    `order`: the order, or the chosen ones. `required`: the claims that were asked for. `counted`: nothing is
    inferred. `circle`: the answers go round in the order.

    >>> on = Evaluation(items=2, judges=1, cases=3, both_sides=False, fresh=False, refusals_against=False,
    ...                 weighed=False, seed_from="owner")
    >>> CasesPromise(error=0.05, goal="best", about=on, order=("a",), resolutions=(0.0,)).words[:70]
    'With probability at least 95 %: against each other system, taken singl'
    """

    goal: str  # order, best, top-3, require
    about: Evaluation
    order: tuple[Name, ...] = ()
    required: tuple[Pair, ...] = ()
    resolutions: tuple[float, ...] = ()
    counted: bool = False
    circle: bool = False
    refuted: bool = False
    against: AgainstGoal | None = None
    strength: ProofStrength | None = None

    @property
    def words(self) -> str:
        strong = self.strength
        beside = [] if strong is None else strength_of(strong.survives, from_first_draw=strong.from_first_draw)
        return " ".join([self._said, *beside])

    @property
    def _said(self) -> str:
        if self.about.items < 2:
            return "There is nothing to compare."
        against = self.against_words
        if not self.resolutions:
            if self.refuted:
                return " ".join([*filter(None, [against]), self.about.words, *self.about.remarks])
            return against or f"Nothing is proven yet about {self._goal_words}; the order shown is a best guess."
        parts = [f"{'Counted' if self.counted else self.surely}: {self._claim}"]
        if self.goal == "order" and self.resolutions[-1] == 0:
            parts.append(
                "The whole order does not follow, as the answers go in a circle."
                if self.circle
                else 'If "at least as good" is transitive, the whole order holds.'
            )
        parts.append(self.about.words)
        if len(self.resolutions) > 1:
            parts.append(f"Proven at resolution {', then '.join(map(resolution_of, self.resolutions))}.")
        return " ".join([*filter(None, [against]), *parts, *self.about.remarks])

    @property
    def against_words(self) -> str:
        """What speaks against it; empty: nothing that is counted or proven."""
        if self.against is None:
            return ""
        if self.against.kind != "refuted":
            return self.against.words(k=self._k, refusals_against=self.about.refusals_against)
        return refuted_of(
            self.against.pairs,
            claims=len(self.required),
            error=self.error,
            resolution=self.against.resolution,
            kinds=self.about.kinds("whatever was refused would have said"),
        )

    @property
    def _k(self) -> int:
        return int(self.goal.removeprefix("top-")) if self.goal.startswith("top-") else 1

    @property
    def _goal_words(self) -> str:
        words = {"require": "what is required", "order": "the order", "best": "the best one"}
        return words.get(self.goal, f"the top {self._k}")

    @property
    def _claim(self) -> str:
        share = share_of(self.resolutions[-1])
        kinds = self.about.kinds("refusals count against it")
        of = f"gets at least {share} of the answers given about that pair {kinds}."
        if self.goal == "require":
            return f"{'; '.join(in_sentences(pair, ' against ') for pair in self.required)}: the first {of}"
        if self.goal == "order":
            return f"in the order {listed(self.order, ' > ')}, each system, against the next one, {of}"
        if self._k == 1:
            return f"against each other system, taken singly, {in_sentence(self.order[0])} {of}"
        return f"each of {listed(self.order, ', ')}, against each other system, taken singly, {of}"


def listed(names: Sequence[Name], between: str) -> str:
    """The first names, and how many there are.

    >>> listed("ab", " > "), listed(range(9), ", ")
    ('a > b', '0, 1, 2, 3, 4, 5, 6, 7, … (9 in all)')
    """
    if len(names) <= LISTED:
        return in_sentences(names, between)
    return in_sentences(names[:LISTED], between) + f"{between}… ({len(names)} in all)"
