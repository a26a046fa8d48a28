"""Votes out: CSV, Parquet, JSON Lines, raw events as JSON Lines, and the column sets of other tools."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from juryrank.errors import BadInput, need_extra
from juryrank.log import Event
from juryrank.types import Ranking
from juryrank.votes.logs import votes_of
from juryrank.votes.vote import COLUMNS, Outcome, Vote

FORMATS = ("csv", "parquet", "votes-jsonl", "jsonl", "crowd-kit", "lmarena", "evalica")
BINARY_FORMATS = ("parquet",)
LMARENA_WINNER = {Outcome.LEFT: "model_a", Outcome.RIGHT: "model_b", Outcome.TIE: "tie"}


def export_votes(events: Iterable[Event], *, format: str = "csv", study: str = "") -> bytes:
    """A study's log in one of `FORMATS`, as the bytes of a file (UTF-8 where it is text).

    >>> from juryrank import rank
    >>> result = rank(["a", "b"], {"ann": min}, seed=1)
    >>> export_votes(result.events, format="crowd-kit").decode().splitlines()[0]
    'worker,left,right,label'
    """
    log = list(events)
    if format == "jsonl":
        return events_jsonl(log).encode()
    return write_votes(votes_of(log, study=study), format=format)


def write_votes(votes: Sequence[Vote], *, format: str = "csv") -> bytes:
    """Votes as the bytes of a file.

    >>> vote = Vote(1, judge="ann", left="a", right="b", winner="b", outcome=Outcome.RIGHT)
    >>> write_votes([vote], format="crowd-kit").decode().splitlines()
    ['worker,left,right,label', 'ann,a,b,b']
    """
    if format == "parquet":
        return votes_parquet(votes)
    if format not in _TEXT:
        raise BadInput(f"there is no vote format {format!r}; there are: {', '.join(FORMATS)}")
    return _TEXT[format](votes).encode()


def votes_csv(votes: Iterable[Vote]) -> str:
    """Every column of every vote, non-votes included."""
    return _csv(COLUMNS, ([_cell(value) for value in _values(vote)] for vote in votes))


def votes_jsonl(votes: Iterable[Vote]) -> str:
    """The same as the CSV, one JSON object per line; what is not known is null."""
    rows = (dict(zip(COLUMNS, _values(vote), strict=True)) for vote in votes)
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def crowd_kit_csv(votes: Iterable[Vote]) -> str:
    """crowd-kit's pairwise comparisons; it knows no ties, so these are left out."""
    rows = ((v.judge, v.left, v.right, v.winner) for v in votes if v.counts and v.outcome is not Outcome.TIE)
    return _csv(("worker", "left", "right", "label"), rows)


def lmarena_csv(votes: Iterable[Vote]) -> str:
    """LMArena's battles."""
    rows = ((v.left, v.right, LMARENA_WINNER[v.outcome]) for v in votes if v.counts)
    return _csv(("model_a", "model_b", "winner"), rows)


def evalica_csv(votes: Iterable[Vote]) -> str:
    """What `evalica` reads: the winner is left, right or tie."""
    return _csv(("left", "right", "winner"), ((v.left, v.right, str(v.outcome)) for v in votes if v.counts))


_TEXT: dict[str, Callable[[Iterable[Vote]], str]] = {
    "csv": votes_csv,
    "votes-jsonl": votes_jsonl,
    "crowd-kit": crowd_kit_csv,
    "lmarena": lmarena_csv,
    "evalica": evalica_csv,
}


def left_out(votes: Iterable[Vote], *, format: str) -> str:
    """What a format cannot say, in words; empty where it says everything."""
    if format in ("csv", "parquet", "votes-jsonl", "jsonl"):
        return ""
    kinds = [vote.outcome for vote in votes if not vote.counts or (format, vote.outcome) == ("crowd-kit", "tie")]
    counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in Outcome if kind in kinds)
    return f"{format} has no word for these, so they were left out: {counts}" if counts else ""


def events_jsonl(events: Iterable[Event]) -> str:
    """The raw log, one JSON object per line; hashes included, so that it can be re-checked."""
    lines = (json.dumps(event_dict(event), ensure_ascii=False, separators=(",", ":")) for event in events)
    return "".join(f"{line}\n" for line in lines)


def event_dict(event: Event) -> dict[str, Any]:
    """An event as JSON values."""
    return {"seq": event.seq, "kind": event.kind, "data": dict(event.data), "at": event.at, "hash": event.hash}


