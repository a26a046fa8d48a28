"""What the paper says should be seen in its figures, checked by machine: does it hold, with which numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from juryrank.simulation.paper.cells import Cell, CellRow
from juryrank.simulation.paper.grid import SIZES, Figure, GammaPanel

CLOSE = 0.10  # "close to Oracle": at most this much more, at the largest N
SURE = 3.0  # standard errors of a difference of means, before we call it one
STEADY_COST = 0.25  # "constant overhead": the selection's cost varies by at most this share over N
Rows = Mapping[Cell, CellRow]


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of the paper and what the rows say. `holds` is None where these figures cannot tell."""

    sentence: str
    holds: bool | None
    numbers: str


def check_claims(figures: Sequence[Figure], rows: Rows, *, repeats: int) -> list[Claim]:
    """All claims, for the panels of these figures."""
    panels = list(dict.fromkeys(panel for figure in figures for panel in figure.panels))
    table = _Table(rows, repeats)
    return [check(panels, table) for check in CHECKS]


class _Table:
    """Rows by panel, size and ranker; a cell that failed counts as not a number."""

    def __init__(self, rows: Rows, repeats: int) -> None:
        self._rows, self.repeats = rows, repeats

    def mean(self, panel: GammaPanel, items: int, ranker: str, name: str = "questions_mean") -> float:
        value = self._rows[panel.cell(items, ranker)].numbers[name]
        return math.nan if value is None else value

    def apart(self, panel: GammaPanel, items: int, one: str, other: str) -> float:
        """The difference of two means in standard errors."""
        spread = math.hypot(*(self.mean(panel, items, ranker, "questions_std") for ranker in (one, other)))
        difference = self.mean(panel, items, one) - self.mean(panel, items, other)
        return difference / (spread / math.sqrt(self.repeats)) if spread else math.copysign(math.inf, difference)


def _close_to_oracle(panels: list[GammaPanel], table: _Table) -> Claim:
    n = max(SIZES)
    over = {p: table.mean(p, n, "ada-iir") / table.mean(p, n, "oracle") - 1 for p in panels}
    far = [p for p, share in over.items() if not share <= CLOSE]
    return Claim(
        f"Adaptive is close to Oracle (at most {CLOSE:.0%} more questions at N = {n})",
        not far,
        f"in {len(panels) - len(far)} of {len(panels)} panels; {fmean(over.values()):+.1%} on average, at most "
        f"{max(over.values()):+.1%}" + _where(far),
    )


def _better_where_mixed(panels: list[GammaPanel], table: _Table) -> Claim:
    mixed, n = [p for p in panels if p.mixed], max(SIZES)
    if not mixed:
        return Claim("Adaptive is better than Non-adaptive where γ_A and γ_B differ", None, "no such panel")
    worse = [p for p in mixed if not table.apart(p, n, "ada-iir", "iir") < -SURE]
    saved = [1 - table.mean(p, n, "ada-iir") / table.mean(p, n, "iir") for p in mixed]
    return Claim(
        f"Adaptive is better than Non-adaptive where γ_A and γ_B differ (by {SURE:g} standard errors at N = {n})",
        not worse,
        f"in {len(mixed) - len(worse)} of {len(mixed)} panels; it saves {fmean(saved):.1%} on average, from "
        f"{min(saved):.1%} to {max(saved):.1%}" + _where(worse),
    )


def _equal_where_equal(panels: list[GammaPanel], table: _Table) -> Claim:
    same = [p for p in panels if not p.mixed]
    if not same:
        return Claim("Adaptive equals Non-adaptive where γ_A = γ_B", None, "no such panel")
    cells = [(p, n) for p in same for n in SIZES]
    z = [table.apart(p, n, "ada-iir", "iir") for p, n in cells]
    ratio = fmean(table.mean(p, n, "ada-iir") / table.mean(p, n, "iir") for p, n in cells) - 1
    unlucky = 1 + math.ceil(len(z) * 0.0027 * 5)  # |z| > 3 has chance 0.0027: so few may exceed it
    above = sum(not abs(value) <= SURE for value in z)
    return Claim(
        "Adaptive equals Non-adaptive where γ_A = γ_B (within chance)",
        above <= unlucky,
        f"{ratio:+.2%} on average over {len(z)} cells; {above} of them differ by over {SURE:g} standard errors",
    )


