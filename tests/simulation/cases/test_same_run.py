"""A played evaluation is the very run that a ranker has which is asked one question at a time."""

import pytest

from juryrank.rankers.jury.ranker import Jury
from juryrank.rankers.jury.result import proven_resolution
from juryrank.simulation.players.cases import CaseWorld, answer_in, ask_all, play_cases


@pytest.mark.parametrize(
    ("objective", "resolution", "more"),
    [
        ("best", 0.05, {}),
        ("top-2", "falling", {}),
        ("order", 0.0, {"prices": {"j0": 1.0, "j1": 3.0}}),
        ("best", 0.05, {"sides": "single"}),
        ("best", 0.05, {"sides": "both"}),
    ],
)
def test_a_run_without_questions_is_the_same_run(objective, resolution, more):
    world = CaseWorld(systems=4, judges=2, cases=20, gap=0.6, seed=3, refuse=0.1, ties=0.1)
    how = {"objective": objective, "resolution": resolution, "seed": 5, "budget": 90, "error": 0.05, **more}
    found = play_cases(world, **how)
    names = [f"s{i}" for i in range(4)], ["j0", "j1"], [str(c) for c in range(20)]
    jury = Jury(names[0], judges=names[1], cases=names[2], **how)
    ask_all(jury, lambda question: answer_in(world, question))
    assert (found.calls, found.cost) == (jury.questions, jury.cost)
    assert found.resolution == proven_resolution(jury.state) and found.attempts == len(jury.state.machine.attempts)
