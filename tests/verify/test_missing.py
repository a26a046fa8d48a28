"""What a proof would be worth had every missing answer gone against it: live, certified and checked."""

import random
from collections import Counter
from importlib import import_module

import click
import pytest

from juryrank import create_study, rank
from juryrank.cli.verify import report_text
from juryrank.report import certificate_report, result_text
from juryrank.run.session import Session
from juryrank.storage import MemoryStorage
from juryrank.types import SKIP
from juryrank.verify import verify
from juryrank.verify.record import read_events
from tests.quick import quick
from tests.ranking import rank_with

WOULD = "It would stand even if"
NOT = "It would not stand if the"


def flipped(seed, *, assume, rate):
    """Coin-flippers; what speaks against the list of the proof expires, up to a share of each one's questions."""
    chance, asked, out = random.Random(seed), Counter(), Counter()
    session = Session(
        list("abc"), judges=["p", "q", "r", "s"], ranker="certified", error=0.4, seed=seed, budget=400,
        options={"assume": assume, "patience": None},
    )  # fmt: skip
    while (question := session.ask()) is not None:
        said, judge = chance.choice([question.left, question.right]), question.judge
        asked[judge] += 1
        unwelcome = said != question.terms.get("link", [said])[0]
        if unwelcome and out[judge] + 1 <= rate * asked[judge]:
            out[judge] += 1
            session.expire(question)
        else:
            session.tell(question, said)
    return session


@pytest.mark.parametrize(
    "seeds", [(1, 2, 5, 7), pytest.param(range(8), marks=pytest.mark.slow)], ids=["few", "all"]
)
@pytest.mark.parametrize("assume", quick(["better-than-chance", "steady"]))
def test_coin_flippers_whose_unwelcome_answers_expire_are_found_out(assume, seeds):
    """4.9 % of each one's answers are missing, too few for a word about expiries: all of them unwelcome."""
    told = 0
    for seed in seeds:
        session = flipped(seed, assume=assume, rate=0.049)
        result, report = session.ranking, verify(session.certificate())
        assert report.true and "no answer in time" not in report.statement
        falls = report.result.get("missing", {"stands": True})["stands"] is False
        assert (NOT in result.statement) == (NOT in report.statement) == falls
        told += NOT in report.statement
    assert told >= 2


def on_every_surface(result, words):
    """Said live, in the certificate, by the check and in the reports."""
    document = result.certificate()
    report = verify(document)
    assert report.true
    assert report.result["missing"] == result.details.missing
    shown = [
        " ".join(result_text(result, width=100).split()),
        " ".join(click.unstyle(report_text(report)).split()),
        certificate_report(document, format="md"),
    ]
    assert all(words in text for text in shown)
    assert verify(document, rerun=True).true
    return report


def skipping(share, seed):
    """A judge who is right, and skips now and then."""
    rng = random.Random(seed)
    return lambda left, right: SKIP if rng.random() < share else (min if rng.random() < 0.97 else max)(left, right)


@pytest.mark.parametrize("options", quick([
    {"ranker": "certified", "objective": "best"}, {"ranker": "certified", "objective": "top-2"},
    {"ranker": "certified"}, {"ranker": "certified", "assume": "steady"},
]), ids=str)  # fmt: skip
def test_live_result_certificate_and_check_say_that_it_would_not_stand(options):
    found = 0
    for seed in (1, 3, 4):
        judges = {name: skipping(0.1, f"{name}{seed}") for name in "pqrs"}
        result = rank_with(list("abcdef"), judges, fresh=True, error=0.1, seed=seed, **options)
        missing = result.details.missing
        if not result.proven or not missing:
            continue
        words = NOT if not missing["stands"] else WOULD
        report = on_every_surface(result, words)
        assert (NOT in result.statement) == (not missing["stands"]) == (NOT in report.statement)
        assert WOULD not in result.statement
        found += not missing["stands"]
    assert found


