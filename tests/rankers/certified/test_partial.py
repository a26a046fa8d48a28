"""A budget that ends early: links are asked in the order in which they may be claimed, and the result says so."""

import random

import pytest

from juryrank.rankers.certified.ranker import Certified
from juryrank.rankers.contract.ranker import Ranker
from juryrank.report import result_text
from juryrank.report.words.formats import columns
from juryrank.verify import verify
from tests.verify.juries import ranked

from .worlds import coin


def start(*, items=12, seed=4, budget=120, judges=3, **options):
    arrivals = random.Random(seed).sample(range(items), items)
    return Certified(arrivals, judges=range(judges), error=0.1, seed=seed, budget=budget, **options)


def play(ranker, answer):
    asked = []
    while (question := ranker.ask()) is not None:
        asked.append(question)
        ranker.tell(question, answer(question))
    return asked


def first_links(asked):
    """The links of the first attempt in the order in which they were first asked, and the order of claims."""
    proving = [q for q in asked if q.terms.get("attempt") == 1]
    list_, surest = proving[0].terms["list"], proving[0].terms["surest"]
    links = [list_.index(q.terms["link"][0]) for q in proving]
    return list(dict.fromkeys(links)), surest


def test_a_short_budget_goes_by_the_order_of_claims():
    ranker = start(budget=90)
    links, surest = first_links(play(ranker, coin("short", 0.95)))
    assert links == surest[: len(links)] and 1 < len(links) < 11
    found = ranker.ranking
    assert sum(link.settled for link in found.links) >= len(links) - 1, "all proven links are claimed"


def test_with_time_the_least_sure_link_comes_first():
    links, surest = first_links(play(start(budget=None), coin("long", 0.9)))
    assert links[0] == surest[-1]


def test_claims_come_before_the_certificate_even_without_a_budget():
    ranker, answer = start(budget=None), coin("steps", 0.95)
    claimed = set()
    while (question := ranker.ask()) is not None:
        ranker.tell(question, answer(question))
        claimed.add(ranker.progress.settled)
    assert len(claimed) > 6 and ranker.ranking.certified


def test_a_budget_too_short_for_the_proof_is_not_spent_on_repair():
    short, long = start(budget=110, seed=8), start(budget=None, seed=8)
    asked, others = play(short, coin("repair", 0.85)), play(long, coin("repair", 0.85))
    began, waited = (next(k for k, q in enumerate(run) if q.terms["phase"] == "prove") for run in (asked, others))
    assert began < waited
    assert all(q.terms["phase"] != "repair" for q in asked[:began])


def test_a_restored_ranker_knows_its_budget():
    ranker, answer = start(budget=110, seed=8), coin("restored", 0.85)
    twin, same = start(budget=110, seed=8), coin("restored", 0.85)
    while (question := ranker.ask()) is not None:
        ranker = Ranker.restore(ranker.snapshot())  # with the question open: its answer may end the search
        ranker.tell(question, answer(question))
    play(twin, same)
    assert ranker.ranking.to_dict() == twin.ranking.to_dict()


@pytest.mark.parametrize("budget", [30, 80, 100, 140])
@pytest.mark.parametrize("assume", ["better-than-chance", "steady"])
def test_a_partial_result_reads_well_at_80_columns(budget, assume):
    ranker = start(budget=budget, assume=assume)
    play(ranker, coin("words", 0.9))
    found = ranker.ranking
    text = result_text(found, title="Numbers")
    assert max(columns(line) for line in text.splitlines()) <= 80
    if found.certified:
        assert found.details.forecast == {} and "more questions" not in text
        return
    for said in (
        "If more questions are asked\n",
        "100 more questions would settle",
        "The whole order would take about",
    ):
        assert said in text
    settled = [link for link in found.links if link.settled]
    assert ("Settled: each before the next" in text) == bool(settled)
    for link in settled:
        assert f"{link.better} > {link.worse}" in " ".join(text.split())
    if found.details.unplaced:
        assert f"{found.details.placed} of 12 items placed" in text and "Not placed yet" in text
        assert "The search for the order would take about" in text and "Links still open" not in text


def test_open_links_stand_in_the_order_of_claims_with_what_each_needs():
    ranker = start(budget=100)
    asked = play(ranker, coin("open", 0.95))
    found = ranker.ranking
    first = next(q for q in asked if "surest" in q.terms)
    order = [(first.terms["list"][k], first.terms["list"][k + 1]) for k in first.terms["surest"]]
    waiting = [(pair["first"], pair["second"]) for pair in found.details.open_pairs]
    assert waiting and waiting == order[-len(waiting) :]
    assert all(pair["questions_needed"] > 0 or pair["note"] for pair in found.details.open_pairs)


def test_one_claimed_link_is_spoken_of_as_one():
    session = ranked(6, budget=44)
    assert len(session.ranking.details.claims) == 1
    assert "the 1 claimed link holds, and with" in session.ranking.statement
    assert "the 1 claimed link holds, and with" in verify(session.certificate()).statement
