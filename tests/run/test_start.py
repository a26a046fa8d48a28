"""What `start_from` reads: results, certificates, fits, scores, and files of them; and what it refuses."""

import json

import pytest

import juryrank
from juryrank import fit, rank, verify
from juryrank.errors import BadInput, JuryrankError
from juryrank.report import result_text
from juryrank.run.start import start_record

SYSTEMS = ["s0", "s1", "s2", "s3"]


def outputs(first, cases=40):
    """A later system is better; another place of `first` is other cases."""
    return {
        name: {f"c{first + case}": f"{place + (7 * case * (place + 1)) % 5} {name}" for case in range(cases)}
        for place, name in enumerate(SYSTEMS)
    }


def larger(left, right, case):
    return max(left, right)


@pytest.fixture(scope="module")
def before():
    return rank(outputs(0), {"m": larger}, goal="best", within=0.05, seed=1)


def test_every_form_of_a_result_gives_the_same_strengths(before, tmp_path):
    file = tmp_path / "yesterday.json"
    file.write_text(json.dumps(before.certificate()), encoding="utf-8")
    forms = [before, before.certificate(), file, str(file)]
    found = [start_record(form, SYSTEMS, ["m"], ["other"]) for form in forms]
    assert all(one == found[0] for one in found) and set(found[0]) == {"strengths"}
    assert max(SYSTEMS, key=lambda name: found[0]["strengths"][name][0]) == before.order[0]


def test_a_start_is_on_record_and_confirmed(before):
    found = rank(outputs(100), {"m": larger}, goal="best", within=0.05, seed=1, start_from=before)
    document = found.certificate()
    assert set(document["events"][0]["data"]["options"]["start_from"]["strengths"]) == set(SYSTEMS)
    report = verify(document)
    assert report.true and report.proven
    assert "started from strengths of 4" in " ".join(result_text(found).split())


def test_the_same_cells_need_another_seed(before):
    with pytest.raises(BadInput, match="same seed"):
        rank(outputs(0), {"m": larger}, goal="best", within=0.05, seed=1, start_from=before)
    assert rank(outputs(0), {"m": larger}, goal="best", within=0.05, seed=2, start_from=before).proven


def test_a_start_that_was_changed_afterwards_is_found_out(before):
    document = rank(outputs(100), {"m": larger}, goal="best", seed=1, start_from=before).certificate()
    document["events"][0]["data"]["options"]["start_from"]["strengths"]["s0"][0] += 0.001
    assert not verify(document).true


def test_only_common_systems_count_and_two_are_needed():
    assert set(start_record({"s0": 1, "s1": 2, "gone": 3}, SYSTEMS, ["m"], None)["strengths"]) == {"s0", "s1"}
    with pytest.raises(BadInput, match="knows 1 of these 4"):
        start_record({"s0": 1, "gone": 3}, SYSTEMS, ["m"], None)


def test_scores_of_any_unit_are_scaled_and_those_with_a_width_are_not(tmp_path):
    file = tmp_path / "scores.csv"
    file.write_text("item,score\ns0,700\ns1,800\ns2,900\n", encoding="utf-8")
    plain = start_record(file, SYSTEMS, ["m"], None)["strengths"]
    assert plain["s2"] == [1.224745, 0.75] and plain["s1"][0] == 0
    file.write_text("item,score,width\ns0,-0.5,0.2\ns1,0.5,0.3\n", encoding="utf-8")
    assert start_record(file, SYSTEMS, ["m"], None)["strengths"] == {"s0": [-0.5, 0.2], "s1": [0.5, 0.3]}


@pytest.mark.parametrize("scale", ["logit", "elo", "chance"])
def test_a_fit_gives_log_odds(scale):
    votes = [(judge, "s1", "s0", "s1" if k % 4 else "s0") for k in range(40) for judge in ("ann", "bob")]
    scale = {"chance": None}.get(scale, scale)
    found = start_record(fit(votes, **({"scale": scale} if scale else {})), SYSTEMS, ["m"], None)["strengths"]
    assert 0.3 < found["s1"][0] - found["s0"][0] < 2 and 0.02 < found["s1"][1] < 1


@pytest.mark.parametrize(
    "given", ["nowhere.json", 7, {"s0": "high", "s1": 2}, {"s0": float("nan"), "s1": 2}, {"events": [{}]}], ids=str
)
def test_what_says_nothing_is_refused_in_words(given):
    with pytest.raises(JuryrankError):
        start_record(given, SYSTEMS, ["m"], None)


def test_a_start_is_for_cases(before):
    with pytest.raises(BadInput, match="on cases"):
        juryrank.rank(SYSTEMS, {"m": max}, start_from=before)
