"""A judge that says something else when it is asked again after a crash: the first recorded answer counts."""

import os
import signal
from collections import Counter

import pytest

from juryrank import SKIP, TIE, Grade, create_study
from juryrank.errors import AnsweredTwice
from juryrank.study import open_study
from juryrank.verify import verify
from tests.study.conftest import again, refolded, state_of

CASES = [f"q{k}" for k in range(12)]
ANSWERS_BEFORE = 7


def made(place):
    options = {"cases": CASES, "objective": "order", "resolution": 0.05}
    return create_study("abc", name="s", judges=["m"], ranker="jury", storage=place, seed=1, options=options)


def run_until_killed(place):
    """Another process runs the study; its judge thinks about one question more, and kill -9 comes in between."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    asked = []

    def judge(left, right, case):
        asked.append(case)
        if len(asked) > ANSWERS_BEFORE:
            os.kill(os.getpid(), signal.SIGKILL)
        return min(left, right)

    open_study("s", storage=place).run({"m": judge}, concurrency=1)
    os._exit(0)


def cells(study):
    return [
        (event.data["judge"], event.data["left"], event.data["right"], event.data["case"])
        for event in study.events()
        if event.kind == "asked"
    ]


def test_after_kill_9_what_was_recorded_stands_and_what_was_not_is_asked_again(place):
    made(place).storage.close()  # no connection may live in two processes
    assert os.WTERMSIG(run_until_killed(place)) == signal.SIGKILL
    study = open_study("s", storage=place)
    before = list(study.events())
    told = [event.data for event in before if event.kind == "told"]
    (cut_off,) = [e.data for e in before if e.kind == "asked" and e.data["q"] not in {one["q"] for one in told}]
    assert len(told) == ANSWERS_BEFORE
    # the judge has changed its mind about everything
    seen = []

    def turned(left, right, case):
        seen.append((left, right, case))
        return max(left, right)

    study.run({"m": turned})
    assert seen[0] == (cut_off["left"], cut_off["right"], cut_off["case"])  # the very cell that was cut off
    log = list(study.events())
    assert log[: len(before)] == before
    assert max(Counter(event.data["q"] for event in log if event.kind == "told").values()) == 1
    assert max(Counter(cells(study)).values()) == 1  # no cell has a second chance
    (answer,) = [e.data["answer"] for e in log if e.kind == "told" and e.data["q"] == cut_off["q"]]
    assert cut_off[answer] == max(cut_off["left"], cut_off["right"])  # the first answer that was recorded
    # and what was recorded before the crash cannot be said anew
    for first in told:
        other = "left" if first["answer"] == "right" else "right"
        with pytest.raises(AnsweredTwice, match=f"already has the answer '{first['answer']}'.*the first stands"):
            study.tell(first["q"], side=other)
    assert list(study.events()) == log and state_of(study) == refolded(study)
    report = verify(study.certificate())
    assert not report.failures
    study.storage.close()


@pytest.mark.parametrize(
    ("first", "then", "words"),
    [
        (
            Grade(0.9),
            Grade(0.2),
            r"'left' \(grade 0.9\), given before this 'left' \(grade 0.2\)",
        ),
        (Grade(0.9), TIE, r"'left' \(grade 0.9\), given before this 'tie'"),
        (SKIP, Grade(0.9), r"'skip', given before this 'left' \(grade 0.9\)"),
    ],
)
def test_another_grade_is_another_answer(place, first, then, words):
    study = made(place)
    question = study.ask("m")
    study.tell(question, first)
    reopened = again(study)
    before = list(reopened.events())
    with pytest.raises(AnsweredTwice, match=words):
        reopened.tell(question.id, then)
    assert reopened.tell(question.id, first).repeated
    assert list(reopened.events()) == before
