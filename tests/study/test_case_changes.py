"""Judges and systems that join or leave a jury: another table, claims fixed anew, answers kept, all checked."""

import random

import pytest

from juryrank.errors import BadInput, CannotJoin
from juryrank.log import fold
from juryrank.rankers.jury.core.pair import PairBook
from juryrank.rankers.jury.core.table import Table
from juryrank.storage import MemoryStorage
from juryrank.study import create_study
from juryrank.types import SKIP, TIE, Grade
from juryrank.verify import verify
from tests.quick import quick
from tests.verify.logs import gets_through

CASES = [f"q{k}" for k in range(20)]


def outputs(*names):
    return {name: {case: f"{name} {case}" for case in CASES} for name in names}


def made(judges=("m", "n"), **options):
    options = {"objective": "order", "resolution": 0.1, **options}
    return create_study(
        outputs("a", "b", "c"),
        cases=CASES,
        name="s",
        judges=judges,
        storage=MemoryStorage(),
        seed=3,
        options=options,
    )


def play(study, rng, turns, *, judges):
    """Judges come as they like, answers come back in any order; smaller names are better, more or less."""
    waiting = []
    for _ in range(turns):
        judge = rng.choice([*judges, None])
        question = study.ask(judge) if len(waiting) < 5 else None
        if question is not None:
            waiting.append(question)
        if waiting and rng.random() < 0.8:
            told = waiting.pop(rng.randrange(len(waiting)))
            lead = ord(told.right) - ord(told.left) + rng.gauss(0, 0.8)
            said = rng.choice([Grade(max(-1.0, min(1.0, lead))), told.left if lead > 0 else told.right])
            study.tell(told, rng.choices([said, TIE, SKIP], [0.9, 0.05, 0.05])[0])
    for told in waiting:
        study.tell(told, SKIP)


CHANGES = {
    "a judge joins": (lambda study: study.add_judge("new"), ["m", "n", "new"]),
    "a judge leaves": (lambda study: study.judge("n").remove(), ["m"]),
    "a judge leaves and is back": (
        lambda study: [study.judge("n").remove(), study.judge("n").resume()],
        ["m", "n"],
    ),
    "a system joins": (lambda study: study.add_items(outputs("d")), ["m", "n"]),
    "all at once": (
        lambda study: [
            study.judge("m").remove(),
            study.add_items(outputs("d", "e")),
            study.add_judge("new", price=4),
        ],
        ["n", "new"],
    ),
}


@pytest.fixture(params=quick(CHANGES, "all at once"))
def changed(request):
    change, judges = CHANGES[request.param]
    study, rng = made(), random.Random(request.param)
    play(study, rng, 60, judges=["m", "n"])
    change(study)
    play(study, rng, 260, judges=judges)
    return study, judges


def test_the_same_log_gives_the_same_jury_and_the_checker_agrees(changed):
    study, judges = changed
    ranking, report = study.ranking(besides=False), verify(study.certificate())
    again = fold(study.events()).ranking()
    for part in ("order", "proven", "statement", "ranges", "links"):
        assert getattr(again, part) == getattr(ranking, part)
    assert again.details.jury == ranking.details.jury
    assert report.true, report.failures
    assert report.proven == ranking.proven and ranking.proven
    assert report.result["details"]["judges"] == ranking.details.jury["judges"] == judges
    assert f"({len(judges)} judge" in ranking.statement


def test_the_statement_names_who_was_dropped_and_who_joined():
    study, rng = made(), random.Random(1)
    play(study, rng, 30, judges=["m", "n"])
    study.judge("n").remove()
    study.add_items(outputs("d"))
    play(study, rng, 300, judges=["m"])
    ranking = study.ranking()
    assert ranking.proven and "1 judge dropped (n); 1 system joined (d)" in ranking.statement
    report = verify(study.certificate())
    assert report.result["details"]["dropped"] == ["n"] and report.result["details"]["joined"] == ["d"]
    assert "1 judge dropped (n); 1 system joined (d)" in report.statement


def test_a_judge_who_leaves_before_any_answer_was_not_dropped_for_it():
    study = made()
    study.judge("n").remove()
    play(study, random.Random(2), 200, judges=["m"])
    assert study.ranking().details.jury["changes"]["dropped"] == []
    assert verify(study.certificate()).result["details"]["dropped"] == []


def test_what_was_proven_about_the_old_jury_is_not_said_of_the_new_one():
    """m prefers a always, n mostly b: a is at least as good about both of them, and not about n alone."""
    study = create_study(
        outputs("a", "b"), cases=CASES, name="s", judges=["m", "n"], storage=MemoryStorage(), seed=1,
        options={"objective": "best", "resolution": 0.05},
    )  # fmt: skip

    def answer_all():
        while (question := study.ask()) is not None:
            study.tell(question, "a" if question.judge == "m" or question.case in CASES[:6] else "b")

    answer_all()
    before = study.ranking()
    assert before.proven and before.order[0] == "a"
    study.judge("m").remove()
    assert not study.ranking().proven and "Nothing is proven" in study.ranking().statement
    answer_all()
    after = study.ranking()
    assert after.proven and after.order[0] == "b" and after.details.jury["attempts"] > 1
    assert verify(study.certificate()).proven