PANELS = [
    {"objective": "ranges"}, {"objective": "tiers"}, {"objective": "best"}, {"relation": "field-share"},
    {"about": "panel"},
]  # fmt: skip


@pytest.mark.parametrize("options", quick(PANELS, *PANELS[::4]), ids=str)
def test_a_panel_says_it_too(options):
    """Few missing answers among many unanimous people change nothing; many do."""
    seen = set()
    for share, seed in ((0.02, 1), (0.3, 0)):
        people = {f"p{k}": skipping(share, f"{k}{seed}") for k in range(9 if "about" in options else 45)}
        result = rank_with(list("abc"), people, ranker="panel", error=0.1, seed=seed, **options)
        missing = result.details.missing
        if missing:
            on_every_surface(result, WOULD if missing["stands"] else NOT)
            seen.add(missing["stands"])
    assert seen


@pytest.mark.parametrize("ranker", quick(["oracle", "iir", "ada-iir", "two-stage", "subset-two-stage"]))
def test_the_papers_rankers_say_that_nobody_knows(ranker):
    """Even for few: they would have asked other questions then, so nothing can be counted a second time."""
    judges = {name: skipping(0.02, name) for name in "pq"}
    options = {"best": "p"} if ranker == "oracle" else {}
    result = rank_with(list("ab"), judges, ranker=ranker, fresh=True, error=0.4, seed=1, **options)
    missing = result.details.missing
    words = f"Whether it would stand if the {missing['answers']} missing answers had gone against it is not known."
    assert missing["answers"] and result.proven
    assert result.statement.endswith(words) and on_every_surface(result, words).statement == result.statement


def test_the_counts_are_those_of_fractions_on_a_small_panel():
    """Nine for and none against settle a pair at 1/25; with one answer missing they would not."""

    def study(skips):
        made = create_study(
            list("ab"), name=f"s{skips}", ranker="panel", error=0.05, storage=MemoryStorage(), seed=1,
            options={"objective": "ranges"},
        )  # fmt: skip
        for k in range(9 + skips):
            made.add_judge(f"p{k}")
            question = made.ask(f"p{k}")
            if question is not None:
                made.tell(question.id, SKIP if k < skips else "a")
        return made

    for skips, stands in ((0, None), (1, False)):
        made = study(skips)
        result, report = made.ranking(), verify(made.certificate())
        assert report.true and result.statement == report.statement
        assert result.details.missing.get("stands") == stands
        assert report.result["claims"]
        assert (NOT in result.statement) == (stands is False)


def test_an_honest_proof_without_missing_answers_says_nothing():
    result = rank(list("abc"), {"ann": min, "bob": min}, about="truth", seed=1)
    assert not result.details.missing and "missing" not in result.certificate()["result"]


def test_a_log_is_read_once_for_each_state_of_it(monkeypatch):
    """Missing answers and what judges left out come of one reading; scripts that poll do not pay again."""
    times = []
    live = import_module("juryrank.verify.certificate")  # the package has a function of this name
    monkeypatch.setattr(live, "read_events", lambda log: times.append(len(log)) or read_events(log))
    made = create_study(
        list("ab"), name="s", ranker="panel", error=0.05, storage=MemoryStorage(), seed=1,
        options={"objective": "ranges"},
    )  # fmt: skip
    for k in range(12):
        made.add_judge(f"p{k}")
        if (question := made.ask(f"p{k}")) is not None:
            made.tell(question.id, SKIP if k < 1 else "a")
        made.ranking(besides=False)
    assert len(times) == len(set(times)) > 0  # nothing is read before something is claimed
    seen = len(times)
    first, again, last = made.ranking(), made.ranking(names={"a": "x"}), made.ranking()
    assert again.order == ("x", "b") and again.details.missing == first.details.missing
    assert len(times) == seen
    assert (first.statement, last.statement) == (verify(made.certificate()).statement,) * 2
    session = flipped(1, assume="steady", rate=0.2)
    del times[:]
    said = session.stated.statement
    assert session.ranking.details.missing and len(times) == 1
    assert said == verify(session.certificate()).statement
