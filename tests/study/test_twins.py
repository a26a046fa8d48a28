"""Names that nobody can tell apart."""

import warnings

import pytest

from juryrank.errors import BadInput
from juryrank.storage import MemoryStorage
from juryrank.study import create_study
from juryrank.study.archive import import_votes
from juryrank.study.members import LookalikeNames, check_names
from juryrank.votes import read_votes

ONE, TWO = "caf\u00e9", "cafe\u0301"  # the same word, coded in two ways


def made(items="ab", judges=("ann",)):
    return create_study(items, name="s", judges=judges, ranker="certified", storage=MemoryStorage(), seed=1)


def test_the_same_letters_coded_in_two_ways_are_refused_everywhere():
    with pytest.raises(BadInput, match="item 'café' is listed twice"):
        made([ONE, TWO, "tea"])
    with pytest.raises(BadInput, match="judge 'café' is listed twice"):
        made(judges=[ONE, TWO])
    study = made([ONE, "tea"], judges=[ONE])
    with pytest.raises(BadInput, match="listed twice"):
        study.add_items([TWO])
    with pytest.raises(BadInput, match="listed twice"):
        study.add_judge(TWO)
    assert study.items == [ONE, "tea"] and study.judges == [ONE]
    votes = read_votes(f"judge,left,right,winner\nann,{ONE},x,x\nann,{TWO},x,x\n".encode()).checked()
    with pytest.raises(BadInput, match="listed twice"):
        import_votes(votes, name="s", storage=MemoryStorage())


@pytest.mark.parametrize(
    "pair", [("pay", "\u0440ay"), ("pay", "p\u200bay"), ("A", "\u0391"), ("a b", "a\u00a0b"), ("ﬁne", "fine")]
)
def test_lookalikes_are_warned_of_and_kept(pair):
    with pytest.warns(LookalikeNames, match="look alike"):
        assert made(pair).items == list(pair)


@pytest.mark.parametrize(
    "names", [("a", "b"), ("é", "e"), ("कि", "कु"), ("名", "前"), ("ab", "Ab"), ("x" * 10_000 + "é", "y")]
)
def test_other_names_pass_in_silence(names):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_names(names, what="item")


def test_an_old_study_with_twins_takes_new_items():
    check_names(["tea"], known=[ONE, TWO], what="item")
