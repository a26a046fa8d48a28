"""The report: one self-contained page, and the same as Markdown; true to the log, safe for any name."""

import random
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from juryrank import SKIP, rank
from juryrank.report.material import material_of
from juryrank.report.page.compose import compose, report_html, report_markdown, study_material
from juryrank.report.tallies import agreement, judge_tallies, wins
from juryrank.storage import MemoryStorage
from juryrank.study import create_study
from juryrank.votes import Outcome, Vote, votes_of
from tests.report.logs import panel_log
from tests.report.results import STRANGE, guess
from tests.verify.juries import ranked

SVG = "{http://www.w3.org/2000/svg}"
MOST_BYTES = 400_000  # of a report
TITLES = [
    "Who is ahead (estimate)",
    "What is proven (promise)",
    "What stands behind it",
    "Judges",
    "Position bias",
    "Questions and cost",
    "Assumptions",
    "Settings",
]


@pytest.fixture(scope="module")
def study():
    return panel_log()


@pytest.fixture(scope="module")
def report(study):
    return compose(material_of(*study, name="Animals"))


class Page(HTMLParser):
    """Collects what a page would fetch, and its texts."""

    def __init__(self, text):
        super().__init__()
        self.fetched, self.texts, self.tags = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.fetched += [
            value for name, value in attrs if name in ("src", "href", "data") and not value.startswith("#")
        ]

    def handle_data(self, data):
        self.texts.append(data)


def test_the_page_has_every_section_and_neither_fetches_nor_runs_anything(report):
    text = report_html(report)
    page = Page(text)
    assert page.fetched == [] and "script" not in page.tags
    assert "default-src 'none'" in text and len(text.encode()) < MOST_BYTES
    assert [section.title for section in report.sections] == TITLES
    assert page.tags.count("section") == len(TITLES)
    charts = page.tags.count("figure")
    assert charts == 5  # answers, agreement with the order, agreement, sides, time; each wide and narrow
    pictures = (2, 4)  # estimates, what is proven if anything is
    assert page.tags.count("svg") - 2 * charts in pictures


def test_every_chart_is_said_in_words_and_has_its_numbers_as_tooltips(report):
    drawings = re.findall(r'<svg [^>]*class="jr-wide".*?</svg>', report_html(report), re.S)
    assert len(drawings) == 5
    for drawing in drawings:
        root = ElementTree.fromstring(drawing)
        assert root.get("role") == "img" and len(root.get("aria-label")) > 20
        assert "style" not in root.attrib and not root.findall(".//*[@style]")
        assert root.findall(f".//{SVG}title")


def test_ten_thousand_answers_about_a_hundred_items_make_a_small_page():
    """Every pair was asked, by forty judges, over two days."""
    names, chance = [f"item number {k}" for k in range(100)], random.Random(3)
    pairs = [chance.sample(range(100), 2) for _ in range(10_000)]
    votes = [
        replace(
            vote(f"judge {k % 40}", names[i], names[j], names[min(i, j)]),
            asked_at=f"2024-05-{1 + k // 5000:02d}T{k // 3600:02d}:{k // 60 % 60:02d}:{k % 60:02d}+00:00",
            answered_at=f"2024-05-{1 + k // 5000:02d}T{k // 3600:02d}:{k // 60 % 60:02d}:{k % 60:02d}+00:00",
        )
        for k, (i, j) in enumerate(pairs)
    ]
    for many in (100, 60):
        order = tuple(names[:many])
        material = replace(material_of([], guess(0)), votes=tuple(votes), ranking=replace(guess(0), order=order))
        assert len(report_html(compose(material)).encode()) < MOST_BYTES


def test_what_it_says_is_counted_from_the_log(study, report):
    events, ranking = study
    told = sum(event.kind == "told" for event in events)
    facts = dict(report.facts)
    assert facts["answers"] == str(told) and facts["people"] == "12" and facts["items"] == "4"
    assert facts["cost"] == str(2 * told)
    markdown = report_markdown(report)
    assert ranking.statement in markdown
    assert f"hash of the log | {events[-1].hash}" in markdown
    votes = votes_of(events)
    ties = sum(vote.outcome is Outcome.TIE for vote in votes)
    assert f"| tie | {ties} |" in markdown


