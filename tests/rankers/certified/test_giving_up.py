"""Where no order can be proven the ranker gives up and says so, and claims no more; elsewhere it goes on."""

import json
import math
import random

import numpy as np
import pytest
from typer.testing import CliRunner

from juryrank.cli import build_app
from juryrank.errors import BadInput
from juryrank.log import fold
from juryrank.rankers.certified.core import phases
from juryrank.rankers.certified.core.giving_up import (
    EVEN,
    MISTAKEN,
    MOST_TURNS,
    as_good_as_even,
    margin_of,
    note_patience,
    note_turn,
)
from juryrank.rankers.certified.core.pair_answers import note_answer, note_asked
from juryrank.rankers.certified.prover import Prover
from juryrank.rankers.certified.ranker import Certified
from juryrank.rankers.contract.ranker import Ranker
from juryrank.report import result_text
from juryrank.run.session import Session
from juryrank.types import Wait
from juryrank.verify import verify
from tests.quick import quick
from tests.statistics import surely_above

from .worlds import coin

TIED = {"i2", "i3"}  # no judge sees a difference


def with_a_tie(seed, accuracy=0.95):
    rng = random.Random(f"tie {seed}")

    def answer(question):
        pair = {question.left, question.right}
        return min(pair) if rng.random() < (0.5 if pair == TIED else accuracy) else max(pair)

    return answer


def played(session, answer):
    while (question := session.ask()) is not None:
        session.tell(question, answer(question))
    return session


def tied_session(seed=1, *, items=6, budget=None, **options):
    names = random.Random(seed).sample([f"i{k}" for k in range(items)], items)
    options = {"patience": 400, "repeats": None, **options}
    session = Session(
        names, judges=["a", "b", "c"], ranker="certified", error=0.1, seed=seed, budget=budget, options=options
    )
    return played(session, with_a_tie(seed))


# ---------------------------------------------------------------------- where there is no order


@pytest.mark.parametrize("seed", quick(range(3)))
def test_a_tie_is_given_up_and_the_result_says_so(seed):
    session = tied_session(seed)
    found = session.ranking
    assert session.ranker.done and not session.ranker.spent and not found.certified
    assert 400 <= found.questions < 4_000
    stuck = found.details.gave_up
    assert {stuck["first"], stuck["second"]} == TIED and stuck["why"] == "evenly split"
    assert "turns" not in stuck and all(one["outcome"] != "running" for one in found.details.attempts)
    assert found.warnings[0].startswith(f"Gave up after {found.questions:,} questions:")
    text = result_text(found)
    assert "cannot be told apart" in text and "more questions" not in text  # there will be none
    assert session.ranker.progress.expected is None and "given up" in session.ranker.progress.phase
    assert session.ranker.status().state is Wait.DONE and "given up" in session.ranker.status().reason


def test_without_the_rule_the_whole_budget_goes():
    session = tied_session(0, patience=None, budget=2_000)
    assert session.ranker.spent and not session.ranking.details.gave_up


def test_what_was_claimed_stays_claimed_and_verify_agrees():
    session = tied_session(2, patience=1_000)
    document = session.certificate()
    report = verify(json.loads(json.dumps(document)))
    assert report.true and report.verdict == "partial", report.failures
    claims = session.ranking.details.claims
    assert len(claims) > 0 and all(claim["better"] < claim["worse"] for claim in claims)
    document["result"]["certified"] = True
    assert not verify(document).true


def test_a_refolded_log_and_a_restored_ranker_give_up_at_the_same_question():
    session = tied_session(0)
    again = fold(session.events).ranker
    assert again.done and again.ranking.to_dict() == session.ranker.ranking.to_dict()
    assert again.snapshot_text() == session.ranker.snapshot_text()
    restored = Ranker.restore(session.ranker.snapshot())
    assert restored.done and restored.ranking.to_dict() == again.ranking.to_dict()
    before = fold(session.events[:-1]).ranker  # without the last answer: the machine moves only with events
    assert not before.done


def test_a_pair_that_ends_attempt_after_attempt_is_given_up():
    """Whatever list is fixed, the answers about 0 and 1 speak against it until it falls."""
    ranker = Certified(range(3), judges=["a", "b"], error=0.1, seed=1, trust_repeats=True)
    while (question := ranker.ask()) is not None and ranker.questions < 5_000:
        pair = {question.left, question.right}
        contrary = pair == {0, 1} and question.terms["phase"] == "prove"
        link = question.terms.get("link", sorted(pair))
        ranker.tell(question, link[1] if contrary else link[0])
    stuck = ranker.ranking.details.gave_up
    assert stuck["why"] == "back and forth" and stuck["turns"] == MOST_TURNS
    assert {stuck["first"], stuck["second"]} == {0, 1}
    assert "turn round again and again" in ranker.ranking.warnings[0]
    assert ranker.questions < 2_000


def remembering(seed, accuracy=0.95):
    """Each judge decides a pair once, and says the same ever after: together they contradict themselves."""
    rng, said = random.Random(f"memory {seed}"), {}

    def answer(question):
        pair = frozenset((question.left, question.right))
        right = said.setdefault((question.judge, pair), rng.random() < accuracy)
        return min(pair) if right else max(pair)

    return answer


@pytest.mark.parametrize("seeds", [range(6), pytest.param(range(6, 31), marks=pytest.mark.slow)], ids=len)
@pytest.mark.parametrize("assume", quick(["better-than-chance", "steady"]))
def test_judges_who_remember_never_take_the_whole_budget(assume, seeds):
    """Contradictions and circles: certified, withheld or given up, but never asked about for ever."""
    for seed in seeds:
        ranker = Certified(range(10), judges=range(9), error=0.1, seed=seed, assume=assume, budget=6_000)
        assert not played(ranker, remembering(seed)).spent, seed


