"""What field-share settles that head-to-head does not: `python -m benchmarks.people_relations`.

Worlds of 50 items, ten questions per person, δ = 0.1: how many pairs are settled, as people come.
"""

from __future__ import annotations

import numpy as np

from juryrank.rankers.panel.ranker import Panel
from juryrank.simulation.worlds.people import Population, clusters, normal_scores

ITEMS, PEOPLE, WORLDS = 50, (60, 200, 600), 2
KINDS = {
    "unequal people": lambda rng: normal_scores(ITEMS, rng),
    "sharp people": lambda rng: normal_scores(ITEMS, rng, spread=3.0, unequal=False),
    "three camps": lambda rng: clusters(ITEMS, rng),
}


def settled(population: Population, rng: np.random.Generator, **options: str) -> list[int]:
    """Pairs settled after so many people."""
    panel, found = Panel(range(ITEMS), error=0.1, joining=False, spread=True, **options), []
    for person in range(PEOPLE[-1]):
        panel.add_judge(person)
        somebody = population.person(rng)
        while (question := panel.ask(person)) is not None:
            panel.tell(question, somebody.answer(question.left, question.right))
        if person + 1 in PEOPLE:
            found.append(int(panel.claims().sum()))
    return found


def main() -> None:
    for objective in ("ranges", "tiers"):
        for kind, drawn in KINDS.items():
            for relation in ("head-to-head", "field-share"):
                streams = [np.random.default_rng([seed, ITEMS]) for seed in range(WORLDS)]
                seen = [settled(drawn(rng), rng, objective=objective, relation=relation) for rng in streams]
                pairs = zip(PEOPLE, np.mean(seen, axis=0), strict=True)
                print(objective, kind, relation, *(f"{people}: {mean:.1f}" for people, mean in pairs), flush=True)


if __name__ == "__main__":
    main()
