"""Making a study from what a form or a program sends, with advice before it is too late."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from juryrank.errors import BadInput
from juryrank.rankers import ranker_class
from juryrank.rankers.choice import choose_ranker
from juryrank.rankers.contract.limits import option_names
from juryrank.server.studies.intake import NewItem, NewJudge, checked_items
from juryrank.server.studies.open_studies import SETUP, OpenStudies
from juryrank.server.studies.setup import Setup
from juryrank.storage import Person
from juryrank.study import Study, create_study

PEOPLE = choose_ranker(source="people").name  # each person answers a pair once
FRESH = choose_ranker(fresh=True).name  # every answer is drawn anew
OBJECTIVES = (
    ("ranges", "each item's possible ranks"),
    ("tiers", "lines between groups"),
    ("best", "the best one"),
    ("top-3", "the top three"),
)
MOST_NAME = 200


@dataclass(frozen=True, slots=True)
class StudyDraft:
    """A study as somebody wishes it."""

    name: str
    items: Sequence[NewItem]
    judges: Sequence[NewJudge] = ()
    ranker: str = PEOPLE
    error: float = 0.1
    objective: str = "ranges"
    repeats: int | None = None
    budget: int | None = None
    seed: int | None = None
    setup: Setup = field(default_factory=Setup)


def make_study(open_studies: OpenStudies, draft: StudyDraft) -> Study:
    """Create it, or raise with the reason; nothing is half-made."""
    if len(draft.name) > MOST_NAME:
        raise BadInput(f"the name has {len(draft.name):,} characters; at most {MOST_NAME} fit the pages")
    items = checked_items(draft.items)
    contents = {item.id: item.content for item in items if item.content is not None}
    return create_study(
        [item.id for item in items],
        name=draft.name,
        judges=[Person(judge.name, judge.address) for judge in draft.judges],
        ranker=draft.ranker,
        error=draft.error,
        storage=open_studies.storage,
        seed=draft.seed,
        budget=draft.budget,
        lease=draft.setup.lease,
        options=_options(draft),
        settings={SETUP: draft.setup.changed(contents=contents).to_dict()},
    )


def _options(draft: StudyDraft) -> dict[str, Any]:
    return _known(draft.ranker, objective=draft.objective, repeats=draft.repeats)


def _known(ranker: str, **options: Any) -> dict[str, Any]:
    """Those options that the ranker has, said in full: a study by itself asks nobody a pair twice."""
    cls = ranker_class(ranker)
    known = {name: value for name, value in options.items() if name in option_names(cls)}
    if cls.objectives and not str(known.get("objective")).startswith(cls.objectives):
        known.pop("objective", None)  # one for people (ranges, tiers): the ranker's own stands
    return known


def advice(
    *, items: int, judges: int, error: float, ranker: str, objective: str, repeats: int | None = None
) -> str:
    """A warning when the panel is too small to settle anything; empty when it is not.

    >>> advice(items=10, judges=5, error=0.1, ranker="panel", objective="ranges")[:52]
    'With 5 judges nothing can settle: even if they all a'
    >>> advice(items=10, judges=60, error=0.1, ranker="panel", objective="ranges")
    ''
    """
    if items < 2 or not 0 < error < 1:
        return ""
    options = _known(ranker, objective=objective, repeats=repeats)
    fewest = ranker_class(ranker).fewest_answers(items=items, error=error, options=options)
    if fewest is None or judges >= fewest.answers:
        return ""
    needed, what = fewest
    have = "no judges yet" if judges == 0 else "1 judge" if judges == 1 else f"{judges} judges"
    return (
        f"With {have} nothing can settle: even if they all agree, {what} of {items} items needs {needed} answers "
        f"at δ = {error:g}, and each judge answers a pair once. Invite at least {needed}, better {3 * needed}; "
        "more can join while the study runs."
    )
