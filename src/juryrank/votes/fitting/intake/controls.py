"""Numbers to control for, such as length: how much more of them left had than right, in standard deviations.

A control is a column of differences (left minus right), two columns by side (`length_a`, `length_b`), or, for
`length`, two columns of texts. Its effect is free to bend: β d + γ tanh d, with tanh as in length-controlled win
rates (Dubois et al. 2024), where twenty pages more are no longer ten times two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from juryrank.errors import BadInput
from juryrank.votes.columns import Columns, plain
from juryrank.votes.fitting.arrays import Floats
from juryrank.votes.rows import Rows
from juryrank.votes.winners import number_in

SIDES = (("left", "right"), ("a", "b"), ("1", "2"), ("winner", "loser"), ("chosen", "rejected"))
LENGTH = "length"
TEXTS = ("response", "answer", "output", "completion", "generation", "text", "conversation")
OWN_LEAST = 0.001  # share of a control's variance that differs within a pair of items
OWN_PART_UP_TO = 3000  # items whose own part of a control is worked out


def columns_for(header: Sequence[str], found: Columns, name: str) -> tuple[str, ...]:
    """The column of differences, or the two by side, that a control means."""
    if name in header:
        return (name,)
    own = {plain(column): column for column in header if column not in found.of.values()}
    words = (plain(name), *(TEXTS if plain(name) == LENGTH else ()))
    for word in words:
        for sides in SIDES:
            for first, second in ((word + sides[0], word + sides[1]), (sides[0] + word, sides[1] + word)):
                if first in own and second in own:
                    return own[first], own[second]
    raise BadInput(
        f"--control {name}: the file has no column {name!r} (left minus right), and no two by side such as "
        f"{name}_a and {name}_b; its columns are {', '.join(map(repr, header[:20]))}"
    )


def differences(rows: Rows, name: str) -> Floats:
    """Left minus right, row by row; nan where a number is missing."""
    columns = columns_for(rows.table.header, rows.found, name)
    as_texts = len(columns) == 2 and plain(name) == LENGTH and not plain(columns[0]).count(LENGTH)
    values = [rows.table.columns[c].each(_length if as_texts else _number, float) for c in columns]
    found: Floats = values[0] if len(values) == 1 else values[0] - values[1]
    if np.isnan(found).all():
        raise BadInput(f"--control {name}: {' and '.join(map(repr, columns))} hold no numbers")
    return found


def _number(text: str) -> float:
    number = number_in(text)
    return np.nan if number is None else number


def _length(text: str) -> float:
    return float(len(text))


def checked(difference: Floats, left: Any, right: Any, *, items: int, name: str) -> tuple[Floats, float]:
    """The difference in standard deviations, and what one is; refused where nothing tells it from the items."""
    spread = float(np.sqrt(np.mean(difference**2)))
    if spread == 0:
        raise BadInput(f"--control {name}: the two sides never differ in it, so there is nothing to control for")
    if items <= OWN_PART_UP_TO and _own_share(difference, left, right, items) < OWN_LEAST:
        raise BadInput(
            f"--control {name}: each item always has the same {name} here, so nothing tells its effect from the "
            "items themselves; it takes a number per answer, not per item"
        )
    return difference / spread, spread


def _own_share(difference: Floats, left: Any, right: Any, items: int) -> float:
    """The share of the differences that is not explained by a number per item."""
    graph = np.diag(np.bincount(left, minlength=items) + np.bincount(right, minlength=items)).astype(float)
    np.subtract.at(graph, (left, right), 1.0)
    np.subtract.at(graph, (right, left), 1.0)
    pull = np.bincount(left, difference, items) - np.bincount(right, difference, items)
    number = np.linalg.lstsq(graph, pull, rcond=None)[0]
    rest = difference - (number[left] - number[right])
    return float(np.sum(rest**2) / np.sum(difference**2))


def bent(differences: Floats) -> Floats:
    """The columns that the model has of each control (votes by controls): itself, and its hyperbolic tangent."""
    return np.stack([differences, np.tanh(differences)], axis=-1).reshape(len(differences), -1)
