"""One source: compiled and plain play give the same digest, to the last bit."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from juryrank.core import compiling
from juryrank.rankers.paper.core import state as walk_state
from juryrank.rankers.paper.core import thresholds, walk
from juryrank.rankers.paper.core.constants import CONSTANTS
from juryrank.simulation import two_groups
from juryrank.simulation.play import play, repeat_rng, true_ranks
from juryrank.simulation.players import by_law as duel_law
from juryrank.simulation.players import insertion, paper
from juryrank.simulation.worlds.kinds import Btl, stage_of

ONE = ((6, 0.25, 2.5),)
RANKERS = ("iir", "ada-iir", "oracle", "two-stage", "subset-two-stage")


def without_compiling(monkeypatch):
    for module in (insertion, duel_law, paper):
        monkeypatch.setattr(module, "compiled", lambda function: function)
    duel_law._law.cache_clear()
    duel_law.laws.cache_clear()


def digest(worlds=((9, 0.5, 1.0), (6, 0.25, 2.5)), items=5):
    """Everything that a run decides."""
    text = []
    for judges, a, b in worlds:
        world = two_groups(judges, gamma_a=a, gamma_b=b)
        for constants in CONSTANTS.values():
            text += [
                repr(play(ranker, world, items=items, seed=5, repeat=1, constants=constants)) for ranker in RANKERS
            ]
    return hashlib.sha256("|".join(text).encode()).hexdigest()


def played(world, by_law, adaptive=True, items=6):
    rng = repeat_rng(11, 0)
    truth = true_ranks(items, rng)
    found = insertion.play_insertion(
        stage_of(world, items), truth, error=0.1, constants=CONSTANTS["paper"], budget=10**9, rng=rng,
        adaptive=adaptive, by_law=by_law,
    )  # fmt: skip
    return found.questions, found.order.tolist(), found.active.tolist(), found.attempts, rng.random()


@pytest.mark.parametrize("by_law", [True, False])
@pytest.mark.parametrize("adaptive", [True, False])
def test_same_chance_same_play(monkeypatch, mixed, by_law, adaptive):
    fast = played(mixed, by_law, adaptive)
    without_compiling(monkeypatch)
    assert played(mixed, by_law, adaptive) == fast


def test_same_play_where_pairs_differ(monkeypatch):
    world = Btl((2.0, 1.0, 1.5), spacing=1.0)
    fast = played(world, None, items=4)
    without_compiling(monkeypatch)
    assert played(world, None, items=4) == fast


def test_same_verdicts_same_walk():
    """Fed with the same verdicts, the compiled walk and the plain one are in the same state after each."""
    constants, rng = CONSTANTS["paper"], np.random.default_rng(3)
    tables = thresholds.tables(6, 0.02, constants, attempts=3)
    states = [walk_state.start(6, constants) for _ in range(2)]
    steps = [walk.verdict, compiling.compiled(walk.verdict)]
    for state in states:
        walk.begin(state, tables, 1)
    for won in rng.random(1500) < 0.7:
        places = [step(state, tables, bool(won)) for step, state in zip(steps, states, strict=True)]
        assert places[0] == places[1]
        assert walk_state.to_json(states[0]) == walk_state.to_json(states[1])
        for state in states:
            if places[0] == walk.UNSURE:
                walk.begin(state, tables, min(int(state.cursor.attempt) + 1, 3))
            elif places[0] != walk.GOING_ON:
                walk.insert(state, places[0])
                if not state.cursor.finished:
                    walk.begin(state, tables, 1)
        if states[0].cursor.finished:
            break
    assert states[0].cursor.n_ranked > 2


def test_numba_disabled_gives_the_same_digest():
    """The whole path in a process where nothing is compiled: one world, as that is slow."""
    code = "from tests.simulation.test_compiled_and_plain import digest, ONE; print(digest(ONE))"
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, env=env, cwd=root, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == digest(ONE)


def test_a_stale_cache_cannot_happen(tmp_path, monkeypatch):
    """An edit in any kernel file changes the cache's folder."""
    seen = {compiling.source_hash()}
    package = tmp_path / "juryrank"
    shutil.copytree(Path(compiling.__file__).parents[1], package)
    monkeypatch.setattr(compiling, "__file__", str(package / "core" / "compiling.py"))
    assert compiling.source_hash() in seen
    for name in ("rankers/paper/core/walk.py", "simulation/players/by_law.py"):
        file = package / name
        file.write_text(file.read_text() + "\n# edited\n")
        assert compiling.source_hash() not in seen
        seen.add(compiling.source_hash())


def test_what_a_kernel_imports_is_part_of_the_cache_key():
    """Kernels see constants of other modules: none may lie outside the files that are hashed."""
    hashed = set(compiling.kernel_sources())
    package = Path(compiling.__file__).parents[1]
    for path in package.rglob("core/**/*.py"):
        if b"@kernel" not in path.read_bytes():
            continue
        for name in re.findall(r"^from (juryrank\.[\w.]*core[\w.]*) import", path.read_text(), re.M):
            module = package.parent / name.replace(".", "/")
            assert module.with_suffix(".py") in hashed or module.is_dir(), f"{path} imports {name}"
