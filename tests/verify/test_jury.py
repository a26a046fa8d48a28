"""The jury's checker: it agrees with the ranker on honest logs, and no forged or mutated one gets through."""

import copy
import random
import re

import numpy as np
import pytest

from juryrank.errors import BadSnapshot, JuryrankError
from juryrank.rankers.jury import asking
from juryrank.rankers.jury.core import attempt as attempt_module
from juryrank.rankers.jury.core import evidence, pair
from juryrank.report import result_text
from juryrank.run.session import Session
from juryrank.types import SKIP, TIE, Grade, Order
from juryrank.verify import verify
from tests.agreement import contradictions
from tests.quick import quick
from tests.ranking import rank_with
from tests.verify.logs import drawn_up, names_failed, reforge

pytestmark = pytest.mark.usefixtures("terms_unread")  # the checker's own ranges

ITEMS = ["a", "b", "c", "d"]
JUDGES = ["m0", "m1", "m2"]
CASES = [f"q{k}" for k in range(30)]
MODES = [
    {},
    {"objective": "order", "resolution": 0.05},
    {"objective": "top-2", "resolution": 0.1},
    {"sides": "both", "resolution": 0.1},
    {"sides": "single", "objective": "order", "resolution": 0.1},
    {"refusals": "against", "resolution": 0.1},
    {"weights": {"m0": 1, "m1": 2, "m2": 3.5}, "case_weights": {case: 1 + k for k, case in enumerate(CASES)}},
    {"fresh": True, "resolution": 0.1},
    {"require": ["a over d", ["b", "d"]], "resolution": 0.05},
    {"cases": None, "resolution": 0},
    {"absent": [["a", "b", CASES[:20]], ["c", "d", CASES[5:]]], "resolution": 0.1},
    {"at_once": "all", "objective": "order", "resolution": 0.1},
    {
        "at_once": "all",
        "absent": [[one, "d", CASES[:9]] for one in "abc"],
        "weights": {"m0": 1, "m1": 2, "m2": 3},
        "case_weights": {case: 1 + k for k, case in enumerate(CASES)},
    },
    {"at_once": "all", "require": ["a over d", "b over d"], "refusals": "against", "resolution": 0.05},
]


def order_of(question, value, *, ties=0.0):
    """All that was shown, the greatest first; values nearer than that are equal."""
    tiers, last = [], None
    for x, item in sorted(((value(item), item) for item in question.shown), reverse=True):
        if last is None or last - x >= ties:
            tiers.append([])
        tiers[-1].append(item)
        last = x
    return Order(tuple(map(tuple, tiers)))


def said(question, rng):
    """Smaller names are better, more or less; some ties, refusals and grades."""
    chance = rng.random()
    if chance < 0.05:
        return SKIP
    if question.shown:
        return order_of(question, lambda item: -0.5 * ord(item) + rng.gauss(0, 0.8), ties=0.15)
    if chance < 0.12:
        return TIE
    lead = 0.5 * (ord(question.right) - ord(question.left)) + rng.gauss(0, 0.8)
    if chance < 0.4:
        return Grade(max(-1.0, min(1.0, round(lead, 2))))
    return question.left if lead > 0 else question.right


def played(options, *, seed=1, most=400, out=4, named=False, prices=None):
    """A session with several questions open, answers in any order, expiries, and a judge who pauses."""
    rng = random.Random(seed)
    session = Session(
        ITEMS, judges=JUDGES, ranker="jury", error=0.1, seed=seed, prices=prices,
        options={"cases": CASES, **options},
    )  # fmt: skip
    waiting = []
    for turn in range(most):
        question = session.ask(rng.choice(JUDGES) if named else None) if len(waiting) < out else None
        if question is not None:
            waiting.append(question)
        if waiting and (question is None or rng.random() < 0.6):
            told = waiting.pop(rng.randrange(len(waiting)))
            if rng.random() < 0.04:
                session.expire(told)
            else:
                session.tell(told, said(told, rng))
        elif question is None and not named:
            break
        if turn == 40:
            session.set_aside("m2", "a pause")
        if turn == 80:
            session.set_aside_because.clear()
            resume(session, "m2")
    return session


