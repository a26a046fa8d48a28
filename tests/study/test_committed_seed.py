"""A seed committed by its hash: nobody can read the draws from the log, and the certificate opens it."""

import json

import pytest

from juryrank.errors import BadInput, StudyClosed
from juryrank.log import fold
from juryrank.log.chain import SecretSeed
from juryrank.log.rules import check_rules
from juryrank.study import create_study, open_study, restore_study
from juryrank.verify import verify
from tests.verify.logs import gets_through

CASES = [f"q{k}" for k in range(30)]
OUTPUTS = {name: {case: f"{name} {case}" for case in CASES} for name in "ab"}


@pytest.fixture
def study(place):
    options = {"resolution": 0.05}
    return create_study(
        OUTPUTS, cases=CASES, name="s", judges=["m"], storage=place, commit_seed=True, options=options
    )


def ask_all(study, most=1000):
    while most and (question := study.ask()) is not None:
        study.tell(question, "a")
        most -= 1


def test_the_log_holds_the_hash_alone_until_the_end(study, place):
    ask_all(study, 3)
    events = list(study.events())
    secret = study._keeper.known().secret
    assert str(secret.seed) not in json.dumps([event.data for event in events])
    assert events[0].data["options"]["seed_commitment"] == secret.commitment
    with pytest.raises(BadInput, match="committed and not opened"):
        fold(events)
    with pytest.raises(BadInput, match="close the study first"):
        study.certificate()
    ask_all(open_study("s", storage=place))  # another process goes on with it
    assert study.ranking().proven and "committed by its hash" in study.ranking().statement
    document = study.certificate()
    report = verify(document, rerun=True)
    assert report.proven, report.failures
    assert "committed by its hash" in report.statement and len(study.certificate()["events"]) == len(
        document["events"]
    )
    check_rules(study.events())


def test_nothing_is_asked_once_it_is_open(study):
    ask_all(study, 3)
    study.close()
    assert verify(study.certificate()).true
    with pytest.raises(StudyClosed):
        study.ask()
    with pytest.raises(BadInput, match="next draws would be known"):
        study.close(reopen=True)


def test_a_log_with_a_closed_seed_is_not_restored_and_an_opened_one_is(study, place):
    ask_all(study, 3)
    with pytest.raises(BadInput, match="committed and not opened"):
        restore_study(list(study.events()), name="t", storage=place)
    ask_all(study)
    study.certificate()
    assert restore_study(list(study.events()), name="t", storage=place).ranking().proven


def test_other_rankers_and_chosen_seeds_commit_nothing(place):
    with pytest.raises(BadInput, match="nobody's choice"):
        create_study(OUTPUTS, cases=CASES, name="t", judges=["m"], storage=place, commit_seed=True, seed=1)
    with pytest.raises(BadInput, match="commits no seed"):
        create_study("ab", name="t", judges=["m"], ranker="iir", storage=place, commit_seed=True)


OTHER = SecretSeed(5, "ab" * 32)


def exchange(events):
    """Another seed, with a hash that fits: the draws do not."""
    events[0]["data"]["options"]["seed_commitment"] = OTHER.commitment
    events[-1]["data"].update(seed=OTHER.seed, salt=OTHER.salt)


FORGERIES = {
    "another seed": lambda events: events[-1]["data"].update(seed=OTHER.seed),
    "another salt": lambda events: events[-1]["data"].update(salt=OTHER.salt),
    "both, with their hash": exchange,
    "never opened": lambda events: events.pop(),
    "opened first": lambda events: events.insert(1, events.pop()),
    "said to be entropy": lambda events: events[0]["data"]["options"].update(seed_from="entropy"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_opening_is_found_out(study, name):
    ask_all(study)
    honest = study.certificate()
    assert honest["events"][-1]["kind"] == "seed_opened"
    assert not gets_through(honest, FORGERIES[name])
