"""Warnings of a report: rare where nothing is wrong, certain where something is."""

import random
from dataclasses import replace

import pytest

from juryrank.core.monitor.alarm import FALSE_ALARM
from juryrank.report.material import material_of
from juryrank.report.page.compose import compose
from juryrank.report.page.document import Words
from juryrank.study.people.flags import flags
from juryrank.study.values import JudgeRow
from juryrank.types import JudgeReport
from tests.report.results import guess
from tests.report.test_page import vote
from tests.statistics import lower_bound


def warned(votes, **about):
    """The warnings in the report of these votes."""
    ranking = replace(guess(0), order=("a", "b"))
    report = compose(replace(material_of([], guess(0)), votes=tuple(votes), ranking=ranking, **about))
    blocks = [block for section in report.sections for block in section.blocks]
    return [block.text for block in blocks if isinstance(block, Words) and block.tone == "warn"]


def answers(chance, judges, each, *, left=0.5):
    """Everybody prefers a; sides by lot. `left`: how often the left side is chosen whatever is there."""
    for judge in range(judges):
        for _ in range(each):
            pair = ["a", "b"] if chance.random() < 0.5 else ["b", "a"]
            yield vote(f"judge {judge}", *pair, pair[0] if chance.random() < left else pair[1])


def test_fair_sides_raise_no_alarm():
    """Three looks at each of 40 studies: held against 95 % intervals, one in ten had an alarm."""
    false = 0
    for seed in range(40, 80):
        votes = list(answers(random.Random(seed), 6, 20))
        random.Random(seed).shuffle(votes)
        false += any(warned(votes[:many]) for many in (40, 80, 120))
    assert lower_bound(false, 40) <= FALSE_ALARM


def test_a_lean_is_named():
    leaning = warned(answers(random.Random(1), 40, 10, left=0.7))
    assert any("more than chance explains" in words for words in leaning)
    lefty = [replace(one, judge="lefty") for one in answers(random.Random(3), 1, 60, left=0.9)]
    found = warned([*answers(random.Random(2), 5, 40), *lefty])
    assert any(words.startswith("Clearly one-sided: lefty") for words in found)


def test_sides_that_another_program_chose_are_no_bias():
    assert warned(answers(random.Random(1), 40, 10, left=1.0), imported=True) == []


def test_nobody_is_wrong_against_a_guess():
    """A judge who always contradicts an order that nobody has proven."""
    votes = [vote("contrary", *pair, "b") for pair in (("a", "b"), ("b", "a")) * 30]
    assert warned(votes) == []


@pytest.mark.parametrize("people", [10, 200])
def test_honest_people_are_not_flagged(people):
    """All on one side by chance alone: eight choices of 200 people do that in four of five studies."""
    flagged = 0
    for seed in range(40):
        chance = random.Random(seed)
        for _ in range(people):
            left = sum(chance.random() < 0.5 for _ in range(9))
            row = JudgeRow(JudgeReport("x", 9, 9, None, None, None, True, ""), left=left, right=9 - left)
            flagged += bool(flags(row, judges=people, median_time=3.0, note={}))
    assert flagged == 0