def resume(session, judge):
    from juryrank.log.bodies import JudgeResumed

    session.ranker.resume_judge(judge)
    session._write(JudgeResumed(judge=judge))


@pytest.mark.parametrize(
    ("options", "named"),
    [
        pytest.param(options, named, id=f"{'-'.join(options) or 'falling'}-{named}",
                     marks=[pytest.mark.slow] if named is (number % 2 == 0) else [])
        for number, options in enumerate(MODES) for named in (False, True)
    ],
)  # fmt: skip
def test_checker_and_ranker_agree(options, named):
    session = played(options, named=named, prices={"m0": 1, "m1": 4, "m2": 9} if named else None)
    ranking = session.ranking
    report = verify(session.certificate())
    assert report.true, report.failures
    assert report.proven == ranking.proven and report.certified == ranking.certified
    assert report.result["details"]["resolution"] == ranking.resolution
    stated = {(row["better"], row["worse"]): row["resolution"] for row in ranking.details.jury["claims"]}
    if ranking.proven:
        checked = {(a, b): resolution for a, b, resolution in report.result["details"]["claims"]}
        assert checked == stated
        for strength in ("survives", "from_first_draw"):
            assert report.result["details"][strength] is ranking.details.jury[strength]
        assert ranking.details.jury["cells_asked"] == session.ranker.state.machine.drawn


@pytest.fixture(scope="module")
def honest():
    made = played({"objective": "order", "resolution": 0.1}, seed=3).certificate()
    assert verify(made).true
    return made


def forged(document, change):
    """A copy with changed events, its chain and its result drawn up anew by somebody who knows the checker."""
    copied = copy.deepcopy(document)
    change(copied["events"])
    copied = reforge(copied)
    try:
        return drawn_up(copied["events"], order=copied["estimates"]["order"])
    except (JuryrankError, ValueError, KeyError):
        return copied


def asked(events, number=30):
    return [event for event in events if event["kind"] == "asked"][number]["data"]


def with_list(events):
    return next(event["data"]["terms"]["list"] for event in events if "list" in event["data"].get("terms", {}))


def drop(events, number):
    gone = asked(events, number)["q"]
    events[:] = [event for event in events if event["data"].get("q") != gone]


def reverse_last(claims):
    better, worse, *prior = claims.pop()
    claims.append([worse, better, *prior])


def swap_sides(data):
    data["left"], data["right"] = data["right"], data["left"]


