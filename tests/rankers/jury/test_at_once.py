"""One call puts all systems in order: its rules, each with a world that breaks the promise without it."""

import json
import random
import shlex
import sys
from itertools import combinations, permutations

import numpy as np
import pytest

import juryrank
from juryrank import SKIP, rank
from juryrank.errors import BadAnswer, BadInput
from juryrank.judges import CommandJudge, table
from juryrank.rankers import Ranker
from juryrank.rankers.jury.core.evidence import UNKNOWN, Prior
from juryrank.rankers.jury.core.table import ALL
from juryrank.rankers.jury.ranker import Jury
from juryrank.types import Order
from juryrank.votes import votes_of
from tests.commands import juryrank as juryrank_command
from tests.rankers.jury.test_rules import breaks, holds

TOGETHER = {"at_once": "all"}
SYSTEMS = {f"s{k}": {f"q{c}": f"answer {k} to {c}" for c in range(30)} for k in range(5)}


def by_number(outputs, case):
    """The later the better, with some noise that depends on the case alone."""
    noise = random.Random(case)
    worth = {output: int(output.split()[1]) + noise.gauss(0, 1) for output in sorted(outputs)}
    return sorted(outputs, key=worth.__getitem__, reverse=True)


# ---------------------------------------------------------------------- the front door
def test_a_judge_gives_back_the_outputs_best_first():
    result = rank(SYSTEMS, {"m": by_number}, goal="order", within=0.05, seed=1, options=TOGETHER)
    assert result.proven and result.order == ("s4", "s3", "s2", "s1", "s0")
    assert result.questions < 60  # of 60 draws; of pairs the whole would be 600
    assert "where all 5 are shown together, in two opposite orders per case drawn by the seed" in result.statement
    assert "both sides" not in result.statement and "balanced" not in result.statement
    report = juryrank.verify(result.certificate())
    assert report.true and report.proven and report.statement == result.statement


def test_inner_lists_are_ties_and_equal_outputs_are_shown_once():
    seen = []

    def judge(outputs, case):
        seen.append(tuple(outputs))
        return [outputs[:1], outputs[1:]] if len(outputs) > 1 else outputs

    same = {"a": {"q": "x", "r": "x"}, "b": {"q": "x", "r": "x"}, "c": {"q": "y", "r": "x"}}
    result = rank(same, {"m": judge}, goal="order", seed=1, options=TOGETHER)
    assert {frozenset(outputs) for outputs in seen} == {frozenset("xy")} and len(seen) == 2
    orders = [event.data["order"] for event in result.events if event.kind == "told" and "order" in event.data]
    assert all(["a", "b"] in [sorted(tier) for tier in order] for order in orders)
    identical = [event for event in result.events if event.data.get("source") == "identical outputs"]
    assert len(identical) == 2 and juryrank.verify(result.certificate()).true


def test_each_cell_is_shown_in_two_opposite_orders_the_same_on_a_retry():
    tries = []

    def judge(outputs, case):
        tries.append((case, tuple(outputs)))
        if len(tries) % 2:
            return outputs[1:]  # leaves one out
        return by_number(outputs, case)

    rank(SYSTEMS, {"m": judge}, goal="order", within=0, seed=2, options=TOGETHER)
    assert tries[::2] == tries[1::2]  # asked again, it is shown the same
    shown = {case: [outputs for name, outputs in tries[::2] if name == case] for case, _ in tries}
    both = [orders for orders in shown.values() if len(orders) == 2]
    assert len(both) > 5 and all(one == other[::-1] for one, other in both)


@pytest.mark.parametrize(
    "wrong",
    [lambda o: o[1:], lambda o: [*o, o[0]], lambda o: o[0], lambda o: [[o[0], o[0]], *o[1:]], lambda o: ["else"]],
)
def test_an_order_that_is_none_fails_after_three_tries_and_counts_against_every_claim(wrong):
    tries = []

    def judge(outputs, case):
        tries.append(case)
        return wrong(outputs) if case == "q1" else by_number(outputs, case)

    result = rank(SYSTEMS, {"m": judge}, goal="order", within=0, seed=1, options=TOGETHER)
    assert tries.count("q1") in (3, 6)
    assert result.details.jury["failed"] == tries.count("q1") // 3
    assert juryrank.verify(result.certificate()).true


