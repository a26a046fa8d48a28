"""The table of README.md: the column of `certified` is what its command prints."""

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from juryrank.cli import build_app

PAGE = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
GAMMA = {"0.68": "0.25", "0.82": "0.5", "0.95": "1.0", "0.999": "2.5"}
ROWS = re.findall(
    r"^\| ([\d.]+), ([\d.]+) \| [\d,]+ \| ([\d,]+) \|.*\*\*([\d,]+)\*\* \| (\d+) times \|$", PAGE, re.M
)
(COMMAND,) = re.findall(r"`juryrank (simulate --ranker certified [^`]*)`", PAGE)


def test_the_table_is_found():
    assert len(ROWS) == 3 and "--repeats 40" in COMMAND


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("worse", "better", "papers", "shown", "times"), ROWS)
def test_a_row_of_the_table(worse, better, papers, shown, times):
    words = shlex.split(COMMAND)
    words[words.index("--gamma-a") + 1], words[words.index("--gamma-b") + 1] = GAMMA[worse], GAMMA[better]
    done = CliRunner().invoke(build_app(), [*words, "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert f"{found['questions_mean']:,.0f}" == shown and found["exact_rate"] == 1
    assert round(int(papers.replace(",", "")) / found["questions_mean"]) == int(times)
