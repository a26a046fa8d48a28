"""A pair that is settled shows the evidence that settled it, also if later answers spoke against it."""

from __future__ import annotations

import pytest

from juryrank import create_study
from juryrank.storage import MemoryStorage
from juryrank.verify import verify


@pytest.mark.parametrize(
    "goal", [{"objective": "ranges"}, {"objective": "best"}, {"relation": "field-share"}], ids=str
)
def test_a_settled_link_shows_what_settled_it(goal):
    people = [f"p{k:02}" for k in range(60)]
    study = create_study(
        ["a", "b"],
        name="s",
        judges=people,
        ranker="panel",
        error=0.2,
        seed=3,
        storage=MemoryStorage(),
        options=goal,
    )
    asked = [study.ask(person) for person in people]  # all at once: nobody is spared what is settled meanwhile
    for k, question in enumerate(asked):
        study.tell(question, "a" if k < 30 else "b")
    (link,) = study.ranking().links
    assert link.settled and (link.better, link.worse) == ("a", "b")
    assert link.answers_for == link.answers_against == 30  # by now they are level
    assert link.evidence >= 1 / link.level
    (found,) = verify(study.certificate()).links
    assert found.evidence == pytest.approx(link.evidence)