def test_a_judge_may_refuse():
    def judge(outputs, case):
        return SKIP if case < "q2" else by_number(outputs, case)

    result = rank(SYSTEMS, {"m": judge}, goal="best", within=0.05, seed=1, options=TOGETHER)
    assert result.details.jury["refused"] > 0 and result.details.jury["failed"] == 0


def test_programs_read_and_print_json(tmp_path):
    program = tmp_path / "judge.py"
    program.write_text(
        "import json, sys\n"
        "shown = json.load(sys.stdin)\n"
        "assert set(shown) == {'outputs', 'judge', 'case'} and sorted(shown['outputs']) == list('ABCDE')\n"
        "order = sorted(shown['outputs'], key=lambda letter: -int(shown['outputs'][letter].split()[1]))\n"
        "print(json.dumps([order[:2], *order[2:]]))\n"
    )
    judge = CommandJudge(shlex.join([sys.executable, str(program)]))
    result = rank(SYSTEMS, {"m": judge}, goal="top-2", within=0.1, seed=1, options=TOGETHER)
    assert result.proven and set(result.order[:2]) == {"s4", "s3"}


def test_an_order_is_a_vote_about_each_pair():
    result = rank(SYSTEMS, {"m": by_number}, goal="best", within=0.1, seed=1, options=TOGETHER)
    votes = votes_of(result.events)
    assert len(votes) == 10 * result.questions and len({vote.vote_id for vote in votes}) == len(votes)
    first = [vote for vote in votes if str(vote.vote_id).startswith("1.")]
    better = next(event.data["order"] for event in result.events if event.kind == "told")
    place = {item: at for at, (item,) in enumerate(better)}
    assert all(vote.winner == min(vote.left, vote.right, key=place.__getitem__) for vote in first)
    assert sum(vote.cost for vote in first) == pytest.approx(1)


def test_a_plan_says_what_it_will_cost():
    pairs, together = (juryrank.plan(6, cases=40, gap=1.0, runs=2, at_once=how) for how in ("pairs", "all"))
    assert (pairs.whole, together.whole) == (1200, 80)
    assert all(line.calls < 80 and line.proven == 1 for line in together.lines)
    with pytest.raises(BadInput, match="up to 8 systems"):
        juryrank.plan(9, cases=40, at_once="all")


def test_the_command_ranks_plans_and_verifies(tmp_path):
    (tmp_path / "judge.py").write_text(
        "import json, sys\n"
        "shown = json.load(sys.stdin)['outputs']\n"
        "print(json.dumps(sorted(shown, key=lambda letter: -int(shown[letter].split()[1]))))\n"
    )
    for name, outputs in SYSTEMS.items():
        rows = (json.dumps({"case": case, "output": output}) for case, output in outputs.items())
        (tmp_path / f"{name}.jsonl").write_text("\n".join(rows))
    files = [str(tmp_path / f"{name}.jsonl") for name in SYSTEMS]
    judge = ["--judge", f"m=cmd:{shlex.join([sys.executable, str(tmp_path / 'judge.py')])}"]
    more = ["--set", "at_once=all", "--goal", "order", "--within", "0.1", "--seed", "1"]
    found = juryrank_command("rank", *files, *judge, *more, "--out", str(tmp_path / "result.json"))
    assert found.returncode == 0 and "where all 5 are shown together" in " ".join(found.stdout.split())
    assert juryrank_command("verify", str(tmp_path / "result.json")).returncode == 0
    plan = juryrank_command("plan", "--systems", "5", "--cases", "20", "--set", "at_once=all", "--runs", "1")
    assert plan.returncode == 0 and "The whole evaluation: 40 calls" in plan.stdout
    wrong = juryrank_command("plan", "--systems", "5", "--cases", "20", "--set", "sides=both")
    assert wrong.returncode == 2 and "at_once=all alone" in wrong.stderr


@pytest.mark.parametrize(
    ("systems", "more", "said"),
    [
        ({f"s{k}": {"q": str(k)} for k in range(9)}, {}, "up to 8 systems"),
        (SYSTEMS, {"sides": "both"}, "does not go with it"),
        (SYSTEMS, {"fresh": True}, "does not go with it"),
        (SYSTEMS, {"at_once": "three"}, "it is one of: pairs, all"),
    ],
)
def test_what_does_not_go_with_it_is_refused(systems, more, said):
    with pytest.raises((BadInput, juryrank.errors.UnknownName), match=said):
        rank(systems, {"m": by_number}, options={**TOGETHER, **more})


