"""How often the certified ranker's forecasts hold: `python -m benchmarks.forecast`.

Every world is met twice: a study without a budget, looked at on its way, and one whose budget ends early, which
then gets 100 questions more, and then all it needs. No such world was used to fit the forecast. Options:
`--runs 20` per world, `--only TEXT`, `--seed 7000`, `--out FILE` (one line of JSON per forecast).
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.sweeping import add_where, played
from juryrank.rankers.certified.ranker import Certified
from juryrank.rankers.certified.result import claims_of
from juryrank.simulation import Bernoulli, Btl, Drifting, Spammers, World, Wst, two_groups
from juryrank.simulation.worlds.base import accuracy
from juryrank.simulation.worlds.kinds import stage_of

MORE = 100  # questions that a forecast is about
LOOKS = (0.3, 0.6, 0.8, 0.95)  # of the questions that a run like this took
MOST = 8_000  # questions; runs that take longer count as beyond every interval
DELTA = 0.1


def worlds() -> dict[str, tuple[World, int, str]]:
    """Name: world, number of items, assumption."""
    graded = Bernoulli((0.6, 0.7, 0.8, 0.9, 0.93))
    return {
        "γ .5/2.5, 12 judges, N = 16": (two_groups(12, gamma_a=0.5, gamma_b=2.5), 16, "better-than-chance"),
        "5 judges, .6 to .93, N = 24": (graded, 24, "better-than-chance"),
        "5 judges, .6 to .93, N = 24, steady": (graded, 24, "steady"),
        "6 judges at .7, N = 9": (Bernoulli((0.7,) * 6), 9, "better-than-chance"),
        "a third at chance, N = 14": (Spammers(9, share=1 / 3, rest=0.9), 14, "better-than-chance"),
        "Bradley-Terry, gaps of 1.5, N = 10": (Btl((0.8, 1.2, 1.6), spacing=1.5), 10, "better-than-chance"),
        "every pair its own margin, N = 10": (Wst((1.0, 0.8), least=0.25, seed=8), 10, "better-than-chance"),
        "judges tire: .95 to .75, N = 18": (Drifting((0.95,) * 4, (0.75,) * 4, 300), 18, "better-than-chance"),
    }


class Table:
    """A ranker with judges around it, who know the truth as well as the world says."""

    def __init__(self, world: World, items: int, assume: str, seed: int, budget: int = MOST) -> None:
        self.rng = np.random.default_rng([seed, 11])
        self.stage, self.truth = stage_of(world, items), self.rng.permutation(items)
        self.ranker = Certified(
            range(items), judges=range(world.judges), error=DELTA, seed=seed, assume=assume, budget=budget
        )
        self.fixed: list[int] = []  # the questions at which lists were fixed

    def play(self, upto: int) -> None:
        """Ask until so many questions are asked, or nothing is left to ask."""
        ranker, truth = self.ranker, self.truth
        while ranker.questions < upto and (question := ranker.ask()) is not None:
            a, b = truth[question.left], truth[question.right]
            chance = accuracy(self.stage, question.judge, max(a, b), min(a, b), ranker.questions)
            right = self.rng.random() < chance
            if "list" in question.terms:
                self.fixed.append(ranker.questions - 1)
            ranker.tell(question, question.left if (a > b) == right else question.right)

    @property
    def claimed(self) -> int:
        return len({claim[:2] for claim in claims_of(self.ranker.state)})


def looks(world: World, items: int, assume: str, seed: int) -> Iterator[dict[str, Any]]:
    """Forecasts made on the way, and what came of them."""
    pilot = Table(world, items, assume, seed + 500_000)
    pilot.play(MOST)
    for look in LOOKS:
        at = max(1, round(look * pilot.ranker.questions))
        for budget in (MOST, at):
            table = Table(world, items, assume, seed, budget=budget)
            table.play(at)
            ranker = table.ranker
            if ranker.done:
                continue
            said, before, asked = ranker.forecast(MORE), table.claimed, ranker.questions
            ranker.budget = max(ranker.budget, asked + MORE)
            table.play(asked + MORE)
            gained = table.claimed - before
            ranker.budget = MOST
            table.play(MOST)
            spans = {"fixed": said["fixed"], "whole": said["whole"]}
            took = {
                "fixed": next((f for f in table.fixed if f >= asked), MOST) - asked,
                "whole": (ranker.questions if ranker.done else MOST) - asked,
            }
            yield {
                "phase": "search" if said["fixed"] else "proof",
                "budget": "spent" if budget == at else "left",
                "links": [said["links"], said["low"], said["high"], gained],
                **{
                    name: [span["questions"], span["low"], span["high"], took[name]]
                    for name, span in spans.items()
                    if span
                },
            }


def looks_of(name: str, seed: int) -> list[dict[str, Any]]:
    """In the world of this name."""
    world, items, assume = worlds()[name]
    return list(looks(world, items, assume, seed))


def held(found: list[list[int]]) -> str:
    """How many of these lie within their interval, and the middle of (what came / what was said)."""
    inside = sum(low <= came <= high for _, low, high, came in found)
    ratio = float(np.median([(came + 1) / (said + 1) for said, _, _, came in found]))
    return f"{inside} of {len(found)} ({inside / len(found):.0%}), {ratio:.2f}"


def main() -> None:
    """Print how often each interval held, as Markdown."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=20)
    options.add_argument("--only", default="")
    options.add_argument("--seed", type=int, default=7000)
    options.add_argument("--out", type=Path)
    add_where(options)
    given = options.parse_args()
    everything: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    print("| world | links that 100 questions settle | until the list is fixed | until the whole order |")
    print("|---|---|---|---|")
    for name in worlds():
        if given.only not in name:
            continue
        cells = [(name, given.seed + run) for run in range(given.runs)]
        rows = [row for some in played(looks_of, cells, given) for row in some]
        if given.out:
            with given.out.open("a", encoding="utf-8") as out:
                out.writelines(json.dumps({"world": name, **row}) + "\n" for row in rows)
        for row in rows:
            everything["all"].append(row)
            everything[f"all, in the {row['phase']}, budget {row['budget']}"].append(row)
        print(line(name, rows), flush=True)
    for name, rows in sorted(everything.items()):
        print(line(name, rows))


def line(name: str, rows: list[dict[str, Any]]) -> str:
    columns = ([row[what] for row in rows if what in row] for what in ("links", "fixed", "whole"))
    return f"| {name} | " + " | ".join(held(column) if column else "" for column in columns) + " |"


if __name__ == "__main__":
    main()
