"""Votes out: CSV, Parquet, JSON Lines, raw events as JSON Lines, and the column sets of other tools."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any

from juryrank.errors import BadInput, need_extra
from juryrank.log import Event
from juryrank.votes.from_log import votes_of
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
