"""What a panel was made for: its objective, whom it is about, how items are compared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from juryrank.statements.numbers import top_name
from juryrank.verify.report import Check
from juryrank.verify.terms import is_whole, unknown

RANGES, TIERS, TOP, ORDER = "ranges", "tiers", "top-k", "order"
DEFAULT_SITTING = 10
KNOWN = ("objective", "k", "about", "relation", "sitting", "joining", "beyond", "spread")


@dataclass(frozen=True, slots=True)
class PanelOptions:
    """The options of a panel, read for the checker."""

    objective: str
    k: int | None
    about: str
    relation: str
    sitting: int
    joining: bool
    beyond: int = 0

    @property
    def scores(self) -> bool:
        return self.relation == "field-share"


def options_of(settings: Mapping[str, Any], *, items: int, judges: int) -> tuple[PanelOptions, Check]:
    """The options, and whether they are ones that the ranker has and that go together."""
    given = settings.get("options") or {}
    objective, k = _objective(given.get("objective", RANGES), given.get("k"))
    options = PanelOptions(
        objective,
        k,
        given.get("about", "population"),
        given.get("relation", "head-to-head"),
        given.get("sitting", DEFAULT_SITTING),
        given.get("joining", True),
        given.get("beyond", 0),
    )
    if not isinstance(given.get("spread", False), bool):
        given = {**given, "spread?": None}  # refused below, as an option that there is not
    fault = unknown(given, KNOWN) or _fault(options, items, judges)
    words = f"objective {name_of(objective, k)}, {options.relation}"
    return options, Check("options", not fault, fault or words)


def _objective(text: Any, k: Any) -> tuple[str, int | None]:
    """ "best" is top-1, "top-3" is top-k with k = 3; what is none becomes the empty text.

    Other objectives need no k; one that is no number of items is refused with any of them, as the ranker does.

    >>> _objective("ranges", 3), _objective("ranges", "3"), _objective("best", 1.0)
    (('ranges', None), ('', None), ('', None))
    """
    if k is not None and not is_whole(k, least=1):
        return ("", None)
    word = text.strip().lower() if isinstance(text, str) else ""
    numbered = re.fullmatch(r"top[- ]?([0-9]{1,9})", word)
    if numbered or word == "best":
        found = int(numbered[1]) if numbered else 1
        return (TOP, found) if k in (None, found) else ("", None)
    if word == TOP:
        return (TOP, k) if k is not None else ("", None)
    return (word, None) if word in (RANGES, TIERS, ORDER) else ("", None)


def _fault(options: PanelOptions, items: int, judges: int) -> str:
    fine = (
        options.objective
        and options.about in ("population", "panel")
        and options.relation in ("head-to-head", "field-share")
        and is_whole(options.sitting, least=1)
        and isinstance(options.joining, bool)
        and is_whole(options.beyond)
    )
    if not fine:
        return "the study was made with options that this ranker does not have"
    if options.about == "panel" and not judges:
        return "the majority of nobody proves nothing: there is no judge"
    if options.objective == ORDER and options.about != "panel":
        return "an order is counted for a fixed list of judges; for people there is none"
    if options.scores and options.about == "panel":
        return "field-share goes with a population only"
    if options.k is not None and not 1 <= options.k < max(items, 2):
        return f"top-{options.k} of {items} items is nothing to prove"
    return ""


def name_of(objective: str, k: int | None) -> str:
    """As people write it.

    >>> name_of(TOP, 1), name_of(TOP, 3), name_of(RANGES, None)
    ('best', 'top-3', 'ranges')
    """
    if objective != TOP:
        return objective
    return top_name(k)
