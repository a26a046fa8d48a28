"""The inverse of a symmetric positive definite matrix, without the threads of a linear algebra library."""

from __future__ import annotations

import numpy as np

from juryrank.rankers.jury.core.evidence import Floats

TILE = 64  # OpenBLAS starts threads for products above 64^3 and inverses from 100 on


def inverse(matrix: Floats) -> Floats:
    """Gauss-Jordan on tiles: threads that wait for each other take 40 times as long as the inverse of 100 items.

    >>> spread = np.eye(150) + 0.1
    >>> bool(np.allclose(inverse(spread) @ spread, np.eye(150)))
    True
    """
    n = len(matrix)
    if n <= TILE:
        return np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    count = -(-n // TILE)
    size = -(-n // count)
    whole = np.eye(count * size)
    whole[:n, :n] = matrix
    tiles = whole.reshape(count, size, count, size).swapaxes(1, 2).copy()
    for k in range(count):  # what is left is positive definite at each step: no pivots are needed
        own = np.linalg.inv(tiles[k, k])
        row, column = own @ tiles[k], tiles[:, k].copy()
        row[k], column[k] = own, 0.0
        tiles[:, k] = 0.0
        tiles[k] = 0.0
        tiles -= column[:, None] @ row
        tiles[k] = row
    return tiles.swapaxes(1, 2).reshape(count * size, -1)[:n, :n]
