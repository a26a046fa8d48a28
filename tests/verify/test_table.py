"""The table of fields: every value in a log has a row, and what a row says about `verify` is so."""

import itertools
import json
from dataclasses import fields

import pytest

from juryrank.errors import BadInput, BadSnapshot
from juryrank.log import bodies
from juryrank.log.fields import BODIES
from juryrank.log.kinds import SOURCES, Unheld
from juryrank.log.terms import DRAWN_AHEAD, FIXED_KEYS, PAPER, TERMS, fault
from juryrank.rankers import ranker_class, ranker_names
from juryrank.run.session import Session
from juryrank.verify import read_certificate, verify
from juryrank.verify.certified.attempts import KNOWN as CERTIFIED_OPTIONS
from juryrank.verify.jury.setup import OPTIONS as JURY_OPTIONS
from juryrank.verify.panel.options import KNOWN as PANEL_OPTIONS
from juryrank.verify.paper.check import KNOWN as PAPER_OPTIONS
from juryrank.verify.paper.check import MORE_KNOWN
from tests.verify.forger.documents import MAKERS, honest
from tests.verify.logs import reforge

pytestmark = pytest.mark.xdist_group("forger")  # the honest documents are made once

ROWS = (*TERMS, *DRAWN_AHEAD)
OPTIONS = [one for name in ranker_names() for one in ranker_class(name).declared.table()]
FIELDS = [one.metadata for body in BODIES.values() for one in fields(body)]
NOT_OF_EVERY_FILE = {"signature"}  # its own tests are in tests/study


class Spied(dict):
    """A question's terms that remember what was read of them."""

    def __init__(self, terms, read):
        super().__init__({name: spied(value, read) for name, value in terms.items()})
        self.read = read

    def get(self, name, default=None):
        self.read.add(name)
        return super().get(name, default)

    def __getitem__(self, name):
        self.read.add(name)
        return super().__getitem__(name)

    def __contains__(self, name):
        self.read.add(name)
        return super().__contains__(name)


def spied(value, read):
    if isinstance(value, list):
        return [spied(inner, read) for inner in value]
    return Spied(value, read) if isinstance(value, dict) else value


@pytest.fixture(scope="module")
def seen():
    """`verify` on honest documents of every ranker and aim: (names of checks, ranker -> terms read)."""
    checks, read = set(), {}
    for name in [*MAKERS, "drawn ahead"]:
        document = drawn_ahead() if name == "drawn ahead" else honest(name)
        own = read.setdefault(document["settings"]["ranker"], set())
        for event in document["events"]:
            if event["kind"] == "asked":
                event["data"]["terms"] = Spied(event["data"]["terms"], own)
        report = verify(document)
        assert report.true, (name, report.failures)
        checks |= {check.name for check in report.checks}
    return checks, read


def drawn_ahead():
    """A jury whose second judge comes late: its cells are drawn ahead."""
    options = {"cases": [f"q{k}" for k in range(6)], "resolution": 0.1}
    session = Session(["a", "b"], judges=["m", "n"], ranker="jury", error=0.1, seed=2, options=options)
    for judge in ["m"] * 4 + ["n"] * 8 + ["m"] * 8:
        question = session.ask(judge)
        if question is not None:
            session.tell(question, "a")
    return json.loads(json.dumps(session.certificate()))


def test_every_row_names_a_check_that_verify_makes(seen):
    held = [row.held for row in ROWS] + [known["held"] for known in FIELDS]
    held += [Unheld(one.held) if isinstance(one.held, str) else one.held for one in OPTIONS]
    named = set(itertools.chain.from_iterable(one for one in held if not isinstance(one, Unheld)))
    assert named - seen[0] == NOT_OF_EVERY_FILE
    assert all(one.why for one in held if isinstance(one, Unheld))
    assert all(source in SOURCES for source in [row.source for row in ROWS] + [known["by"] for known in FIELDS])


@pytest.mark.parametrize("ranker", ["certified", "panel", "jury", *PAPER])
def test_no_checker_reads_a_term_without_a_row(ranker, seen):
    rows = {row.name: row for row in (*TERMS, *DRAWN_AHEAD) if ranker in row.rankers}
    inner = (
        {*FIXED_KEYS, "forecast", "shares", "squares", "pairs"} if ranker == "jury" else set()
    )  # of a jury's list
    everybodys = {"sitting", "beyond"}  # the record looks after sittings, whoever asks
    read = seen[1].get(ranker, set())
    assert read <= rows.keys() | inner | everybodys
    if read:
        unread = {name for name, row in rows.items() if isinstance(row.held, Unheld)}
        assert rows.keys() - read == unread, "a row without a check is read, or one with a check is not"


@pytest.mark.parametrize(
    ("checked", "rankers"),
    [
        (CERTIFIED_OPTIONS, ["certified"]),
        (PANEL_OPTIONS, ["panel"]),
        (JURY_OPTIONS, ["jury"]),
        (PAPER_OPTIONS, PAPER),
    ],
)
def test_a_checker_knows_exactly_the_options_that_its_ranker_declares(checked, rankers):
    for ranker in rankers:
        known = {*checked, *(MORE_KNOWN.get(ranker, ()) if checked is PAPER_OPTIONS else ())}
        assert ranker_class(ranker).declared.names() == known


@pytest.mark.parametrize("name", list(MAKERS))
def test_honest_options_and_terms_are_within_their_ranges(name):
    document = honest(name)
    created = document["settings"]
    for option, value in (created.get("options") or {}).items():
        assert ranker_class(created["ranker"]).declared.allowed(option).fits(value), (option, value)
    terms = [event["data"]["terms"] for event in document["events"] if event["kind"] == "asked"]
    assert not any(fault(one, created["ranker"]) for one in terms)


def test_the_ranges_tell_something_apart():
    """A row that fits whatever comes would hold nothing."""
    odd = [None, True, -1, 2.5, float("inf"), 10**17, "", "maybe", [], [[]], [1], {}, {"a": 1}]
    tests = [row.value.fits for row in ROWS] + [one.allowed.fits for one in OPTIONS]
    assert all(any(not fits(value) for value in odd) for fits in tests)


@pytest.mark.parametrize(
    ("terms", "says"),
    [
        ({"mood": 1}, "it has a term 'mood', which no question"),
        ({"bet": 1.0}, "its term bet is 1.0; it must be a number from 0 to below 1"),
        ({"level": 5e-324, "attempt": 10**17}, "its term attempt"),
        ({"beta": [1, 7.5e16, 1.5e16]}, "its term beta"),
        ({"prior": [2.0] * 30}, "its term prior"),
        ({"attempt": 2.0}, "its term attempt is 2.0"),
        ({"link": ["a", "a"]}, "its term link"),
    ],
)
def test_a_term_without_a_row_or_out_of_range_is_read_from_neither_log_nor_certificate(terms, says):
    with pytest.raises(BadInput, match=says):
        bodies.Asked(q=1, judge="ann", left="a", right="b", terms=terms)
    document = honest("certified, steady")
    first = next(event for event in document["events"] if event["kind"] == "asked")
    first["data"]["terms"] = terms
    with pytest.raises(BadSnapshot, match=f"event {first['seq']} .*{says}"):
        read_certificate(json.dumps(reforge(document)))


def test_terms_of_another_ranker_are_not_read():
    document = honest("certified, steady")
    first = next(event for event in document["events"] if event["kind"] == "asked")
    first["data"]["terms"] = {"sitting": 1, "place": 0}
    with pytest.raises(BadSnapshot, match="'sitting', which no question of the ranker certified has"):
        read_certificate(json.dumps(reforge(document)))
