"""What the order would still cost with less to find out: `python -m benchmarks.certified_floor --items 10 100`.

For the nine γ panels, in questions over both limits (leading order; finite N), mean over the panels:

    as it is             18 judges of whom nothing is known
    the best judge alone one judge, the best of the panel: no judge has to be found
    that judge known     its accuracy is known from the start, too
    the list known       as well, and only the proof is asked: what nobody who proves link by link can save
    by arithmetic        nothing is played: the best judge known, every split of the search even, a list that is
                         right with probability 0.9 when it is fixed, no failed attempt. `--arithmetic`: only this
"""

from __future__ import annotations

import argparse
import math

import numpy as np

from benchmarks.certified import BOTH, DELTA, GAMMAS, JUDGES
from juryrank.core.levels import level_of
from juryrank.rankers.certified.core.judge_accuracy import credit, refresh_stale
from juryrank.rankers.certified.core.prove.attempt import adopt_list
from juryrank.rankers.certified.core.prove.evidence import BET_MOST
from juryrank.rankers.certified.core.search.repair import REPAIR_STOP
from juryrank.rankers.certified.ranker import Certified
from juryrank.simulation import Bernoulli, two_groups
from juryrank.simulation.play import true_ranks
from juryrank.simulation.players.certified import ASKED, play_out
from juryrank.simulation.worlds.kinds import stage_of
from juryrank.theory import limits

WAYS = ("as it is", "the best judge alone", "that judge known", "the list known")
KNOWN_BY = 2000  # answers that the judge's accuracy is known by
MOST = 10_000  # questions per item


def questions(world: Bernoulli, items: int, assume: str, way: str, seed: int) -> int:
    """One run."""
    rng = np.random.default_rng([seed, items, 18])
    truth = true_ranks(items, rng)
    best = max(world.accuracies)
    played = world if way == WAYS[0] else Bernoulli((best,))
    ranker = Certified(
        range(items), judges=range(played.judges), error=DELTA, seed=seed, assume=assume, joining=False
    )
    if way in WAYS[2:]:
        for k in range(KNOWN_BY):
            credit(ranker._views.jury, 0, float(k >= round(KNOWN_BY * (1 - best))), 1.0)
        refresh_stale(ranker._views.jury)
    if way == WAYS[3]:
        adopt_list(ranker._views, np.argsort(-truth), 1)
    _, board = play_out(ranker._machine, stage_of(played, items), truth, rng, budget=MOST * items, parallel=1)
    return int(board.flow[ASKED])


def arithmetic(items: int, p: float, assume: str) -> float:
    """What a perfect search and a perfect proof of its list cost a judge of this accuracy, in answers.

    The order's own information, log2(N!)/I(p); log odds of ln((N-1)/0.1) for each link, so that the list is right
    with probability 0.9; and a proof at the first level, in whole answers: under steady as many more for the link
    than against as reach it at logit p each, under better-than-chance as many as the boldest bets take, at least.
    """
    bits = 1 + p * math.log2(p) + (1 - p) * math.log2(1 - p)
    logit, level = math.log(p / (1 - p)), -math.log(level_of(DELTA, 1))
    sure = math.log((items - 1) / REPAIR_STOP) / ((2 * p - 1) * logit)
    if assume == "steady":
        proof = math.ceil(level / logit) / (2 * p - 1)
    else:
        proof = max(level / (bits * math.log(2)), math.ceil(level / math.log1p(BET_MOST)))
    return math.log2(math.factorial(items)) / bits + (items - 1) * (sure + proof)


def by_arithmetic(items: int, assume: str) -> str:
    """The same line of the table, with nothing played."""
    leading, finite = [], []
    for a, b in GAMMAS:
        best = max(two_groups(JUDGES, gamma_a=a, gamma_b=b).accuracies)
        limit, cost = limits(items, best, error=DELTA), arithmetic(items, best, assume)
        assert limit.leading is not None
        leading.append(cost / limit.leading)
        finite.append(cost / limit.finite)
    return f"| {items} | {assume} | by arithmetic | {np.mean(leading):.3f} | {np.mean(finite):.2f} |"


def line(items: int, assume: str, way: str, runs: int) -> str:
    """Mean over the panels, of each panel's mean."""
    leading, finite, spread = [], [], []
    for a, b in GAMMAS:
        world = two_groups(JUDGES, gamma_a=a, gamma_b=b)
        found = np.array([questions(world, items, assume, way, seed) for seed in range(runs)])
        limit = limits(items, max(world.accuracies), error=DELTA)
        assert limit.leading is not None
        leading.append(found.mean() / limit.leading)
        finite.append(found.mean() / limit.finite)
        spread.append(found.std(ddof=1) / limit.leading)
    error = math.sqrt(float(np.square(spread).sum()) / runs) / len(GAMMAS)
    return f"| {items} | {assume} | {way} | {np.mean(leading):.3f} ± {error:.3f} | {np.mean(finite):.2f} |"


def main() -> None:
    """Print the table as Markdown."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--items", type=int, nargs="+", default=[10, 100])
    options.add_argument("--runs", type=int, default=100)
    options.add_argument("--arithmetic", action="store_true", help="play nothing")
    given = options.parse_args()
    print("| items | assume | what is known | over the leading-order limit | over the finite-N yardstick |")
    print("|---|---|---|---|---|")
    for items in given.items:
        for assume in BOTH:
            for way in () if given.arithmetic else WAYS:
                print(line(items, assume, way, given.runs), flush=True)
            print(by_arithmetic(items, assume), flush=True)


if __name__ == "__main__":
    main()