def test_recorded_tables_and_no_cases_are_refused(tmp_path):
    votes = tmp_path / "votes.csv"
    votes.write_text("judge,left,right,winner,case\nm,s0,s1,s0,q1\n")
    with pytest.raises(BadInput, match="holds answers about pairs"):
        rank(SYSTEMS, {"m": table(votes)}, options=TOGETHER)
    with pytest.raises(BadInput, match="there are no cases"):
        Jury("abc", judges=["m"], **TOGETHER)
    with pytest.raises(BadInput, match="leaves out a pair"):
        Jury("abc", judges=["m"], cases=["q", "r"], absent=[["a", "b", ["q"]]], **TOGETHER)


def test_an_answer_about_two_is_none():
    jury = Jury("abc", judges=["m"], cases=5, seed=1, **TOGETHER)
    question = jury.ask()
    for wrong in (question.left, Order((("a", "b"),)), Order((("a", "b"), ("b", "c"))), Order((tuple("abcd"),))):
        with pytest.raises(BadAnswer):
            jury.tell(question, wrong)
    jury.tell(question, Order((("b",), ("a", "c"))))
    assert jury.judges[0].answered == 1


def ordered(question, value):
    return Order(tuple((item,) for item in sorted(question.shown, key=value, reverse=True)))


def test_a_restored_ranker_goes_on_alike():
    def play(*, restored):
        jury, rng, waiting = Jury("abcd", judges=["m", "n"], cases=20, seed=1, **TOGETHER), random.Random(1), []
        for turn in range(60):
            waiting += filter(None, [jury.ask()])
            if len(waiting) > 2:
                question = waiting.pop(rng.randrange(3))
                jury.tell(question, ordered(question, lambda item: -ord(item) + rng.gauss(0, 2)))
            if restored and turn % 7 == 0:
                jury = Ranker.restore(jury.snapshot_text())
        return jury.snapshot_text()

    assert play(restored=True) == play(restored=False)


def test_a_system_joins_and_every_cell_is_new():
    jury = Jury("abc", judges=["m", "n"], cases=20, seed=1, joining=True, resolution=0.05, **TOGETHER)
    open_one = jury.ask()
    while (question := jury.ask()) is not None and not jury.ranking.proven:
        jury.tell(question, ordered(question, lambda item: -ord(item)))
    attempts = len(jury.state.machine.attempts)
    jury.add_items(["d"])
    jury.draw_anew(7)
    machine = jury.state.machine
    assert not jury.ranking.proven and machine.drawn == 0 and not any(b.drawn for b in machine.books.values())
    jury.tell(open_one, ordered(open_one, ord))  # of the old table: it is part of nothing
    assert machine.counted == 0
    while (question := jury.ask()) is not None:
        assert len(question.shown) == 4
        jury.tell(question, ordered(question, lambda item: -ord(item)))
    assert jury.ranking.proven and min(a.number for a in machine.current) > attempts


# ---------------------------------------------------------------------- the rules, each switched off
LEVEL = 0.1  # of the first list: error is 1.25 times that
CASES = 30


def machine_of(items, cases=CASES, seed=0, level=LEVEL):
    """A jury of one judge; its answers are told to its machine, which need not have an opinion."""
    names = "abcdefgh"[:items]
    jury = Jury(names, judges=["m"], cases=cases, seed=seed, error=level / 0.8, resolution=0, **TOGETHER)
    jury.state.machine.refit_at = 10**9
    return jury.state


def draw(state):
    state.machine.shared.draw(state.key, state.names(ALL), (1.0,), calls=1)
    state.machine.entered(ALL)


def tell(state, place, values):
    """The answer to a draw: one value for each pair."""
    state.machine.settle_all(place, values(state.machine.shared.drawn[place].cell))


def fix(state, claim, prior=UNKNOWN):
    state.machine.begin(state.machine.attempt(1, list(range(state.machine.items)), [claim], [prior]))


