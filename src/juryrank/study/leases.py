"""How long a question may be out."""

from __future__ import annotations

from typing import Any

from juryrank.errors import BadInput

DEFAULT_LEASE = 600.0  # seconds to answer one question
DEFAULT_SITTING = 3600.0  # seconds for a whole sitting, counted from its first question
THE_STUDYS_OWN: Any = object()  # "use the study's setting", where None means "no limit"


def check_lease(lease: float | None) -> None:
    """Raise unless it is a number of seconds, or None for no limit."""
    if lease is THE_STUDYS_OWN or lease is None:
        return
    if isinstance(lease, bool) or not isinstance(lease, int | float) or not 0 < lease < 1e9:
        raise BadInput(f"the lease is {lease!r}; it is a number of seconds above 0, or None for no limit")
