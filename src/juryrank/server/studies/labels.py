"""What items are called outside the owner's pages: names that are for the owner alone become numbers."""

from __future__ import annotations

import random
from collections.abc import Sequence

from juryrank.server.studies.setup import Setup
from juryrank.study import Study


def labels_of(study: Study, setup: Setup) -> dict[str, str]:
    """Every item of a study with what judges and the public may call it."""
    return labels_for(study.items, setup, first=len(study.created["items"]))


def labels_for(items: Sequence[str], setup: Setup, *, first: int) -> dict[str, str]:
    """The same for a list of which the first so many were there from the start.

    Numbers stay as items join. Those of the first list are shuffled: it is often in the order of the alphabet.

    >>> labels_for(["tea", "milk"], Setup(), first=2)
    {'tea': 'tea', 'milk': 'milk'}
    """
    begun = list(items[:first])
    random.Random(setup.numbering).shuffle(begun)
    shown = {item for item in items if not setup.hides(item)}
    numbers = {item: place for place, item in enumerate([*begun, *items[first:]], start=1)}
    labels = {item: item if item in shown else f"Item {numbers[item]}" for item in items}
    return {item: _unlike(label, shown) if item not in shown else label for item, label in labels.items()}


def hidden_labels(study: Study, setup: Setup) -> dict[str, str]:
    """Only those items whose names are hidden; empty: none is."""
    return {item: label for item, label in labels_of(study, setup).items() if setup.hides(item)}


def _unlike(label: str, names: set[str]) -> str:
    """A label that is nobody's name."""
    while label in names:
        label += "*"
    return label
