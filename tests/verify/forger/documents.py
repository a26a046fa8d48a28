"""Honest certificates to start from, small enough to be forged by the thousand. Each is made once, when needed."""

import json
import random
from functools import cache
from unittest.mock import patch

import numpy as np

from juryrank import create_study
from juryrank.log.bodies import Aside
from juryrank.log.chain import SecretSeed
from juryrank.rankers.jury.core.forecasts import Forecasts, keep
from juryrank.run.session import Session
from juryrank.storage import MemoryStorage
from juryrank.types import Grade, Order
from tests.verify.juries import ranked

MAKERS = {}
LONG = {"iir", "ada-iir", "two-stage", "subset-two-stage"}  # a thousand events and more: forged less often


def document(name):
    """Register a function that makes an honest certificate."""

    def register(make):
        MAKERS[name] = cache(lambda: json.dumps(make()))
        return make

    return register


def honest(name):
    """A fresh copy of the document of that name, as a file would give it."""
    return json.loads(MAKERS[name]())


def pick(rng, among=None):
    """The name of one document; long ones less often. `among`: of fewer than there are."""
    name = rng.choice(among or list(MAKERS))
    return name if name not in LONG or rng.random() < 0.1 else pick(rng, among)


def simple(name, *, items=5, judges=3, ranker, error=0.1, seed=1, wrong=0.1, prices=None, **options):
    """A ranking in memory, answered by judges who err now and then."""

    @document(name)
    def make():
        rng = random.Random(seed)
        names = [f"i{k}" for k in range(items)]
        session = Session(
            names, judges=[f"j{u}" for u in range(judges)], ranker=ranker, error=error, seed=seed, options=options,
            prices=prices,
        )  # fmt: skip
        while (question := session.ask()) is not None:
            session.tell(question, said(question, rng, wrong))
        return session.certificate()


def said(question, rng, wrong):
    """The earlier name, or all in the order of their names; wrong now and then, and then two are equal."""
    good, bad = sorted((question.left, question.right))
    if not question.shown:
        return bad if rng.random() < wrong else good
    names = sorted(question.shown, key=lambda name: (rng.random() < wrong, name))
    return (
        Order((tuple(names[:2]), *((name,) for name in names[2:])))
        if rng.random() < wrong
        else Order(tuple((name,) for name in names))
    )


def proven(assume, aim):
    """The first run that proves its aim: now and then the answers do not look as the proof assumes."""
    runs = (ranked(4, seed=seed, assume=assume, objective=aim, open_at_once=2) for seed in range(2, 30))
    return next(run for run in runs if run.ranking.proven)


for both in ("better-than-chance", "steady"):
    document(f"certified, {both}")(lambda both=both: ranked(5, seed=2, assume=both, open_at_once=2).certificate())
    document(f"certified, {both}, partial")(
        lambda both=both: ranked(7, seed=3, assume=both, open_at_once=3, budget=70).certificate()
    )
    for aim in ("best", "top-2"):
        document(f"certified, {aim}, {both}")(lambda both=both, aim=aim: proven(both, aim).certificate())
simple("certified, cross-examined", ranker="certified", judges=1, wrong=0.0)
simple("certified, once", ranker="certified", judges=16, items=3, wrong=0.0, repeats=1)
simple("panel, ranges", ranker="panel", judges=30, items=3)
simple("panel, tiers", ranker="panel", judges=30, items=4, objective="tiers")
simple("panel, best", ranker="panel", judges=25, items=4, objective="best", wrong=0.02)
simple("panel, field-share", ranker="panel", judges=30, items=4, relation="field-share", wrong=0.0)
simple("panel, these judges", ranker="panel", judges=4, items=4, about="panel")
simple("panel, order of these judges", ranker="panel", judges=3, items=4, about="panel", objective="order")
CASES = [f"q{k}" for k in range(12)]
simple("jury, best", ranker="jury", judges=2, items=3, cases=CASES, resolution=0.1)
simple("jury, order", ranker="jury", judges=2, items=3, cases=CASES, objective="order", resolution=0, wrong=0.2)
simple("jury, both sides", ranker="jury", judges=1, items=3, cases=CASES, sides="both", refusals="against")
simple("jury, a gate", ranker="jury", judges=2, items=3, cases=CASES, require=["i0 over i2"], wrong=0.05)
simple("jury, single sides", ranker="jury", judges=2, items=3, cases=CASES, sides="single", objective="top-2",
       weights={"j0": 1, "j1": 3}, case_weights={case: 1 + k for k, case in enumerate(CASES)},
       absent=[["i0", "i1", CASES[:3]]])  # fmt: skip
