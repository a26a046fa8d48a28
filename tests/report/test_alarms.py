"""Warnings of a report: rare where nothing is wrong, certain where something is."""

import math
import random
from dataclasses import replace

import pytest

from juryrank.core.tallies import GOLD_TESTS, gold_odds, judge_level, side_level
from juryrank.defaults import FALSE_ALARM
from juryrank.log.gold import GoldBook, GoldRecord
from juryrank.report.material import material_of
from juryrank.report.page.compose import compose
from juryrank.report.page.document import Words
from juryrank.study.people import flags
from juryrank.study.reading import JudgeRow
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
        for place in range(1, people + 1):
            left = sum(chance.random() < 0.5 for _ in range(9))
            row = JudgeRow(JudgeReport("x", 9, 9, None, None, None, True, ""), left=left, right=9 - left)
            flagged += bool(flags(row, place=place, median_time=3.0, note={}))
    assert flagged == 0


def test_all_tests_together_stay_below_one_percent_however_many_judges_arrive():
    """Each capital exceeds 1/level with a chance of at most the level, whenever one looks: the levels add up."""
    many = range(20_000)
    watches = {
        "below chance": sum(math.exp(-judge_level(place)) for place in many),
        "by side": sum(math.exp(-side_level(place)) for place in many),  # the first: all together
        "by side, in lists": sum(math.exp(-side_level(place + 1)) for place in many),
        "gold": sum(GOLD_TESTS / gold_odds(place) for place in many),
        "same again": sum(2 * math.exp(-judge_level(place, signs=2)) for place in many),
        "uneven, cycle": 2 * FALSE_ALARM / 5,
    }
    assert sum(watches.values()) <= FALSE_ALARM * (1 + 1e-12), watches


def test_judges_who_toss_coins_on_gold_pairs_are_not_warned_of():
    """At 5 % per judge one of twenty was named in every fourth study."""
    named = ruled = 0
    for seed in range(60):
        chance, book = random.Random(seed), GoldBook()
        for judge in range(20):
            record = book.records.setdefault(f"judge {judge}", GoldRecord())
            for pair in range(100):
                record.add((str(pair), "x", ""), right=chance.random() < 0.5)
        said = book.warnings()
        named += any("wrong on most" in words for words in said)
        ruled += any("it may be chance" in words for words in said)
    assert lower_bound(named, 60) <= FALSE_ALARM
    assert ruled and named == 0


def test_a_judge_who_is_wrong_on_gold_pairs_is_named():
    book = GoldBook()
    record = book.records.setdefault("eve", GoldRecord())
    for pair in range(30):
        record.add((str(pair), "x", ""), right=pair == 0)
    assert book.warnings()[0].startswith("Judge eve was wrong on most gold pairs: right on 1 of 30")
