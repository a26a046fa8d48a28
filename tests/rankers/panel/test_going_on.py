"""Going on after a sitting: promises count the first n places of a list fixed at the start, and nothing beyond."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

from juryrank.core.levels import Objective
from juryrank.errors import BadInput
from juryrank.rankers.panel.core.head_to_head import HeadToHead
from juryrank.rankers.panel.core.sittings import Given, Sittings
from juryrank.rankers.panel.ranker import Panel
from juryrank.storage import MemoryStorage
from juryrank.study import create_study
from juryrank.types import SKIP
from juryrank.verify import verify
from tests.quick import quick

ITEMS, N, BEYOND = list("abcdef"), 3, 12


def panel(**more: Any) -> Panel:
    return Panel(ITEMS, error=0.1, sitting=N, beyond=BEYOND, seed=3, **more)


def test_the_list_is_longer_than_what_counts_and_fixed_at_the_start() -> None:
    ranker = panel(judges=["ann"])
    first = ranker.ask("ann")
    assert first is not None
    plan = first.terms["plan"]
    assert first.terms["counts"] == N and len(plan) == N + BEYOND
    assert len({frozenset(pair) for pair in plan}) == len(plan)
    question, places = first, []
    while question is not None:
        places.append((question.terms["place"], bool(question.terms.get("beyond"))))
        assert {question.left, question.right} == set(plan[question.terms["place"]])
        ranker.tell(question, question.left)
        question = ranker.ask("ann")
    assert places == [(k, k >= N) for k in range(N + BEYOND)]
    assert ranker.people == 1 and ranker.state.counted.wins.sum() == N


def wrong_pairs(*, spread: bool, seed: int, items: int = 25, people: int = 15) -> float:
    """The share of pairs in the wrong order after people who agree on 0, 1, 2, ... gave ten answers each."""
    panel = Panel(range(items), error=0.05, seed=seed, spread=spread)
    for person in range(people):
        panel.add_judge(person)
        while (question := panel.ask(person)) is not None:
            panel.tell(question, min(question.left, question.right))
    order = panel.ranking.order
    return float(np.mean([a > b for a, b in itertools.combinations(order, 2)]))


def test_every_item_is_heard_of_before_a_proof_asks_the_same_pairs_again() -> None:
    assert np.mean([wrong_pairs(spread=True, seed=seed) for seed in range(4)]) < 0.05
    assert wrong_pairs(spread=False, seed=1) > 0.15  # a panel of programs goes straight for its proof


def asked_about(item: int, *, spread: bool, items: int = 25, people: int = 40) -> float:
    """The share of the last ten people's questions that are about an item which everybody skips."""
    panel, about = Panel(range(items), error=0.1, seed=1, spread=spread), []
    for person in range(people):
        panel.add_judge(person)
        while (question := panel.ask(person)) is not None:
            skipped = item in (question.left, question.right)
            panel.tell(question, SKIP if skipped else min(question.left, question.right))
            about.append(skipped)
    return float(np.mean(about[-100:]))


@pytest.mark.parametrize("spread", [True, False])
def test_what_everybody_skips_is_not_asked_about_for_ever(spread: bool) -> None:
    assert asked_about(3, spread=spread) < 0.1


def test_no_item_takes_more_than_a_third_and_the_order_is_shuffled() -> None:
    ranker = Panel(list("abcdefghijkl"), error=0.1, sitting=9, beyond=10, seed=5)
    firsts = Counter()
    for person in range(40):
        ranker.add_judge(person)
        question = ranker.ask(person)
        assert question is not None
        met = Counter(item for pair in question.terms["plan"][:9] for item in pair)
        assert max(met.values()) <= 3, met
        firsts.update(question.terms["plan"][0])
        while question is not None and not question.terms.get("beyond"):
            ranker.tell(question, min(question.left, question.right))
            question = ranker.ask(person)
    assert len(firsts) >= 10


def test_nobody_left_who_answered_what_counts_and_did_not_go_on() -> None:
    ranker = panel()
    for person in range(4):
        ranker.add_judge(person)
        for _ in range(N if person else 1):
            question = ranker.ask(person)
            assert question is not None
            ranker.tell(question, question.left)
        if person == 0:
            ranker.lapse(1)
    assert ranker.left_early() == (0,)
    assert any(words.startswith("1 person left before") for words in ranker.ranking.warnings)


