"""A jury's result for people: claims, falling resolution, groups of cases, judges and cases that differ."""

import pytest

from juryrank.report import result_text, study_report
from juryrank.storage import MemoryStorage
from juryrank.study import create_study
from juryrank.types import TIE

GROUPS = ("code", "maths")
OUTPUTS = {
    name: {f"q{k}": f"{rank} {k}" for k in range(24)} for rank, name in enumerate(("<best>", "mid", "last"))
}
CASES = [{"id": f"q{k}", "input": str(k), "group": GROUPS[k % 2]} for k in range(24)]


def first(left, right, case):
    """The better system, but not on three cases; nobody can tell on q5."""
    if case == "5":
        return TIE
    return max(left, right) if case in ("3", "7", "11") else min(left, right)


def contrary(left, right, case):
    return max(left, right) if int(case) % 2 else min(left, right)


@pytest.fixture(scope="module")
def study():
    made = create_study(
        OUTPUTS, cases=CASES, name="three", judges=["m", "n"], storage=MemoryStorage(), seed=5,
        options={"objective": "order"},
    )  # fmt: skip
    made.run({"m": first, "n": contrary}, concurrency=1)
    return made


def test_the_terminal_says_which_groups_and_cases_differ(study):
    text = result_text(study.ranking(), title="three")
    assert max(map(len, text.splitlines())) <= 80
    assert "Resolution falls step by step: proven at 0.1 (40 %), then 0.05 (45 %)" in " ".join(text.split())
    assert "Cases that tell them apart" in text and "Cases that go against the order" in text
    against = text.split("Cases that go against the order")[1].splitlines()[1:4]
    assert {line.split()[0] for line in against} <= {"q3", "q7", "q11"}


def test_what_the_details_hold(study):
    jury = study.ranking().details.jury
    assert [row["group"] for row in jury["by_group"]] == ["code", "maths"]
    code, maths = (row["agreeing"] for row in jury["by_group"])
    assert code > maths  # all contrary answers are about odd cases
    assert "q3" in {row["case"] for row in jury["telling_cases"]}
    assert {row["group"] for row in jury["group_disagreements"]} == {"maths"}
    assert not {row["case"] for row in jury["cases_apart"]} & {row["case"] for row in jury["telling_cases"]}
    asked = sum(row["answers"] for row in jury["by_group"])
    assert asked == sum(row["answered"] for row in jury["by_judge"]) > 0


def test_the_page_has_a_section_about_cases_and_runs_nothing(study):
    page = study_report(study)
    assert "<h2" in page and ">Cases</h2>" in page
    assert "&lt;best&gt; over mid" in page and "<best>" not in page
    assert "which promise nothing" in page and "proven at 0.1 (40 %), then 0.05" in page
    assert "## Cases" in study_report(study, format="md")


def test_what_is_counted_of_judges_is_named(study):
    page = study_report(study, format="html")
    assert "pairs with the order" in page and "answers with the order" in page and "with the others" not in page
    assert "Judges (agreeing: pairs on which a judge leans" in result_text(study.ranking(), title="three")
