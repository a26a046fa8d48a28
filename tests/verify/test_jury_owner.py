"""An owner who knows the seed and every answer: what he may still choose after the draw is found out."""

import copy
import itertools
import math
import random

import numpy as np
import pytest

from juryrank.core.jury.pair import PairBook
from juryrank.core.jury.table import Table
from juryrank.run.session import Session
from juryrank.verify import verify
from juryrank.verify.jury.evidence import Before, Wealth
from tests.verify.logs import asked, document, drawn_up, make_log, names_failed, reforge, told
from tests.verify.test_jury import played

pytestmark = pytest.mark.usefixtures("terms_unread")  # the checker's own ranges
CASES = [f"q{k}" for k in range(100)]


def loser(*, error=0.05, seed=1, most=120):
    """A wins 35 of 100 cases, each shown once, and is required to be at least as good."""
    session = Session(
        ["A", "B"], judges=["m"], ranker="jury", error=error, seed=seed,
        options={"cases": CASES, "sides": "single", "require": ["A over B"], "resolution": 0},
    )  # fmt: skip
    for _ in range(most):
        if (question := session.ask()) is not None:
            session.tell(question, "A" if int(question.case[1:]) < 35 else "B")
    return session


def lost_questions(events):
    gone = {e["data"]["q"]: e["data"] for e in events if e["kind"] == "asked"}
    for event in events:
        if event["kind"] == "told":
            shown = gone[event["data"]["q"]]
            if shown[event["data"]["answer"]] == "B":
                yield shown


def test_losses_cannot_be_filed_as_search():
    """Every draw was honest, and `attempt` said after the draw what it was for: A was proven best."""
    honest = loser().certificate()
    assert verify(honest).true and not honest["result"]["proven"]
    forged = copy.deepcopy(honest)
    for lost in lost_questions(forged["events"]):
        lost["terms"]["attempt"] = 0
    reforge(forged)
    forged["result"]["proven"] = True
    report = verify(forged)
    assert not report.true and "draws" in names_failed(report)
    assert "'attempt', which this ranker does not write" in report.failures[0].words


def test_a_list_cannot_be_fixed_again_after_each_loss():
    """The same list, begun anew wherever luck turns, is the same choice after the draw."""
    forged = copy.deepcopy(loser().certificate())
    questions = [event["data"] for event in forged["events"] if event["kind"] == "asked"]
    first = questions[0]["terms"]["list"]
    for number, data in enumerate(questions[1:], start=2):
        data["terms"]["list"] = {**first, "number": number}
    reforge(forged)
    made = drawn_up(forged["events"], order=["A", "B"])
    report = verify(made)
    assert not report.true and "is fixed a second time" in report.failures[0].words
    questions[1]["terms"]["list"]["number"] = 1
    assert "used a second time" in verify(reforge(forged)).failures[0].words


