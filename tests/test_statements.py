"""Claims are data, sentences are made of them on reading: golden sentences, and English that may be edited."""

import copy
import json

import pytest

import juryrank
from juryrank import statements
from juryrank.report import certificate_report
from juryrank.statements import cases, promises
from juryrank.statements.cases import AgainstGoal, CasesPromise, Evaluation, ProofStrength
from juryrank.statements.promises import (
    BestPromise,
    CountedPromise,
    GuessPromise,
    LinksPromise,
    PaperPromise,
    PeoplePromise,
    Withheld,
)
from juryrank.verify import verify

FAIR = {"assume": "better-than-chance"}
ON = Evaluation(
    items=3,
    judges=2,
    cases=40,
    both_sides=True,
    fresh=False,
    refusals_against=False,
    weighed=False,
    seed_from="owner",
)
GOLDEN = [
    (
        LinksPromise(error=0.05, **FAIR, proven=("a", "b")),
        "With probability at least 95 % this is the whole true order, if every answer is, given all before "
        "it, right at least half of the time.",
    ),
    (
        LinksPromise(error=0.05, assume="steady", k=2, proven=("a", "b"), resting=("ann",)),
        "With probability at least 95 % the 2 best items are a, b, if every judge is right equally often on "
        "every pair and at every moment, at least half of the time. It rests on repeated answers of ann, who "
        "never changed one: so few pairs cannot show whether these were fresh looks or memory.",
    ),
    (
        LinksPromise(error=1 / 3, **FAIR, claims=2, withheld=Withheld("repeats", ("a", "b"), ("ann",))),
        "Not certified, although every link was proven: a over b rests on repeats of ann, who never changed "
        "an answer. With probability at least 66.6 % all 2 claimed links hold, and with them every item's "
        "range of ranks, if every answer is, given all before it, right at least half of the time.",
    ),
    (
        BestPromise(error=0.05, **FAIR, items=9, ruled_out=2, trusted=True),
        "Not proven yet. With probability at least 95 % the best item is one of 7: 2 of 9 items are ruled "
        "out, if every answer is, given all before it, right at least half of the time. That judges who were "
        "asked a pair again answered it afresh is the word of whoever made the study (trust_repeats).",
    ),
    (
        PaperPromise(error=0.1, finished=True, fresh=True),
        "With probability at least 90 % this is the whole true order, if every judge is right more often than"
        " not, equally often on every pair, and answers afresh each time.",
    ),
    (GuessPromise(error=0.05), "No promise: this is a best guess."),
    (
        PeoplePromise(error=0.05, goal="ranges", promised=True),
        "With probability at least 95 % all rank ranges hold at once and at every moment. An item's rank is "
        "one plus the number of items that a majority prefers to it, for some way of breaking the "
        "population's exact ties. This is about what most people would say, not about the truth.",
    ),
    (
        PeoplePromise(error=0.05, goal="top-3", promised=True),
        "With probability at least 95 %, at every moment, each item above the line after rank 3 is preferred "
        "by at least half of the people to each item below it, pair by pair. This is about what most people "
        "would say, not about the truth.",
    ),
    (
        CountedPromise(error=0.05, goal="order", judges=3, promised=True),
        "This is the majority of exactly these 3 judges: for settled neighbours in the order, more than half "
        "of the judges who choose between the two prefer the first, whatever the others would still say. "
        "It is counted, not estimated, and says nothing about other judges or the truth. Other pairs follow "
        "from these only if the majority's preferences, ties included, do not go in a circle.",
    ),
    (
        CasesPromise(
            error=0.05,
            goal="order",
            about=ON,
            order=("a", "b", "c"),
            resolutions=(0.1, 0.0),
            strength=ProofStrength(True, False),
        ),
        "With probability at least 95 %: in the order a > b > c, each system, against the next one, gets at "
        "least 50 % of the answers given about that pair (ties count half, graded answers by their size, "
        'refusals left out). If "at least as good" is transitive, the whole order holds. This is about all '
        "answers of the whole evaluation (2 judges, 40 cases, both sides), asked or not; it assumes only that"
        " an answer does not depend on what else is asked. Proven at resolution 0.1, then 0. It says nothing "
        "about other cases or judges, nor whether the judges are right: it is about what they say. The draws "
        "follow a seed that its owner chose. It would be proven even if every answer that was refused, failed"
        " or is missing had gone against it.",
    ),
    (
        CasesPromise(
            error=0.05,
            goal="require",
            about=ON,
            required=(("a", "b"),),
            against=AgainstGoal("counted", 0.05, (("a", "b"),)),
        ),
        "Counted: a is not at least as good as b at resolution 0.05.",
    ),
]


@pytest.mark.parametrize(("claim", "sentence"), GOLDEN, ids=[type(claim).__name__ for claim, _ in GOLDEN])
def test_golden_sentences(claim, sentence):
    assert claim.words == sentence


def by_letter(left, right, case=None):
    return min(left, right)


def documents():
    judges = {"ann": by_letter, "bob": by_letter}
    many = {f"m{k}": by_letter for k in range(12)}
    yield juryrank.rank(["a", "b"], judges, seed=1)
    yield juryrank.rank(["a", "b"], judges, seed=1, about="truth")
    yield juryrank.rank(["a", "b"], judges, seed=1, about="truth", goal="best", budget=3)
    yield juryrank.rank(["a", "b", "c"], many, seed=1, about="people")
    yield juryrank.rank(["a", "b"], judges, seed=1, cases=30)
    yield juryrank.rank(["a", "b"], judges, seed=1, cases=30, goal="b over a")
    yield juryrank.rank(["a", "b"], judges, seed=1, ranker="ada-iir", budget=50)


def sentences_in(value):
    """Texts that are read as sentences: with a space, and a full stop at the end."""
    if isinstance(value, dict):
        return [found for inner in value.values() for found in sentences_in(inner)]
    if isinstance(value, list):
        return [found for inner in value for found in sentences_in(inner)]
    return [value] if isinstance(value, str) and " " in value and value.endswith(".") else []


def test_certificates_hold_no_sentences():
    for result in documents():
        document = result.certificate()
        assert sentences_in(document["result"]) + sentences_in(document["estimates"]) == []
        assert verify(document, rerun=True).statement == result.statement


def test_better_english_voids_no_proof(monkeypatch):
    """Every constant and function that words a promise says something else; old certificates stay true."""
    made = [json.dumps(result.certificate()) for result in documents()]
    before = [verify(json.loads(text)) for text in made]
    for module in (cases, promises):
        for name, value in vars(module).items():
            if isinstance(value, str) and " " in value and name.isupper():
                monkeypatch.setattr(module, name, f"Said better: {value}")
    for module in (statements, statements.numbers, cases, promises):
        for name in ("sure_of", "share_of", "strength_of", "level_words", "missing_words"):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, lambda *given, **more: "said otherwise")
    after = [verify(json.loads(text), rerun=True) for text in made]
    assert all(report.true for report in after)
    assert [report.verdict for report in after] == [report.verdict for report in before]
    assert any(one.statement != other.statement for one, other in zip(before, after, strict=True))


def test_a_claim_that_was_changed_is_still_found():
    document = juryrank.rank(["a", "b"], {"ann": by_letter}, seed=1).certificate()
    for name in document["result"]["promise"]:
        forged = copy.deepcopy(document)
        forged["result"]["promise"][name] = "other"
        assert not verify(forged).true, name


def test_a_certificate_is_read_with_its_sentence():
    result = juryrank.rank(["a", "b"], {"ann": by_letter}, seed=1)
    assert "exactly this one judge" in certificate_report(result.certificate(), format="md")
