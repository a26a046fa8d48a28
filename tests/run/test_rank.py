"""One call ranks: items of every kind, judges of every kind, and everything that may go wrong on the way."""

import asyncio
import dataclasses
import json
import random
import signal
import threading
import time

import pytest

import juryrank
from juryrank import SKIP, TIE, rank
from juryrank.errors import BadInput, JudgeFailed, NoRecord, UnknownName
from juryrank.judges import simulated
from juryrank.log import fold
from tests.ranking import rank_with


def bigger(left, right):
    return max(left, right)


def quick(items, judges, **options):
    """The paper's ranker on judges that answer afresh: needs nobody else."""
    return rank_with(items, judges, **{"ranker": "iir", "fresh": True, "seed": 1, "error": 0.2, **options})


def test_numbers_come_back_as_numbers_best_first():
    result = quick([3, 1, 2], {"ann": bigger})
    assert result.order == (3, 2, 1)
    assert result.certified and result.questions > 0
    assert [(link.better, link.worse) for link in result.links] == [(3, 2), (2, 1)]
    assert json.loads(result.to_json())["order"] == [3, 2, 1]


def test_one_and_its_text_are_different_items():
    result = quick([1, "1"], {"ann": lambda left, right: left if isinstance(left, int) else right})
    assert result.order == (1, "1")


def test_rows_are_shown_whole_and_named_by_their_id():
    rows = [{"id": k, "score": score} for k, score in enumerate([5, 9, 7])]
    result = quick(rows, {"ann": lambda left, right: max(left, right, key=lambda row: row["score"])})
    assert result.order == (1, 2, 0)


def test_unhashable_objects_with_an_id():
    @dataclasses.dataclass
    class Essay:
        id: str
        words: int

    def longer(left, right):
        return left if left.words > right.words else right

    assert quick([Essay("x", 10), Essay("y", 30)], {"ann": longer}).order == ("y", "x")


def test_a_judge_may_answer_with_the_id():
    rows = [{"id": "a"}, {"id": "b"}]
    assert quick(rows, {"ann": lambda left, right: "b"}).order == ("b", "a")


def test_both_sides_are_shown_and_recorded():
    shown = []

    def ann(left, right):
        shown.append((left, right))
        return bigger(left, right)

    result = quick(["a", "b"], {"ann": ann})
    asked = [(event.data["left"], event.data["right"]) for event in result.events if event.kind == "asked"]
    assert asked == shown
    assert {("a", "b"), ("b", "a")} == set(shown)


def test_same_seed_same_questions():
    def play():
        return quick("abc", simulated("abc", [0.9, 0.7], seed=4), ranker="ada-iir")

    with pytest.raises(BadInput, match="list"):
        play()
    first, second = (quick(list("abc"), simulated("abc", [0.9, 0.7], seed=4), ranker="ada-iir") for _ in range(2))
    assert first == second
    assert first.events == second.events


def test_the_log_folds_to_the_same_result():
    result = quick(list("abc"), simulated("abc", [0.9, 0.8], seed=2), ranker="ada-iir")
    again = fold(result.events).ranker.ranking
    assert again.order == result.order
    assert again.certified == result.certified
    assert result.certificate()["head"] == result.events[-1].hash


def test_a_ranking_without_its_log_says_so():
    bare = juryrank.make_ranker("iir", ["a"], judges=["ann"]).ranking
    with pytest.raises(NoRecord, match="without its log"):
        bare.certificate()


def test_ties_and_skips_are_kept_and_win_nothing():
    answers = iter([TIE, SKIP] * 3)
    result = quick(["a", "b"], {"ann": lambda left, right: next(answers, "b")})
    told = [event.data["answer"] for event in result.events if event.kind == "told"]
    assert told[:6] == ["tie", "skip"] * 3
    assert result.order == ("b", "a")


# ---------------------------------------------------------------------- async


def test_async_judges_have_many_questions_open_at_once():
    open_now, most = 0, 0

    async def ann(left, right):
        nonlocal open_now, most
        open_now += 1
        most = max(most, open_now)
        await asyncio.sleep(0)
        open_now -= 1
        return bigger(left, right)

    result = quick(["a", "b", "c"], {"ann": ann}, concurrency=5)
    assert result.order == ("c", "b", "a")
    assert most == 5


def test_sync_and_async_judges_together_also_inside_a_running_loop():
    async def bob(left, right):
        return bigger(left, right)

    async def notebook():
        return quick(["a", "b"], {"ann": bigger, "bob": bob})

    assert asyncio.run(notebook()).order == ("b", "a")