# ---------------------------------------------------------------------- where, which list, which prior
def drawn_by_hand(answers, *, cells, seed, fixed=None, most=None):
    """Every cell of a pair in the order that the seed draws it; `fixed`: (place, list) that somebody chose."""
    session = Session(
        ["A", "B"], judges=["m"], ranker="jury", error=0.05, seed=seed,
        options={"cases": [str(case) for case in range(cells // 2)], "resolution": 0},
    )  # fmt: skip
    book = PairBook(Table((1.0,), (1,) * (cells // 2)), (0, 1))
    steps, values = [], []
    for place in range(most or cells):
        drawn = book.draw(seed, ("A", "B"), (1.0,), calls=1)
        case, side = divmod(drawn.cell, 2)
        terms = {"place": place, "chances": [1.0]}
        if fixed is not None and fixed[0] == place:
            terms["list"] = fixed[1]
        pair = ("A", "B") if side == 0 else ("B", "A")
        wins = answers[drawn.cell] > 0
        values.append(1.0 if wins else -1.0)
        steps.append(asked(place + 1, "m", *pair, case=str(case), terms=terms))
        steps.append(told(place + 1, "left" if wins == (side == 0) else "right"))
    created = session.events[0].data
    more = {"seed": seed, "options": created["options"]}
    return values, make_log(*steps, items=("A", "B"), judges=("m",), ranker="jury", error=0.05, **more)


def luckiest(values, *, level):
    """A place from which bets on A, with a bold or a timid prior, reach the level; None: he finds none."""
    cells, sums = len(values), [0.0, *itertools.accumulate(values)]

    def lead(start):
        return max((sums[min(start + ahead, cells)] - sums[start]) / ahead**0.5 for ahead in (8, 16, 32, 64, 128))

    for start in sorted(range(cells - 8), key=lead, reverse=True)[:20]:
        for prior in ((0.9, 0.0), (0.4, 0.1), (0.15, 0.05)):
            wealth = Wealth(0.0, *prior)
            for place in range(start, min(start + 150, cells)):
                left = 1 - place / cells
                wealth.bet(
                    Before(sums[place] / cells, place / cells, 0.0, [(left, 1.0)], 1.0), left, values[place]
                )
                if wealth.log >= math.log(1 / level):
                    return start, prior, place + 1
    return None


def just_losing(cells, wins):
    found = [1.0] * wins + [-1.0] * (cells - wins)
    random.Random(cells).shuffle(found)
    return found


@pytest.mark.parametrize(("cells", "wins", "seeds"), [(160, 79, 12), (1000, 499, 6)])
def test_whoever_knows_seed_and_answers_cannot_choose_where_to_begin(cells, wins, seeds):
    """He picks start, list and prior: false proofs .35 with 160 cells, .83 with 1,000, at level .04."""
    answers = just_losing(cells, wins)
    for seed in range(seeds):
        values, _ = drawn_by_hand(answers, cells=cells, seed=seed)
        if (luck := luckiest(values, level=0.04)) is not None:
            break
    else:
        raise AssertionError("he was never lucky, so this tests nothing")
    start, (mean, spread), enough = luck
    chosen = {
        "rule": 1, "number": 1, "goal": 0.0, "order": ["A", "B"], "claims": [["A", "B", mean, spread]],
        "square": 1.0,
    }  # fmt: skip
    _, events = drawn_by_hand(answers, cells=cells, seed=seed, fixed=(start, chosen), most=enough)
    made = document(events, order=["A", "B"])
    assert made["result"]["proven"]  # the evidence alone is what it says
    report = verify(made)
    assert not report.true and not report.proven and names_failed(report) == {"search"}
    assert not made["result"]["details"]["from_first_draw"]


def test_another_prior_place_or_list_than_the_search_chose_is_not_confirmed():
    honest = played({"objective": "order", "resolution": 0.1}, seed=3).certificate()
    assert verify(honest).true

    def moved(events):
        terms = [event["data"]["terms"] for event in events if event["kind"] == "asked"]
        at = next(k for k, one in enumerate(terms) if "list" in one)
        terms[at + 1]["list"] = terms[at].pop("list")

    def bolder(events):
        first_list(events)["claims"][0][2] += 0.01

    def turned(events):
        first_list(events)["claims"].reverse()

    for change in (moved, bolder, turned):
        forged = copy.deepcopy(honest)
        change(forged["events"])
        reforge(forged)
        report = verify(drawn_up(forged["events"], order=forged["estimates"]["order"]))
        assert not report.true and names_failed(report) == {"search"}, change


def first_list(events):
    return next(e["data"]["terms"]["list"] for e in events if "list" in e["data"].get("terms", {}))


@pytest.mark.parametrize("seed", range(2))
def test_the_last_digits_of_another_processor_refuse_no_honest_log(monkeypatch, seed):
    """Played where every inverse, every exponential and every root is off by a little more than they ever are."""
    rng, exact = np.random.default_rng(seed), np.linalg.inv
    with monkeypatch.context() as patch:
        patch.setattr(np.linalg, "inv", lambda m: exact(m) * (1 + 1e-13 * rng.standard_normal(m.shape)))
        made = [
            played(options, seed=seed, named=named).certificate()
            for options, named in (
                ({"objective": "order"}, False),
                ({"objective": "top-2", "resolution": 0.05}, True),
            )
        ]
    for one in made:
        report = verify(one)
        assert report.true, report.failures
