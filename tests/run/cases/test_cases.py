"""Systems on cases through `juryrank.rank`: outputs in every shape, answers, failures, bad input."""

import asyncio
import csv
import json

import pytest

import juryrank
from juryrank import SKIP, TIE, Grade, rank
from juryrank.errors import BadInput
from juryrank.run.cases import read_cases, read_outputs
from juryrank.verify import verify

CASES = [f"q{k}" for k in range(40)]
SYSTEMS = {
    "new": {case: f"3 {case}" for case in CASES},
    "mid": {case: f"2 {case}" for case in CASES},
    "old": {case: f"1 {case}" for case in CASES},
}


def honest(left, right, case):
    assert left.split()[1] == right.split()[1] == case  # outputs of that very case, and its input
    return max(left, right)


def graded(left, right, case):
    return Grade((int(left[0]) - int(right[0])) / 2)


async def slow(left, right, case):
    await asyncio.sleep(0)
    return max(left, right)


def test_from_outputs_to_a_proof():
    result = rank(SYSTEMS, {"h": honest, "g": graded}, cases=CASES, objective="order", resolution=0.05, seed=1)
    assert result.order == ("new", "mid", "old") and result.proven and result.resolution == 0.05
    assert result.questions < 60 and result.ranker == "jury" and "jury" in result.details["reason"]
    assert {event.data.get("case") for event in result.events if event.kind == "asked"} <= set(CASES)
    graded_answers = [event.data for event in result.events if event.kind == "told" and "grade" in event.data]
    assert graded_answers and all(-1 <= data["grade"] <= 1 for data in graded_answers)


def test_async_judges_with_many_open():
    result = rank(SYSTEMS, {"s": slow}, cases=CASES, objective="best", resolution=0, concurrency=16)
    assert result.proven and result.order[0] == "new"
    assert result.details["jury"]["seed_from"] == "entropy"


def test_files_and_folders_say_the_same(tmp_path):
    rows = [{"system": s, "case": c, "output": o} for s, outputs in SYSTEMS.items() for c, o in outputs.items()]
    lines = tmp_path / "outputs.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    sheet = tmp_path / "outputs.csv"
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["system", "case", "output"])
        writer.writeheader()
        writer.writerows(rows)
    folder, files = tmp_path / "folder", tmp_path / "files"
    files.mkdir()
    for name, outputs in SYSTEMS.items():
        (folder / name).mkdir(parents=True)
        for case, text in outputs.items():
            (folder / name / f"{case}.txt").write_text(text)
        given = "".join(json.dumps({"case": c, "output": o}) + "\n" for c, o in outputs.items())
        (files / f"{name}.jsonl").write_text(given)
    parquet = tmp_path / "outputs.parquet"
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet").write_table(pyarrow.Table.from_pylist(rows), parquet)
    for place in (lines, sheet, folder, files, parquet):
        assert read_outputs(place) == SYSTEMS, place
    assert rank(str(folder), {"h": honest}, resolution=0.1).order[0] == "new"


def test_cases_carry_input_group_and_weight(tmp_path):
    rows = [
        {"id": c, "input": c, "group": "odd" if k % 2 else "even", "weight": 1 + k} for k, c in enumerate(CASES)
    ]
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = rank(SYSTEMS, {"h": honest}, cases=file, resolution=0.1)
    groups = {row["group"] for row in result.details["jury"]["by_group"]}
    assert groups == {"odd", "even"} and "by weight" in result.statement
    assert [case.id for case in read_cases({"a": 1, "b": 2})] == ["a", "b"]


def test_identical_outputs_are_ties_without_a_call():
    calls = []

    def judge(left, right, case):
        calls.append((left, right))
        return max(left, right)

    same = {**SYSTEMS, "twin": dict(SYSTEMS["old"])}
    result = rank(same, {"j": judge}, cases=CASES, objective="order", resolution=0)
    assert all(left != right for left, right in calls) and len(calls) < result.questions
    told = [event.data for event in result.events if event.data.get("source") == "identical outputs"]
    assert told and all(data["answer"] == "tie" for data in told)
    assert result.cost == pytest.approx(len(calls))


def test_plain_things_are_compared_on_cases():
    result = rank([1, 2, 3], {"j": lambda left, right, case: max(left, right)}, cases=["x", "y"], resolution=0.1)
    assert result.order[0] == 3 and result.proven