def test_markdown_has_the_same_sections_and_the_picture_as_text(report):
    text = report_markdown(report)
    assert re.findall(r"^## (.*)$", text, re.M) == TITLES
    assert "```text" in text and "●" in text


def test_names_cannot_break_out(study):
    evil = ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a|b\n# c", "plain"]
    events, ranking = panel_log(tuple(evil), people=6)
    report = compose(material_of(events, ranking, name=evil[0]))
    page = Page(report_html(report))
    assert page.fetched == [] and not {"img", "script"} & set(page.tags)
    assert "\n# c" not in report_markdown(report)


def test_strange_names_and_empty_studies_make_a_page():
    events, ranking = panel_log(tuple(name for name in STRANGE if name.strip()), people=3)
    assert "<svg" in report_html(compose(material_of(events, ranking)))
    empty = compose(material_of(events[:1], guess(3), name="nothing yet"))
    assert [section.title for section in empty.sections] == ["The order", "Assumptions", "Settings"]
    assert "nothing yet" in report_markdown(empty)


def test_a_side_bias_and_the_monitors_alarm_are_said():
    fair = report_markdown(compose(material_of(*panel_log())))
    biased = report_markdown(compose(material_of(*panel_log(people=40, left_bias=0.9))))
    assert "not far enough from half" in fair and "more than chance explains" not in fair
    assert "more than chance explains" in biased
    one = [vote("x", "a", "b", "a"), vote("x", "b", "a", "b")] * 20 + [vote("y", "a", "b", "a")]
    material = replace(material_of([], guess(0)), votes=tuple(one), ranking=replace(guess(0), order=("a", "b")))
    text = report_markdown(compose(material))
    assert "Clearly one-sided: x (left in 40 of 40)." in text
    assert "although sides are random" in text
    assert "although sides are random" not in report_markdown(compose(replace(material, imported=True)))


def test_post_hoc_is_said_first(study):
    events, ranking = panel_log(people=4, edits=["12 votes imported from a file"])
    report = compose(material_of(events, replace(ranking, post_hoc=("12 votes imported from a file",))))
    assert report.state == "post-hoc"
    assert "promises nothing" in report_markdown(report)


def test_the_badge_says_that_what_was_asked_for_is_proven():
    session = ranked(4, seed=2, objective="best")
    assert session.ranking.proven and not session.ranking.certified
    assert compose(material_of(session.events, session.ranking)).state == "proven"


def test_judges_may_be_shown_under_other_names(study):
    text = report_markdown(compose(material_of(*study, names={"person 0": "Zoe"})))
    assert "Zoe" in text and "| person 0 |" not in text


def vote(judge, left, right, winner):
    outcome = Outcome.LEFT if winner == left else Outcome.RIGHT
    return Vote(0, judge=judge, left=left, right=right, winner=winner, outcome=outcome)


def test_agreement_between_judges():
    votes = [
        vote("x", "a", "b", "a"),
        vote("y", "b", "a", "a"),
        vote("x", "b", "c", "b"),
        vote("y", "b", "c", "c"),
        vote("z", "a", "c", "a"),
    ]
    table = agreement(votes, ["x", "y", "z"])
    assert table.share[0, 1] == 0.5 and table.common[0, 1] == 2
    assert np.isnan(table.share[0, 2])
    assert (table.overall.part, table.overall.whole) == (1, 2)


def test_tallies_of_a_judge():
    votes = [vote("x", "a", "b", "a"), vote("x", "b", "a", "b"), vote("x", "b", "a", "a")]
    row = judge_tallies(votes, ["a", "b"])[0]
    assert (row.with_order.part, row.with_order.whole) == (2, 3)
    assert (row.left.part, row.left.whole) == (2, 3)
    assert wins(votes) == {("a", "b"): 2, ("b", "a"): 1}


