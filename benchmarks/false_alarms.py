"""How often warnings speak falsely, and how soon where something is wrong: `python -m benchmarks.false_alarms`.

Clean worlds: judges of unequal accuracy, people of unequal taste, nobody with a bias. Each run is looked at three
times on the way, as owners do; a warning counts once if any look shows it. Biased worlds: how many answers until
the bias is named. Options: `--runs 300` per clean world, `--seed 1`, `--only panel`.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any

import numpy as np

from benchmarks.sweeping import add_where, played
from juryrank import create_study, rank
from juryrank.core.watches import chooses_by_side, turns_with_side
from juryrank.judges import simulated
from juryrank.log import Event, Fold
from juryrank.log.gold import GoldBook, GoldRecord
from juryrank.report.material import Material, material_of
from juryrank.report.page.answers import assumptions_section, sides_section
from juryrank.report.page.compose import study_material
from juryrank.report.page.document import Section, Words
from juryrank.report.view import view_of
from juryrank.simulation.worlds.people import normal_scores
from juryrank.storage import MemoryStorage
from juryrank.votes.fitting.entry import fit
from juryrank.votes.fitting.judges import misfitting

LOOKS = (1 / 3, 2 / 3, 1.0)  # of a run
TESTS = {  # what a warning that is a test says
    "all by side": "more than chance explains",
    "by side": "although sides are random",
    "below chance": "less than chance",
    "same again": "look remembered",
    "uneven": "pairs are not equally hard",
    "cycle": "The answers go round in a circle",
    "against the order": "against this order",
    "turns with the side": "changes its answer with the side",
    "gold drift": "changed on the way",
    "gold: wrong on most": "wrong on most gold pairs",
    "fit: sides": "judges lean to one side",
    "fit: below chance": "less often than a coin would",
    "fit: misfits (a rule, not a warning)": "misfitting",
}


def warned(material: Material) -> set[str]:
    """The tests that speak in the report of this material."""
    told = [
        block.text for section in _with_warnings(material) for block in section.blocks
        if isinstance(block, Words) and block.tone == "warn"
    ]  # fmt: skip
    return kinds(told)


def _with_warnings(material: Material) -> list[Section]:
    """The sections of a report that hold tests."""
    found = sides_section(material), assumptions_section(material, view_of(material.ranking))
    return [section for section in found if section is not None]


def kinds(told: Sequence[str]) -> set[str]:
    """Which tests these sentences come from.

    >>> kinds(["Judge ann agrees with this order in only 1 of 20 answers, less than chance.", "12 were skipped."])
    {'below chance'}
    """
    return {kind for kind, words in TESTS.items() if any(words in sentence for sentence in told)}


def looked(events: Sequence[Event]) -> set[str]:
    """What the reports of a run say at any look."""
    said: set[str] = set()
    state, before = Fold.start(events[0].data), 1
    for share in LOOKS:
        until = max(2, round(share * len(events)))
        with state.knowing(events[before:until]):
            state.walk(events[before:until])
        said |= warned(material_of(events[:until], state.ranking()))
        before = until
    return said


# ---------------------------------------------------------------------- clean worlds
def accuracies(rng: random.Random) -> list[float]:
    """Two to nine judges, from hardly better than a coin to nearly perfect."""
    return [rng.uniform(0.52, 0.97) for _ in range(rng.randint(2, 9))]


def ranked(seed: int, **options: Any) -> set[str]:
    """Judges who answer afresh rank six to twelve things."""
    rng = random.Random(seed)
    things = list(range(rng.randint(6, 12)))
    judges = simulated(things, [*accuracies(rng), 0.9], seed=seed)
    return looked(rank(things, judges, fresh=True, seed=seed, **options).events)


def panel(seed: int) -> set[str]:
    """Forty people of unequal taste answer ten questions each; `fit` looks at the same votes."""
    rng = np.random.default_rng(seed)
    world = normal_scores(8, rng)
    names = [f"item {k}" for k in range(world.items)]
    study = create_study(
        names, name="clean", ranker="panel", judges=[], storage=MemoryStorage(), seed=seed, options={"sitting": 10}
    )
    said: set[str] = set()
    for number in range(1, 41):
        person, judge = world.person(rng), study.add_judge(f"person {number}")
        while (question := study.ask(judge)) is not None:
            i, j = names.index(question.left), names.index(question.right)
            study.tell(question, question.left if person.prefers(i, j) else question.right)
        if number in (13, 27, 40):
            said |= warned(study_material(study)) | fitted(study)
    return said


def fitted(study: Any) -> set[str]:
    """What `juryrank fit` says of a study's votes."""
    found = fit(study, model="bt")
    misfits = {"fit: misfits (a rule, not a warning)"} if misfitting(found.estimate) else set()
    return kinds([check.words for check in found.checks if not check.ok]) | misfits


def jury(seed: int) -> set[str]:
    """Three to five judges compare four systems on 40 cases; opinions are noisy and know no side."""
    rng = random.Random(seed)
    gaps = [rng.uniform(0.0, 0.8) for _ in range(3)]
    scores = dict(zip("abcd", (sum(gaps[:k]) for k in range(4)), strict=True))
    judges = {f"judge {k}": _opinion(random.Random(f"{seed} {k}"), scores, k) for k in range(rng.randint(3, 5))}
    result = rank(list("abcd"), judges, cases=range(40), goal="order", seed=seed, budget=400)
    return looked(result.events)


