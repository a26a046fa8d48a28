"""Whatever happens during a ranking, its certificate holds: verify recomputes it from the raw events."""

import asyncio
import functools
import random

import pytest

import juryrank
from juryrank import rank
from juryrank.errors import JudgeFailed
from juryrank.judges import simulated
from juryrank.verify import verify
from tests.quick import quick
from tests.ranking import rank_with

ITEMS = [f"item-{k}" for k in range(7)]


def broken(left, right):
    raise ConnectionError("away")


def jury(**more):
    return {**simulated(ITEMS, [0.95, 0.8, 0.6], seed=2), **more}


def late(seed):
    """An async judge whose answers come back in another order than they were asked."""
    chance = random.Random(seed)

    async def answer(left, right):
        await asyncio.sleep(chance.random() / 1000)
        return min(left, right)

    return answer


async def hanging(left, right):
    await asyncio.sleep(30)


@pytest.mark.parametrize(
    ("judges", "options"),
    [
        (jury(), {"fresh": True}),
        (jury(), {"fresh": True, "assume": "steady"}),
        (jury(bad=broken), {"fresh": True}),
        (jury(), {"fresh": True, "budget": 30}),
        (jury(), {"fresh": True, "ranker": "ada-iir", "budget": 300}),
        ({"a": min, "b": min, "c": max}, {}),
        ({"a": min, "b": broken, "c": min}, {}),
        ({"a": min, "b": min, "c": min}, {"objective": "order"}),
        ({"a": min, "b": min, "c": max}, {"objective": "top-3"}),
        ({"a": late(1), "b": late(2), "c": late(3)}, {"fresh": True, "concurrency": 20}),
        ({"a": late(1), "b": late(2), "c": late(3)}, {"concurrency": 20}),
        ({"a": late(1), "b": late(2), "c": hanging}, {"time_limit": 0.05}),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_it_verifies(judges, options):
    result = rank_with(ITEMS, judges, seed=1, **options)
    report = verify(result.certificate())
    assert report.true, report.failures
    assert report.certified == result.certified
    assert report.order == result.order


def test_a_flipped_answer_is_caught():
    document = rank(ITEMS, jury(), seed=1, about="truth").certificate()
    told = next(event for event in document["events"] if event["kind"] == "told")
    told["data"]["answer"] = "left" if told["data"]["answer"] == "right" else "right"
    assert not verify(document).true


def test_what_is_known_when_all_judges_have_failed_verifies_too():
    with pytest.raises(JudgeFailed) as caught:
        rank(ITEMS, {"a": broken, "b": broken}, seed=1)
    assert verify(caught.value.ranking.certificate()).true


@pytest.mark.parametrize(("said", "proven"), [(None, False), (juryrank.TIE, True), (juryrank.SKIP, True)])
def test_a_pair_that_nobody_answered_is_not_proven(said, proven):
    """A judge who fails on one pair alone is not set aside; a tie or a skip is an answer that chooses nothing."""

    def judge(left, right):
        if {left, right} != {"a", "b"}:
            return min(left, right)
        if said is None:
            raise ValueError("too long")
        return said

    result = rank(["a", "b", "c"], {"only": judge}, goal="ranges", seed=1)
    document = result.certificate()
    assert result.proven is proven and verify(document).true and verify(document).result["proven"] is proven
    assert verify(document, rerun=True).true
    (open_pair,) = result.details.open_pairs
    note = {None: "no answer came", juryrank.TIE: "exact tie", juryrank.SKIP: "nobody chose"}[said]
    assert open_pair["note"] == note


def test_items_that_are_no_texts_are_named_in_the_certificate():
    result = rank([3, 1, 2], {"a": max}, seed=1)
    assert result.order == (3, 2, 1)
    assert result.certificate()["result"]["order"] == ["3", "2", "1"]
    assert verify(result.certificate()).true


@pytest.mark.parametrize("seeds", [9, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.parametrize("objective", quick(["order", "ranges", "tiers", "best"]))
def test_certificates_of_judges_who_contradict_themselves(objective, seeds):
    """Coins as judges of a fixed list: circles, ties, skips. A best rank is never behind the worst one."""
    for seed in range(seeds):
        chance, table = random.Random(seed), {}

        def said(judge, left, right, chance=chance, table=table):
            options = [left, right, left, right, juryrank.TIE, juryrank.SKIP]
            return table.setdefault((judge, frozenset((left, right))), chance.choice(options))

        judges = {name: functools.partial(said, name) for name in "xyz"[: 1 + seed % 3]}
        result = rank(list("abcde"), judges, seed=seed, goal=objective)
        assert all(best <= worst for best, worst in result.ranges), (seed, result)
        assert verify(result.certificate(), rerun=True).true, seed
