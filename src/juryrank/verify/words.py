"""Words and numbers of statements."""

from __future__ import annotations


def sure_of(error: float) -> str:
    """1 - δ as a percentage; where that would round to certainty, as a difference.

    >>> sure_of(0.1), sure_of(0.001), sure_of(1e-13)
    ('90 %', '99.9 %', '1 - 1e-13')
    """
    text = f"{100 * (1 - error):.10g}"
    return f"{text} %" if float(text) < 100 else f"1 - {error:g}"