def test_an_async_judge_s_own_timeout_is_a_failure_like_any_other():
    async def busy(left, right):
        raise TimeoutError("upstream")

    result = quick(["a", "b"], {"busy": busy, "good": bigger})
    assert any("raised TimeoutError: upstream" in warning for warning in result.warnings)


def test_an_object_whose_call_is_async():
    class Model:
        async def __call__(self, left, right):
            return bigger(left, right)

    assert quick(["a", "b"], {"model": Model()}).order == ("b", "a")


# ---------------------------------------------------------------------- failures


def broken(left, right):
    raise ConnectionError("the model is away")


def silly(left, right):
    return "neither"


@pytest.mark.parametrize(("judge", "words"), [(broken, "ConnectionError: the model"), (silly, "neither of")])
def test_a_failing_judge_is_set_aside_and_the_rest_go_on(judge, words):
    result = quick(["a", "b", "c"], {"bad": judge, "good": bigger})
    assert result.order == ("c", "b", "a")
    assert any("bad was set aside" in warning and words in warning for warning in result.warnings)
    report = {report.name: report for report in result.judges}["bad"]
    assert not report.active and words in report.note
    assert [event.data["judge"] for event in result.events if event.kind == "judge_paused"] == ["bad"]
    assert fold(result.events).ranker.ranking.order == result.order


@pytest.mark.parametrize("judge", [broken, silly])
def test_when_all_have_failed_it_is_an_error_that_keeps_what_is_known(judge):
    with pytest.raises(JudgeFailed, match="Fix the judges") as caught:
        quick(["a", "b"], {"bad": judge})
    assert caught.value.ranking.questions == 8
    assert not caught.value.ranking.certified
    assert caught.value.__cause__ is not None


def test_a_list_of_judges_who_all_fail_has_no_majority():
    """Each was to be asked a pair once: with nobody left that would be over at once, and say nothing."""

    def broken(left, right):
        raise ValueError("no such model")

    with pytest.raises(JudgeFailed, match="no such model"):
        rank(["a", "b", "c"], {"x": broken, "y": broken}, seed=1)


def test_a_plain_function_that_gives_a_coroutine_is_told_what_to_do():
    async def model(left, right):
        return left

    with pytest.raises(JudgeFailed, match="async def"):
        quick(["a", "b"], {"model": lambda left, right: model(left, right)})


def test_judges_named_by_numbers_may_have_prices():
    assert quick(["a", "b"], {1: bigger}, prices={1: 0.5}, budget=4).cost == 2.0


def test_a_judge_who_fails_now_and_then_is_kept():
    calls = iter(range(10_000))

    def shaky(left, right):
        if next(calls) % 3 == 0:
            raise TimeoutError("busy")
        return bigger(left, right)

    result = quick(["a", "b", "c"], {"shaky": shaky})
    assert result.order == ("c", "b", "a")
    assert result.certified
    assert "shaky failed" in result.warnings[0] and "raised TimeoutError: busy" in result.warnings[0]


