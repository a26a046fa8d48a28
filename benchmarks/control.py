"""`python -m benchmarks.control [--seeds 100]`: does `fit(control="length")` find what length does not explain?

Made-up votes on cases: five items, answers whose lengths have nothing to do with how good they are, and an effect
of length (in log-odds per 600 characters) that is half of what tells two answers apart, or nothing. Held: scores
within two standard errors of the truth. Where length does nothing: by how much control moves a score.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import juryrank
from juryrank.votes.fitting.result import Fitted

SCORES = np.array([0.5, 0.25, 0.0, -0.25, -0.5])
LONGEST = np.array([-1, 0, 1, -0.5, 0.5]) * 400
TRUTH = {f"i{k}": float(score) for k, score in enumerate(SCORES)}


def rows_with_length(seed: int, effect: float, *, votes: int = 2500, cases: int = 250) -> list[dict[str, Any]]:
    """Votes in which `effect` is what 600 more characters add to the log odds."""
    rng = np.random.default_rng(seed)
    length = np.maximum(1500 + rng.normal(0, 300, size=(cases, 5)) + LONGEST, 1).astype(int)
    a = rng.integers(5, size=votes)
    b = (a + 1 + rng.integers(4, size=votes)) % 5
    c = rng.integers(cases, size=votes)
    z = SCORES[a] - SCORES[b] + effect * (length[c, a] - length[c, b]) / 600
    left = rng.random(votes) < 1 / (1 + np.exp(-z))
    return [
        {"judge": f"j{k % 6}", "left": f"i{a[k]}", "right": f"i{b[k]}", "winner": "left" if left[k] else "right",
         "case": f"c{c[k]}", "length_a": int(length[c[k], a[k]]), "length_b": int(length[c[k], b[k]])}
        for k in range(votes)
    ]  # fmt: skip


def errors_of(fitted: Fitted, truth: dict[str, float]) -> np.ndarray:
    """How far each score is from the truth, in standard errors."""
    return np.array([(row.score - truth[row.name]) / ((row.high - row.low) / 2 / 1.97) for row in fitted.items])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.control", description=__doc__)
    parser.add_argument("--seeds", type=int, default=100)
    seeds = range(parser.parse_args().seeds)
    for effect in (1.0, 0.0):
        fits = [juryrank.fit(rows_with_length(s, effect, votes=1500), "bt", control="length") for s in seeds]
        off = np.concatenate([errors_of(fitted, TRUTH) for fitted in fits])
        plain = np.concatenate([errors_of(fitted.without, TRUTH) for fitted in fits])
        words = (
            f"effect {effect:g}: within two standard errors {100 * np.mean(np.abs(off) < 2):.1f} % of {len(off):,}"
        )
        words += f", without control {100 * np.mean(np.abs(plain) < 2):.1f} %"
        if not effect:
            moved = [errors_of(f, {row.name: row.score for row in f.without.items}) for f in fits]
            found = [row.low > 0 or row.high < 0 for f in fits for row in f.controls]
            words += f"; control moves a score by {np.sqrt(np.mean(np.square(moved))):.2f} standard errors"
            words += f" (at most {np.abs(moved).max():.2f}), and finds an effect in {100 * np.mean(found):.0f} %"
        print(words, flush=True)


if __name__ == "__main__":
    main()
