"""Cases of one kind: one or a few are played by default, the others by `make test-slow`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def quick(cases: Iterable[Any], *kept: Any) -> list[Any]:
    """The cases as parameters, slow unless they are among `kept` (nothing given: unless first)."""
    every = list(cases)
    default = kept or every[:1]
    return [case if case in default else _slow(case) for case in every]


def _slow(case: Any) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.slow)
