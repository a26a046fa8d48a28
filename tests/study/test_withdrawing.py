"""Items that are withdrawn: nobody is asked about them any more, and no statement changes because of it."""

from __future__ import annotations

import pytest

from juryrank.errors import BadInput, UnknownName
from juryrank.storage import MemoryStorage
from juryrank.study import Study, create_study, open_study, restore_study
from juryrank.study.state import StudyState
from juryrank.verify import verify


def crowd(items: str = "abcdef", *, people: int = 0, **options: object) -> Study:
    study = create_study(
        items, name="crowd", ranker="panel", error=0.2, seed=4, storage=MemoryStorage(),
        options={"sitting": 6, "beyond": 4, **options},
    )  # fmt: skip
    for _ in range(people):
        sit(study)
    return study


def sit(study: Study, *, most: int = 99) -> tuple[str, set[str]]:
    """Somebody who prefers what comes first in the alphabet; the items they were shown."""
    judge, seen = study.add_judge(f"p{len(study.judges)}"), set[str]()
    while most and (question := study.ask(judge)) is not None:
        seen |= {str(question.left), str(question.right)}
        study.tell(question.id, min(question.left, question.right), judge=judge)
        most -= 1
    return judge, seen


def test_nobody_is_asked_about_it_any_more_and_the_statement_stays() -> None:
    study = crowd(people=12)
    before = study.ranking()
    study.withdraw_items(["c"])
    after = study.ranking()
    assert (after.order, after.ranges, after.statement) == (before.order, before.ranges, before.statement)
    assert after.details.withdrawn == ["c"] and study.log.withdrawn == ["c"] and "c" in study.items
    assert after.details.level == before.details.level and not after.post_hoc
    assert all("c" not in sit(study)[1] for _ in range(4))


def test_what_it_leaves_open_stays_open() -> None:
    """An order without the item that blocked it, or levels for fewer items, would be false too often."""
    twin, study = crowd(people=6, objective="best"), crowd(people=6, objective="best")
    study.withdraw_items(["b"])
    for _ in range(30):
        sit(study), sit(twin)
    assert twin.ranking().proven
    assert not study.ranking().proven and study.ranking().ranges[0][1] > 1
    assert study.ranking().details.level == twin.ranking().details.level


def test_plans_made_before_pass_it_over_and_others_come_instead() -> None:
    study = crowd(people=3)
    judge, _ = sit(study, most=1)
    question = study.ask(judge)
    assert question is not None
    gone = str(question.left)
    study.withdraw_items([gone])
    again = study.ask(judge, again=True)  # the open one is passed over as well
    assert again is not None and gone not in (again.left, again.right)
    study.tell(again.id, again.left, judge=judge)
    shown = 2
    while (question := study.ask(judge)) is not None:
        assert gone not in (question.left, question.right)
        study.tell(question.id, question.left, judge=judge)
        shown += 1
    passed = [event for event in study.events() if event.data.get("source") == "withdrawn"]
    assert passed and study.judge(judge).seat().answered == shown
    assert all(event.kind == "told" and event.data["answer"] == "skip" for event in passed)


def test_an_undo_after_a_pair_was_passed_over_keeps_the_rules() -> None:
    study = crowd(people=2)
    judge, _ = sit(study, most=1)
    question = study.ask(judge)
    planned = study._keeper.settled()[0].ranker.state.book.of(2)  # type: ignore[attr-defined]
    assert question is not None
    study.withdraw_items([study.items[planned.plan[planned.asked][0]]])
    study.tell_and_ask(question.id, side="left", judge=judge)
    study.undo(judge, by="judge")
    restore_study(study.events(), name="again", storage=study.storage)  # every rule of a log holds
    assert verify(study.certificate()).true


def test_certificates_and_snapshots_know_it() -> None:
    study = crowd(people=8)
    sit(study, most=2)
    study.withdraw_items(["a", "f"])
    sit(study)
    document = study.certificate()
    assert verify(document).true and document["result"]["withdrawn"] == ["a", "f"]
    assert verify(document, rerun=True).true
    state = StudyState()
    state.absorb(study.events())
    again = StudyState.from_json(state.to_json())
    assert again is not None and again.ledger.withdrawn == ["a", "f"]
    assert again.settle().ranker.ranking == study.ranking()
    assert open_study("crowd", storage=study.storage).log.withdrawn == ["a", "f"]
    assert "withdrew item 'a' and 1 more" in [act.words for act in study.log.history()]


def test_what_cannot_be_withdrawn() -> None:
    study = crowd("abcd")
    seq = study.log.seq
    with pytest.raises(UnknownName, match="nothing was withdrawn"):
        study.withdraw_items(["a", "z"])
    with pytest.raises(BadInput, match="fewer than two"):
        study.withdraw_items(["a", "b", "c"])
    with pytest.raises(BadInput, match="at least one"):
        study.withdraw_items([])
    assert study.log.seq == seq and study.log.withdrawn == []
    study.withdraw_items(["a"])
    with pytest.raises(BadInput, match="already"):
        study.withdraw_items(["a"])
    for ranker, options in (("certified", {}), ("panel", {"relation": "field-share"})):
        other = create_study(
            "abc", name=ranker, judges=["x"], ranker=ranker, storage=MemoryStorage(), options=options
        )
        with pytest.raises(BadInput, match="new study"):
            other.withdraw_items(["a"])
        assert other.log.withdrawn == [] and verify(other.certificate()).true
