"""Warm starts: last week's result of the same systems on other cases, against a cold start, and turned round.

Each run splits the cases of a recorded table at random: one half is last week's, the other one today's. Beside it
stands what no start can beat: the strengths of today's own half, as if every answer were known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.jury.play import Answers, Result, play
from juryrank.rankers.jury.core.machine import Machine
from juryrank.rankers.jury.core.opinion import Start


@dataclass(frozen=True)
class Played:
    """One run: cold, from last week's result, from the same turned round, and from the truth of today."""

    cold: Result
    warm: Result
    reversed: Result
    truth: Result


def halves(answers: Answers, seed: int) -> tuple[Answers, Answers]:
    """The table on two random halves of its cases; where pairs have votes and no cases, of each pair's votes."""
    rng = np.random.default_rng([seed, 11])
    cases = rng.permutation(answers.shape[1])
    first, second = (_only(answers, part, rng) for part in (cases[: len(cases) // 2], cases[len(cases) // 2 :]))
    return first, second


def _only(answers: Answers, cases: np.ndarray, rng: np.random.Generator) -> Answers:
    place = {int(case): at for at, case in enumerate(cases)}
    absent = {
        pair: frozenset(place[case] for case in gone if case in place) for pair, gone in answers.absent.items()
    }
    values = {pair: x[:, cases] for pair, x in answers.values.items()}
    return Answers(values, absent={p: g for p, g in absent.items() if g}, weights=answers.weights)


def strengths_after(answers: Answers, *, seed: int, **goal: Any) -> list[tuple[float, float]]:
    """What a run ends with."""
    found: list[Machine] = []
    play(answers, seed=seed, look=found.append, **goal)
    return found[0].opinion.strengths_now()


TRUTH_WIDTH = 0.05  # of a strength that all answers tell, in log-odds


def true_strengths(answers: Answers) -> list[tuple[float, float]]:
    """Bradley-Terry strengths of the whole table, each pair counting the same."""
    n = answers.items
    means = np.array([[answers.mean(i, j, 0.0) if i != j else 0.0 for j in range(n)] for i in range(n)])
    found = np.zeros(n)
    for _ in range(3000):
        found += (means - np.tanh((found[:, None] - found[None, :]) / 2)).sum(axis=1) / n / 2
    return [(float(strength), TRUTH_WIDTH) for strength in found - found.mean()]


def one(answers: Answers, seed: int, **goal: Any) -> Played:
    """One split, played four times."""
    before, today = halves(answers, seed)
    known = strengths_after(before, seed=seed + 500_000, **goal)
    turned = [(-mean, width) for mean, width in known]
    starts = (None, Start(known), Start(turned), Start(true_strengths(today)))
    return Played(*(play(today, seed=seed, start=start, **goal) for start in starts))


WAYS = ("cold", "warm", "reversed", "truth")


def ratios(found: list[Played]) -> tuple[float, ...]:
    """Calls over a cold start's (warm, turned round, truth); the share of the search saved (warm, truth)."""
    calls, fixed = (
        {way: sum(getattr(getattr(p, way), what) for p in found) for way in WAYS} for what in ("calls", "fixed_at")
    )
    return (
        *(calls[way] / calls["cold"] for way in WAYS[1:]),
        *(1 - fixed[way] / max(fixed["cold"], 1) for way in ("warm", "truth")),
    )


def words(name: str, objective: str, resolution: float, found: list[Played]) -> str:
    """One line: calls, and those before the last list was fixed."""
    ratio, wrong, best, saved, best_saved = ratios(found)
    both = "  ".join(
        f"{which} {np.mean([getattr(p, which).calls for p in found]):6.0f} "
        f"(list at {np.mean([getattr(p, which).fixed_at for p in found]):5.0f})"
        for which in WAYS
    )
    false = sum(result.false for p in found for result in (getattr(p, way) for way in WAYS))
    return (
        f"{name:20} {objective:6} {resolution:<5} {both}  ratio {ratio:.3f}  saved {saved:.2f}  "
        f"reversed {wrong:.3f}  truth {best:.3f}, saved {best_saved:.2f}  false {false}"
    )
