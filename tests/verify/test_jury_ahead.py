"""Who knows seed and answers, draws cells ahead, or says who was away: what is drawn is still not his choice."""

import itertools
import random

import pytest

from juryrank.rankers.jury.core.pair import PairBook
from juryrank.rankers.jury.core.table import numbers, pick_cell, pick_judge, shown_side
from juryrank.run.session import Session
from juryrank.verify import verify
from tests.verify.logs import asked, document, make_log, names_failed, told
from tests.verify.test_jury import resume

JUDGES, CASES = [f"m{u}" for u in range(20)], [f"q{case}" for case in range(20)]


def paused(*judges):
    return [("judge_paused", {"judge": judge}) for judge in judges]


def resumed(*judges):
    return [("judge_resumed", {"judge": judge}) for judge in judges]


def chosen_judges(how, *, seed, enough=22):
    """A wins 40 % of 400 cells. At each place the owner leaves out the judges without whom a win is drawn."""
    rng = random.Random(seed)
    wins = [[rng.random() < 0.4 for _ in CASES] for _ in JUDGES]
    options = {"cases": CASES, "sides": "single", "require": ["A over B"], "resolution": 0}
    session = Session(["A", "B"], judges=JUDGES, ranker="jury", error=0.05, seed=seed, options=options)
    begins = {"list": session.ask().terms["list"]}
    book, key = PairBook(session.ranker.state.table, (0, 1)), session.ranker.state.key
    steps = {"away": paused(*JUDGES[1:]), "drawn ahead": paused(*JUDGES[1:]) + resumed(*JUDGES[1:])}.get(how, [])
    before, rows = [], []  # of the first question: pauses, and all cells drawn ahead of it
    for place in range(enough):
        out, chances = _luckiest(book, key, place, wins)
        drawn = book.draw(key, ("A", "B"), chances, calls=1)
        terms = {"place": place, "chances": list(chances), **begins}
        if how == "drawn ahead":
            terms = {"place": place, "chances": list(chances), "ahead": [{"first": "A", "second": "B", **terms}]}
        if how == "before the first":
            rows.append({"first": "A", "second": "B", **terms})
            before += [*paused(*(JUDGES[u] for u in out)), *resumed(*(JUDGES[u] for u in out))]
            terms = {"place": place, "chances": list(chances), **({} if place else {"ahead": rows})}
        judge, case = JUDGES[drawn.judge], CASES[drawn.cell]
        side, agrees = shown_side(key, "A", "B", judge, case), wins[drawn.judge][drawn.cell]
        gone = [JUDGES[u] for u in out] if how == "one pause after another" else []
        shown = ("A", "B")[:: 1 if side == 0 else -1]
        steps += [*paused(*gone), asked(place + 1, judge, *shown, case=case, terms=terms), *resumed(*gone)]
        steps.append(told(place + 1, "left" if agrees == (side == 0) else "right"))
        begins = {}
    log = make_log(
        *before, *steps, items=("A", "B"), judges=JUDGES, ranker="jury", error=0.05, seed=seed,
        options=session.events[0].data["options"],
    )  # fmt: skip
    return document(log, order=["A", "B"])


def _luckiest(book, key, place, wins):
    which, where = numbers(key, "A", "B", place)
    for out in [(), *itertools.combinations(range(1, len(JUDGES)), 1), *itertools.combinations(range(1, 9), 2)]:
        chances = book.chances([1.0] * len(JUDGES), out)
        u = pick_judge(chances, which)
        if wins[u][pick_cell(book.table, book.taken[u], book.open_weight[u], where)]:
            break
    return out, chances


@pytest.mark.parametrize("how", ["away", "drawn ahead"])
def test_nobody_chooses_after_the_fact_who_could_be_drawn(how):
    """Chances were believed to be 0 for whoever had ever been paused, or not for whoever was: A was proven."""
    report = verify(chosen_judges(how, seed=1))
    assert not report.true and not report.proven and names_failed(report) == {"draws"}, report.failures


