"""Digests of what the rankers ask and decide, not compiled.

`digests.json` beside this file was written before the layout of the package changed; a test compares. A
change that is meant to alter what a ranker asks writes it anew:
`python -m tests.data.digests > tests/data/digests.json`.
"""

from __future__ import annotations

import hashlib
import json
import random

from juryrank.core.compiling import without_compiling
from juryrank.rankers import make_ranker
from juryrank.simulation import Btl, play, two_groups
from juryrank.types import Item, Ranking

PAPER = ("iir", "ada-iir", "oracle", "two-stage", "subset-two-stage")
LIMITED = 100_000  # questions, more than these runs need: a budget, so links are proven in the order of claims
LIVE = {
    **{name: (name, {"best": "j1"} if name == "oracle" else {}) for name in PAPER},
    "certified": ("certified", {}),
    "certified steady": ("certified", {"assume": "steady"}),
    "certified once": ("certified", {"repeats": 1}),
    "panel": ("panel", {}),
    "panel field-share": ("panel", {"relation": "field-share"}),
    "panel of these": ("panel", {"about": "panel"}),
    "panel order of these": ("panel", {"about": "panel", "objective": "order"}),
}


def _hash(parts: list[str]) -> str:
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:16]


def live(name: str, *, items: int, judges: int, seed: int, most: int = 600) -> str:
    """A digest of every question (with its terms) and of the result, with several questions open at once."""
    ranker_name, options = LIVE[name]
    names = [f"j{u}" for u in range(judges)]
    ranker = make_ranker(ranker_name, range(items), judges=names, error=0.1, seed=seed, **options)
    rng, out, text = random.Random(seed), [], []
    while len(text) < most:
        while len(out) < 3:
            question = ranker.ask() or next((q for j in names if (q := ranker.ask(j)) is not None), None)
            if question is None:
                break
            text.append(repr((question.judge, question.left, question.right, dict(question.terms))))
            out.append(question)
        if not out:
            break
        question = out.pop(rng.randrange(len(out)))
        right = rng.random() < 0.95 - 0.05 * names.index(question.judge)
        pair = sorted((question.left, question.right))
        ranker.tell(question, pair[0] if right else pair[1])
    result = ranker.ranking
    order, ranges = placed(result)
    return _hash([*text, repr((order, result.certified, result.questions, ranges))])


def placed(result: Ranking) -> tuple[tuple[Item, ...], tuple[tuple[int, int], ...]]:
    """The order and ranges without items that have no place yet: results listed only the others once."""
    waiting = set(result.details.unplaced)
    both = [both for both in zip(result.order, result.ranges, strict=True) if both[0] not in waiting]
    return tuple(item for item, _ in both), tuple(span for _, span in both)


def digests() -> dict[str, str]:
    """All of them, by name."""
    found = {}
    with without_compiling():
        for name in LIVE:
            for seed in (1, 2):
                found[f"live {name} {seed}"] = live(name, items=7, judges=5, seed=seed)
        found["live certified 30 items"] = live("certified", items=30, judges=8, seed=3, most=900)
        world, uneven = two_groups(9, gamma_a=0.5, gamma_b=1.0), Btl((2.0, 1.0, 1.5), spacing=1.0)
        for assume in ("steady", "better-than-chance"):
            how = {"items": 14, "seed": 3, "error": 0.1, "assume": assume, "budget": LIMITED}
            runs = [play("certified", world, repeat=k, **how) for k in range(4)]
            found[f"simulated certified {assume}"] = _hash([repr(run) for run in runs])
        found["simulated certified uneven"] = _hash(
            [repr(play("certified", uneven, items=8, seed=5, error=0.1, budget=LIMITED))]
        )
    return found


if __name__ == "__main__":
    print(json.dumps(digests(), indent=1))