def _opinion(rng: random.Random, scores: dict[str, float], number: int) -> Callable[[str, str, int], str]:
    held: dict[tuple[str, str, int], float] = {}

    def answer(left: str, right: str, case: int) -> str:
        first, second = sorted((left, right))
        luck = held.setdefault((first, second, case), rng.gauss(0, 1)) if number % 2 else rng.gauss(0, 1)
        return second if scores[second] - scores[first] + luck > 0 else first

    return answer


def arriving(seed: int) -> set[str]:
    """A hundred judges one after another, 200 fair answers each, each judge looked at after every answer.

    Each answer is both a side and, turned round, an answer that changes or not: the worst case, a coin.
    """
    rng, said = random.Random(seed), set[str]()
    for place in range(100):
        left = 0
        for n in range(1, 201):
            left += rng.random() < 0.5
            said |= {"by side"} if chooses_by_side(left, n - left, place=place + 1) else set()
            said |= {"turns with the side"} if turns_with_side(left, n, place=place) else set()
    return said


def gold(seed: int) -> set[str]:
    """Twenty judges who toss coins, 60 gold pairs asked twice each, looked at after every answer."""
    rng, book, said = random.Random(seed), GoldBook(), set()
    for judge in range(20):
        record, right = book.records.setdefault(str(judge), GoldRecord()), 0.5
        for pair in range(60):
            for _ in range(2):
                record.add((str(pair), "x", ""), right=rng.random() < right)
            said |= {"gold drift"} if record.drift(judge) else set()
            said |= {"gold: wrong on most"} if record.wrong_on_most(judge) else set()
    return said


CLEAN: dict[str, Callable[[int], set[str]]] = {
    "certified, better than chance": lambda seed: ranked(seed, ranker="certified"),
    "certified, steady": lambda seed: ranked(seed, ranker="certified", assume="steady"),
    "guess": lambda seed: ranked(seed, ranker="guess", budget=100),
    "panel, and `fit` of its votes": panel,
    "jury on cases": jury,
    "gold pairs, judges who toss coins": gold,
    "judges who arrive one by one": arriving,
}


# ---------------------------------------------------------------------- biased worlds
@dataclass(frozen=True, slots=True)
class Bias:
    """A judge who leans: chooses left with this chance, or turns with the side."""

    words: str
    chance: float
    judges: int
    named: Callable[[int, int, int], bool]  # hits, misses, judges


def _sides(hits: int, misses: int, judges: int) -> bool:
    return chooses_by_side(hits, misses, place=judges)


def _turns(hits: int, misses: int, judges: int) -> bool:
    return turns_with_side(hits, hits + misses, place=judges - 1)


UNSURE = 0.8  # of the answers of a judge who is right in 60 %: such a judge knows in 20 %, and guesses else
BIASED = [
    Bias("left in 70 % where unsure (accuracy 60 %)", (1 - UNSURE) / 2 + UNSURE * 0.7, 5, _sides),
    Bias("left in 70 % of all answers", 0.7, 5, _sides),
    Bias("left in 70 % of all answers", 0.7, 50, _sides),
    Bias("left in 90 % of all answers", 0.9, 50, _sides),
    Bias("always left", 1.0, 5, _sides),
    Bias("always left", 1.0, 200, _sides),
    Bias("another answer the other way round in 80 % of cases", 0.8, 5, _turns),
]


def answers_until(bias: Bias, seed: int, most: int = 5000) -> int:
    """Answers until the bias is named."""
    rng, hits = random.Random(seed), 0
    for n in range(1, most):
        hits += rng.random() < bias.chance
        if bias.named(hits, n - hits, bias.judges):
            return n
    return most


# ---------------------------------------------------------------------- tables
def said_in(name: str, seed: int) -> set[str]:
    """What is said in the clean world of this name."""
    return CLEAN[name](seed)


def false_alarms(name: str, given: argparse.Namespace) -> Iterator[str]:
    """Lines of the table for one clean world."""
    runs = given.runs
    found: Counter[str] = Counter()
    any_test = 0
    for said in played(said_in, [(name, given.seed + k) for k in range(runs)], given, rebuild=set):
        found.update(said)
        any_test += any("misfits" not in kind for kind in said)
    spoke = ", ".join(f"{kind} {times}" for kind, times in sorted(found.items())) or "none"
    yield f"| {name} | {runs} | {any_test} | {100 * any_test / runs:.1f} % | {spoke} |"


def power(runs: int, seed: int) -> Iterator[str]:
    """Lines of the table of biased worlds."""
    for bias in BIASED:
        needed = [answers_until(bias, seed + k) for k in range(runs)]
        yield f"| {bias.words} | {bias.judges} | {median(needed):.0f} | {quantiles(needed, n=10)[-1]:.0f} |"


def main() -> None:
    """Print both tables as Markdown."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="")
    add_where(options)
    given = options.parse_args()
    print("| clean world | reports | with a false alarm | share | which |\n|---|---|---|---|---|")
    for name in CLEAN:
        if given.only in name:
            print(*false_alarms(name, given), sep="\n", flush=True)
    print("\n| bias | judges | answers until named: median | 9 in 10 below |\n|---|---|---|---|")
    print(*power(given.runs, given.seed), sep="\n")


if __name__ == "__main__":
    main()