def votes_parquet(votes: Sequence[Vote]) -> bytes:
    """A Parquet file with the same columns as the CSV, typed."""
    pyarrow = need_extra("pyarrow", extra="votes", what="a Parquet file")
    parquet = need_extra("pyarrow.parquet", extra="votes", what="a Parquet file")
    kinds = {"seq": pyarrow.int64(), "response_time": pyarrow.float64(), "cost": pyarrow.float64()}
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in COLUMNS])
    texts = {field.name for field in schema if field.type == pyarrow.string()}
    columns = zip(*map(_values, votes), strict=True) if votes else [()] * len(COLUMNS)
    named = zip(COLUMNS, columns, strict=True)
    plain = {name: [str(v) for v in values] if name in texts else list(values) for name, values in named}
    arrays = [pyarrow.array(plain[field.name], type=field.type) for field in schema]
    out = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_arrays(arrays, schema=schema), out)
    return out.getvalue()


def _csv(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    usual = csv.writer(out, lineterminator="\n")
    quoted = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    usual.writerow(header)
    for row in rows:
        # A lone carriage return is not quoted by itself, and would end the line for whoever reads it.
        (quoted if any("\r" in str(cell) for cell in row) else usual).writerow(row)
    return out.getvalue()


_values = attrgetter(*COLUMNS)  # not `asdict`, which copies everything and takes five times as long


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return f"{value:.12g}"
    return "" if value is None else str(value)


# ----------------------------------------------------------------------------
# Preference pairs for training (DPO): a prompt with a chosen and a rejected text, only where votes are clear.
#
# On cases a pair is one case and two outputs, and clear by a margin: what is proven about two systems holds over
# all cases, not on each. Without cases it is two items, and clear where it is proven, or by a margin.
LEADS = {Outcome.LEFT: 1.0, Outcome.RIGHT: -1.0, Outcome.TIE: 0.0}
PROMPTS = ("prompt", "input", "instruction", "question")  # columns of an item that hold it
TEXTS = ("text", "output", "answer", "response", "completion")


class PreferencePairs(NamedTuple):
    """The rows, and how many pairs were not clear enough, or had no common prompt."""

    rows: list[dict[str, Any]]
    unclear: int
    apart: int = 0

    def jsonl(self) -> bytes:
        """One JSON object per line."""
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows).encode()


def pairs_on_cases(votes: Iterable[Vote], kept: Mapping[str, Any], *, margin: float | None) -> PreferencePairs:
    """One row per case and two systems whose mean vote (from 1 to -1) is the margin or more.

    >>> vote = Vote(1, judge="m", left="new", right="old", winner="new", outcome=Outcome.LEFT, case="q")
    >>> kept = {"inputs": {"q": "2 + 2?"}, "outputs": {"new": {"q": "4"}, "old": {"q": "5"}}}
    >>> found = pairs_on_cases([vote], kept, margin=1.0).rows[0]
    >>> found["prompt"], found["chosen"], found["rejected"]
    ('2 + 2?', '4', '5')
    """
    if margin is None:
        raise BadInput(
            "what is proven about two systems holds over all cases, not on each: say by how much the votes on a "
            "case must agree, such as --margin 0.5 (three of four for the same output)"
        )
    checked_margin(margin)
    outputs = kept["outputs"]
    if outputs is None:
        raise BadInput("the systems of this study have no outputs, so there is nothing to choose between")
    rows, unclear = [], 0
    for (one, other, case), (lead, answers) in _balance(votes).items():
        better, worse = (one, other) if lead > 0 else (other, one)
        if abs(lead) < margin or outputs[better].get(case) == outputs[worse].get(case):
            unclear += 1
            continue
        row = {"prompt": kept["inputs"][case], "chosen": outputs[better][case], "rejected": outputs[worse][case]}
        more = {"margin": abs(lead), "answers": answers, "case": case}
        rows.append({**row, **more, "chosen_system": better, "rejected_system": worse})
    return PreferencePairs(rows, unclear)


def pairs_of_items(
    votes: Iterable[Vote],
    ranking: Ranking,
    contents: Mapping[str, Mapping[str, Any]],
    *,
    prompt: str | None,
    margin: float | None,
) -> PreferencePairs:
    """One row per two items of which one is proven to be better, or ahead by the margin."""
    clear = _proven(ranking) if margin is None else _ahead(votes, checked_margin(margin))
    rows, unclear, apart = [], 0, 0
    for better, worse, more in clear:
        if better is None:
            unclear += 1
            continue
        said = {_prompt(contents.get(name, {}), prompt) for name in (better, worse)}
        if None in said:
            raise BadInput(
                f"item {better!r} has no prompt (a column {' or '.join(PROMPTS)}): give one for all with --prompt"
            )
        if len(said) > 1:  # answers to different prompts are no pair
            apart += 1
            continue
        texts = {name: _text(name, contents) for name in (better, worse)}
        row = {"prompt": said.pop(), "chosen": texts[better], "rejected": texts[worse], **more}
        rows.append({**row, "chosen_item": better, "rejected_item": worse})
    return PreferencePairs(rows, unclear, apart)