simple("jury, all at once", ranker="jury", judges=2, items=4, cases=CASES, at_once="all", objective="order",
       resolution=0.1)  # fmt: skip
simple("jury, all at once, a gate", ranker="jury", judges=2, items=3, cases=CASES, at_once="all",
       require=["i0 over i2"], absent=[[f"i{k}", "i1", CASES[:3]] for k in (0, 2)], prices={"j0": 1.0, "j1": 4.0},
       weights={"j0": 1, "j1": 3})  # fmt: skip
simple("jury, from a start", ranker="jury", judges=2, items=3, cases=CASES, resolution=0.1,
       start_from={"strengths": {"i0": [0.6, 0.2], "i2": [-0.6, 0.3]}, "not_seed": "0" * 64})  # fmt: skip
FORESEEN = {pair: [(-1) ** k * 100 * (k % 11) for k in range(12 * (1 + pair[0]))] for pair in ((0, 1), (1, 2))}
FORECAST = {"root": keep(Forecasts(("i0", "i1", "i2"), FORESEEN)), "by": "a cheap judge"}
simple("jury, with forecasts", ranker="jury", judges=2, items=3, cases=CASES, resolution=0.1, objective="order",
       forecast=FORECAST)  # fmt: skip
simple("jury, a gate with forecasts", ranker="jury", judges=2, items=3, cases=CASES, require=["i0 over i1"],
       sides="single", forecast=FORECAST, wrong=0.05)  # fmt: skip
simple("jury, fresh", ranker="jury", judges=2, items=2, fresh=True, resolution=0.05)
simple("panel, top-2", ranker="panel", judges=30, items=4, objective="top-2", wrong=0.02)
simple(
    "certified, believed", ranker="certified", judges=1, items=4, wrong=0.0, objective="best", trust_repeats=True
)
for paper in ("iir", "ada-iir", "two-stage", "subset-two-stage"):
    simple(paper, ranker=paper, judges=2, items=2, error=0.4, wrong=0.03)


@document("study")
def _study():
    """With deadlines, an undo, a late joiner, and items that join in the middle."""
    rng = np.random.default_rng(4)
    study = create_study(
        ["a", "b", "c"], name="letters", judges=["ann", "bob"], ranker="certified", seed=5, error=0.1,
        storage=MemoryStorage(), options={"repeats": None},
    )  # fmt: skip
    for turn in range(500):
        if turn == 12:
            study.add_judge("cem")
            study.add_items(["d"])
        question = study.ask()
        if question is None:
            break
        good, bad = sorted((question.left, question.right))
        study.tell(question.id, good if rng.random() < 0.9 else bad)
    return study.certificate()


@document("certified, gold pairs")
def _gold():
    """One judge is refuted on the way, another is tested and stays."""
    session = Session(
        [f"i{k}" for k in range(4)], judges=["j0", "j1", "j2"], ranker="certified", error=0.1, seed=3
    )
    rng, asked = random.Random(1), {"j0": 0, "j1": 0}
    while (question := session.ask()) is not None:
        good, bad = sorted((question.left, question.right))
        session.tell(question, bad if rng.random() < 0.05 else good)
        for judge in asked:
            if question.id % 3 == 0 and asked[judge] < 10:
                shown = {"left": f"g{asked[judge]}", "right": f"h{asked[judge]}", "better": "left"}
                asked[judge] += 1
                said = "right" if judge == "j0" else "left"
                session.aside(Aside(judge=judge, n=asked[judge], purpose="gold", answer=said, **shown))
    return session.certificate()


@document("study of sittings")
def _sittings():
    study = create_study(
        ["a", "b", "c"], name="people", judges=[f"p{k}" for k in range(20)], ranker="panel", seed=5, error=0.1,
        storage=MemoryStorage(),
    )  # fmt: skip
    rng = random.Random(3)
    while (question := study.ask()) is not None:
        good, bad = sorted((question.left, question.right))
        study.tell(question.id, bad if rng.random() < 0.05 else good)
    return study.certificate()


