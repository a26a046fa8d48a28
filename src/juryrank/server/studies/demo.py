"""A study ready to click, for `juryrank serve --demo`: simulated people have answered, three links are free."""

from __future__ import annotations

import random

from juryrank.server.context import Context
from juryrank.server.studies.creating import StudyDraft, make_study
from juryrank.server.studies.intake import NewItem, NewJudge
from juryrank.server.studies.setup import Setup
from juryrank.server.web.render import Content, Kind
from juryrank.study import Study

NAME = "Which headline works?"
HEADLINES = {  # name: (text, how much the simulated people like it)
    "Number": ("Save **37 minutes** a day with three small changes", 2.6),
    "Story": ("She stopped answering e-mail before noon. Here is what happened.", 1.6),
    "Quiet": ("Less software. *More afternoon.*", 1.2),
    "Question": ("What would you do with an extra half hour?", 0.8),
    "List": ("Seven habits of people who are never in a hurry", 0.4),
    "Plain": ("Our new app saves you time", -0.6),
    "Loud": ("YOU WON'T BELIEVE how much time this saves!!!", -1.8),
}
JUDGES = ("Ann", "Bob", "Cleo")
CROWD = 40
INTRO = """This is a **demonstration** of juryrank.

You will see two headlines at a time. Choose the one you would rather click. There is no wrong answer.
"""


def make_demo(context: Context) -> tuple[Study, dict[str, str]]:
    """The demonstration study with fresh links, by judge's name; one that is there already is used again."""
    row = next((row for row in context.open_studies.rows() if row.name == NAME), None)
    study = context.open_studies.study(row.id) if row else _new_demo(context)
    people = study.people()
    secrets = context.vault.issue_links(study.id, people)
    links = {people[judge].name: context.link(None, secret) for judge, secret in secrets.items()}
    return study, dict(sorted(links.items()))


def _new_demo(context: Context) -> Study:
    items = [NewItem(name, Content(text, Kind.MARKDOWN)) for name, (text, _) in HEADLINES.items()]
    setup = Setup(question="Which headline would you rather click?", intro=INTRO)
    draft = StudyDraft(NAME, items, [NewJudge(name) for name in JUDGES], error=0.1, seed=1, setup=setup)
    study = make_study(context.open_studies, draft)
    rng = random.Random(1)
    for number in range(1, CROWD + 1):
        _answer_all(study, study.add_judge(f"simulated-{number}"), rng)
    return study


def _answer_all(study: Study, judge: str, rng: random.Random) -> None:
    """One simulated person's sitting: noisy taste, and the seconds it took."""
    taste = {name: liked + rng.gauss(0, 0.7) for name, (_, liked) in HEADLINES.items()}
    while (question := study.ask(judge)) is not None:
        left, right = taste[str(question.left)], taste[str(question.right)]
        side = "left" if left + rng.gauss(0, 0.5) > right else "right"
        seconds = round(rng.lognormvariate(1.2, 0.5), 1)
        study.tell(question.id, side=side, source="simulated", response_time=seconds)
