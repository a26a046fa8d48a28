"""Results of many shapes, for tests that draw them."""

import itertools
import random
from dataclasses import replace

from juryrank.statements.details import MajorityDetails
from juryrank.types import JudgeReport, Link, Ranking

PRESIDENTS = (
    "Washington",
    "Jefferson",
    "Adams",
    "Monroe",
    "Jackson",
    "T. Roosevelt",
    "Truman",
    "Wilson",
    "F. Roosevelt",
    "Eisenhower",
)
OPEN = (
    ("Jackson", "F. Roosevelt", 28, 38, 20, ""),
    ("Jackson", "T. Roosevelt", 40, 58, 40, ""),
    ("Monroe", "Truman", 27, 39, 50, ""),
    ("Adams", "Jefferson", 10, 14, 120, ""),
    ("Monroe", "Jackson", 2, 3, None, "hardly asked"),
    ("Wilson", "Eisenhower", 16, 28, None, "too close"),
)
PROMISE = "With probability at least 90 % all rank ranges hold at once and at every moment."


def open_pair(first, second, preferred, answers, people, note):
    return {
        "first": first,
        "second": second,
        "first_preferred": preferred,
        "answers": answers,
        "people_needed": people,
        "note": note,
    }


def panel(**changes):
    """A panel's result, with every part there."""
    forecast = {"people": 20, "sitting": 10, "pairs": 1, "low": 0, "high": 3}
    forecast["likely"] = [{"better": "Jackson", "worse": "F. Roosevelt", "chance": 0.6}]
    details = MajorityDetails(
        objective="ranges",
        about="population",
        relation="head-to-head",
        lines=[1, 3],
        settled_count=30,
        pairs_count=45,
        open_pairs=[open_pair(*pair) for pair in OPEN],
        forecast=forecast,
        people=90,
        answers=900,
        ties=12,
        skips=1,
        k=None,
        groups=[],
        top={},
        settled_pairs=[],
        cycles=[],
        circles=[],
        circles_are="proven",
        level=None,
    )
    ranges = ((1, 1), (2, 3), (2, 3), (4, 7), (4, 7), (4, 9), (5, 10), (6, 10), (6, 10), (6, 10))
    fields = {"ranges": ranges, "statement": PROMISE, "details": details, **changes}
    return Ranking(PRESIDENTS, certified=False, error=0.1, questions=900, ranker="panel", **fields)


def certified(items=8, *, settled=8):
    """A search-then-prove result of which the first `settled` links are claimed."""
    names = [f"item {k}" for k in range(1, items + 1)]
    links = tuple(
        Link(
            a,
            b,
            k < settled,
            evidence=25.3 if k < settled else 1.5 * k,
            level=0.04,
            answers_for=12,
            answers_against=3,
        )
        for k, (a, b) in enumerate(itertools.pairwise(names))
    )
    judges = tuple(
        JudgeReport(f"judge {k}", 30, 29, 20.0, 0.6 + 0.04 * k, 0.55, 0.99, k > 2, note="" if k > 2 else "dropped")
        for k in range(1, 9)
    )
    ranges = tuple((k, k) if k <= settled else (settled + 1, items) for k in range(1, items + 1))
    return Ranking(
        tuple(names),
        certified=settled >= items - 1,
        error=0.05,
        questions=640,
        ranker="certified",
        links=links,
        judges=judges,
        ranges=ranges,
        statement="With probability at least 95 % this whole order is right.",
    )


def many(items, *, names=None, seed=1):
    """A panel's result with many items (or these names)."""
    chance = random.Random(seed)
    order = names or [f"a rather long name of model {k:03d} (instruct)" for k in range(items)]
    reach = max(1, items // 5)
    ranges = tuple(
        (max(1, k - chance.randint(0, reach)), min(items, k + chance.randint(0, reach)))
        for k in range(1, items + 1)
    )
    pairs = [open_pair(a, b, 7, 12, 40, "") for a, b in itertools.pairwise(order)]
    counts = {"people": 50, "answers": 500, "ties": 0, "skips": 0, "settled_count": 0, "pairs_count": 0}
    details = replace(panel().details, lines=None, forecast={}, open_pairs=pairs, **counts)
    return Ranking(
        tuple(order), certified=False, error=0.1, questions=500, ranker="panel", ranges=ranges, details=details
    )


def guess(items=12):
    """Nothing but an order."""
    return Ranking(tuple(range(items)), certified=False, error=0.05, questions=3, ranker="iir")


STRANGE = [
    "日本語の名前がここにあります" * 3,
    "عنصر",
    "<b>&\"'</b>",
    "two\nlines\x00",
    "x" * 10_000,
    "  ",
    "é" * 40,
]
EVERY = {
    "panel": panel(),
    "certified": certified(),
    "partial": certified(settled=3),
    "one": many(1),
    "two": many(2),
    "hundred": many(100),
    "guess": guess(),
    "none": guess(0),
    "strange": many(len(STRANGE), names=STRANGE),
}
