"""A gate counts the calls about its own claims: outputs that are the same are counted for those pairs alone."""

import pytest

from juryrank import create_study, verify
from juryrank.storage import MemoryStorage
from tests.verify.logs import reforge

CASES = [f"c{k}" for k in range(12)]


def length(left, right, case):
    return max(left, right, key=len)


@pytest.mark.parametrize(("goal", "same"), [("new over old", 2), ("best", 2 + 12)])
def test_outputs_that_are_the_same_cannot_be_stated_otherwise(goal, same):
    outputs = {
        "new": {case: case if number < 2 else f"{case}, longer" for number, case in enumerate(CASES)},
        "old": {case: case for case in CASES},
        "older": {case: case for case in CASES},
    }
    if goal == "best":
        same += 2  # of new with older
    study = create_study(
        outputs, judges=["m"], cases=CASES, goal=goal, within=0.1, seed=1, name="gate", storage=MemoryStorage()
    )
    study.run({"m": length})
    document = study.certificate()
    assert document["events"][0]["data"]["options"]["same_outputs"] == same and verify(document).true
    document.pop("signature", None)  # a forger signs anew
    document["events"][0]["data"]["options"]["same_outputs"] = same + 1
    report = verify(reforge(document))
    assert not report.true and any(f"they are {same} times" in failed.words for failed in report.failures)
