"""With a base install alone: every command works, or names the extra it needs. Nothing ends in a traceback.

All other packages are hidden from one process, which then plays the commands one after the other; `make package`
does the first minute in a real empty environment.
"""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("base")  # played once

ROOT = Path(__file__).parents[2]

WORKS = [
    "--help",
    "demo --pace 0 --json",
    "rank words.txt --judge a=python:shortest:pick --out result.json",
    "rank words.txt --judge a=python:shortest:pick --study kept",
    "rank words.txt --judge a=python:shortest:pick --study kept",
    "study create x --items words.txt --judge a",
    "study list",
    "study show x",
    "study run x --judge a=python:shortest:pick",
    "study export x",
    "rank words.txt --judges judges.toml --dry-run",
    "verify result.json",
    "verify result.json --rerun",
    "report result.json --out result.md",
    "report result.json --out result.svg",
    "plan --items 4 --accuracies 0.9,0.7",
    "plan --items 3 --people 4",
    "plan --systems 2 --cases 4 --judges 1",
    "simulate --ranker ada-iir --items 4 --repeats 1",
    "judges probe judges.toml --list",
]
NEEDS = {
    "demo --pace 0 --report page.html": "report",
    "report result.json --out page.html": "report",
    "report result.json --out picture.png": "figures",
    "rank words.txt --judges judges.toml": "models",
    "rank words.txt --judge m=openai:gpt@http://127.0.0.1:9/v1": "models",
    "rank votes.parquet --judge a=python:shortest:pick": "votes",
    "judges probe judges.toml words.txt": "models",
    "fit votes.csv --model hbtl": "fit",
    "simulate --ranker ada-iir --items 4 --workers 2": "fast",
    "reproduce fig1": "fast",
    "serve --demo": "server",
}
HIDING = """
import contextlib, io, json, sys, traceback
hidden, commands = json.loads(sys.argv[1])

class Hiding:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, *more):
        return self.finder.find_spec(name, *more) if name.partition(".")[0] not in hidden else None

    def find_distributions(self, *context):
        return getattr(self.finder, "find_distributions", lambda *_: ())(*context)

sys.meta_path[:] = [Hiding(finder) for finder in sys.meta_path]
sys.path.insert(0, "")
"""
CHILD = """
from juryrank.cli import main
from juryrank.cli import demo
demo.WORLDS = demo.WORLDS[:8]  # forty take many seconds
for command in commands:
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    sys.argv = ["juryrank", *command.split()]
    code = None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
        except BaseException:
            traceback.print_exc()
    print(json.dumps([command, code, err.getvalue()]), file=sys.__stdout__)
"""


def of_extras():
    """The modules that a base install would not have, from the metadata of what is installed here."""
    wanted, seen = ["numpy", "typer", "rich", "sqlalchemy"], {"juryrank"}
    while wanted:
        name = wanted.pop()
        if name not in seen:
            seen.add(name)
            try:
                lines = [line for line in requires(name) or () if "extra ==" not in line]
            except PackageNotFoundError:
                continue
            wanted += [re.split(r"[^\w.-]", line, maxsplit=1)[0].lower().replace("_", "-") for line in lines]
    return [
        module
        for module, names in packages_distributions().items()
        if not any(name.lower().replace("_", "-") in seen for name in names)
    ]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("base")
    (folder / "words.txt").write_text("pear\napple\nfig\n")
    (folder / "shortest.py").write_text("def pick(left, right):\n    return min(left, right, key=len)\n")
    (folder / "votes.csv").write_text("left,right,judge,winner\na,b,x,left\nb,c,y,left\na,c,x,right\n")
    (folder / "votes.parquet").write_bytes(b"PAR1")
    (folder / "judges.toml").write_text(
        '[[judge]]\nname = "local"\napi = "openai"\nmodel = "m"\nurl = "http://127.0.0.1:9/v1"\n'
    )
    env = {**os.environ, "XDG_CACHE_HOME": str(folder), "JURYRANK_STORAGE": f"sqlite:///{folder}/x.db"}
    env.pop("CI")
    task = json.dumps([of_extras(), [*WORKS, *NEEDS]])
    done = subprocess.run(
        [sys.executable, "-c", HIDING + CHILD, task],
        capture_output=True,
        text=True,
        cwd=folder,
        env=env,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {command: (code, said) for command, code, said in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("command", WORKS)
def test_the_base_can(played, command):
    code, said = played[command]
    assert code == 0, said


@pytest.mark.parametrize("command", NEEDS)
def test_what_needs_more_names_its_extra(played, command):
    code, said = played[command]
    assert code == 2, said
    place = re.search(rf"pip install (?:-e )?'(.+)\[{NEEDS[command]}\]'", said)  # from where this was installed
    assert place and Path(place[1]).resolve() == ROOT and "Traceback" not in said


def test_the_code_of_the_page_about_certificates_runs():
    page = (ROOT / "docs" / "verify.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.S)
    task = json.dumps([of_extras(), []])
    done = subprocess.run([sys.executable, "-c", HIDING + code, task], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "TRUE AND CERTIFIED" in done.stdout, done.stderr
