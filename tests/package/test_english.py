"""Phrases that this project no longer uses: "per" for rates, the subject first."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OLD = re.compile(
    r"[0-9,]+ (runs|questions|answers|rows?|worlds) an? [a-z]+"  # 2,000 runs a cell
    r"|\b(one|One|a|A) (row|line|plan|column|item|accuracy) an? "
    r"(judge|line|person|pair|item|question|cell|method|link)\b"
    r"|\b(Asked|Suspect|Claimed|Settled|Assumed|assumed) (is|are) (the|who|what|that)\b"
    r"|\b[Mm]end (the|them|it)\b"
    r"|\b(log|lock|table|square|factor|number|evidence|plan|panels) an? "
    r"(study|panel|couple|interval|person|answer|row|judge)\b(?! (gets|gives|is|was|may|can|has|needs))"
    r"|\b(Signed|Rigorous|Counted|Needed|Shown|Kept|Wanted) (is|are) (the|what|that|who)\b"
    r"|\bNever (do|does|is|are) (it|they|the|a)\b|\banother (answer|list|one|head|judge) than\b"
    r"|\bis there twice\b|\bguessed into\b|\bbelongs? into\b|\bsurer, not truer\b|\bwhat of it\b"
)


def texts():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this is not a checkout")
    for name in listed.stdout.split("\0"):
        if name.endswith((".py", ".md", ".html", ".js", ".toml")) and Path(name).name != "test_english.py":
            yield name, (ROOT / name).read_text(encoding="utf-8")


def test_the_rule_sees_what_it_should():
    for words in ("2,000 runs a cell", "one row a judge", "Asked is the least sure link", "Mend the judges"):
        assert OLD.search(words)
    for words in (
        "a log a study",
        "Signed is the text",
        "Never do they promise",
        "another answer than",
        "it is there twice",
    ):
        assert OLD.search(words)
    for words in ("2,000 runs per cell", "a judge answers a pair", "one of the answers a person gave"):
        assert not OLD.search(words)


def test_nobody_speaks_so():
    found = [f"{name}: {hit[0]}" for name, text in texts() for hit in OLD.finditer(text)]
    assert found == []