def test_pairs_that_nobody_was_shown_are_nobodys_answers():
    """Own work, and items that were withdrawn: the report counts the answers that the study's pages count."""
    how = {"ranker": "panel", "judges": ["ann", "bob"], "options": {"sitting": 8}, "seed": 1}
    study = create_study("abcde", name="s", storage=MemoryStorage(), **how)
    while (question := study.ask("ann", own=["a"])) is not None:
        own = "a" in (question.left, question.right)
        study.tell(question, side="skip" if own else "left", source="own-work" if own else None)
    study.tell(study.ask("bob"), SKIP)
    study.withdraw_items(["b"])
    while (question := study.ask("bob")) is not None:
        study.tell(question, question.left)
    material, progress = study_material(study), study.progress()
    sources = [event.data.get("source") for event in study.events() if event.kind == "told"]
    assert "own-work" in sources and "withdrawn" in sources and progress.answers < len(sources)
    assert len(material.answered) == progress.answers
    tallies = judge_tallies(material.votes, study.ranking().order)
    rows = {row.report.name: (row.left + row.right + row.skips, row.skips) for row in progress.judges}
    assert {row.name: (row.answers, row.skips) for row in tallies} == rows and rows["bob"][1] == 1


def test_what_figures_show_stands_in_tables_too(study):
    """So that the Markdown, and whoever cannot see a figure, has the same."""
    text = report_markdown(compose(material_of(*study)))
    for header in (
        "| judge | left | share | 95 % interval |",
        "| judge | and | common pairs | same item preferred |",
    ):
        assert header in text
    one = agreement(
        [vote("x", "a", "b", "a"), vote("y", "b", "a", "a"), vote("z", "c", "a", "a")], ["x", "y", "z"]
    )
    assert one.couples() == [("x", "y", 1, 1.0)]


@pytest.mark.parametrize(
    ("created", "words"),
    [
        ({"ranker": "certified", "options": {"repeats": None}}, ["right at least half", "answers anew"]),
        ({"ranker": "certified", "options": {"repeats": 1}}, ["more than once"]),
        (
            {"ranker": "certified", "options": {"assume": "steady", "repeats": 3}},
            ["equally often", "more than 3 times"],
        ),
        ({"ranker": "panel", "options": {}}, ["independent draws", "drops out"]),
        ({"ranker": "panel", "options": {"about": "panel"}}, ["majority of these judges is counted"]),
        ({"ranker": "jury", "options": {}}, ["does not depend on what else is asked", "knew the seed"]),
        ({"ranker": "jury", "options": {"fresh": True}}, ["never change", "knew the seed"]),
        ({"ranker": "ada-iir"}, ["more often than not"]),
        ({"ranker": "oracle"}, ["named as the best"]),
    ],
)
def test_the_assumptions_and_settings_are_said(study, created, words):
    more = {
        "lease": 600.0,
        "settings": {"wording": "Which | one?"},
        "prices": {"a": 1.0, "b": 2.0},
        "fresh": False,
    }
    material = replace(material_of(*study), created={**created, **more}, state="done")
    text = report_markdown(compose(material))
    for said in (
        *words,
        "| time to answer a question | 600 s |",
        "| price of an answer | 1 to 2 |",
        "| finished |",
    ):
        assert said in text
    assert "Which \\| one?" in text and "| judges answer anew each time | no |" in text


def test_judges_who_were_never_asked_are_named(study):
    events, ranking = study
    idle = replace(ranking.judges[0], name="idle one", answered=0)
    text = report_markdown(compose(material_of(events, replace(ranking, judges=(*ranking.judges, idle)))))
    assert "Never asked: 1 judge (idle one)." in text


def test_judges_of_a_fixed_list_are_not_called_people():
    for judges, facts, whose in (
        ({"you": min}, "**2** items · **1** judge · **1** answer ·", "what this judge prefers"),
        ({"x": min, "y": min}, "**2** items · **2** judges · **2** answers ·", "what most of these judges prefer"),
    ):
        result = rank(["a", "b"], judges, seed=1)
        text = report_markdown(compose(material_of(result.events, result)))
        assert facts in text and whose in text and "people" not in text


def test_a_guess_counts_no_links_and_assumes_nothing_for_a_promise():
    result = rank(list("abcd"), {"you": min}, ranker="guess", budget=3, seed=1)
    text = report_markdown(compose(material_of(result.events, result)))
    assert "links settled" not in text and "Nothing is promised, so nothing is assumed" in text
    assert "The promise assumes" not in text and "What is proven" not in text


def test_a_jury_counts_claims():
    """The best is proven over each of three others, who are no neighbours of it."""
    judge = {"m": lambda left, right, case: min(left, right)}
    result = rank(list("abcd"), judge, cases=["x", "y", "z"], goal="best", seed=1)
    text = report_markdown(compose(material_of(result.events, result)))
    assert "**3 of 3** claims proven" in text and "links settled" not in text