def played(seed: int, *, people: int) -> Panel:
    """30 % are keen, go on to the end, and see one pair the other way round than everybody else."""
    rng, ranker = np.random.default_rng(seed), panel()
    for person in range(people):
        keen = rng.random() < 0.3
        ranker.add_judge(person)
        question, place = ranker.ask(person), 0
        while question is not None and (keen or place < N):
            low, high = sorted((question.left, question.right))
            share = (0.9 if keen else 0.1) if (low, high) == ("a", "b") else 0.5
            ranker.tell(question, low if rng.random() < share else high)
            question, place = ranker.ask(person), place + 1
    return ranker


@pytest.mark.parametrize("seed", quick(range(2)))
def test_keen_people_prove_nothing_false(seed: int) -> None:
    claims = played(seed, people=300).claims()
    assert not claims[ITEMS.index("a"), ITEMS.index("b")]  # 66 % prefer b


@pytest.mark.parametrize("rule", [True, False])
def test_without_the_rule_a_late_pair_is_settled_falsely(rule: bool) -> None:
    """The pair stands last in every list: only the keen ever answer it."""
    rng = np.random.default_rng(1)
    plan = [(i, j) for i in range(6) for j in range(i + 1, 6) if (i, j) != (0, 1)] + [(0, 1)]
    book, counted = Sittings(), HeadToHead(6, error=0.1, objective=Objective.RANGES)
    for person in range(400):
        keen = rng.random() < 0.3
        sitting = book.arrive(person, plan, counts=N if rule else None)
        for place in range(len(plan) if keen else N):
            first = rng.random() < (0.5 if place < len(plan) - 1 else 0.8)
            book.answer(sitting.number, place, Given.FIRST if first else Given.SECOND)
        book.lapse(sitting.number)
        for one in book.due():
            counted.count_person(one.number, one.preferences())
    assert counted.settled[0, 1] != rule  # 38 % of all prefer the first


@pytest.mark.slow
def test_keen_people_prove_nothing_false_at_length() -> None:
    wrong = sum(bool(played(seed, people=400).claims()[0, 1]) for seed in range(10, 40))
    assert wrong == 0


# ---------------------------------------------------------------------------- in a study
class Clock(MemoryStorage):
    """A storage whose clock is set by hand."""

    time = 1_800_000_000.0

    def now(self) -> float:
        return self.time


def sat(idle: float | None = 900.0, hard: float = 3600.0, beyond: int = BEYOND) -> tuple[Any, Clock]:
    clock = Clock()
    study = create_study(
        ITEMS, name="study", judges=["ann", "bob"], ranker="panel", error=0.1, storage=clock, seed=1,
        sitting_lease=hard, sitting_idle=idle, options={"sitting": N, "beyond": beyond},
    )  # fmt: skip
    return study, clock


def answer(study: Any, judge: str, times: int) -> None:
    for _ in range(times):
        question = study.ask(judge, again=True)
        study.tell(question.id, side="left")


def kinds(study: Any) -> list[str]:
    return [event.kind for event in study.events()]


def test_a_sitting_ends_a_quarter_of_an_hour_after_its_last_answer() -> None:
    study, clock = sat()
    answer(study, "ann", 1)
    clock.time += 899
    answer(study, "ann", 1)  # it lasts: every answer gives another quarter of an hour
    clock.time += 899
    study.ask("bob", again=True)
    assert "lapsed" not in kinds(study)
    clock.time += 2
    study.log.expire_due()
    assert kinds(study).count("lapsed") == 1
    answer(study, "bob", N)
    assert study.progress().progress.settled == 0 and study._keeper.settled()[0].ranker.people == 2  # nobody waits
    assert verify(study.certificate()).true


def test_the_hard_limit_holds_for_who_is_never_idle() -> None:
    study, clock = sat(hard=1000.0)
    answer(study, "ann", 1)
    clock.time += 800
    answer(study, "ann", 1)
    clock.time += 201
    study.log.expire_due()
    assert "lapsed" in kinds(study)


def test_who_comes_back_late_can_go_on_and_it_counts_for_nothing_proven() -> None:
    study, clock = sat()
    answer(study, "ann", 2)
    clock.time += 5000
    study.log.expire_due()
    assert "You can go on" in study.status("ann").reason
    answer(study, "ann", 4)
    ranker = study._keeper.settled()[0].ranker
    assert ranker.state.counted.wins.sum() == 2 and ranker.sittings[0].given[N].value == "first"
    assert verify(study.certificate()).true


def worst_first(left: str, right: str, rng: np.random.Generator) -> str:
    """The earlier letter, but e only in 55 % against f."""
    low, high = sorted((left, right))
    return high if (low, high) == ("e", "f") and rng.random() < 0.45 else low


