"""`juryrank fit --engine dask`, two workers on loopback: the same estimate as here, and words where files fail."""

import json

import numpy as np
import pytest
from benchmarks.cluster import cluster

from tests.commands import juryrank
from tests.votes.fitting.worlds import rows_of, world

pytestmark = pytest.mark.xdist_group("dask")
HEADER = "judge,left,right,winner\n"


def test_a_cluster_counts_what_one_process_counts_and_says_what_it_cannot_read(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("dask.dataframe")
    votes = rows_of(world(np.random.default_rng(1), items=5, judges=6, votes=40, tie=-0.7)[0])
    body = "".join(",".join(row) + "\n" for row in votes)
    files = {
        "good.csv": HEADER + body,
        "latin.csv": f"{HEADER}{body}ann,{votes[0][1]},é,left\n",
        "bad.csv": HEADER + body + 2 * "ann,x,y,bogus\n",
        "empty.csv": "",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="latin-1")
    pandas.DataFrame(votes, columns=HEADER.strip().split(",")).to_parquet(tmp_path / "good.parquet")
    with cluster(tmp_path / "cluster", 2) as (address, _):

        def fitted(name, *more):
            return juryrank("fit", tmp_path / name, "--model", "bt", "--no-reliability", "--json", *more)

        at = ("--engine", "dask", "--scheduler", address)
        for name, more in (("good.csv", ()), ("good.parquet", ()), ("latin.csv", ("--encoding", "latin-1"))):
            done = [fitted(name, *more, *where) for where in ((), at)]
            assert [each.returncode for each in done] == [0, 0], done[1].stderr + done[0].stderr
            here, there = (json.loads(each.stdout)["items"] for each in done)
            assert [item["name"] for item in here] == [item["name"] for item in there]
            for key in ("score", "low", "high", "votes"):
                assert [i[key] for i in there] == pytest.approx([i[key] for i in here]), (name, key)
        said = {name: fitted(name, *at) for name in ("bad.csv", "latin.csv", "empty.csv", "nowhere.csv")}
    assert {done.returncode for done in said.values()} == {2}
    assert "2 rows: the result is 'bogus'" in said["bad.csv"].stderr
    assert "say --encoding" in said["latin.csv"].stderr
    assert "No columns" in said["empty.csv"].stderr and "No such file" in said["nowhere.csv"].stderr
