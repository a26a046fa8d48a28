"""Making a study from what a form or a program sends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from secrets import randbits
from typing import Any, Protocol

from juryrank.defaults import (
    BEYOND,
    DEFAULT_ERROR,
    DEFAULT_SITTING_LEASE,
    MOST_MINUTES,
    MOST_QUESTIONS,
    SITTING_IDLE,
    STUDY_NAME_CHARACTERS,
)
from juryrank.errors import BadInput
from juryrank.rankers.choice import PEOPLE, PEOPLE_ROW
from juryrank.run.cases.case import Case
from juryrank.server.studies.intake import NewItem, NewJudge, checked_items
from juryrank.server.studies.open_studies import OpenStudies
from juryrank.server.studies.setup import SETUP, Setup
from juryrank.storage import Person
from juryrank.study import Study, create_study

GOALS = (
    ("ranges", "each item's possible ranks"),
    ("tiers", "lines between groups"),
    ("best", "the best one"),
    ("top-3", "the top three"),
)


@dataclass(frozen=True, slots=True)
class StudyDraft:
    """A study as requested, before it is made."""

    name: str
    items: Sequence[NewItem]
    judges: Sequence[NewJudge] = ()
    models: Sequence[str] = ()  # language models among the judges, by the operator's names
    about: str | None = None  # None: about people, and on cases about these judges
    goal: str | None = None
    within: float | str | None = None
    error: float = DEFAULT_ERROR
    fresh: bool | None = None
    ranker: str | None = None  # for researchers, instead of `about`
    repeats: int | None = None
    budget: int | None = None
    seed: int | None = None
    sitting: int | None = None  # questions per person; None: the ranker's own number
    sitting_minutes: float | None = None
    cases: Sequence[Case] = ()  # compare the items, which are then systems, on these
    outputs: Mapping[str, Mapping[str, Any]] | None = None  # of each system on each case; None: it is shown itself
    sides: str | None = None  # on cases: random, both, or single for people, who remember the other side
    setup: Setup = field(default_factory=Setup)

    @property
    def whom(self) -> str | None:
        """What it is about: people may always join by a link, so few names are no reason to count only those."""
        return self.about if self.about or self.ranker or self.cases else PEOPLE

    @property
    def of_people(self) -> bool:
        """Do people come in sittings?"""
        return self.whom == PEOPLE or self.ranker == PEOPLE_ROW.ranker


def make_study(open_studies: OpenStudies, draft: StudyDraft, *, files: WaitingFiles | None = None) -> Study:
    """Create it, or raise with the reason; nothing is half-made. `files`: what its items show."""
    if len(draft.name) > STUDY_NAME_CHARACTERS:
        raise BadInput(
            f"the name has {len(draft.name):,} characters; at most {STUDY_NAME_CHARACTERS} fit the pages"
        )
    if draft.sitting is not None and not 1 <= draft.sitting <= MOST_QUESTIONS:
        raise BadInput(f"{draft.sitting} questions per person: give a number from 1 to {MOST_QUESTIONS}")
    if draft.sitting_minutes is not None and not 1 <= draft.sitting_minutes <= MOST_MINUTES:
        raise BadInput(f"a time limit of {draft.sitting_minutes:g} minutes: give 1 to {MOST_MINUTES:,} (a week)")
    items = checked_items(draft.items)
    things = [item.id for item in items]
    if draft.outputs is not None and not draft.cases:
        raise BadInput("outputs are compared on cases: give the cases too, or leave the outputs out")
    if draft.cases:
        draft.setup.check_cases()
        if draft.outputs is not None and set(draft.outputs) != set(things):
            raise BadInput("the outputs are not those of the items; give each item, and no other, its outputs")
    contents = {item.id: item.content for item in items if item.content is not None}
    groups = {item.id: item.group for item in items if item.group}
    study = create_study(
        {item: draft.outputs[item] for item in things} if draft.outputs is not None else things,
        name=draft.name,
        cases=draft.cases or None,
        judges=[*(Person(judge.name, judge.address) for judge in draft.judges), *draft.models],
        about=draft.whom,
        goal=draft.goal,
        within=draft.within,
        error=draft.error,
        fresh=draft.fresh,
        ranker=draft.ranker,
        storage=open_studies.storage,
        seed=draft.seed,
        budget=draft.budget,
        lease=draft.setup.lease,
        sitting_lease=DEFAULT_SITTING_LEASE if draft.sitting_minutes is None else 60 * draft.sitting_minutes,
        sitting_idle=SITTING_IDLE if draft.of_people else None,
        options=_options(draft),
        settings={SETUP: draft.setup.changed(contents=contents, groups=groups, numbering=randbits(32)).to_dict()},
    )
    try:
        if files is not None:
            files.hand_over(study.id)
    except BaseException:
        open_studies.delete(study.id)
        raise
    return study


class WaitingFiles(Protocol):
    """Files that were received and wait for their study."""

    def hand_over(self, study: int, /) -> None: ...


def _options(draft: StudyDraft) -> dict[str, Any]:
    """What else the ranker takes, where it was said."""
    given = {"repeats": draft.repeats, "sides": draft.sides, "sitting": draft.sitting}
    given["beyond"] = BEYOND if draft.of_people else None
    return {name: value for name, value in given.items() if value is not None}
