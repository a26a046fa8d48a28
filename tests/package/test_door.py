"""`import juryrank` is light, complete, and lazy."""

import json
import subprocess
import sys

import juryrank

LOOK = """
import json, sys
before = set(sys.modules)
import juryrank
door = sorted({name.partition(".")[0] for name in set(sys.modules) - before})
juryrank.rank(["a", "b"], {"x": min, "y": min}, seed=1)
for name in juryrank.ranker_names():
    juryrank.make_ranker(name, ["a", "b"], judges=["x"])
used = sorted({name.partition(".")[0] for name in set(sys.modules) - before})
print(json.dumps({"door": door, "used": used}))
"""


def test_importing_needs_the_standard_library_and_ranking_numpy_only():
    done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    ours = {"juryrank", "numpy", *sys.stdlib_module_names}
    assert set(found["door"]) <= ours - {"numpy"}
    assert {name for name in found["used"] if not name.startswith("_")} <= ours


def test_every_name_of_the_door_is_there():
    for name in juryrank.__all__:
        assert getattr(juryrank, name) is not None


def test_a_name_that_is_not_there():
    try:
        juryrank.no_such_name  # noqa: B018
    except AttributeError as problem:
        assert "no_such_name" in str(problem)
