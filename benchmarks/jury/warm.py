"""Warm starts: last week's result of the same systems on other cases, against a cold start, and turned round.

Each run splits the cases of a recorded table at random: one half is last week's, the other one today's.
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
    """One run: cold, from last week's result, from the same turned round."""

    cold: Result
    warm: Result
    reversed: Result


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


def one(answers: Answers, seed: int, **goal: Any) -> Played:
    """One split, played three times."""
    before, today = halves(answers, seed)
    known = strengths_after(before, seed=seed + 500_000, **goal)
    turned = [(-mean, width) for mean, width in known]
    cold, warm, wrong = (
        play(today, seed=seed, start=start, **goal) for start in (None, Start(known), Start(turned))
    )
    return Played(cold, warm, wrong)


def ratios(found: list[Played]) -> tuple[float, float, float]:
    """Warm over cold calls, the share of the search that is saved, and turned round over cold calls."""
    calls = {which: sum(getattr(p, which).calls for p in found) for which in ("cold", "warm", "reversed")}
    started, searched = sum(p.warm.fixed_at for p in found), sum(p.cold.fixed_at for p in found)
    return calls["warm"] / calls["cold"], 1 - started / max(searched, 1), calls["reversed"] / calls["cold"]


def words(name: str, objective: str, resolution: float, found: list[Played]) -> str:
    """One line: calls, and those before the last list was fixed."""
    ratio, saved, wrong = ratios(found)
    both = "  ".join(
        f"{which} {np.mean([getattr(p, which).calls for p in found]):6.0f} "
        f"(list at {np.mean([getattr(p, which).fixed_at for p in found]):5.0f})"
        for which in ("cold", "warm", "reversed")
    )
    false = sum(result.false for p in found for result in (p.cold, p.warm, p.reversed))
    return (
        f"{name:20} {objective:6} {resolution:<5} {both}  ratio {ratio:.3f}  saved {saved:.2f}  "
        f"reversed {wrong:.3f}  false {false}"
    )