@pytest.mark.parametrize("how", ["one pause after another", "before the first"])
def test_pauses_that_choose_are_named_and_nothing_stands_from_the_first_draw(how):
    """What docs/verify.md leaves to the owner: the log shows every one of them, those before the first one too."""
    report = verify(chosen_judges(how, seed=1))
    assert report.true and report.proven
    assert not report.result["details"]["from_first_draw"]
    assert any("judges were set aside or came back 22 times" in note for note in report.notes), report.notes


@pytest.mark.parametrize("aside", [False, True])
def test_checker_and_ranker_agree_on_what_stands_from_the_first_draw(aside):
    session = Session(["A", "B"], judges=["m", "n"], ranker="jury", error=0.1, seed=1, options={"cases": CASES})
    for turn in range(60):
        if aside and turn == 5:
            session.set_aside("n", "a pause")
        if (question := session.ask()) is not None:
            session.tell(question, "A")
    report = verify(session.certificate())
    assert report.true and report.proven
    assert report.result["details"]["from_first_draw"] is (not aside)
    assert session.ranking.details.jury["from_first_draw"] is (not aside)
    assert session.ranking.statement == report.statement


# ---------------------------------------------------------------------- pairs and lists of cells drawn ahead
def each_drawn_ahead(items, pair, *, cells=12):
    """Every question draws its own cell ahead, of a pair that the owner chose, and fixes no list."""
    session = Session(items, judges=["m"], ranker="jury", error=0.05, seed=1, options={"cases": CASES[:6]})
    book = PairBook(session.ranker.state.table, tuple(map(items.index, pair)))
    steps = []
    for place in range(cells):
        case, side = divmod(book.draw(session.ranker.state.key, pair, (1.0,), calls=1).cell, 2)
        terms = {"place": place, "chances": [1.0]}
        terms["ahead"] = [{"first": pair[0], "second": pair[1], **terms}]
        steps.append(asked(place + 1, "m", *pair[:: 1 if side == 0 else -1], case=CASES[case], terms=terms))
        steps.append(told(place + 1, "left" if side == 0 else "right"))
    options = session.events[0].data["options"]
    log = make_log(*steps, items=items, judges=["m"], ranker="jury", error=0.05, seed=1, options=options)
    return verify(document(log, order=items))


@pytest.mark.parametrize("items", [["A", "B"], ["A", "B", "C"]], ids=["a list is put off", "a pair is chosen"])
def test_cells_drawn_ahead_are_those_that_the_search_draws(items):
    """Only the lists that they fixed were looked at: not the pairs, nor whether one was due."""
    report = each_drawn_ahead(items, ("A", "B"))
    assert not report.true and names_failed(report) == {"search"}, report.failures


@pytest.mark.parametrize("seed", [*(pytest.param(k, marks=pytest.mark.slow) for k in range(2)), 2])
def test_cells_drawn_ahead_while_judges_come_and_go_are_confirmed(seed):
    """People come in any order, answers between; somebody pauses with cells drawn ahead, and is back."""
    rng = random.Random(seed)
    session = Session(
        list("ABCD"), judges=["m0", "m1", "m2"], ranker="jury", error=0.1, seed=seed,
        options={"cases": CASES[:12], "objective": "order"},
    )  # fmt: skip
    waiting = []
    for turn in range(250):
        question = session.ask(rng.choice(session.ranker.judge_names)) if len(waiting) < 3 else None
        waiting += [question] if question is not None else []
        if waiting and rng.random() < 0.6:
            done = waiting.pop(rng.randrange(len(waiting)))
            session.tell(done, min(done.left, done.right) if rng.random() < 0.8 else max(done.left, done.right))
        if turn % 20 == 5:
            session.set_aside("m2", "a pause")
        if turn % 20 == 6 + seed * 4:
            session.set_aside_because.clear()
            resume(session, "m2")
    made = session.certificate()
    rows = [row for e in made["events"] if e["kind"] == "asked" for row in e["data"]["terms"].get("ahead", ())]
    assert len(rows) > 20
    report = verify(made)
    assert report.true, report.failures
