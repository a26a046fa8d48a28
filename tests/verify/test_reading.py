"""Whatever is not exactly a certificate gives one clear sentence: never a traceback, never a verdict."""

import copy
import json
import random

import pytest

from juryrank import create_study
from juryrank.errors import BadInput, BadSnapshot
from juryrank.rankers.registry import ranker_class, ranker_names
from juryrank.storage import MemoryStorage
from juryrank.verify import read_certificate, verify
from juryrank.verify.record import read_events
from tests.verify.forger.leaves import leaves, put
from tests.verify.juries import ranked
from tests.verify.logs import asked, make_log, reforge, told

DOCUMENT = ranked(4, seed=3).certificate()
TEXT = json.dumps(DOCUMENT)


def changed(*path, value):
    forged = copy.deepcopy(DOCUMENT)
    put(forged, path, value)
    return json.dumps(forged)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (TEXT[:500], "breaks off"),
        ("", "breaks off"),
        ("\ufeff" + TEXT, "breaks off"),
        ("[1, 2]", "not a juryrank certificate"),
        ("null", "not a juryrank certificate"),
        ("[" * 100_000, "nested too deeply"),
        (changed("estimates", "details", value=json.loads("[" * 60 + "]" * 60)), "nested too deeply"),
        (json.dumps({**DOCUMENT, "format": "juryrank certificate"}), "before 1.0"),
        (json.dumps({**DOCUMENT, "format": "juryrank-certificate/2"}), "reads juryrank-certificate/1 alone"),
        (json.dumps({**DOCUMENT, "format": "juryrank-certificate/2"}), "with the juryrank that wrote it"),
        (json.dumps({**DOCUMENT, "format": True}), "not a juryrank certificate"),
        (json.dumps({**DOCUMENT, "schema": 1}), "no field 'schema'"),
        (json.dumps({**DOCUMENT, "events": None}), "events"),
        (json.dumps({**DOCUMENT, "events": []}), "no event"),
        (json.dumps({**DOCUMENT, "result": []}), "result"),
        (json.dumps({**DOCUMENT, "head": "\x1b[2Jtrue"}), "not a hash"),
        (json.dumps({**DOCUMENT, "seal": 1}), "no field 'seal'"),
        (json.dumps({**DOCUMENT, "estimates": {}}), "no order"),
        (json.dumps({**DOCUMENT, "events": [{"seq": 1}]}), "event 1"),
        (TEXT.replace('"head": "', '"head": "", "head": "', 1), "'head' twice"),
        (TEXT.replace('"proven": true', '"proven": true, "proven": true', 1), "'proven' twice"),
        (TEXT.replace('"error": 0.1', '"error": NaN'), "NaN"),
        (TEXT.replace('"error": 0.1', '"error": -Infinity'), "-Infinity"),
        (TEXT.replace('"error": 0.1', '"error": 1e999'), "1e999"),
        (TEXT.replace('"error": 0.1', f'"error": {"9" * 5000}'), "5000 digits"),
        (changed("events", 0, "data", "error", value=5), "δ"),
        (changed("events", 0, "data", "error", value=1e308), "δ"),
        (changed("events", 0, "data", "error", value=0), "δ"),
        (changed("events", 0, "data", "error", value=True), "event 1|δ"),
        (changed("events", 0, "data", "items", value="abcd"), "event 1|items"),
        (changed("events", 0, "data", "schema", value=2), "reads juryrank-log/1 alone"),
        (changed("events", 1, "hash", value="f" * 63), "event 2"),
        (changed("events", 1, "at", value=3), "event 2"),
        (changed("events", 1, "data", "terms", value=[]), "event 2"),
        (changed("estimates", "order", value=["a", None]), "no order"),
        (changed("estimates", "order", value=["\ud800"]), "half a character|order"),
    ],
)
def test_a_file_that_is_no_whole_certificate_is_a_clear_error(text, says):
    with pytest.raises(BadSnapshot, match=says) as caught:
        read_certificate(text)
    assert "\n" not in str(caught.value) and str(caught.value).isprintable()


ODD = [None, True, "yes", -1, 0.5, 10**17, [], {}, [[]], {"a": 1}, "\x1b[2J", "\u202e"]


def test_no_value_in_any_place_makes_it_crash():
    """Every kind of value in random places, with and without a chain that fits."""
    rng, places = random.Random(5), list(leaves(DOCUMENT))
    for _ in range(150):
        forged = copy.deepcopy(DOCUMENT)
        put(forged, rng.choice(places), copy.deepcopy(rng.choice(ODD)))
        try:
            report = verify(read_certificate(json.dumps(forged)))
        except BadSnapshot:
            continue
        assert not report.true or forged["result"] == DOCUMENT["result"]