def checked_margin(margin: float) -> float:
    """A margin between 0 and 1."""
    if not 0 < margin <= 1:
        raise BadInput(f"the margin is {margin}; it is above 0 (any lead) and at most 1 (all agree)")
    return margin


def _balance(votes: Iterable[Vote]) -> dict[tuple[str, str, str], tuple[float, int]]:
    """The mean vote about each two items on each case, and how many votes that is."""
    said: dict[tuple[str, str, str], list[float]] = {}
    for vote in votes:
        if vote.counts:
            lead = LEADS[vote.outcome] if vote.grade is None else vote.grade
            first, second = sorted((vote.left, vote.right))
            said.setdefault((first, second, vote.case), []).append(lead if vote.left == first else -lead)
    return {place: (sum(leads) / len(leads), len(leads)) for place, leads in said.items()}


Clear = tuple[str | None, str, dict[str, Any]]


def _ahead(votes: Iterable[Vote], margin: float) -> Iterable[Clear]:
    for (one, other, _), (lead, answers) in _balance(votes).items():
        better, worse = (one, other) if lead > 0 else (other, one)
        yield (better if abs(lead) >= margin else None), worse, {"margin": abs(lead), "answers": answers}


def _proven(ranking: Ranking) -> Iterable[Clear]:
    """Items whose promised ranks do not overlap."""
    if ranking.post_hoc or not ranking.ranges:
        raise BadInput("this study promises nothing, so no pair is proven: say how clear votes must be (--margin)")
    for k, better in enumerate(ranking.order):
        for m in range(k + 1, len(ranking.order)):
            apart = ranking.ranges[k][1] < ranking.ranges[m][0]
            yield (str(better) if apart else None), str(ranking.order[m]), {"proven": 1 - ranking.error}


def _prompt(content: Mapping[str, Any], given: str | None) -> str | None:
    return given if given is not None else next((str(content[c]) for c in PROMPTS if content.get(c)), None)


def _text(name: str, contents: Mapping[str, Mapping[str, Any]]) -> str:
    """What an item says: its column of text, or its name where it is nothing else."""
    content = contents.get(name, {})
    return next((str(content[column]) for column in TEXTS if content.get(column)), name)


# ----------------------------------------------------------------------------
# Tables for spreadsheets: no cell is a formula, whatever a stranger wrote as a name
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # how a cell begins that spreadsheets take for a formula


def table_text(rows: Iterable[Mapping[str, Any]], *, otherwise: Iterable[str] = ()) -> str:
    """Rows as CSV, in which no cell can act as a formula; `otherwise`: the columns where there are no rows.

    >>> table_text([{"participant": "p1", "Age?": "=1+1"}])
    "participant,Age?\\r\\np1,'=1+1\\r\\n"
    """
    rows, table = list(rows), io.StringIO(newline="")
    columns = list(dict.fromkeys(key for row in rows for key in row)) or list(otherwise)
    writer = csv.writer(table)
    writer.writerow(map(plain_cell, columns))
    for row in rows:
        cells = (row.get(column) for column in columns)
        writer.writerow([plain_cell("" if one is None else str(one)) for one in cells])
    return table.getvalue()


def without_formulas(table: bytes) -> bytes:
    """A CSV file in which no cell is a formula: a spreadsheet would run what a stranger wrote as a name.

    >>> without_formulas(b"item,share\\r\\n=HYPERLINK(1),-0.5\\r\\n")
    b"item,share\\r\\n'=HYPERLINK(1),-0.5\\r\\n"
    """
    rows = csv.reader(io.StringIO(table.decode(), newline=""))
    safe = io.StringIO(newline="")
    csv.writer(safe).writerows([plain_cell(cell) for cell in row] for row in rows)
    return safe.getvalue().encode()


def plain_cell(text: str) -> str:
    """A cell's text that a spreadsheet shows and does not compute.

    >>> plain_cell("@sum"), plain_cell("-1.5"), plain_cell("a-b")
    ("'@sum", '-1.5', 'a-b')
    """
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
