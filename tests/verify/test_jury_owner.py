"""An owner who knows the seed and every answer: what he may still choose after the draw is found out."""

import copy

from juryrank.run.session import Session
from juryrank.verify import verify
from tests.verify.logs import drawn_up, names_failed, reforge

CASES = [f"q{k}" for k in range(100)]


def loser(*, error=0.05, seed=1, most=120):
    """A wins 35 of 100 cases, each shown once, and is required to be at least as good."""
    session = Session(
        ["A", "B"], judges=["m"], ranker="jury", error=error, seed=seed,
        options={"cases": CASES, "sides": "single", "require": ["A over B"], "resolution": 0},
    )  # fmt: skip
    for _ in range(most):
        if (question := session.ask()) is not None:
            session.tell(question, "A" if int(question.case[1:]) < 35 else "B")
    return session


def lost_questions(events):
    gone = {e["data"]["q"]: e["data"] for e in events if e["kind"] == "asked"}
    for event in events:
        if event["kind"] == "told":
            asked = gone[event["data"]["q"]]
            if asked[event["data"]["answer"]] == "B":
                yield asked


def test_losses_cannot_be_filed_as_search():
    """Every draw was honest, and `attempt` said after the draw what it was for: A was proven best."""
    honest = loser().certificate()
    assert verify(honest).true and not honest["result"]["proven"]
    forged = copy.deepcopy(honest)
    for asked in lost_questions(forged["events"]):
        asked["terms"]["attempt"] = 0
    reforge(forged)
    forged["result"]["proven"] = True
    report = verify(forged)
    assert not report.true and "draws" in names_failed(report)
    assert "'attempt', which this ranker does not write" in report.failures[0].words


def test_a_list_cannot_be_fixed_again_after_each_loss():
    """The same list, begun anew wherever luck turns, is the same choice after the draw."""
    forged = copy.deepcopy(loser().certificate())
    asked = [event["data"] for event in forged["events"] if event["kind"] == "asked"]
    first = asked[0]["terms"]["list"]
    for number, data in enumerate(asked[1:], start=2):
        data["terms"]["list"] = {**first, "number": number}
    reforge(forged)
    made = drawn_up(forged["events"], order=["A", "B"])
    report = verify(made)
    assert not report.true and "is fixed a second time" in report.failures[0].words
    asked[1]["terms"]["list"]["number"] = 1
    assert "used a second time" in verify(reforge(forged)).failures[0].words
