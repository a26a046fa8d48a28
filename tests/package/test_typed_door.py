"""A type checker sees what `import juryrank` gives: real types, and misspelt words."""

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import juryrank

SCRIPT = """
import juryrank

result = juryrank.rank(["a", "b"], {"x": min}, goal="best", error=0.05)
reveal_type(result)
reveal_type(juryrank.verify(result.certificate()).proven)
reveal_type(juryrank.plan(9, people=40))
reveal_type(juryrank.plan(9, [0.9, 0.8]).limit)
reveal_type(juryrank.create_study(["a", "b"], name="s").ranking())
juryrank.rank(["a", "b"], {"x": min}, errr=0.1)
juryrank.rank(1, 2)
juryrank.plan(9, people=40, majorty=0.8)
result.certifed
"""
SEEN = [
    (5, "juryrank.types.Ranking"),
    (6, "bool"),
    (7, "juryrank.simulation.planning.people.PeoplePlan"),
    (8, "float"),
    (9, "juryrank.types.Ranking"),
]
WRONG = [(10, '"errr"'), (11, "incompatible type"), (12, "overload"), (13, '"certifed"')]


def checked(script: str, folder: Path) -> list[str]:
    (folder / "script.py").write_text(script)
    settings = "[mypy]\nfollow_imports = silent\nignore_missing_imports = True\n"
    (folder / "mypy.ini").write_text(settings)
    command = [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "script.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.stdout.splitlines()


def test_a_type_checker_sees_results_and_misspelt_words(tmp_path):
    names = [name for name in juryrank.__all__ if name != "__version__"]
    every = "".join(f"reveal_type(juryrank.{name})\n" for name in names)
    lines = checked(SCRIPT + every, tmp_path)
    first = SCRIPT.count("\n") + 1

    def at(number: int) -> str:
        return " ".join(line for line in lines if line.startswith(f"script.py:{number}:"))

    for number, words in SEEN + WRONG:
        assert words in at(number), (number, lines)
    for number, name in enumerate(names, start=first):
        assert "Revealed type is" in at(number) and '"Any"' not in at(number), name


def test_the_type_checker_and_python_see_the_same_names():
    tree = ast.parse(inspect.getsource(juryrank))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {alias.asname for line in block.body if isinstance(line, ast.ImportFrom) for alias in line.names}
    assert seen == {*juryrank.__all__, "judges"} - {"__version__"}


def test_verify_is_a_package_that_can_be_called():
    document = juryrank.rank(["a", "b"], {"x": min}, seed=1).certificate()
    package = importlib.import_module("juryrank.verify")
    assert package(document).proven and juryrank.verify(document).proven and package.verify(document).proven