@pytest.mark.parametrize("asynchronous", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_hanging_judge_runs_into_the_time_limit(asynchronous):
    release = threading.Event()

    def hang(left, right):
        release.wait(30)

    async def hang_async(left, right):
        await asyncio.sleep(30)

    hung = hang_async if asynchronous else hang
    try:
        result = quick(["a", "b"], {"hung": hung, "good": bigger}, time_limit=0.05)
    finally:
        release.set()
    assert result.order == ("b", "a")
    assert any("hung was set aside: gave no answer within the time limit" in w for w in result.warnings)


@pytest.mark.parametrize("asynchronous", [False, True])
def test_ctrl_c_returns_what_is_there(asynchronous):
    calls = iter(range(10_000))

    def ann(left, right):
        if next(calls) == 40:
            signal.raise_signal(signal.SIGINT)
            time.sleep(0 if asynchronous else 5)
        return bigger(left, right)

    async def ann_async(left, right):
        await asyncio.sleep(0)
        return ann(left, right)

    judge = ann_async if asynchronous else ann
    result = quick(list("abcdefgh"), {"ann": judge}, error=0.01)
    assert not result.certified
    assert result.questions >= 40
    assert any(w.startswith("Stopped after") for w in result.warnings)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_in_a_notebook_returns_what_is_there_too():
    calls = iter(range(10_000))

    async def ann(left, right):
        await asyncio.sleep(0.001)
        if next(calls) == 40:
            signal.raise_signal(signal.SIGINT)
        return bigger(left, right)

    async def cell():
        return quick(list("abcdefgh"), {"ann": ann}, error=0.01)

    loop = asyncio.new_event_loop()  # as notebooks run theirs: Ctrl-C is a KeyboardInterrupt in the main thread
    try:
        result = loop.run_until_complete(cell())
    finally:
        loop.close()
    assert not result.certified
    assert any(w.startswith("Stopped after") for w in result.warnings)


@pytest.mark.parametrize("seed", range(4))
def test_progress_never_goes_backwards_while_the_resolution_falls(monkeypatch, seed):
    monkeypatch.setattr("juryrank.run.display.TICK", 0.0)
    rng, seen = random.Random(seed), []
    judge = {name: lambda left, right: (min if rng.random() < 0.75 else max)(left, right) for name in "pqr"}
    how = {"ranker": "jury", "objective": "order", "fresh": True, "error": 0.2}
    result = rank_with(list("abc"), judge, seed=seed, progress=seen.append, **how)
    settled = [now.settled for now in seen]
    assert settled == sorted(settled) and len(set(settled)) > 2
    assert not result.proven or seen[-1].settled == seen[-1].links


def test_budget_and_money_end_it_uncertified():
    assert quick(list("abcdef"), {"ann": bigger}, budget=7).questions == 7
    paid = quick(list("abcdef"), {"ann": bigger}, prices={"ann": 0.5}, money=4.0)
    assert (paid.questions, paid.cost, paid.certified) == (8, 4.0, False)
    assert any("budget was spent" in warning for warning in paid.warnings)


def test_a_cap_on_money_needs_prices():
    with pytest.raises(
        BadInput, match=r"judge 'ann' has no price, so a cap on money \(2\) could not hold.*--price ann="
    ):
        rank(list("abc"), {"ann": bigger}, money=2)
    assert rank(list("abc"), {"ann": bigger}, money=2, prices={"ann": 0}, seed=1).proven


# ---------------------------------------------------------------------- bad input


def test_one_thing_to_rank_is_done_at_once():
    result = quick(["a"], {"ann": bigger})
    assert (result.order, result.questions, result.certified) == (("a",), 0, True)


@pytest.mark.parametrize(
    ("items", "judges", "options", "words"),
    [
        (["a", "b", "a"], {"ann": bigger}, {}, "'a' is listed twice"),
        ([{"text": "no id"}], {"ann": bigger}, {}, "give it an id"),
        ("abc", {"ann": bigger}, {}, "give a list"),
        ([], {"ann": bigger}, {}, "there are no items, so there is nothing to rank; give"),
        (3, {"ann": bigger}, {}, "give a list"),
        (["a", "b"], {}, {}, "no judge"),
        (["a", "b"], [bigger], {}, "mapping"),
        (["a", "b"], {"ann": "not a function"}, {}, "cannot be called"),
        (["a", "b"], {1: bigger, "1": bigger}, {}, "must differ"),
        (["a", "b"], {"ann": bigger}, {"error": 0}, "strictly between"),
        (["a", "b"], {"ann": bigger}, {"error": 1.5}, "strictly between"),
        (["a", "b"], {"ann": bigger}, {"budget": -1}, "0 or more"),
        (["a", "b"], {"ann": bigger}, {"concurrency": 0}, "more than 0"),
        (["a", "b"], {"ann": bigger}, {"time_limit": -2}, "more than 0"),
        (["a", "b"], {"ann": bigger}, {"colour": "red"}, "no option 'colour'"),
        (["a", "b"], {"ann": bigger}, {"prices": {"bob": 1}}, "no price"),
    ],
)
def test_bad_input_is_refused_in_words(items, judges, options, words):
    with pytest.raises(BadInput, match=words):
        quick(items, judges, **options)


def test_unknown_ranker_names_those_there_are():
    with pytest.raises(UnknownName, match=r"there are: .*ada-iir"):
        rank(["a"], {"ann": bigger}, ranker="bubble")


def test_a_frame_has_one_row_an_item():
    frame = quick(["a", "b", "c"], {"ann": bigger}).to_frame()
    assert list(frame["item"]) == ["c", "b", "a"] and list(frame["rank"]) == [1, 2, 3]


def test_progress_is_reported_and_a_plain_line_goes_to_standard_error(capsys):
    seen = []
    quick(["a", "b", "c"], {"ann": bigger}, progress=seen.append)
    assert seen[-1].placed == 3
    quick(["a", "b"], {"ann": bigger}, progress=True)
    captured = capsys.readouterr()
    assert "placed 2/2" in captured.err and captured.out == ""
