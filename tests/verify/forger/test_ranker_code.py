"""Mutants of the rankers' own code: no certificate is issued for what a broken ranker calls proven.

The checker runs while the code is broken, so whatever it shared with the ranker would be broken too.
"""

import math
import random
import sys

import pytest

from juryrank.core import lead_table, levels, watches
from juryrank.errors import JuryrankError
from juryrank.log import fold
from juryrank.rankers.certified import examination as cross_examination
from juryrank.rankers.certified.core.prove import attempt, evidence
from juryrank.rankers.paper.core import elimination
from juryrank.run.session import Session
from juryrank.verify import verify

ITEMS = [f"i{k}" for k in range(5)]
SEEDS = 5  # rankings by a broken ranker, at most ...
ENOUGH = 2  # ... and until so many were refused a certificate


def everywhere(monkeypatch, broken, by):
    """Put another function in the place of one, in every module of juryrank that knows it."""
    for name, module in list(sys.modules.items()):
        if name.startswith("juryrank"):
            for known, value in list(vars(module).items()):
                if value is broken:
                    monkeypatch.setattr(module, known, by)


def levels_times_ten(monkeypatch):
    true = levels.level_of
    everywhere(monkeypatch, true, lambda error, attempt: min(10 * true(error, attempt), 0.99))


def first_share_of_everything(monkeypatch):
    """Every attempt at the whole of δ."""
    everywhere(monkeypatch, levels.level_of, lambda error, attempt: error)


def threshold_halved(monkeypatch):
    """The level on record is right; the proof is over early."""
    begin = attempt.begin_attempt

    def broken(s):
        begin(s)
        s.cursor.threshold /= 2

    everywhere(monkeypatch, begin, broken)


def bets_count_twice(monkeypatch):
    everywhere(monkeypatch, evidence.log_bet, lambda bet, agrees: 2 * math.log1p(bet) if agrees else -bet)


def no_supremum(monkeypatch):
    everywhere(monkeypatch, evidence.log_supremum, lambda right, answers: -answers * math.log(2))


def nobody_never_changes(monkeypatch):
    everywhere(monkeypatch, watches.never_changing, lambda seen: [])


def no_probes(monkeypatch):
    everywhere(monkeypatch, watches.probes_needed, lambda links, error: 0)
    monkeypatch.setattr(cross_examination.CrossExamination, "_cleared", lambda self, u: True)


def silent_monitor(monkeypatch):
    everywhere(monkeypatch, watches.watch, lambda *seen, **options: ())


def leads_scaled(monkeypatch):
    true = lead_table.LeadTable.settles
    monkeypatch.setattr(lead_table.LeadTable, "settles", lambda self, w, m: w > m and true(self, 3 * w, 3 * m))


def one_pair_catches_all(monkeypatch):
    everywhere(monkeypatch, levels.false_proofs, lambda *claims, **options: 1)


def short_duels(monkeypatch):
    true = elimination.lead_table
    everywhere(monkeypatch, true, lambda *given: (true(*given) // 3).clip(1))


def uneven(rng, good, bad):
    """One pair is a coin, the others are sure: what the steady model must not meet."""
    return rng.choice([good, bad]) if (good, bad) == ("i1", "i2") else sure(rng, good, bad)


def noisy(rng, good, bad):
    return good if rng.random() < 0.65 else bad


def sure(rng, good, bad):
    return good if rng.random() < 0.97 else bad


def mostly(rng, good, bad):
    return good if rng.random() < 0.85 else bad


CERTIFIED = {"ranker": "certified", "judges": 3}
STEADY = {**CERTIFIED, "options": {"assume": "steady"}}
PANEL = {"ranker": "panel", "judges": 60}
BEST = {"ranker": "panel", "judges": 60, "options": {"objective": "best"}}
IIR = {"ranker": "iir", "judges": 2, "items": ITEMS[:2], "error": 0.4}

MUTANTS = [
    (levels_times_ten, CERTIFIED, mostly),
    (levels_times_ten, STEADY, mostly),
    (first_share_of_everything, CERTIFIED, noisy),
    (threshold_halved, CERTIFIED, mostly),
    (threshold_halved, STEADY, mostly),
    (bets_count_twice, CERTIFIED, mostly),
    (no_supremum, STEADY, noisy),
    (silent_monitor, STEADY, uneven),
    (nobody_never_changes, {**CERTIFIED, "judges": 1}, "remembers"),
    (no_probes, {**CERTIFIED, "judges": 1}, "remembers"),
    (leads_scaled, PANEL, sure),
    (leads_scaled, BEST, sure),
    (one_pair_catches_all, PANEL, sure),
    (short_duels, IIR, mostly),
]


def play(answer, *, ranker, judges, seed, items=ITEMS, error=0.1, options=None):
    rng, said = random.Random(seed), {}
    names = [f"j{u}" for u in range(judges)]
    session = Session(items, judges=names, ranker=ranker, error=error, seed=seed, budget=1200, options=options)
    while (question := session.ask()) is not None:
        good, bad = sorted((question.left, question.right))
        if answer == "remembers":
            choice = said.setdefault((question.judge, good, bad), sure(rng, good, bad))
        else:
            choice = answer(rng, good, bad)
        session.tell(question, choice)
    return session


@pytest.mark.parametrize(("breaks", "how", "answer"), MUTANTS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_broken_ranker_gets_no_certificate(breaks, how, answer, monkeypatch):
    refused, issued = 0, []
    with monkeypatch.context() as broken:
        breaks(broken)
        for seed in range(SEEDS):
            session = play(answer, seed=seed, **how)
            try:
                issued.append((session, verify(session.certificate())))
            except JuryrankError as problem:
                assert "claims more" in str(problem) or "no certificate can be issued" in str(problem)
                refused += 1
            if refused == ENOUGH:
                break
    assert refused, "the mutant was never found out"
    for session, report in issued:
        healthy = fold(session.events).ranking()
        assert report.true and (not report.proven or healthy.proven), (report.statement, healthy.statement)
