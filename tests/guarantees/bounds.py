"""The bound behind every promise tested by simulation."""

from scipy.stats import beta

CONFIDENCE = 0.99


def failure_rate_at_least(failures, runs):
    """The 99 % lower confidence bound (Clopper-Pearson) of a failure rate: above δ, the promise is broken."""
    return float(beta.ppf(1 - CONFIDENCE, failures, runs - failures + 1)) if failures else 0.0
