"""Programs as judges: limits, failures, interruptions."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from juryrank.errors import BadInput, UnknownName
from juryrank.storage import MemoryStorage
from juryrank.study import create_study, open_study
from juryrank.types import SKIP
from tests.study.conftest import refolded, state_of


def truth(left, right):
    return min(left, right)


async def async_truth(left, right):
    await asyncio.sleep(0)
    return min(left, right)


def make(judges=("ann", "bob"), *, items="abcd", ranker="iir", **more):
    return create_study(
        items,
        name="s",
        judges=judges,
        ranker=ranker,
        fresh=True,
        error=0.2,
        storage=MemoryStorage(),
        seed=1,
        **more,
    )


def test_a_run_ends_when_the_ranking_is_done():
    study = make(items="abc", ranker="certified")
    shown = []
    report = study.run({"ann": truth, "bob": async_truth}, progress=shown.append)
    assert report.state == "done" and report.ranking.order == tuple("abc")
    assert report.asked == report.answered == study.progress().answers
    assert state_of(study) == refolded(study)
    assert study.run({"ann": truth, "bob": truth}).asked == 0


def test_a_run_says_how_far_it_is_on_standard_error(capsys):
    study = make(("ann",))
    study.run({"ann": truth}, progress=True, budget=5)
    said = capsys.readouterr()
    assert said.out == "" and said.err.splitlines()[-1].startswith("placed ") and "questions 5" in said.err


def test_a_run_stops_at_its_budget_and_the_next_goes_on():
    study = make()
    first = study.run({"ann": truth, "bob": truth}, budget=10)
    assert (first.state, first.asked, first.answered) == ("budget", 10, 10)
    assert study.run({"ann": truth, "bob": truth}, budget=5).answered == 5
    assert study.progress().progress.questions == 15


def test_many_are_asked_at_once_but_a_plain_function_one_at_a_time():
    study, open_now, most = make(), {"ann": 0, "bob": 0}, {"ann": 0, "bob": 0}

    def plain(left, right):
        open_now["ann"] += 1
        most["ann"] = max(most["ann"], open_now["ann"])
        time.sleep(0.001)
        open_now["ann"] -= 1
        return min(left, right)

    async def together(left, right):
        open_now["bob"] += 1
        most["bob"] = max(most["bob"], open_now["bob"])
        await asyncio.sleep(0.005)
        open_now["bob"] -= 1
        return min(left, right)

    study.run({"ann": plain, "bob": together}, concurrency=6, budget=60)
    assert most["ann"] == 1
    assert 1 < most["bob"] <= 6


def test_per_judge_limits_hold():
    study, now, most = make(("ann",)), [0], [0]

    async def judge(left, right):
        now[0] += 1
        most[0] = max(most[0], now[0])
        await asyncio.sleep(0.002)
        now[0] -= 1
        return left

    study.run({"ann": judge}, concurrency=8, per_judge={"ann": 2}, budget=20)
    assert most[0] == 2


def test_a_rate_spaces_the_calls():
    study, times = make(("ann",)), []

    async def judge(left, right):
        times.append(time.monotonic())
        return left

    began = time.monotonic()
    study.run({"ann": judge}, rate=100.0, budget=8)
    assert len(times) == 8 and times[-1] - began >= 0.069  # seven spaces of a hundredth, and the clock's grain


def test_a_failing_call_is_tried_again():
    study, calls = make(("ann",)), [0]

    def shaky(left, right):
        calls[0] += 1
        if calls[0] % 3:
            raise ConnectionError("busy")
        return left

    report = study.run({"ann": shaky}, budget=4, retries=3, first_pause=0.001)
    assert report.answered == 4 and report.problems == 8 and not report.failed
    assert study.progress().judges[0].skips == 0


def test_a_judge_that_keeps_failing_is_paused_and_the_others_go_on():
    study = make(items="abc")

    def broken(left, right):
        raise RuntimeError("no such model")

    report = study.run({"ann": truth, "bob": broken}, retries=1, first_pause=0.001, budget=40)
    assert report.state == "budget" and report.answered == 40
    assert "no such model" in report.failed["bob"]
    assert study.log.active_judges() == ["ann"]
    skips = [event.data for event in study.events() if event.data.get("answer") == "skip"]
    assert len(skips) >= 3 and all(data["source"] == "failed" for data in skips)


def test_when_everybody_fails_the_run_ends():
    study = make(("ann",))
    report = study.run({"ann": lambda left, right: "nonsense"}, retries=0)
    assert report.state == "waiting" and "nonsense" in report.failed["ann"]


def test_a_judge_that_hangs_is_given_up():
    study, release = make(("ann", "bob"), items="abc"), threading.Event()

    def hangs(left, right):
        release.wait(30)
        return left

    report = study.run({"ann": truth, "bob": hangs}, time_limit=0.3, retries=0, budget=40)
    release.set()
    assert report.state == "budget" and "limit of 0.3 s" in report.failed["bob"]


def test_words_and_skips_are_answers():
    study = make(("ann",))
    answers = iter(["left", "right", SKIP, "tie"])
    report = study.run({"ann": lambda left, right: next(answers)}, budget=4)
    assert report.answered == 4
    assert [e.data["answer"] for e in study.events() if e.kind == "told"] == ["left", "right", "skip", "tie"]


def test_questions_left_open_are_answered_first():
    study = make(("ann", "bob"))
    left_open = [study.ask("ann"), study.ask("bob")]
    report = open_study("s", storage=study.storage).run({"ann": truth, "bob": truth}, budget=0)
    assert report.resumed == 2 and report.answered == 2
    assert {e.data["q"] for e in study.events() if e.kind == "told"} == {q.id for q in left_open}


def test_judges_of_others_are_not_asked():
    study = make(("ann", "person"))
    report = study.run({"ann": truth}, budget=6)
    assert report.answered == 6
    assert {e.data["judge"] for e in study.events() if e.kind == "asked"} == {"ann"}


def test_a_closed_study_ends_the_run():
    study = make(("ann",))

    def closing(left, right):
        study.close()
        return left

    assert study.run({"ann": closing}).state == "closed"


def test_bad_limits_are_refused():
    study = make(("ann",))
    with pytest.raises(UnknownName):
        study.run({"eve": truth})
    limits = {"concurrency": 0, "rate": -1, "per_judge": "many", "time_limit": 0, "retries": -1, "budget": -1}
    for wrong in ({name: value} for name, value in limits.items()):
        with pytest.raises(BadInput):
            study.run({"ann": truth}, **wrong)
    with pytest.raises(BadInput):
        study.run({})
    with pytest.raises(BadInput):
        study.run({"ann": 7})
    assert study.log.seq == 1


def test_a_run_inside_a_running_loop():
    study = make(items="abc")

    async def main():
        return study.run({"ann": async_truth, "bob": truth}, budget=5)

    assert asyncio.run(main()).answered == 5
