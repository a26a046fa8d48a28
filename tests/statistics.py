"""The exact binomial bounds (Clopper-Pearson) behind every promise that is tested by simulation."""

from __future__ import annotations

from scipy.special import betaincinv

CONFIDENCE = 0.99


def lower_bound(failures: int, runs: int, confidence: float = CONFIDENCE) -> float:
    """The least failure rate under which so many failures are not yet a surprise."""
    return float(betaincinv(failures, runs - failures + 1, 1 - confidence)) if failures else 0.0


def upper_bound(failures: int, runs: int, confidence: float = CONFIDENCE) -> float:
    """The largest failure rate under which so few failures are not yet a surprise."""
    return float(betaincinv(failures + 1, runs - failures, confidence)) if failures < runs else 1.0


def surely_above(failures: int, runs: int, allowed: float) -> bool:
    """Is the failure rate above `allowed` beyond doubt?"""
    return lower_bound(failures, runs) > allowed


def surely_below(failures: int, runs: int, level: float) -> bool:
    """Is the failure rate below `level` beyond doubt?"""
    return upper_bound(failures, runs) < level
