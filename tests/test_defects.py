"""What once went wrong for people who tried a study, and the test that fails if it comes back.

Each line: what went wrong, and where it is tested, in a real browser or on a real server; beside it, where the
rule itself is held.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SOURCES = TESTS.parent / "src" / "juryrank"
BROWSER, SERVER, PANEL = "browser/test_", "server/test_", "rankers/panel/test_"

DEFECTS: dict[str, tuple[str, ...]] = {
    "1 the beginning of a long item cannot be read": (
        BROWSER + "reading.py::test_an_essay_can_be_read_whole",
        BROWSER + "reading.py::test_a_portrait_picture_is_seen_whole_and_enlarged",
        BROWSER + "files.py::test_a_pdf_and_a_portrait_are_seen_whole_on_both_sides",
    ),
    "2 a link preview starts a judge's clock": (
        SERVER + "hostile_strangers.py::test_previews_and_prefetches_change_nothing",
        SERVER + "hostile_strangers.py::test_previews_of_the_open_link_make_nobody_a_judge",
        SERVER + "hostile_strangers.py::test_start_begins_the_sitting_and_words_say_how_long",
        PANEL + "going_on.py::test_who_comes_back_late_can_go_on_and_it_counts_for_nothing_proven",
    ),
    "3 one idle judge freezes the leaderboard": (
        SERVER + "going_on_pages.py::test_one_idle_judge_holds_up_the_proof_and_nothing_else",
        PANEL + "going_on.py::test_a_sitting_ends_a_quarter_of_an_hour_after_its_last_answer",
    ),
    "4 own work uses up a sitting": (
        SERVER + "going_on_pages.py::test_own_work_is_passed_over_until_the_promised_number_was_asked",
        SERVER + "going_on_pages.py::test_undo_takes_back_what_was_said_and_not_what_was_passed_over",
    ),
    "5 a table headed Student, Essay loses the essays": (
        SERVER + "dashboard.py::test_columns_are_looked_at_and_mapped",
        SERVER + "uploaded_tables.py::test_keys_of_any_spelling_keep_their_cells",
        "server/files/test_uploads.py::test_items_are_listed_corrected_and_added",
        "study/test_withdrawing.py::test_nobody_is_asked_about_it_any_more_and_the_statement_stays",
    ),
    "6 the form's advice contradicts plan": (
        SERVER + "dashboard.py::test_the_forms_advice_is_what_plan_computes",
        "server/files/test_uploads.py::test_the_forms_advice_is_that_of_plan_for_every_kind_of_list",
    ),
    "7 after a tap the next question looks answered": (
        BROWSER + "reading.py::test_after_a_tap_nothing_looks_chosen",
    ),
    "8 attention checks give themselves away": (
        BROWSER + "reading.py::test_keys_for_everything_and_checks_that_look_like_questions",
    ),
    "9 reloading after Create posts again, and the links are gone": (
        BROWSER + "dashboard_pages.py::test_make_a_study_send_links_and_watch",
    ),
    "10 Lee, Ann becomes two judges": (BROWSER + "dashboard_pages.py::test_make_a_study_send_links_and_watch",),
    "11 one item in all ten questions": (
        SERVER + "going_on_pages.py::test_no_item_is_in_more_than_a_third_of_anybodys_questions",
        PANEL + "going_on.py::test_no_item_takes_more_than_a_third_and_the_order_is_shuffled",
    ),
    "12 tapping a text to read it votes": (
        BROWSER + "reading.py::test_an_essay_can_be_read_whole",
        BROWSER + "reading.py::test_a_portrait_picture_is_seen_whole_and_enlarged",
    ),
    "13 forecasts before any answer": (
        SERVER + "dashboard.py::test_hasty_and_one_sided_judges_are_flagged_and_nothing_is_forecast_from_nothing",
        SERVER + "going_on_pages.py::test_one_idle_judge_holds_up_the_proof_and_nothing_else",
    ),
    "14 pages scroll sideways; the picture of ranks is cut on a phone; a dot off its bar in a circle": (
        BROWSER + "dashboard_pages.py::test_a_result_with_a_circle_on_a_phone",
        "report/test_picture.py::test_in_a_circle_every_dot_stands_within_the_ranks_that_its_items_share",
    ),
    "14 wording": ("test_defects.py::test_words_that_nobody_understood_are_gone",),
    "14 rankers' names in a list for laypeople": (SERVER + "dashboard.py::test_methods_are_named_in_words",),
    "14 Copy all says nothing; empty charts": (
        BROWSER + "dashboard_pages.py::test_make_a_study_send_links_and_watch",
    ),
    "14 the report shows no content and no names and weighs 4.9 MB": (
        SERVER + "dashboard.py::test_a_report_for_the_owner_has_names_and_contents_and_one_to_share_has_none",
    ),
    "14 the terminal cuts contents to a line": (
        "cli/test_rank.py::test_long_rows_are_read_whole_at_the_terminal",
    ),
    "14 the keys t, s and u are missing": (
        BROWSER + "reading.py::test_keys_for_everything_and_checks_that_look_like_questions",
    ),
    "14 ten times left in eight seconds is not flagged": (
        SERVER + "dashboard.py::test_hasty_and_one_sided_judges_are_flagged_and_nothing_is_forecast_from_nothing",
    ),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_every_defect_has_its_test(defect: str) -> None:
    """By name, and in the suite that always runs."""
    for node in DEFECTS[defect]:
        path, _, name = node.partition("::")
        found = re.search(rf"((?:^@.*\n)*)^def {name}\(", (TESTS / path).read_text(), re.M)
        assert found and "slow" not in found[1], node


def test_words_that_nobody_understood_are_gone() -> None:
    once = re.compile(
        r"asked now\"|sittings: \{|hardly asked|All 1 not yet|\ba image\b|>Close<|Programs, or people"
    )
    pages = [*(SOURCES / "server").rglob("*.html"), *(SOURCES / "server").rglob("*.py")]
    pages += [*(SOURCES / "report").rglob("*.py"), *(SOURCES / "rankers" / "panel").rglob("*.py")]
    assert {path.name: once.findall(path.read_text()) for path in pages if once.search(path.read_text())} == {}
