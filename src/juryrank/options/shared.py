"""What every ranker takes."""

from __future__ import annotations

from typing import Final

DEFAULT_ERROR: Final = 0.05  # δ: the accepted chance that what is promised is wrong
