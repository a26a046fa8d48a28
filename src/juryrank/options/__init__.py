"""One table of options: each ranker's own, declared once with default, bounds and help.

table   the tool: `option`, `RankerOptions`        shared   what every ranker takes: δ
certified, panel, jury, paper, guess   the rankers' own

Flags, REST fields, the form, `plan`, `simulate` and the page of docs are made of these declarations.
"""

from __future__ import annotations

from juryrank.options.shared import DEFAULT_ERROR
from juryrank.options.table import NoOptions, Option, RankerOptions, option

__all__ = ["DEFAULT_ERROR", "NoOptions", "Option", "RankerOptions", "option"]
