"""One line per algorithm: its name and where it lives. The shared examination finds it here."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

from juryrank.errors import UnknownName
from juryrank.rankers.contract.ranker import Ranker
from juryrank.types import Item, Judge

RANKERS: dict[str, str] = {
    "iir": "juryrank.rankers.paper.insertion:IIR",
    "ada-iir": "juryrank.rankers.paper.insertion:AdaIIR",
    "oracle": "juryrank.rankers.paper.oracle:Oracle",
    "two-stage": "juryrank.rankers.paper.two_stage:TwoStage",
    "subset-two-stage": "juryrank.rankers.paper.two_stage:SubsetTwoStage",
    "panel": "juryrank.rankers.panel.ranker:Panel",
    "certified": "juryrank.rankers.certified.ranker:Certified",
    "guess": "juryrank.rankers.guess.ranker:Guess",
    "jury": "juryrank.rankers.jury.ranker:Jury",
}


def ranker_names() -> tuple[str, ...]:
    """All registered rankers.

    >>> "ada-iir" in ranker_names()
    True
    """
    return tuple(RANKERS)


def ranker_class(name: str) -> type[Ranker]:
    """The class behind a registry name."""
    if name not in RANKERS:
        raise UnknownName(f"there is no ranker {name!r}; there are: {', '.join(RANKERS)}")
    module, _, attribute = RANKERS[name].partition(":")
    found: type[Ranker] = getattr(importlib.import_module(module), attribute)
    return found


def make_ranker(name: str, items: Iterable[Item], *, judges: Iterable[Judge], **options: Any) -> Ranker:
    """A ranker by its registry name.

    >>> ranker = make_ranker("iir", ["a", "b", "c"], judges=["ann", "bob"], error=0.1, seed=1)
    >>> question = ranker.ask()
    >>> sorted([question.left, question.right])
    ['a', 'b']
    """
    return ranker_class(name)(items, judges=judges, **options)