def _constant_overhead(panels: list[GammaPanel], table: _Table) -> Claim:
    cost = {p: [table.mean(p, n, "two-stage", "selection_questions_mean") for n in SIZES] for p in panels}
    varies = {p: max(values) / min(values) - 1 if min(values) > 0 else math.inf for p, values in cost.items()}
    off = [p for p, share in varies.items() if not share <= STEADY_COST]
    means = [fmean(values) for values in cost.values()]
    return Claim(
        f"Two-stage has a constant overhead (its selection varies by at most {STEADY_COST:.0%} over N)",
        not off,
        f"in {len(panels) - len(off)} of {len(panels)} panels; the selection costs {min(means):,.0f} to "
        f"{max(means):,.0f} questions and varies by at most {max(varies.values()):.1%} over N" + _where(off),
    )


def _shrinks_with_judges(panels: list[GammaPanel], table: _Table) -> Claim:
    sentence = "Adaptive's advantage shrinks as M grows, N fixed"
    numbers = sorted({p.judges for p in panels})
    pairs = sorted({(p.gamma_a, p.gamma_b) for p in panels if p.mixed})
    if len(numbers) < 2 or not pairs:
        return Claim(sentence, None, "needs figures with several numbers of judges (reproduce all)")
    n = SIZES[len(SIZES) // 2 - 1]
    saved = {
        m: fmean(
            1 - table.mean(GammaPanel(m, a, b), n, "ada-iir") / table.mean(GammaPanel(m, a, b), n, "iir")
            for a, b in pairs
        )
        for m in numbers
    }
    shrinks = all(saved[more] < saved[fewer] for fewer, more in pairwise(numbers))
    text = ", ".join(f"{saved[m]:.1%} with M = {m}" for m in numbers)
    return Claim(sentence, shrinks, f"at N = {n} it saves against Non-adaptive, on average where γ differ: {text}")


def _all_exact(panels: list[GammaPanel], table: _Table) -> Claim:
    rates = [table.mean(p, cell.items, cell.ranker, "exact_rate") for p in panels for cell in p.cells]
    runs = table.repeats * len(rates)
    wrong = sum(round((1 - rate) * table.repeats) for rate in rates if not math.isnan(rate))
    failed = sum(math.isnan(rate) for rate in rates)
    text = f"{wrong} of {runs:,} runs gave another order" + (f"; {failed} cells failed" if failed else "")
    return Claim("Every run recovers the exact order", wrong == 0 and not failed, text)


CHECKS: tuple[Callable[[list[GammaPanel], _Table], Claim], ...] = (
    _close_to_oracle,
    _better_where_mixed,
    _equal_where_equal,
    _constant_overhead,
    _shrinks_with_judges,
    _all_exact,
)


def _where(panels: Sequence[GammaPanel]) -> str:
    named = [f"M {p.judges} γ {p.gamma_a:g}/{p.gamma_b:g}" for p in panels]
    return f"; not in {', '.join(named)}" if named else ""


def to_markdown(claims: Sequence[Claim], *, command: str) -> str:
    """The one-page summary."""
    word = {True: "**holds**", False: "**does not hold**", None: "cannot tell"}
    lines = ["# What the paper says should be seen", "", f"Made by `{command}`.", ""]
    lines += ["| the paper says | here it | numbers |", "|---|---|---|"]
    lines += [f"| {claim.sentence} | {word[claim.holds]} | {claim.numbers} |" for claim in claims]
    return "\n".join(lines) + "\n"
