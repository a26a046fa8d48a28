"""False statements in hard small worlds: the exact 99 % lower bound of their rate stays below δ."""

from itertools import permutations

import pytest
from benchmarks.jury.play import play
from benchmarks.jury.promise import ERROR, FRESH_MOST, RESULTS, in_docs, rows_of
from benchmarks.jury.worlds import at_once, hard_worlds

from juryrank.rankers.jury.core.attempt import Attempt
from tests.quick import quick
from tests.statistics import lower_bound

WORLDS = {world.name: world for world in hard_worlds()}


def broken(world, runs):
    """Runs with a false statement, and runs in which the bets won on a claim that is not above 0."""
    most = FRESH_MOST if world.answers.fresh else 10**6
    options = {
        "together": world.name in TOGETHER,
        "objective": world.objective,
        "resolution": world.resolution,
        "error": ERROR,
        "most": most,
    }
    found = [play(world.answers, seed=seed, **options) for seed in range(runs)]
    return sum(result.false for result in found), sum(result.fooled for result in found)


TABLES = [world for world in WORLDS.values() if not world.answers.fresh]
TOGETHER = {world.name: world for world in map(at_once, TABLES)}
SMALL = [name for name, world in WORLDS.items() if not world.answers.fresh and "four" not in name]


@pytest.mark.parametrize("name", quick(SMALL[::3], *SMALL[:6:3]))
def test_few_false_statements_in_small_worlds(name):
    runs = 8
    assert lower_bound(max(broken(WORLDS[name], runs)), runs) <= ERROR


@pytest.mark.parametrize("name", quick(list(TOGETHER)[::2], *list(TOGETHER)[:6:3]))
def test_few_false_statements_where_all_are_shown_at_once(name):
    runs = 8
    assert lower_bound(max(broken(TOGETHER[name], runs)), runs) <= ERROR


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", [*WORLDS, *TOGETHER])
def test_few_false_statements(name):
    runs = 2000
    false, fooled = broken({**WORLDS, **TOGETHER}[name], runs)
    assert lower_bound(max(false, fooled), runs) <= ERROR, f"{false} false, {fooled} fooled of {runs}"


def nearest(world):
    """How close to 0 from below the Z of any claim comes, at any resolution; 1 where none is false."""
    claims = permutations(range(world.answers.items), 2)
    found = [world.answers.mean(*claim, epsilon) for claim in claims for epsilon in world.resolution]
    return min((-z for z in found if z < -1e-9), default=1.0), min(map(abs, found))


def test_the_worlds_are_hard():
    false, edge = zip(*map(nearest, WORLDS.values()), strict=True)
    assert sum(distance < 0.2 for distance in false) >= 20  # something just false can be said there
    assert all(distance < 0.2 for distance in edge)


class Lucky(Attempt):
    """Bets with ten times the stake: wrong on purpose."""

    def count(self, book, drawn, *, refusals_against):
        super().count(book, drawn, refusals_against=refusals_against)
        at = self.place.get(book.pair)
        if at is not None and book.counted >= self.starts.get(book.pair, 0):
            self.evidence[at] += 2.3
            self._prove(at, self.evidence[at] >= self._bar)


@pytest.mark.slow
def test_bets_that_are_too_bold_are_found_out(monkeypatch):
    monkeypatch.setattr("juryrank.rankers.jury.core.machine.Attempt", Lucky)
    world = WORLDS["two equal, 40 cells"]
    false, fooled = broken(world, 30)
    assert not false and lower_bound(fooled, 30) > ERROR  # nothing is false there, and yet it is seen
    assert lower_bound(broken(WORLDS["two, one cell apart, 20 cells"], 100)[0], 100) > ERROR


def test_the_committed_run_holds_and_stands_in_the_docs():
    page = (RESULTS.parents[2] / "docs" / "jury-measured.md").read_text(encoding="utf-8")
    rows = rows_of(RESULTS)
    assert [row["world"] for row in rows] == list(WORLDS) and len(rows) >= 20
    for row in rows:
        runs, bad = int(row["runs"]), max(int(row["false"]), int(row["fooled"]))
        assert runs >= 2000 and lower_bound(bad, runs) <= float(row["error"]) == ERROR
        assert in_docs(row) in page
