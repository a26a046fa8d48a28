"""`python -m benchmarks.assumptions`: what the certified ranker does, and says, when an assumption is broken.

Ten items, nine judges, δ = 0.1, at most 1,500 questions per run. Each world breaks one thing. `certified and
wrong` is what must not happen where the assumption holds; `warned` counts runs in which the monitor speaks.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.sweeping import add_where, played
from juryrank.core.watches import watch
from juryrank.rankers.certified.ranker import Certified

ITEMS, JUDGES, ERROR, BUDGET = 10, 9, 0.1, 1500
SKILL = [0.95] * 3 + [0.7] * 6
Judge = Callable[[np.random.Generator, int, int, int], int]  # rng, judge, left, right -> the preferred one


def right_with(chance: Callable[[int, int, int], float]) -> Judge:
    """Answers afresh; `chance(judge, better, worse)` of being right. Smaller numbers are better."""

    def answer(rng: np.random.Generator, judge: int, left: int, right: int) -> int:
        better, worse = min(left, right), max(left, right)
        return better if rng.random() < chance(judge, better, worse) else worse

    return answer


def remembering(chance: float) -> Callable[[], Judge]:
    """Each judge decides a pair once, rightly with this chance, and says the same ever after."""

    def make() -> Judge:
        said: dict[tuple[int, int, int], int] = {}
        fresh = right_with(lambda *_: chance)

        def answer(rng: np.random.Generator, judge: int, left: int, right: int) -> int:
            key = (judge, min(left, right), max(left, right))
            if key not in said:
                said[key] = fresh(rng, judge, left, right)
            return said[key]

        return answer

    return make


def one_answers_left(rng: np.random.Generator, judge: int, left: int, right: int) -> int:
    return left if judge == 0 else right_with(lambda u, *_: SKILL[u])(rng, judge, left, right)


def round_and_round(rng: np.random.Generator, judge: int, left: int, right: int) -> int:
    """Items 3, 4 and 5 beat each other in a circle."""
    swapped = {left, right} == {3, 5}
    return right_with(lambda u, *_: 1 - SKILL[u] if swapped else SKILL[u])(rng, judge, left, right)


def hard_pair(judge: int, better: int, worse: int) -> float:
    return 0.5 if (better, worse) == (4, 5) else SKILL[judge]


def uneven(judge: int, better: int, worse: int) -> float:
    gap = sum(0.3 if k % 2 else 2.0 for k in range(better, worse))
    return float(1 / (1 + np.exp(-(2.0 if judge < 3 else 0.7) * gap)))


WORLDS: dict[str, Callable[[], Judge]] = {
    "as assumed": lambda: right_with(lambda u, *_: SKILL[u]),
    "close items harder (Bradley-Terry, gaps 2 and 0.3)": lambda: right_with(uneven),
    "one pair at chance, the rest as assumed": lambda: right_with(hard_pair),
    "all nine wrong more often than not (0.3)": lambda: right_with(lambda *_: 0.3),
    "two of nine read the question the wrong way (0.1)": lambda: right_with(lambda u, *_: 0.1 if u < 2 else 0.9),
    "one of nine always answers left": lambda: one_answers_left,
    "three items in a circle": lambda: round_and_round,
    "three nearly perfect (0.9994), six at 0.7": lambda: right_with(lambda u, *_: 0.9994 if u < 3 else 0.7),
    "all remember: 20 % of pairs wrong, said again and again": remembering(0.8),
    "all remember: 5 % of pairs wrong, said again and again": remembering(0.95),
}


def one_run(judge: Judge, assume: str, seed: int) -> Counter[str]:
    """One ranking: certified, right, warned of what."""
    rng = np.random.default_rng(seed)
    ranker = Certified(
        [int(i) for i in rng.permutation(ITEMS)], judges=[int(u) for u in rng.permutation(JUDGES)], error=ERROR,
        seed=seed, assume=assume, budget=BUDGET,
    )  # fmt: skip
    while (question := ranker.ask()) is not None:
        ranker.tell(question, judge(rng, question.judge, question.left, question.right))  # type: ignore[arg-type]
    ranking = ranker.ranking
    right = list(ranking.order) == sorted(ranking.order)  # type: ignore[type-var]
    alarms = watch(ranker.state.tallies, ranking.order, steady=assume == "steady")
    withheld = ranking.details.phase == "certified" and not ranking.certified
    found = Counter(
        {"questions": ranker.questions, "certified": int(ranking.certified), "withheld": int(withheld)}
    )
    found["certified and wrong"] = int(ranking.certified and not right)
    found["warned"] = int(bool(alarms))
    found.update({alarm.kind for alarm in alarms})
    found["never changes"] = int(withheld and bool(ranking.details.never_changing))
    return found


def one_of(world: str, assume: str, seed: int) -> Counter[str]:
    """One ranking in the world of this name."""
    return one_run(WORLDS[world](), assume, seed)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.assumptions", description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "assumptions.csv")
    add_where(parser)
    options = parser.parse_args()
    rows = []
    print("| world | assume | certified | certified and wrong | withheld | warned of | questions |")
    print("|---|---|---|---|---|---|---|")
    for world in WORLDS:
        for assume in ("better-than-chance", "steady"):
            total: Counter[str] = Counter()
            cells = [(world, assume, 10_000 + seed) for seed in range(options.runs)]
            for found in played(one_of, cells, options, rebuild=Counter):
                total += found
            rows.append({"world": world, "assume": assume, "runs": options.runs, **_shares(total, options.runs)})
            kept = rows[-1]
            print(
                f"| {world} | {assume} | {kept['certified']:.0%} | {kept['certified and wrong']:.0%} | "
                f"{kept['withheld']:.0%} | {kept['warned of'] or '-'} | {kept['questions']:,.0f} |",
                flush=True,
            )
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with options.out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def _shares(total: Counter[str], runs: int) -> dict[str, float | str]:
    names = ("questions", "certified", "certified and wrong", "withheld", "warned")
    kinds = [f"{kind} {count / runs:.0%}" for kind, count in sorted(total.items()) if kind not in names]
    return {**{name: total[name] / runs for name in names}, "warned of": ", ".join(kinds)}


if __name__ == "__main__":
    main()
