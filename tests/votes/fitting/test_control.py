"""`--control`, `--against` and the advice where nothing is known, played as a user would."""

import json

import numpy as np
import pytest
from benchmarks.control import TRUTH, errors_of, rows_with_length

import juryrank
from juryrank.errors import BadInput, BadVotes, UnknownName
from tests.commands import juryrank as command
from tests.votes import shapes


@pytest.mark.parametrize(("model", "seeds"), [("bt", range(10)), ("hbtl", range(10, 12))])
def test_where_length_drives_half_of_the_effect_the_rest_is_found(model, seeds):
    found = [
        juryrank.fit(rows_with_length(seed, 1.0, votes=1500), control="length", model=model) for seed in seeds
    ]
    off = np.concatenate([errors_of(fitted, TRUTH) for fitted in found])
    assert np.mean(np.abs(off) < 2) >= 0.9, "within two standard errors"
    assert np.sqrt(np.mean(off**2)) < 1.3
    for fitted in found:
        assert np.abs(errors_of(fitted.without, TRUTH)).max() > 4, "and without the control it is not"
    assert np.mean([row.low < row.deviation / 600 < row.high for f in found for row in f.controls]) >= 0.7


def test_where_length_does_nothing_nothing_changes():
    fitted = juryrank.fit(rows_with_length(2, 0.0), control="length")
    plain = {row.name: row.score for row in fitted.without.items}
    assert np.abs(errors_of(fitted, plain)).max() < 1
    assert fitted.controls[0].low < 0 < fitted.controls[0].high and "may be nothing" in fitted.controls[0].words


def test_the_table_shows_both_side_by_side(tmp_path):
    import pandas

    frame = pandas.DataFrame(rows_with_length(3, 1.0, votes=600))
    frame.to_csv(tmp_path / "votes.csv", index=False)
    done = command("fit", tmp_path / "votes.csv", "--control", "length", "--no-reliability")
    assert done.returncode == 0 and "without" in done.stdout and "control length:" in done.stdout
    assert max(map(len, done.stdout.split("Estimate")[1].splitlines())) <= 80
    found = json.loads(
        command("fit", tmp_path / "votes.csv", "--control", "length", "--no-reliability", "--json").stdout
    )
    assert found["controls"][0]["name"] == "length" and len(found["without_controls"]) == 5
    one = frame.assign(longer=frame.length_a - frame.length_b).drop(columns=["length_a", "length_b"])
    texts = frame.assign(
        response_a=["w" * n for n in frame.length_a], response_b=["w" * n for n in frame.length_b]
    )
    texts = texts.drop(columns=["length_a", "length_b"])
    both = juryrank.fit(frame, control="length").items
    assert [juryrank.fit(one, control="longer").items, juryrank.fit(texts, control="length").items] == [both, both]
    shown = juryrank.fit(one, control="longer")
    assert "without control" in shown._repr_html_() and "score_without_control" in shown.to_frame().columns


def test_lengths_come_with_files_of_other_programs():
    rows = json.loads(shapes.alpaca_annotations("new"))
    longer = [row | {"output_2": row["output_2"] + "w" * (7 * k % 40)} for k, row in enumerate(rows)]
    assert juryrank.fit(json.dumps(longer).encode(), control="length").controls[0].deviation > 20


def test_what_cannot_be_controlled_is_refused():
    rows = rows_with_length(4, 0.0, votes=60)
    for change, said in [
        (lambda row: {"length_a": len(row["left"]) + int(row["left"][1]), "length_b": 2 + int(row["right"][1])},
         "each item always has the same length"),
        (lambda row: {"length_b": row["length_a"]}, "never differ"),
        (lambda row: {"length_a": "long"}, "hold no numbers"),
    ]:  # fmt: skip
        with pytest.raises(BadInput, match=said):
            juryrank.fit([row | change(row) for row in rows], control="length")
    with pytest.raises(BadInput, match=r"no column 'style'.*'length_a'"):
        juryrank.fit(rows, control="style")
    gone = juryrank.fit(
        [{**row, "length_a": ""} if k < 5 else row for k, row in enumerate(rows)], control="length"
    )
    assert "left out: 5 votes without a number for length" in gone.estimate.ballots.left_out


# ---------------------------------------------------------------------------- judges against people
def said(judge, share, rng, cases=60):
    truth = {(a, b, c): rng.random() < 0.5 for a, b in (("x", "y"), ("y", "z")) for c in range(cases)}
    return [
        (judge, a, b, a if first == (rng.random() < share) else b, f"q{c}") for (a, b, c), first in truth.items()
    ]


def table(rows):
    return "judge,left,right,winner,case\n" + "".join(",".join(row) + "\n" for row in rows)


def test_judges_against_people(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    people = [row for k in range(3) for row in said(f"p{k}", 0.85, np.random.default_rng(7))]
    models = said("good", 0.9, np.random.default_rng(7)) + said("coin", 0.5, np.random.default_rng(8))
    (tmp_path / "people.csv").write_text(table(people))
    (tmp_path / "models.csv").write_text(table(models))
    done = command("fit", "models.csv", "--against", "people.csv", "--no-reliability")
    assert done.returncode == 0 and "among themselves" in done.stdout and "kappa" in done.stdout
    assert max(map(len, done.stdout.split("Agreement")[1].splitlines())) <= 80
    found = juryrank.fit(tmp_path / "models.csv").against(tmp_path / "people.csv")
    good, coin = found.judges
    assert good.in_common == 120 and good.low <= good.agreement <= good.high
    assert good.kappa == pytest.approx(2 * good.agreement - 1) and coin.low < 0.5 < coin.high
    assert found.apart[0].judge == "coin" and found.apart[0].cases


def test_one_judge_is_the_reference_and_nobody_is_compared_with_themselves():
    rows = [dict(zip(("judge", "left", "right", "winner", "case"), row, strict=True))
            for judge in ("a", "b") for row in said(judge, 0.9, np.random.default_rng(5))]  # fmt: skip
    fitted = juryrank.fit(rows)
    assert [row.judge for row in fitted.against("a").judges] == ["b"]
    same = {row.judge: row.agreement for row in fitted.against(rows).judges}
    assert set(same) == {"a", "b"} and same["a"] == fitted.against("b").judges[0].agreement
    with pytest.raises(UnknownName, match="no judge and no file 'c'; the judges are 'a', 'b'"):
        fitted.against("c")
    with pytest.raises(BadVotes, match="nothing in common"):
        fitted.against([("p", "u", "v", "u")])


# ---------------------------------------------------------------------------- nothing is known
def test_where_every_rank_is_open_it_says_why_and_what_to_try():
    rng = np.random.default_rng(1)
    pairs = (("x", "y"), ("y", "z"), ("z", "x"), ("x", "w"))
    rows = [(f"j{k}", a, b, str(rng.choice([a, b]))) for k in range(6) for a, b in pairs]
    (check,) = [check for check in juryrank.fit(rows).checks if check.name == "ranks"]
    assert not check.ok and "times as many judges would tell the two apart" in check.words
    assert "--compare says whether --model bt" in check.words
    clear = [(f"j{k}", "x", "y", "x" if k % 10 else "y") for k in range(60)]
    assert not any(check.name == "ranks" for check in juryrank.fit(clear).checks)


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setattr("juryrank.votes.fitting.judges.has_krippendorff", lambda: False)
    words = juryrank.fit([("ann", "x", "y", "x"), ("bob", "y", "x", "y")]).reliability.words
    named = [line for line in words if "alpha: needs the package krippendorff: pip install " in line]
    assert len(named) == 1 and named[0].endswith("[fit]'")
