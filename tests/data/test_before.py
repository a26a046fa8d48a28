"""What was written before the package's layout changed still opens, verifies and decides the same."""

import gzip
import json
from pathlib import Path

import pytest

from juryrank.study import list_studies, open_study
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


@pytest.mark.parametrize("name", CLAIMS)
def test_an_old_certificate_verifies(name):
    report = verify(json.loads(gzip.decompress((OLD / f"{name}.json.gz").read_bytes())))
    assert [report.true, report.certified] == CLAIMS[name]["verdict"]
    assert list(report.order) == CLAIMS[name]["order"]
