"""Time and room of `verify` are bounded by a file's size; large honest files pass."""

import contextlib
import json
import random
import resource
import subprocess
import sys

import pytest

from juryrank.run.session import Session
from juryrank.verify import rerun, verify
from juryrank.verify.arithmetic.evidence import SCORE_BETS
from juryrank.verify.record import read_events
from juryrank.verify.room import LEAST, AsksTooMuch, Room, room_for
from tests.quick import quick
from tests.verify.bombs import BOMBS
from tests.verify.forger.documents import MAKERS, honest
from tests.verify.logs import asked, document, drawn_up, make_log, names_failed, reforge

SECONDS, BYTES = 10, 1 << 30  # of processor and memory, for one file


def limited():
    """Whatever goes wrong, this machine survives it."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS * len(BOMBS),) * 2)
    resource.setrlimit(resource.RLIMIT_AS, (6 * BYTES,) * 2)  # libraries reserve addresses that they never use


FOUND = [  # each once took 45 s, or 5 GB
    "a_million_cases_of_400_judges",
    "a_million_cases_of_one_judge",
    "subset_of_100000_judges",
    "gold_pairs_20000",
    "lines_of_20000_items",
    "best_of_items_that_join_one_by_one",
    "one_case_of_many_outputs_again_and_again",
    "cases_of_systems_without_outputs",
    "lists_as_outputs_each_with_each",
]


@pytest.mark.parametrize("names", quick([FOUND[3:6], list(BOMBS)]), ids=["some", "all"])
def test_a_small_file_takes_neither_long_nor_much_memory(names):
    ran = subprocess.run(
        [sys.executable, "-m", "tests.verify.bombs", *names],
        capture_output=True,
        text=True,
        preexec_fn=limited,
        check=False,
    )
    rows = list(map(json.loads, ran.stdout.splitlines()))
    assert [row["name"] for row in rows] == names, ran.stderr[-500:]
    for row in rows:
        assert row["code"] == 2 and row["exception"] == "SystemExit(2)" and "NOT TRUE" in row["says"], row
        assert row["seconds"] < SECONDS and row["peak"] < BYTES, row


@pytest.mark.xdist_group("forger")  # the honest documents are made once
@pytest.mark.parametrize("name", list(MAKERS))
def test_an_honest_file_asks_for_a_small_part_of_its_room(name, monkeypatch):
    document = honest(name)
    seen = []

    def remembered(events):
        seen.append(room_for(events))
        return seen[-1]

    monkeypatch.setattr("juryrank.verify.record.read.room_for", remembered)
    assert verify(document).true
    assert read_events(document["events"]).room.left >= LEAST
    whole, used = room_for(document["events"]).left, seen[0].left
    assert whole - used < 0.05 * LEAST


def played(answer, *, asked, **how):
    """A session with at most so many answers."""
    session = Session(error=0.1, seed=1, budget=asked, **how)
    while (question := session.ask()) is not None:
        session.tell(question, answer(question))
    return session


def many(letter, number):
    return [f"{letter}{k:04d}" for k in range(number)]


def test_as_many_outputs_as_an_honest_study_keeps_are_counted():
    """A thousand systems on fifty cases, all of them with the same short output."""
    kept = {"inputs": dict.fromkeys(map(str, range(50)), "?")}
    kept["outputs"] = {system: dict.fromkeys(kept["inputs"], "yes") for system in many("s", 1000)}
    options = {"cases": list(kept["inputs"]), "same_outputs": 50 * 1000 * 999 // 2}
    log = make_log(items=["s0000", "s0001"], ranker="jury", seed=1, options=options, settings={"cases": kept})
    assert verify(document(log, order=["s0000", "s0001"])).true


@pytest.mark.parametrize(("letters", "true"), [(20, True), (500, False)], ids=["names", "long names"])
def test_names_are_not_written_out_a_thousand_times_as_often_as_they_stand_in_the_file(letters, true):
    """Half of 600 systems are wanted: 90,000 claims, 200 MB of them where a name is half a page."""
    items = [f"s{k:03d}".ljust(letters, "x") for k in range(600)]
    made = document(make_log(items=items, ranker="toy"), order=items)
    made["events"][0]["data"] |= {"ranker": "jury", "seed": 1, "options": {"cases": 5, "objective": "top-300"}}
    report = verify(drawn_up(reforge(made)["events"], order=items) if true else reforge(made))
    assert report.true is true
    assert true or names_failed(report) == {"size"}


def test_the_least_room_holds_the_scores_of_a_thousand_items():
    """All pairs at each bet, twice where answers are missing, however few people there are."""
    Room(LEAST).take(2 * len(SCORE_BETS) * 1000**2, "scores of so many items")


@pytest.mark.parametrize(("cases", "fits"), [(50, True), (1, False)], ids=["honest", "every pair is decided"])
def test_the_search_of_a_large_jury_asks_for_what_it_takes(cases, fits):
    """A thousand unknowns are solved for after two answers per item, not after the first; unless pairs run out."""
    rng, items = random.Random(1), many("i", 1000)
    pairs = [rng.sample(items, 2) for _ in range(2300)]
    terms = {"place": 0, "chances": [0.5, 0.5]}
    log = make_log(
        *(asked(q, "m", *pair, case="q", terms=terms) for q, pair in enumerate(pairs, start=1)),
        items=items, judges=["m", "n"], ranker="jury", options={"cases": cases},
    )  # fmt: skip
    room = room_for([{name: getattr(e, name) for name in ("seq", "kind", "data", "at", "hash")} for e in log])
    with contextlib.nullcontext() if fits else pytest.raises(AsksTooMuch):
        rerun._Cost(log, room)


def mostly(question, rng=random.Random(1)):  # noqa: B008
    return sorted((question.left, question.right))[rng.random() < 0.05]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("asked", "how"),
    [
        (50_000, {"ranker": "certified", "items": many("i", 1000), "judges": many("j", 5)}),
        (20_000, {"ranker": "certified", "items": many("i", 200), "judges": many("j", 2000),
                  "options": {"assume": "steady"}}),
        (20_000, {"ranker": "panel", "items": many("i", 30), "judges": many("j", 2000)}),
        (3_000, {"ranker": "panel", "items": many("i", 1000), "judges": many("j", 300),
                  "options": {"relation": "field-share"}}),
        (40_026, {"ranker": "jury", "items": many("i", 7), "judges": ["gpt"],
                  "options": {"cases": many("q", 953), "objective": "order", "resolution": 0}}),
        (2_300, {"ranker": "jury", "items": many("i", 1000), "judges": ["gpt", "opus"],
                  "options": {"cases": many("q", 50)}}),
    ],
    ids=["1,000 items", "2,000 steady judges", "2,000 people", "1,000 scores", "953 cases, 21 pairs, 2 sides",
         "a jury of 1,000"],
)  # fmt: skip
def test_a_large_honest_file_passes(asked, how):
    document = json.loads(json.dumps(played(mostly, asked=asked, **how).certificate()))
    assert verify(document).true
