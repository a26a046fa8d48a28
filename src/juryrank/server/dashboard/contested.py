"""Items about which judges disagree more than chance explains: scripts to read again."""

from __future__ import annotations

from math import exp, sqrt

from juryrank.report.material import Material

FEWEST = 8  # answers about an item; fewer say nothing
UNLIKELY = 3.0  # standard deviations: fewer than 1 in 700 items where all is well


def contested_items(material: Material) -> tuple[str, ...]:
    """Items whose answers go against the scores more often than the scores themselves expect, the worst first."""
    found = material.ranking.estimates
    score = {str(one.item): one.score for one in found.items} if found else {}
    sums: dict[str, list[float]] = {item: [0.0, 0.0, 0.0] for item in score}  # surprise, its variance, answers
    for vote in material.decided:
        left, right = str(vote.left), str(vote.right)
        if left not in score or right not in score:
            continue
        chance = 1 / (1 + exp(score[right] - score[left]))
        surprise = (float(str(vote.winner) == left) - chance) ** 2 - chance * (1 - chance)
        variance = chance * (1 - chance) * (1 - 2 * chance) ** 2
        for item in (left, right):
            sums[item][0] += surprise
            sums[item][1] += variance
            sums[item][2] += 1
    odd = {
        item: surprise / sqrt(variance)
        for item, (surprise, variance, answers) in sums.items()
        if answers >= FEWEST and variance > 0 and surprise > UNLIKELY * sqrt(variance)
    }
    return tuple(sorted(odd, key=lambda item: -odd[item]))
