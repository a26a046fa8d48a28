"""`juryrank.rank(storage=...)` keeps a ranking and goes on, as the command does."""

import os

import pytest

import juryrank
from juryrank.errors import BadInput
from juryrank.verify import verify
from tests.ranking import rank_with

ITEMS = ["apple", "bean", "corn", "date"]


class Asked(list):
    """Judges that remember what they were asked, and stop after `most` calls."""

    def judges(self, most=10**6):
        def better(left, right):
            if len(self) >= most:
                raise KeyboardInterrupt
            self.append((left, right))
            return min(left, right)

        return {"ann": better, "bob": better}


@pytest.fixture
def storage(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return f"sqlite:///{tmp_path / 'x.db'}"


def test_without_a_storage_nothing_is_written(storage, tmp_path):
    juryrank.rank(ITEMS, Asked().judges())
    assert os.listdir(tmp_path) == []
    with pytest.raises(BadInput, match="storage='sqlite"):
        juryrank.rank(ITEMS, Asked().judges(), study="mine")


@pytest.mark.parametrize("options", [{}, {"fresh": True, "ranker": "certified"}])
def test_a_stopped_ranking_goes_on_and_ends_as_if_it_had_not_been_stopped(storage, options):
    whole, asked = Asked(), Asked()
    undisturbed = rank_with(ITEMS, whole.judges(), seed=5, storage=storage, study="whole", **options)
    stopped = rank_with(ITEMS, asked.judges(most=4), seed=5, storage=storage, **options)
    assert not stopped.proven and len(asked) == 4
    last = rank_with(ITEMS, asked.judges(), seed=5, storage=storage, **options)
    assert (last.order, last.statement, last.proven) == (undisturbed.order, undisturbed.statement, True)
    assert asked == whole and verify(last.certificate()).true
    again = rank_with(ITEMS, asked.judges(), seed=5, storage=storage, **options)
    assert again.order == last.order and asked == whole


def test_items_come_and_go_and_studies_have_names(storage):
    asked = Asked()
    juryrank.rank(ITEMS, asked.judges(), storage=storage, goal="ranges")
    changed = juryrank.rank([*ITEMS[1:], "egg"], asked.judges(), storage=storage, goal="ranges")
    assert sorted(changed.order) == ["bean", "corn", "date", "egg"]
    assert len(asked) == 2 * (6 + 3)  # two judges, each about each pair once
    juryrank.rank(ITEMS, asked.judges(), storage=storage, goal="ranges", study="mine")
    assert len(asked) == 2 * (6 + 3 + 6)
    names = [row.name for row in juryrank.list_studies(storage=storage)]
    assert names == ["ranking", "ranking (2)", "mine"]


def test_a_changed_goal_is_refused_in_pythons_words(storage):
    asked = Asked()
    juryrank.rank(ITEMS, asked.judges(), storage=storage)
    with pytest.raises(BadInput, match=r"error was 0\.05 and is 0\.1.*again=True"):
        juryrank.rank(ITEMS, asked.judges(), storage=storage, error=0.1)
    called = len(asked)
    juryrank.rank(ITEMS, asked.judges(), storage=storage, error=0.1, again=True)
    assert len(asked) == 2 * called


def test_a_function_typed_in_is_known_by_its_code(storage):
    """A notebook has no file."""
    there = {"__name__": "nowhere"}
    exec("def judge(left, right): return min(left, right)\nsame = judge", there)
    juryrank.rank(ITEMS, {"ann": there["judge"]}, storage=storage)
    exec("\n\ndef judge(left, right): return min(left, right)", there)
    juryrank.rank(ITEMS, {"ann": there["judge"]}, storage=storage)
    exec("def judge(left, right): return max(left, right)", there)
    with pytest.raises(BadInput, match="judge 'ann' changed"):
        juryrank.rank(ITEMS, {"ann": there["judge"]}, storage=storage)


def test_a_ranking_that_began_anew_says_that_answers_were_known(storage):
    """A prompt is changed until it wins: each try has an error of its own, and the certificate shows it."""
    cases = [f"q{k}" for k in range(6)]
    outputs = {name: {case: f"{name} {case}" for case in cases} for name in ("a", "b", "c")}
    first = juryrank.rank(outputs, {"m": min}, storage=storage)
    changed = outputs | {"c": {case: f"better {case}" for case in cases}}
    second = juryrank.rank(changed, {"m": min}, storage=storage)
    known = [[note for note in verify(one.certificate()).notes if "known from an earlier" in note]
             for one in (first, second)]  # fmt: skip
    assert known[0] == [] and len(known[1]) == 1
