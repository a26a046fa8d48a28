"""A gate in a build: action.yml is played for a regression, an improvement, a coin flip and an outage."""

import json
import os
import random
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
GATE = next(step for step in ACTION["runs"]["steps"] if step.get("id") == "gate")
JUDGE = (
    "def better(left, right, case):\n    return max(left, right, key=lambda output: float(output.split()[-1]))\n"
)


@pytest.fixture
def build(tmp_path, monkeypatch):
    """A build's folder: outputs of `new` and `old`, a judge, and the gate as a job runs it."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "juryrank"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m juryrank "$@"\n')
    command.chmod(0o755)
    (tmp_path / "my_judges.py").write_text(JUDGE)

    def play(wins, *, judge="j=python:my_judges:better", **inputs):
        rng = random.Random(4)
        with (tmp_path / "outputs.jsonl").open("w") as file:
            for case in range(200):
                won = rng.random() < wins
                for system, score in (("new", 0.6 if won else 0.4), ("old", 0.5)):
                    file.write(
                        json.dumps({"system": system, "case": f"c{case}", "output": f"{system} {score}"}) + "\n"
                    )
        for name in ("summary.md", "output", "junit.xml", "juryrank.json"):
            (tmp_path / name).unlink(missing_ok=True)
        given = {
            "outputs": "outputs.jsonl",
            "claim": "new over old",
            "judge": judge,
            "junit": "junit.xml",
            **inputs,
        }
        values = {name: str(given.get(name, spec.get("default", ""))) for name, spec in ACTION["inputs"].items()}
        env = {name: values[name.lower()] for name in GATE["env"]}
        env |= {"GITHUB_STEP_SUMMARY": "summary.md", "GITHUB_OUTPUT": "output", "CI": "1", "NO_COLOR": "1"}
        env |= {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": f"{tmp_path}:{ROOT / 'src'}"}
        done = subprocess.run(
            [shutil.which("bash"), "-eo", "pipefail", "-c", GATE["run"]], cwd=tmp_path, capture_output=True,
            text=True, env={**os.environ, **env}, timeout=60, check=False,
        )  # fmt: skip
        told = (tmp_path / "output").read_text().strip()
        assert told == f"code={done.returncode}", done.stderr
        return done.returncode, (tmp_path / "summary.md").read_text(encoding="utf-8"), tmp_path

    return play


def test_every_input_of_the_action_reaches_the_command():
    asked = {str(value).removeprefix("${{ inputs.").removesuffix(" }}") for value in GATE["env"].values()}
    assert asked == set(ACTION["inputs"]) - {"install"}
    assert set(ACTION["outputs"]) == {"code"} and ACTION["runs"]["using"] == "composite"
    assert all("${{" not in step["run"] for step in ACTION["runs"]["steps"])  # nothing is pasted into a script


def test_a_gate_tells_a_regression_an_improvement_a_coin_flip_and_an_outage_apart(build):
    code, summary, folder = build(0.25)
    headline = "new gets less than 50 % against old, on these 200 cases by this judge (proven, 95 %)"
    assert code == 4 and headline in summary
    assert "| new over old | refuted |" in summary and "Where new and old differ most" in summary
    checked = subprocess.run([folder / "bin" / "juryrank", "verify", "juryrank.json"], cwd=folder, check=False)
    assert checked.returncode == 4  # from the raw answers, by the checker's own code
    failure = ET.parse(folder / "junit.xml").find("testcase/failure")
    assert failure.get("type") == "refuted" and "less than 50 %" in failure.text

    code, summary, folder = build(0.8)
    assert code == 0 and "### ✅ outputs: new gets at least 50 % against old" in summary
    assert ET.parse(folder / "junit.xml").getroot().attrib | {"tests": "1", "failures": "0", "errors": "0"} == (
        ET.parse(folder / "junit.xml").getroot().attrib
    )

    code, summary, _ = build(0.5, budget=6)  # too few to prove anything, whatever the seed draws
    assert code == 3 and "| new over old | not proven |" in summary and "6 of 400 calls" in summary

    code, summary, folder = build(0.5, judge="m=openai:any@http://127.0.0.1:9/v1")
    assert code == 5 and "judges could not be asked" in summary and "http://127.0.0.1:9/v1" in summary
    assert ET.parse(folder / "junit.xml").find("testcase/error").get("type") == "not_asked"
    assert not (folder / "juryrank.json").exists()


def test_a_gate_in_somebodys_own_tests(tmp_path):
    (tmp_path / "test_prompt.py").write_text("""
NEW, OLD = ({f"c{n}": f"{name} {n}" for n in range(60)} for name in ("new", "old"))

def judge(better):
    return {"j": lambda left, right, case: left if left.startswith(better) else right}

def test_proven(jury_gate):
    assert jury_gate({"new": NEW, "old": OLD}, judge("new"), "new over old", seed=1).proven

def test_refuted(jury_gate):
    jury_gate({"new": NEW, "old": OLD}, judge("old"), "new over old", seed=1)

def test_not_asked(jury_gate):
    def broken(left, right, case):
        raise RuntimeError("the judge is down")
    jury_gate({"new": NEW, "old": OLD}, {"j": broken}, "new over old", seed=1)

def test_a_typo(jury_gate):
    jury_gate({"new": NEW, "old": OLD}, judge("new"), "new over old", bugdet=9)

def test_a_claim_about_nothing(jury_gate):
    jury_gate({"new": NEW, "old": OLD}, judge("new"), "neww over old")

def test_without():
    pass
""")
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert "4 failed, 2 passed" in done.stdout, done.stdout
    assert "new gets less than 50 % against old" in done.stdout and "the judge is down" in done.stdout
    assert "RuntimeError" not in done.stdout.replace("RuntimeError: the judge is down", "")  # no trace of ours
    assert "has no option 'bugdet'; did you mean 'budget'?" in done.stdout and "Traceback" not in done.stdout
    assert "names 'neww', which is not an item here" in done.stdout and "site-packages" not in done.stdout
    listed = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.entry-points.pytest11]\njuryrank = "juryrank.pytest_plugin"' in listed
