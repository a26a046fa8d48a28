"""What was written before the package's layout changed still opens, verifies and decides the same."""

import gzip
import json
from pathlib import Path

import pytest

from juryrank.storage import open_storage
from juryrank.study import list_studies, open_study
from juryrank.study import state as states
from juryrank.study.state import load
from juryrank.verify import verify
from tests.data.digests import digests, placed

HERE = Path(__file__).parent
OLD = HERE / "schema1"
CLAIMS = json.loads((OLD / "claims.json").read_text())


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    path = tmp_path_factory.mktemp("old") / "studies.db"
    path.write_bytes(gzip.decompress((OLD / "studies.db.gz").read_bytes()))
    return f"sqlite:///{path}"


def test_the_rankers_ask_and_decide_what_they_did():
    assert digests() == json.loads((HERE / "digests.json").read_text())


def test_every_study_is_listed(database):
    assert {row.name for row in list_studies(storage=database)} == set(CLAIMS)


@pytest.mark.parametrize("name", CLAIMS)
def test_an_old_study_opens_with_the_same_claims(name, database):
    study, expected = open_study(name, storage=database), CLAIMS[name]
    found = study.ranking()
    order, ranges = placed(found)
    assert list(order) == expected["order"] and len(found.order) == len(found.ranges)
    asked_since = expected["next"] is not None  # one question more was asked after the claims were written down
    assert found.questions == expected["questions"] + asked_since
    undone = [event.seq for event in study.events() if event.kind == "retracted"]
    assert len(found.post_hoc) == len(undone)  # schema 1 does not say who took an answer back: it counts as edited
    assert found.certified == (expected["certified"] and not undone)
    assert [link.settled for link in found.links] == expected["settled"]
    assert [list(each) for each in ranges] == (expected["ranges"] or [])


def test_an_old_or_damaged_snapshot_is_rebuilt_with_one_line(database, caplog):
    """From before the layout changed, cut off, or with one figure changed: never a traceback, never believed."""
    storage = open_storage(database)
    (row,) = (row for row in list_studies(storage=database) if row.name == "certified")
    study = open_study("certified", storage=database)
    seq, expected = study.seq, study.ranking()
    states.save(storage, row.id, load(storage, row.id))
    whole = storage.snapshot(row.id, seq)
    before = whole.partition(" ")[2].replace('"schema":2', '"schema":1', 1)  # as they were written
    changed = whole.replace('"answered_of":[', '"answered_of":[7', 1)
    assert changed != whole and before != whole
    for text in (before, changed, whole[:-40], whole[: len(whole) // 2], "", "null", "[]", "\x00", before[5:]):
        storage.save_snapshot(row.id, seq, text)
        caplog.clear()
        assert open_study("certified", storage=database).ranking() == expected
        (said,) = (record.getMessage() for record in caplog.records if record.name == "juryrank")
        assert "snapshot" in said and "\n" not in said
        assert seq not in storage.snapshots(row.id)  # said once


@pytest.mark.parametrize("name", CLAIMS)
def test_an_old_certificate_verifies(name):
    report = verify(json.loads(gzip.decompress((OLD / f"{name}.json.gz").read_bytes())))
    assert [report.true, report.certified] == CLAIMS[name]["verdict"]
    assert list(report.order) == CLAIMS[name]["order"]
