"""The shape of a result: what other programs read from it."""

import csv
import io
import json
from dataclasses import replace

import pytest

from juryrank.log import post_hoc
from juryrank.run.items import Catalogue
from juryrank.types import ROW_COLUMNS, Estimates, ItemEstimate, Link, Ranking, Source


def guess(item, place):
    return ItemEstimate(
        item, 1.0 - place, 0.5 - place, 1.5 - place, place, 1, 3, 0.5, 0.9, 0.7, True, Source.MODEL
    )


RESULT = Ranking(
    order=("a", "c", "b"),
    certified=False,
    error=0.1,
    questions=4,
    ranker="certified",
    links=(Link("a", "b", True),),
    ranges=((1, 2), (1, 3), (2, 3)),
    estimates=Estimates((guess("a", 1), guess("c", 2), guess("b", 3)), k=2, answers=4, note="a guess"),
)


def test_certified_is_proven_and_an_edit_takes_both():
    whole = Ranking(("a",), certified=True, error=0.1, questions=0, ranker="certified")
    assert whole.proven and not RESULT.proven
    edited = post_hoc(replace(RESULT, proven=True), ["left somebody out"])
    assert not edited.proven and edited.estimates == RESULT.estimates


def test_a_link_across_a_newcomer_is_not_a_link_to_the_next_item():
    assert [row["settled_above_next"] for row in RESULT.rows()] == [None, None, None]
    straight = replace(RESULT, order=("a", "b", "c"))
    assert [row["settled_above_next"] for row in straight.rows()] == [True, None, None]


def test_dict_json_frame_and_csv_carry_the_estimates():
    pandas = pytest.importorskip("pandas")
    assert json.loads(RESULT.to_json())["estimates"]["items"][1]["source"] == "model"
    frame = RESULT.to_frame()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == list(ROW_COLUMNS)
    rows = list(csv.DictReader(io.StringIO(RESULT.to_csv())))
    assert [row["estimated_rank"] for row in rows] == ["1", "2", "3"]
    assert rows[0]["best_rank"] == "1" and rows[0]["top_k"] == "2" and rows[0]["estimate_level"] == "0.9"


def test_estimates_are_found_by_item_and_speak_of_the_callers_items():
    assert RESULT.estimates["c"].rank == 2
    with pytest.raises(KeyError):
        RESULT.estimates["z"]
    catalogue = Catalogue([1, 2])
    named = replace(RESULT, order=("1", "2"), estimates=Estimates((guess("1", 1), guess("2", 2))))
    assert catalogue.back(named).estimates[2].rank == 2
