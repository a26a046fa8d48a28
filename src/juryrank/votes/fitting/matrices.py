"""Sparse matrices as plain arrays, so that small fits need no scipy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.votes.fitting.ballots import Floats

CLOSE = 4  # times as many places as there are numbers
BLOCK = 2_000_000  # of a block that is multiplied at a time


@dataclass(frozen=True, slots=True)
class Coordinates:
    """value[k] stands in row[k], column[k]; each place once, row by row."""

    row: NDArray[np.int32]
    column: NDArray[np.int32]
    value: Floats
    shape: tuple[int, int]

    def sparse(self) -> Any:
        """As scipy's compressed rows."""
        from scipy.sparse import csr_matrix

        start = np.searchsorted(self.row, np.arange(self.shape[0] + 1)).astype(np.int32)
        return csr_matrix((self.value, self.column, start), shape=self.shape)

    def dense(self) -> Floats:
        """As an ordinary array."""
        out = np.zeros(self.shape)
        out[self.row, self.column] = self.value
        return out

    def with_values(self, value: Floats) -> Coordinates:
        """Other values in the same places."""
        return Coordinates(self.row, self.column, value, self.shape)


def numbered(places: Any) -> tuple[Any, Any]:
    """The distinct numbers in order, and which one each is; counted off where they lie close together."""
    low = int(places.min()) if len(places) else 0
    span = int(places.max()) - low + 1 if len(places) else 0
    if span > CLOSE * len(places):
        return np.unique(places, return_inverse=True)
    used = np.zeros(span, dtype=bool)
    used[places - low] = True
    return np.flatnonzero(used) + low, (np.cumsum(used, dtype=np.int32) - 1)[places - low]


def gathered(row: Any, column: Any, values: Floats, shape: tuple[int, int]) -> list[Coordinates]:
    """Matrices with the same places: `values` has one line per matrix; what falls on one place adds up.

    >>> (m,) = gathered(np.array([1, 0, 1]), np.array([0, 1, 0]), np.array([[1.0, 2.0, 3.0]]), (2, 2))
    >>> m.dense().tolist()
    [[0.0, 2.0], [4.0, 0.0]]
    """
    flat, back = numbered(row.astype(np.int64) * shape[1] + column)
    rows, columns = (flat // shape[1]).astype(np.int32), (flat % shape[1]).astype(np.int32)
    return [Coordinates(rows, columns, np.bincount(back, line, len(flat)), shape) for line in values]


def line_by_line(row: Any, place: Any, values: Floats, shape: tuple[int, int]) -> list[Coordinates]:
    """The same where `place` and each of `values` are slots by rows, and no place of a row occurs twice."""
    rows, columns = np.repeat(row.astype(np.int32), len(place)), place.T.ravel().astype(np.int32)
    return [Coordinates(rows, columns, line.T.ravel(), shape) for line in values]


def stacked(parts: list[list[Coordinates]]) -> list[Coordinates]:
    """Matrices put together from pieces whose rows do not meet. Those of one piece have the same places, so the
    whole ones share theirs, too."""
    row, column = (np.concatenate([getattr(part[0], name) for part in parts]) for name in ("row", "column"))
    shape = parts[0][0].shape
    values = (np.concatenate([part[k].value for part in parts]) for k in range(len(parts[0])))
    return [Coordinates(row, column, value, shape) for value in values]


def product(a: Coordinates, b: Coordinates) -> Floats:
    """aᵀ b."""
    try:
        return np.asarray((a.sparse().T @ b.sparse()).toarray())
    except ImportError:
        return _by_blocks(a, b)


def _by_blocks(a: Coordinates, b: Coordinates) -> Floats:
    """The same with numpy alone, some rows at a time."""
    total = np.zeros((a.shape[1], b.shape[1]))
    step = max(BLOCK // a.shape[1], 1)
    for start in range(0, a.shape[0], step):
        total += _rows(a, start, step).T @ _rows(b, start, step)
    return total


def _rows(matrix: Coordinates, start: int, step: int) -> Floats:
    first, last = np.searchsorted(matrix.row, [start, start + step])
    part = slice(int(first), int(last))
    shape = (min(step, matrix.shape[0] - start), matrix.shape[1])
    return Coordinates(matrix.row[part] - np.int32(start), matrix.column[part], matrix.value[part], shape).dense()
