"""Eight systems on eighty prompts, judged by GPT-4: the whole table is recorded, a part of it is asked.

    python examples/recorded_systems.py     prints the story; --figure FILE draws it

Every pair of systems was compared on every prompt in both orders (examples/votes/README.md says by whom). So what
juryrank promises after a part of the calls, namely what all of them say, can be looked up.
Needs: pip install '.[figures]'
"""

from __future__ import annotations

import argparse
import csv
import gzip
import textwrap
from itertools import combinations, pairwise
from pathlib import Path

import juryrank
from juryrank.judges import replayed

VOTES = Path(__file__).parent / "votes" / "systems.csv.gz"
Table = dict[tuple[str, str, str], object]  # (left, right, case) -> the preferred system, or a tie


def table() -> Table:
    """Every recorded verdict; those missing could not be read and count as refusals."""
    with gzip.open(VOTES, "rt", encoding="utf-8") as file:
        return {
            (row["left"], row["right"], row["case"]): {"left": row["left"], "right": row["right"]}.get(
                row["winner"], juryrank.TIE
            )
            for row in csv.DictReader(file)
        }


def share(recorded: Table, one: str, other: str) -> float:
    """The share of all answers about this pair that prefer `one`; a tie counts half."""
    said = [answer for (left, right, _), answer in recorded.items() if {left, right} == {one, other}]
    return sum(0.5 if answer is juryrank.TIE else answer == one for answer in said) / len(said)


def turned(recorded: Table) -> float:
    """The share of verdicts that change when the two outputs change places."""
    both = [
        (answer, recorded[right, left, case])
        for (left, right, case), answer in recorded.items()
        if left < right and (right, left, case) in recorded
    ]
    return sum(one != other for one, other in both) / len(both)


def main() -> None:
    """Play, print, and draw if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--figure", help="draw claimed and counted shares into this file")
    wishes = parser.parse_args()
    recorded = table()
    systems = sorted({left for left, _, _ in recorded})
    cases = sorted({case for *_, case in recorded}, key=int)
    calls = len(systems) * (len(systems) - 1) * len(cases)
    judge = replayed([("GPT-4", left, right, answer, case) for (left, right, case), answer in recorded.items()])
    asked: dict[str, juryrank.Ranking] = {}
    for objective in ("best", "order"):
        result = juryrank.rank(systems, judge, cases=cases, goal=objective, within=0.05, error=0.05, seed=1)
        asked[objective] = result
        print(f"{objective}: {result.questions:,} of {calls:,} calls, proven: {'yes' if result.proven else 'no'}")
    print(f"\n{textwrap.fill(asked['order'].statement, 88)}\n")
    print("claim                              claimed at least   all calls say")
    order = [str(item) for item in asked["order"].order]
    for better, worse in pairwise(order):
        print(f"{better + ' over ' + worse:<34} 45 %               {share(recorded, better, worse):.1%}")
    wrong = [
        f"{worse} gets {share(recorded, worse, better):.0%} against {better}"
        for better, worse in combinations(order, 2)
        if share(recorded, worse, better) > 0.5
    ]
    print()
    print(textwrap.fill(f"Listed the other way round by all calls: {'; '.join(wrong) or 'no pair'}.", 88))
    print(f"{turned(recorded):.0%} of GPT-4's verdicts change when the two outputs change places.")
    if wishes.figure:
        draw(recorded, order, wishes.figure)


def draw(recorded: Table, order: list[str], file: str) -> None:
    """Draw each system's share of all answers against the next one, beside the share that was promised."""
    import matplotlib.pyplot as plt

    links = [f"{better} over {worse}" for better, worse in pairwise(order)]
    shares = [100 * share(recorded, better, worse) for better, worse in pairwise(order)]
    figure, axes = plt.subplots(figsize=(7.2, 3.4), layout="constrained")
    axes.barh(links, shares, color="#1f5fa8")
    axes.axvline(45, color="#c0504d")
    axes.text(45.5, -0.75, "promised: at least 45 %", color="#c0504d", va="center")
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of all answers about the pair, %")
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, dpi=150)


if __name__ == "__main__":
    main()