def test_each_change_lowers_the_level():
    study, rng = made(), random.Random(5)
    play(study, rng, 200, judges=["m", "n"])
    first = study.ranking().details.jury["level"]
    study.add_judge("new")
    play(study, rng, 300, judges=["m", "n", "new"])
    assert study.ranking().details.jury["level"] < first


FORGERIES = {
    "the drop is left out": lambda events: remove(events, "judge_removed"),
    "the newcomer was always there": lambda events: remove(events, "items_added"),
    "the drop comes earlier": lambda events: events.insert(5, events.pop(at(events, "judge_removed"))),
    "the drop comes later": lambda events: events.append(events.pop(at(events, "judge_removed"))),
    "nobody may join": lambda events: events[0]["data"]["options"].update(joining=False),
    "other outputs": lambda events: events[at(events, "edited")]["data"]["settings"]["cases"]["outputs"][
        "a"
    ].update(q1="better"),
    "another input": lambda events: events[at(events, "edited")]["data"]["settings"]["cases"]["inputs"].update(
        q1="?"
    ),
}


def at(events, kind):
    return next(k for k, event in enumerate(events) if event["kind"] == kind)


def remove(events, kind):
    del events[at(events, kind)]


@pytest.fixture(scope="module")
def honest():
    study, rng = made(), random.Random(7)
    play(study, rng, 60, judges=["m", "n"])
    study.add_items(outputs("d"))
    play(study, rng, 40, judges=["m", "n"])
    study.judge("n").remove()
    play(study, rng, 260, judges=["m"])
    document = study.certificate()
    assert verify(document).proven
    return document


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_change_is_found_out(honest, name):
    assert not gets_through(honest, FORGERIES[name])


def test_what_cannot_join_is_refused_and_changes_nothing():
    study = made(weights={"m": 1, "n": 2})
    length = len(list(study.events()))
    with pytest.raises(CannotJoin, match="weights"):
        study.add_judge("new")
    with pytest.raises(BadInput, match="no output for case"):
        study.add_items({"d": {"q1": "x"}})
    with pytest.raises(BadInput, match="needs outputs"):
        study.add_items(["d"])
    with pytest.raises(BadInput, match="joining is not an option"):
        made(joining=False)
    assert len(list(study.events())) == length
    study.judge("m").remove()
    study.judge("n").remove()  # the last one: nobody is left to ask, and nothing breaks
    assert study.ask() is None and not study.ranking().proven


# ---------------------------------------------------------------------- whoever has read the seed in the log
def fresh_seeded():
    """Nobody chose the seed; it stands in the first event, where its owner reads it."""
    how = {"cases": CASES, "judges": ["m"], "storage": MemoryStorage(), "options": {"objective": "best"}}
    study = create_study(outputs("a", "b"), name="s", **how)
    play(study, random.Random(1), 20, judges=["m"])
    return study


def next_cells(study, pair, many):
    """The cells of a pair that the seed and all that is on record now would draw first."""
    state = fold(study.events()).ranker.state
    book, key = PairBook(Table((1.0,), (1,) * len(CASES)), pair), state.key
    names = tuple(("a", "b", "d")[item] for item in pair)
    return [book.draw(key, names, (1.0,), calls=1).cell for _ in range(many)]


def test_the_seed_does_not_foretell_on_which_cases_a_newcomer_is_looked_at():
    """Its outputs could else be good on the ten cases that are drawn first, and nowhere else."""
    study = fresh_seeded()
    foretold = next_cells(study, (0, 2), 10)
    study.add_items(outputs("d"))
    assert next_cells(study, (0, 2), 10) != foretold
    study.add_judge("new")
    play(study, random.Random(2), 400, judges=["m", "new"])
    assert verify(study.certificate()).true
    joined = [event.data["entropy"] for event in study.events() if event.kind in ("items_added", "judge_added")]
    assert len(set(joined)) == 2


@pytest.mark.parametrize("entropy", [None, 7])
def test_what_joined_cannot_do_without_draws_of_its_own(entropy):
    study = fresh_seeded()
    study.add_items(outputs("d"))
    play(study, random.Random(2), 400, judges=["m"])
    honest = study.certificate()
    assert verify(honest).proven

    def alter(events):
        data = events[at(events, "items_added")]["data"]
        data["entropy"] = entropy
        if entropy is None:
            del data["entropy"]

    assert not gets_through(honest, alter)


def test_a_seed_that_its_owner_chose_needs_none(honest):
    assert not gets_through(honest, lambda events: events[at(events, "items_added")]["data"].update(entropy=7))