@document("jury, joined, seed committed")
def _joined():
    """A judge leaves, a judge and a system join, and the seed is opened at the end."""
    outputs = {name: {case: f"{name} {case}" for case in CASES} for name in "abc"}
    with patch.object(SecretSeed, "fresh", lambda: SecretSeed(5, "ab" * 32)):  # the same for every run
        study = create_study(
            {name: outputs[name] for name in "ab"}, cases=CASES, name="joined", judges=["m", "n"], error=0.1,
            storage=MemoryStorage(), options={"resolution": 0.1}, commit_seed=True,
        )  # fmt: skip
    for turn in range(400):
        if turn == 4:
            study.add_judge("o")
        if turn == 9:
            study.judge("n").remove()
        if turn == 15:
            study.add_items({"c": outputs["c"]})
        question = study.ask()
        if question is None:
            break
        study.tell(question, min(question.left, question.right))
    return study.certificate()


@document("jury, all at once, joined")
def _joined_together():
    """A judge leaves, a judge and a system join: every cell shows more then, and is new."""
    rng, outputs = random.Random(2), {name: {case: f"{name} {case}" for case in CASES} for name in "abc"}
    study = create_study(
        {name: outputs[name] for name in "ab"}, cases=CASES, name="joined", judges=["m", "n"], error=0.1, seed=3,
        storage=MemoryStorage(), options={"resolution": 0.1, "at_once": "all"},
    )  # fmt: skip
    waiting = []
    for turn in range(60):
        if turn == 3:
            study.add_judge("o")
        if turn == 6:
            study.judge("n").remove()
        if turn == 9:
            study.add_items({"c": outputs["c"]})
        waiting.append(study.ask())
        if turn % 4:  # now and then, some are open
            for question in filter(None, waiting):
                study.tell(question.id, said(question, rng, 0.02))
            waiting = []
    return study.certificate()


@document("study of sittings, withdrawn, partial")
def _withdrawn():
    """An item is withdrawn while people sit."""
    study = create_study(
        ["a", "b", "c", "d"], name="gone", judges=[f"p{k}" for k in range(30)], ranker="panel", seed=7, error=0.2,
        storage=MemoryStorage(), options={"sitting": 4},
    )  # fmt: skip
    for turn in range(200):
        if turn == 38:
            study.withdraw_items(["d"])
        question = study.ask()
        if question is None:
            break
        study.tell(question, min(question.left, question.right))
    return study.certificate()


class Clock(MemoryStorage):
    """A storage whose clock stands still until it is moved."""

    moment = 1_780_000_000.0

    def now(self):
        return self.moment


@document("study of sittings, going on")
def _going_on(**more):
    """People who go on, pass over their own work, take an answer back, or fall silent in the middle."""
    clock, rng = Clock(), random.Random(8)
    study = create_study(
        ["a", "b", "c"], name="more", judges=[f"p{k}" for k in range(18)], ranker="panel", seed=6, error=0.2,
        storage=clock, sitting_lease=3600.0, sitting_idle=600.0,
        options={"sitting": 2, "beyond": 1, "objective": "best", **more},
    )  # fmt: skip
    for number in range(18):
        judge, left_after = f"p{number}", 1 if number in (4, 9) else rng.choice([2, 3])
        for place in range(left_after):
            clock.moment += rng.uniform(2, 30)
            question = study.ask(judge)
            if question is None:
                break
            own = number == 5 and "c" in (question.left, question.right)
            study.tell(question, None if own else min(question.left, question.right), side="skip" if own else None)
            if number == 7 and place == 0:
                study.undo(judge, by="judge")
                study.tell(question, max(question.left, question.right))
        if left_after == 1:
            study.ask(judge)
            clock.moment += 700  # longer than a sitting may be idle
            study.log.expire_due()
    return study.certificate()


simple("jury, refuted", ranker="jury", judges=2, items=3, cases=CASES, require=["i2 over i0"], wrong=0.2)
simple("jury, two claims, refuted", ranker="jury", judges=2, items=3, cases=CASES, refusals="against", wrong=0.1,
       require=["i0 over i1", "i2 over i1"])  # fmt: skip
simple("jury, fresh, refuted", ranker="jury", judges=2, items=2, fresh=True, require=["i1 over i0"], wrong=0.2)


@document("jury, graded, refuted")
def _graded():
    session, rng = Session(["i0", "i1"], judges=["j0"], ranker="jury", error=0.1, seed=4,
                           options={"cases": CASES, "require": ["i1 over i0"]}), random.Random(2)  # fmt: skip
    while (question := session.ask()) is not None:
        grade = rng.choice([1.0, 0.7, 0.3, -0.2])
        session.tell(question, Grade(grade if question.left == "i0" else -grade))
    return session.certificate()
