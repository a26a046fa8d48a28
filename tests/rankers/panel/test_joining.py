"""The panel ranker: items that join."""

from __future__ import annotations

import pytest

from juryrank.errors import CannotJoin
from juryrank.rankers.panel.ranker import Panel
from tests.rankers.panel.crowds import crowd, sit


def test_items_join_with_the_next_epochs_level_and_nothing_settled_is_lost():
    panel = crowd(Panel(["a", "b", "c"], error=0.1), 40)
    assert panel.done
    level = panel.ranking.details.level
    panel.add_items(["d"])
    assert not panel.done and panel.ranking.details.settled_count == 3
    assert panel.ranking.details.level < level / 10
    for person in range(100, 160):
        sit(panel, person)
    assert panel.done and panel.ranking.order == ("a", "b", "c", "d")
    fixed = Panel(["a", "b"], joining=False)
    with pytest.raises(CannotJoin, match="joining=False"):
        fixed.add_items(["c"])
    assert fixed.items == ["a", "b"]


@pytest.mark.parametrize("options", [{"objective": "tiers"}, {"relation": "field-share"}])
def test_joining_works_for_every_way_of_counting(options):
    panel = crowd(Panel(["a", "b", "c"], error=0.2, **options), 30)
    panel.add_items(["d"])
    for person in range(100, 180):
        sit(panel, person)
    assert panel.ranking.order == ("a", "b", "c", "d")