def finish(state, values, most=2 * CASES):
    while len(state.machine.shared.drawn) < most:
        draw(state)
        tell(state, -1, values)
    return bool(state.machine.attempts[0].proven[0, 0])


def chosen_late(seed, *, known=60, counted=True):
    """The claim is the false one of 28 that looks best in what is counted; or told, with the first draw open."""
    rng, pairs = np.random.default_rng(seed), list(combinations(range(8), 2))
    state = machine_of(8, cases=1000, seed=seed, level=2 * LEVEL)
    places = np.array([rng.permutation(8) for _ in range(2000)])

    def values(cell):
        return {(i, j): 1.0 if places[cell, i] < places[cell, j] else -1.0 for i, j in pairs}

    def lead(cells, claim):
        return float(np.sign(places[cells, claim[1]] - places[cells, claim[0]]).mean())

    for _ in range(known):
        draw(state)
    for place in range(not counted, known):
        tell(state, place, values)
    told = [drawn.cell for drawn in state.machine.shared.drawn[1:]]
    false = [claim for claim in permutations(range(8), 2) if lead(range(2000), claim) < 0]
    best = max(false, key=lambda claim: lead(told, claim))
    fix(state, best, Prior(lead(told, best), 0.0, 1.0))
    if not counted:
        tell(state, 0, values)
    return finish(state, values, most=known + 10)


def test_a_list_is_chosen_by_what_is_counted():
    assert holds(chosen_late, runs=14)
    assert breaks(lambda seed: chosen_late(seed, counted=False), least=0.25, runs=14)


def good_ones_first(seed, *, in_order=True):
    """40 draws are out, and answers for the claim come first."""
    values = [1.0] * (CASES - 1) + [-1.0] * (CASES + 1)
    random.Random(seed).shuffle(values)
    state = machine_of(3, seed=seed)
    machine = state.machine
    fix(state, (0, 1))
    for _ in range(40):
        draw(state)
    places = sorted(range(40), key=lambda place: -values[machine.shared.drawn[place].cell])
    if not in_order:  # counted as they come
        for book in (machine.shared, *machine.books.values()):
            book.drawn[:] = [book.drawn[place] for place in places]
        places = range(40)
    for place in places:
        tell(state, place, lambda cell: dict.fromkeys(machine.books, values[cell]))
    return finish(state, lambda cell: dict.fromkeys(machine.books, values[cell]))


def test_draws_count_in_the_one_order_drawn():
    assert holds(good_ones_first, runs=20)
    assert breaks(lambda seed: good_ones_first(seed, in_order=False), least=0.9, runs=6)


def shown_first_wins(seed, *, drawn_anew=False):
    """The judge prefers what stands first (but for one case); its owner lets a call fail until that is welcome."""
    state, rng = machine_of(3, seed=seed), random.Random(seed)
    fix(state, (0, 1))

    def values(cell):
        case, turned = divmod(cell, 2)
        first = [bool((case + turned) % 2)] + [rng.random() < 0.5 for _ in range(2 * drawn_anew)]
        return dict.fromkeys(state.machine.books, -1.0 if case == 0 or not any(first) else 1.0)

    return finish(state, values)


def test_a_retry_shows_the_same_order():
    assert holds(shown_first_wins, runs=20)
    assert breaks(lambda seed: shown_first_wins(seed, drawn_anew=True), least=0.9, runs=6)


def losses_fail(seed, *, as_refusals=False):
    """Calls that would speak against the claim break now and then."""
    rng, state = random.Random(seed), machine_of(3, seed=seed)
    values = [1.0] * (CASES - 1) + [-1.0] * (CASES + 1)
    rng.shuffle(values)
    breaks_off = [x < 0 and rng.random() < 0.5 for x in values]
    fix(state, (0, 1))
    for place in range(2 * CASES):
        draw(state)
        cell = state.machine.shared.drawn[place].cell
        said = None if breaks_off[cell] else dict.fromkeys(state.machine.books, values[cell])
        state.machine.settle_all(place, said, failed=said is None and not as_refusals)
    return bool(state.machine.attempts[0].proven[0, 0])


def test_a_call_that_failed_counts_against_every_claim():
    assert holds(losses_fail, runs=20)
    assert breaks(lambda seed: losses_fail(seed, as_refusals=True), least=0.9, runs=6)