@pytest.mark.parametrize("told", [True, False])
def test_field_share_hears_only_those_who_own_neither(told: bool) -> None:
    """30 % own f, the worst item, and pass it over: to them it looks average, and so better than e."""
    rng, ranker = np.random.default_rng(4), Panel(ITEMS, error=0.2, sitting=5, relation="field-share", seed=3)
    for person in range(300):
        own = {"f"} if person % 10 < 3 else set()
        ranker.add_judge(person)
        if told:
            ranker.owns(person, own)
        while (question := ranker.ask(person)) is not None:
            mine = bool(own & {question.left, question.right})
            ranker.tell(question, SKIP if mine else worst_first(question.left, question.right, rng))
    assert bool(ranker.claims()[5, 4]) != told
    again = Panel.restore(ranker.snapshot())
    assert isinstance(again, Panel)
    assert [one.own for one in again.sittings] == [one.own for one in ranker.sittings]


def test_own_work_of_field_share_is_on_record_before_the_first_answer() -> None:
    study = create_study(
        ITEMS, name="own", ranker="panel", error=0.9, storage=MemoryStorage(), seed=3,
        options={"sitting": 5, "relation": "field-share"},
    )  # fmt: skip
    rng = np.random.default_rng(4)
    for k in range(12):
        study.add_judge(name := f"p{k}")
        own = {"f"} if k % 2 else set()
        while (question := study.ask(name, again=True, own=own)) is not None:
            if own & {question.left, question.right}:
                study.tell(question.id, side="skip", source="own-work")
            else:
                study.tell(question.id, worst_first(question.left, question.right, rng))
    report = verify(study.certificate())
    assert "own neither" in study.ranking().statement and report.true
    assert any("Own work was entered for 6 people" in note for note in report.notes)

    def whose(e: Any) -> Any:
        terms = e["data"].get("terms") or {}
        return ({**e["data"], "terms": {**terms, "own": ["a"]}} if "own" in terms else e["data"], e["at"])

    assert not forged(study, whose)  # what was passed over is not what they named


def test_studies_made_by_a_program_spread_items_too_and_panels_by_themselves_do_not() -> None:
    """From six items on no item takes more than a third of a person's questions, in random order."""
    shared: dict[str, Any] = {"ranker": "panel", "error": 0.1, "seed": 5}
    items = list("abcdefghijkl")
    new = create_study(
        items, name="new", judges=["ann"], storage=MemoryStorage(), options={"sitting": 9}, **shared
    )
    plan = new.ask("ann").terms["plan"]
    assert max(Counter(item for pair in plan for item in pair).values()) <= 3 and len(plan) == 9
    assert new.created["options"]["spread"] is True and verify(new.certificate()).true
    alone = Panel(items, judges=["ann"], error=0.1, seed=5, sitting=9)
    told = Panel(items, judges=["ann"], error=0.1, seed=5, sitting=9, spread=False)
    assert alone.ask("ann") == told.ask("ann") and alone.options["spread"] is False
    with pytest.raises(BadInput, match="spread"):
        Panel(items, error=0.1, spread="yes")  # type: ignore[arg-type]


def forged(study: Any, change: Any) -> bool:
    """Does a certificate pass after `change` of its events, with the chain hashed anew?"""
    from juryrank.log import GENESIS, chained

    document = study.certificate()
    changed, before = [], GENESIS
    for event in document["events"]:
        data, at = change(event)
        made = chained(before, event["seq"], event["kind"], data, at)
        before = made.hash
        changed.append({**event, "data": dict(made.data), "at": made.at, "hash": made.hash})
    try:
        return bool(verify({**document, "events": changed, "head": before}).true)
    except Exception:
        return False


def test_the_checker_holds_sittings_to_what_was_fixed() -> None:
    study, clock = sat()
    answer(study, "ann", 2)
    clock.time += 901
    study.log.expire_due()
    assert forged(study, lambda e: (e["data"], e["at"]))  # the forger itself changes nothing

    def no_idle(e: Any) -> Any:
        return ({k: v for k, v in e["data"].items() if k != "sitting_idle"}, e["at"])

    def more_counts(e: Any) -> Any:
        terms = e["data"].get("terms") or {}
        data = {**e["data"], "terms": {**terms, "counts": N + 2}} if "counts" in terms else e["data"]
        return (data, e["at"])

    assert not forged(study, no_idle)  # it then lapsed long before its deadline
    assert not forged(study, more_counts)