@pytest.mark.parametrize("by", ["owner", "program"])
def test_an_undo_by_somebody_else_is_an_edit(by):
    data = {"q": 1, "told": 3, "judge": "ann", "answer": "left", "post_hoc": False, "by": by}
    log = make_log(asked(1), told(1), ("retracted", data), told(1, "right"))
    plain = [{name: getattr(e, name) for name in ("seq", "kind", "data", "at", "hash")} for e in log]
    assert read_events(plain).edits


@pytest.mark.parametrize("told_of", [{"fresh": True}, {"options": {"fresh": True}}], ids=["study", "ranker"])
def test_who_answers_anew_has_no_undo(told_of):
    """It would be drawing again, until the answer is welcome; with the ranker's own option it was none."""
    study = create_study(
        ["a", "b"], cases=["1", "2"], name="coins", judges=["m"], storage=MemoryStorage(), **told_of
    )  # fmt: skip
    study.tell(study.ask("m"), "a")
    with pytest.raises(BadInput, match="answer anew"):
        study.undo("m", by="judge")
    study.undo("m", by="judge", post_hoc=True)
    assert study.log.history()[-1].edit
    assert "taken back" in verify(study.certificate()).post_hoc[0]


def raw(log):
    """A whole file about a log, which claims nothing."""
    events = [{name: getattr(event, name) for name in ("seq", "kind", "data", "at", "hash")} for event in log]
    return {
        "format": "juryrank-certificate/1", "version": "0", "settings": events[0]["data"],
        "head": events[-1]["hash"], "result": {}, "estimates": {"order": events[0]["data"]["items"]},
        "events": events,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kept", "edited", "options"),
    [
        ([1], None, {}),
        (5, None, {}),
        ({}, None, {}),
        ({"inputs": {"1": "?"}}, None, {"same_outputs": 0}),
        ({"inputs": ["1"], "outputs": {"a": {}}}, None, {}),
        ({"inputs": {"1": "?"}, "outputs": "abc"}, None, {"same_outputs": 0}),
        ({"inputs": {"1": "?"}, "outputs": {"a": 1}}, None, {"same_outputs": 0}),
        ({"inputs": {"1": "?"}, "outputs": {"a": "x", "b": "y"}}, None, {"absent": [["a", "b", ["1"]]]}),
        ({"inputs": {"1": "?"}, "outputs": {"a": {}}}, {"inputs": {"1": "?"}, "outputs": 5}, {}),
        ({"inputs": {"1": "?"}, "outputs": {"a": {}}}, 5, {}),
    ],
)
def test_cases_on_record_of_another_shape_are_a_failed_check(kept, edited, options):
    steps = [] if edited is None else [("edited", {"settings": {"cases": edited}})]
    log = make_log(*steps, ranker="jury", seed=1, settings={"cases": kept}, options={"cases": 1, **options})
    (failed,) = verify(raw(log)).failures
    assert "on record are not" in failed.words


ODD_OPTIONS = [*ODD, [["a", "b"]], {"strengths": "both"}, {"strengths": {"a": 1}}, {"ann": 1e308, "bob": 5e-324},
               "top-" + "9" * 5000, [["a", ["b"], "1"]]]  # fmt: skip


@pytest.mark.parametrize(
    ("ranker", "option"),
    [(name, one.name) for name in ranker_names() for one in ranker_class(name).declared.table()],
)
def test_no_value_of_an_option_makes_it_crash(ranker, option):
    """Each alone in a first event, for each ranker that has it; whether it is refused is another question."""
    for odd in ODD_OPTIONS:
        log = make_log(asked(1), told(1), ranker="toy", seed=1)
        forged = raw(log)
        forged["settings"] |= {"ranker": ranker, "options": {option: odd}}
        assert not verify(read_certificate(json.dumps(reforge(forged)))).true


def test_a_setup_without_settings_is_a_failed_check():
    edit = ("edited", {"settings": {"setup": {"question": "Worse?"}}})
    log = make_log(asked(1), told(1), edit, ranker="certified", settings={"setup": "text"})
    (failed,) = verify(raw(log)).failures
    assert "'setup' held no settings" in failed.words


@pytest.mark.parametrize("given", ["result.json", None, ["a"]])
def test_what_is_no_object_is_named(given):
    with pytest.raises(BadSnapshot, match=r"in Python result\.certificate\(\)"):
        verify(given)