def test_from_the_command_line_patience_may_be_none_as_the_message_says(tmp_path):
    things = tmp_path / "things.txt"
    things.write_text("a\nb\n")
    arguments = ["rank", str(things), "--judge", f"coin=python:{__name__}:flip", "--fresh", "--budget", "5"]
    ended = CliRunner().invoke(build_app(), [*arguments, "--set", "patience=None"])
    assert ended.exit_code == 3, ended.output


def test_an_answer_that_comes_after_giving_up_does_not_change_on_which_pair():
    s = Certified(range(4), judges=["a"], error=0.1)._machine
    s.cursor.gave_up, s.cursor.stuck_low, s.cursor.stuck_high = EVEN, 2, 3
    note_turn(s, 0, 1)
    assert (s.cursor.gave_up, s.cursor.stuck_low, s.cursor.stuck_high) == (EVEN, 2, 3)


@pytest.mark.parametrize(
    ("phase", "gives_up"), [(phases.INSERT, 0), (phases.REPAIR, 1), (phases.PROVE, 1), (phases.CERTIFIED, 0)]
)
def test_only_where_something_is_left_to_prove_patience_ends(phase, gives_up):
    s = Certified(range(4), judges=["a"], error=0.1, patience=100)._machine
    for k in range(200):
        note_asked(s.tallies, 0, 1, 0)
        note_answer(s.tallies, 0, 1, 0, k % 2 == 0)
    s.cursor.phase, s.cursor.answers = phase, 200
    note_patience(s, 0, 1)
    assert (s.cursor.gave_up == EVEN) == gives_up


def test_from_the_command_line_it_ends_with_exit_code_3(tmp_path):
    things = tmp_path / "things.txt"
    things.write_text("a\nb\nc\n")
    judge = f"coin=python:{__name__}:flip"
    arguments = [
        "rank",
        str(things),
        "--judge",
        judge,
        "--fresh",
        "--seed",
        "1",
        "--set",
        "patience=100",
        "--json",
    ]
    ended = CliRunner().invoke(build_app(), arguments)
    assert ended.exit_code == 3, ended.output
    found = json.loads(ended.stdout)
    assert found["details"]["gave_up"]["patience"] == 100 and "Gave up" in found["warnings"][0]


FLIPS = random.Random(3)


def flip(left, right):
    return left if FLIPS.random() < 0.5 else right


# ---------------------------------------------------------------------- going on


def test_a_display_says_early_that_one_pair_takes_most_questions():
    session = Session(
        ["i1", "i2", "i3", "i4"], judges=["a", "b"], ranker="certified", error=0.1, seed=2, budget=1_500
    )
    answer, said = with_a_tie("display"), []
    while (question := session.ask()) is not None:
        session.tell(question, answer(question))
        if session.ranker.questions % 100 == 0:
            said.append("most questions go to one close pair" in session.ranker.progress.phase)
    assert said == sorted(said) and not said[3] and said[-1]


def test_whoever_joins_brings_new_patience():
    session = tied_session(1)
    ranker = session.ranker
    ranker.add_judge("d")
    assert not ranker.done and ranker._machine.cursor.even_limit == 800
    assert played(ranker, with_a_tie("again")).ranking.details.gave_up["patience"] == 800
    ranker.add_items(["i9"])
    assert not ranker.done and ranker.ask() is not None


def test_a_prover_gives_up_a_tie_and_may_be_given_another_list():
    prover = Prover(["i1", "i2", "i3"], judges=["a"], error=0.1, seed=3, patience=300, give_up=False)
    assert prover.prove(["i1", "i2", "i3"], with_a_tie(1)).details.gave_up
    prover.fix(["i1", "i3", "i2"])
    assert not prover.gave_up and prover.ask() is not None


@pytest.mark.parametrize("patience", [0, -5, True, 1.5, "long"])
def test_patience_is_a_number_of_answers(patience):
    with pytest.raises(BadInput, match="evenly split answers"):
        Certified("ab", judges=["a"], patience=patience)


def test_any_number_will_do():
    ranker = Certified("ab", judges=["a"], patience=10**400, repeats=10**30)
    assert ranker.ask() is not None and Ranker.restore(ranker.snapshot_text()).chosen.patience == 10**400


# ---------------------------------------------------------------------- never where there is an order


def test_a_pair_just_not_too_close_is_hardly_ever_given_up():
    """At the margin itself, looked at after every answer for ten times the patience: at most MISTAKEN of pairs."""
    patience, pairs = 200, 1_000
    rng = np.random.default_rng(11)
    share = 0.5 + margin_of(patience) / 2
    right = np.cumsum(rng.random((pairs, 10 * patience)) < share, axis=1)
    asked = np.arange(1, 10 * patience + 1)
    margin = margin_of(patience)
    most = np.maximum(right, asked - right)
    ratio = most * math.log1p(margin) + (asked - most) * math.log1p(-margin)
    given_up = int(np.any(ratio <= math.log(MISTAKEN), axis=1).sum())
    assert not surely_above(given_up, pairs, MISTAKEN)
    assert as_good_as_even(100, 100, patience) and not as_good_as_even(99, 100, patience)


@pytest.mark.parametrize("assume", quick(["better-than-chance", "steady"], "steady"))
def test_mediocre_judges_are_not_given_up(assume):
    for seed in range(3):
        ranker = Certified(range(5), judges=range(3), error=0.1, seed=seed, assume=assume, patience=2_000)
        found = played(ranker, coin(f"mediocre {seed}", 0.62)).ranking
        assert found.certified, found.warnings