def test_a_failed_call_is_tried_again_on_the_same_cell_then_refused():
    seen = []

    def shaky(left, right, case):
        seen.append((left, right))
        if case == "q3":
            raise OSError("no connection")
        return max(left, right)

    result = rank(SYSTEMS, {"s": shaky}, cases=CASES, objective="order", resolution=0, budget=300)
    failed = [pair for pair in seen if pair[0].endswith(" q3")]
    assert len(failed) % 3 == 0 and all(failed[k] == failed[k - k % 3] for k in range(len(failed)))
    assert result.proven


def test_a_judge_that_always_fails_is_set_aside_and_counts_against():
    def broken(left, right, case):
        raise OSError("down")

    judges, weights = {"h": honest, "b": broken}, {"h": 3, "b": 1}
    result = rank(SYSTEMS, judges, cases=CASES, objective="best", resolution=0, weights=weights, seed=5)
    assert result.details["jury"]["dropped_judges"] == ["b"]
    assert result.proven and result.order[0] == "new"  # even if all of b's answers were against it


@pytest.mark.parametrize(
    ("systems", "options", "words"),
    [
        ({**SYSTEMS, "gap": {"q0": "x"}}, {}, "no output for case 'q1' .and for 38 others"),
        ({**SYSTEMS, "none": {"other": "x"}}, {"missing": "leave out"}, "do the case ids match"),
        (SYSTEMS, {"ranker": "certified"}, "knows no cases"),
        (SYSTEMS, {"cases": []}, "at least one"),
        (SYSTEMS, {"cases": ["q0", "q0"]}, "twice"),
        (SYSTEMS, {"cases": [{"id": "q0", "weight": 0}]}, "more than 0"),
        (SYSTEMS, {"weights": {"h": 0}}, "leave that judge out"),
        ({**SYSTEMS, "plain": "text"}, {}, "no outputs per case"),
    ],
)
def test_bad_input_says_what_to_do(systems, options, words):
    with pytest.raises(BadInput, match=words):
        rank(systems, {"h": honest}, **{"cases": CASES, **options})


def test_missing_outputs_can_be_left_out():
    gap = {case: text for case, text in SYSTEMS["old"].items() if case > "q2"}
    result = rank(
        {**SYSTEMS, "old": gap},
        {"h": honest},
        cases=CASES,
        missing="leave out",
        objective="order",
        resolution=0.05,
    )
    assert result.proven and result.order == ("new", "mid", "old")


def test_a_wrong_answer_names_what_would_do():
    with pytest.raises(juryrank.JuryrankError, match="return left"):
        rank(SYSTEMS, {"w": lambda left, right, case: "left"}, cases=CASES)


def test_skips_are_refusals_and_ties_are_ties():
    answers = iter([TIE, SKIP] * 1000)
    result = rank(SYSTEMS, {"j": lambda left, right, case: next(answers)}, cases=CASES[:5], resolution=0.1)
    assert result.proven  # everything is a tie, and a tie is at least as good
    assert any("refused" in warning for warning in result.warnings)


def test_nothing_is_proven_about_a_pair_that_nobody_answered():
    """ "At least half of the answers given" would be true of no answers at all, and a gate would open."""
    silent = rank(
        SYSTEMS, {"j": lambda left, right, case: SKIP}, cases=CASES[:3], objective="best", resolution=0.1
    )
    assert not silent.proven and "Nothing is proven" in silent.statement
    assert any("Every question about" in warning for warning in silent.warnings)
    gate = rank(SYSTEMS, {"j": lambda left, right, case: SKIP}, cases=CASES[:3], require=["new over old"])
    assert not gate.proven
    assert not verify(gate.certificate()).proven


def test_one_case_and_a_case_that_nobody_can_answer():
    one = rank(SYSTEMS, {"h": honest}, cases=CASES[:1], objective="order", resolution=0)
    assert one.proven and any("only 2 answers per pair" in warning for warning in one.warnings)
    hard = {"h": lambda left, right, case: SKIP if case == CASES[1] else honest(left, right, case)}
    result = rank(SYSTEMS, hard, cases=CASES[:4], objective="order", resolution=0)
    assert result.proven and result.order == ("new", "mid", "old")
    assert any("refused or failed" in warning for warning in result.warnings)


def test_a_recorded_table_is_played_again_and_its_votes_carry_the_case():
    from juryrank.judges import replayed
    from juryrank.votes.from_log import votes_of

    names, cases = ["a", "b", "c"], [str(c) for c in range(30)]
    table = [("m", x, y, min(x, y), c) for x in names for y in names if x != y for c in cases]
    result = rank(names, replayed(table), cases=cases, objective="order", resolution=0.05)
    assert result.order == ("a", "b", "c") and result.proven
    assert {vote.case for vote in votes_of(result.events)} <= set(cases)