FORGERIES = {
    "another case": lambda events: asked(events).update(case="q1" if asked(events)["case"] != "q1" else "q2"),
    "the other side": lambda events: swap_sides(asked(events)),
    "another judge": lambda events: asked(events).update(judge="m0" if asked(events)["judge"] != "m0" else "m1"),
    "another seed": lambda events: events[0]["data"].update(seed=99),
    "an answer left out": lambda events: drop(events, 20),
    "other chances": lambda events: asked(events)["terms"].update(chances=[0.2, 0.2, 0.6]),
    "a chance of 0": lambda events: asked(events)["terms"].update(chances=[1.0, 0.0, 0.0]),
    "another place": lambda events: asked(events)["terms"].update(place=asked(events)["terms"]["place"] + 1),
    "a label": lambda events: asked(events)["terms"].update(attempt=0),
    "another number": lambda events: with_list(events).update(number=0),
    "another goal": lambda events: with_list(events).update(goal=0.02),
    "fewer claims": lambda events: with_list(events)["claims"].pop(),
    "a reversed claim": lambda events: reverse_last(with_list(events)["claims"]),
    "a prior out of range": lambda events: with_list(events)["claims"][0].__setitem__(3, -0.04),
    "a weight changed": lambda events: events[0]["data"]["options"].update(weights={"m0": 9, "m1": 1, "m2": 1}),
    "another price": lambda events: events[0]["data"].update(prices={"m0": 9.0, "m1": 1.0, "m2": 1.0}),
    "cases left out": lambda events: events[0]["data"]["options"].update(cases=CASES[:20]),
    "a cell asked twice": lambda events: asked(events, 31).update(
        {key: asked(events, 30)[key] for key in ("judge", "left", "right", "case", "terms")}
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_log_is_found_out(honest, name):
    try:
        report = verify(forged(honest, FORGERIES[name]))
    except BadSnapshot:
        return
    assert not report.true and not report.proven, name
    assert names_failed(report) & {"draws", "options", "result", "questions"}


def test_a_claim_that_is_not_proven_is_found_out():
    session = played({"objective": "order", "resolution": 0}, most=30)
    document = session.certificate()
    assert not document["result"]["proven"]
    for name, value in {"proven": True, "certified": True, "promise": {"error": 0.0}}.items():
        lie = copy.deepcopy(document)
        lie["result"][name] = value
        assert not verify(lie).true


# ---------------------------------------------------------------------- mutants of the ranker's own code
def good_cells(table, taken, open_weight, number):
    """A cheat: the first open cell instead of a drawn one."""
    return next(cell for cell in range(10_000) if cell not in taken)


def seen_stands_still(self, seen):
    return 0.0 * self.twice


def double(growth):
    return lambda self, *rest: growth(self, *rest) + 0.3


MUTANTS = {
    "cells are chosen": lambda patch: [patch.setattr(place, "pick_cell", good_cells) for place in (pair, asking)],
    "evidence is inflated": lambda patch: patch.setattr(
        evidence.Resolutions, "growth", double(evidence.Resolutions.growth)
    ),
    "levels are too easy": lambda patch: patch.setattr(attempt_module, "level_of", lambda error, attempt: 0.9),
    "refusals raise nothing": lambda patch: patch.setattr(
        pair.PairBook, "payoff", lambda self, drawn: 3 * (drawn.x > 0)
    ),
    "judges are favoured": lambda patch: patch.setattr(
        pair.PairBook, "chances", lambda self, rates, aside: (0.6, 0.2, 0.2)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MUTANTS)
def test_no_certificate_for_a_broken_ranker(monkeypatch, name):
    MUTANTS[name](monkeypatch)
    refused = 0
    for seed in (0, 3):
        session = played({"objective": "order", "resolution": 0.02}, seed=seed, most=90)
        try:
            report = verify(session.certificate())
        except JuryrankError as problem:
            assert "no certificate" in str(problem)
            refused += 1
        else:
            assert report.true and not (session.ranking.proven and not report.proven)
    assert refused


def test_evidence_is_the_same_number_in_both_programs():
    """Not only who is proven: the e-values themselves, to nine digits."""
    from juryrank.verify.jury.evidence import most_evidence
    from juryrank.verify.jury.lists import backed
    from juryrank.verify.jury.setup import read_setup
    from juryrank.verify.jury.walk import LogWalk
    from juryrank.verify.record import read_events

    options = {"weights": {"m0": 1, "m1": 2, "m2": 3}, "refusals": "against"}
    session = played({"objective": "order", **options}, prices={"m0": 1, "m1": 4, "m2": 9}, named=True)
    record = read_events(
        [{k: getattr(e, k) for k in ("seq", "kind", "data", "at", "hash")} for e in session.events]
    )
    walk = LogWalk(read_setup(record), record)
    walk.run()
    compared = 0
    for theirs, ours in zip(walk.lists, session.ranker.state.machine.attempts, strict=True):
        for at in range(len(theirs.claims)):
            for step, epsilon in enumerate(walk.setup.resolutions):
                claim = backed(theirs, at, walk.found)
                (most,) = most_evidence([claim], epsilon)
                assert most == pytest.approx(float(ours.most[at, step]), rel=1e-9, abs=1e-9)
                assert most <= ours.most[at, step] + 1e-12  # rounded down
                compared += claim.counting.rows.shape[1] - claim.start
    assert compared > 100 and np.isfinite(ours.evidence).all()


def test_refusals_are_said_without_an_assumption_that_the_promise_does_not_need():
    """A refusal is a cell's own value: the promise is about the answers given, whatever the others would be."""
    options = {"cases": CASES, "resolution": 0.1}
    session = Session(ITEMS[:2], judges=JUDGES[:1], ranker="jury", error=0.1, seed=3, options=options)
    for turn in range(60):
        if (question := session.ask()) is not None:
            session.tell(question, SKIP if turn % 3 == 0 else min(question.left, question.right))
    statement = verify(session.certificate()).statement
    assert "were skipped" in statement and "refusals left out" in statement
    assert "assumes that leaving" not in statement


def circular(seed):
    """d stands below a, b and c, which go in a circle; four answers in five say so."""
    rng = random.Random(seed)
    beats = {("a", "b"), ("b", "c"), ("c", "a"), ("a", "d"), ("b", "d"), ("c", "d")}
    session = Session(
        ITEMS, judges=["m0"], ranker="jury", error=0.1, seed=seed,
        options={"cases": CASES, "objective": "order", "resolution": 0},
    )  # fmt: skip
    while (question := session.ask()) is not None:
        agrees = ((question.left, question.right) in beats) == (rng.random() < 0.8)
        session.tell(question, question.left if agrees else question.right)
    return session


@pytest.mark.parametrize(
    ("seed", "contrary", "said"),
    [
        (1, False, ""),
        (0, False, "The only answer about a and c"),
        (22, True, "The answers go in a circle: c gets 60 %"),
    ],
)
def test_answers_that_go_in_a_circle_leave_the_ranks_of_its_items_open(seed, contrary, said):
    """The links are proven all the same; a single answer against the order is only named."""
    session = circular(seed)
    ranking, report = session.ranking, verify(session.certificate())
    assert report.true and report.proven and ranking.proven and ranking.order[3] == "d"
    assert report.certified is ranking.certified is not contrary
    circle = ((1, 3),) * 3 if contrary else ((1, 1), (2, 2), (3, 3))
    assert report.ranges == ranking.ranges == (*circle, (4, 4))
    assert ("circle" in report.statement) is ("circle" in ranking.statement) is contrary
    assert ("suppose one order" in ranking.estimates.note) is contrary
    assert ("a, b, c go in a circle (estimated)" in " ".join(result_text(ranking).split())) is contrary
    assert not contradictions(ranking)
    assert " ".join(ranking.warnings).startswith(said) and bool(ranking.warnings) is bool(said)


def shown_evidence(ranking):
    """What the terminal shows of each claim: its evidence."""
    lines = result_text(ranking, rows=99).splitlines()
    first = next(at for at, line in enumerate(lines) if line.endswith("proven at")) + 1
    claims = ranking.details.jury["claims"]
    cells = [re.split(r"  +", lines[first + at].replace("not yet", "no"))[-2] for at in range(len(claims))]
    return [cell.split()[-1].replace(",", "") for cell in cells]


def hesitant(rng):
    """Prefers the smaller name three times in four."""
    return lambda left, right, case: (max if rng.random() < 0.25 else min)(left, right)


@pytest.mark.parametrize(
    "seeds", [range(1), pytest.param(range(1, 5), marks=pytest.mark.slow)], ids=["one", "more"]
)
@pytest.mark.parametrize("resolution", quick([0.0, "falling"], "falling"))
@pytest.mark.parametrize("objective", quick(["best", "order"]))
def test_a_proven_claim_shows_the_evidence_that_proved_it(objective, resolution, seeds):
    """Evidence may fall again after it has proven a claim, and a coarser resolution has more of it."""
    proven = 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        options = {"objective": objective, "resolution": resolution, "seed": seed, "error": 0.1, "budget": 500}
        judges = {name: hesitant(rng) for name in "uv"}
        result = rank_with(list("abcd"), judges, cases=[str(k) for k in range(150)], **options)
        jury, report = result.details.jury, verify(result.certificate())
        held = {(link.better, link.worse): link for link in report.links}
        for shown, claim in zip(shown_evidence(result) if jury["claims"] else [], jury["claims"], strict=True):
            link, reached = held[claim["better"], claim["worse"]], claim["resolution"]
            assert link.settled is (reached is not None) and (link.evidence is None) is (shown == "counted")
            if shown == "counted":
                continue
            most = claim["evidence"][0 if reached is None else jury["resolutions"].index(reached)]
            assert float(shown) <= most == pytest.approx(link.evidence) and float(shown) == pytest.approx(
                most, rel=0.01
            )
            assert reached is None or most * jury["level"] >= 1 - 1e-9
            proven += reached is not None
        for link in result.links:
            assert not link.settled or link.evidence is None or link.evidence * link.level >= 1 - 1e-9
    assert proven
