"""A gate in your own tests. pytest finds this by itself; it does nothing unless a test asks for `jury_gate`.

def test_the_new_prompt_is_at_least_as_good(jury_gate):
    jury_gate({"new": new_outputs, "old": old_outputs}, {"m": my_judge}, "new over old", budget=400)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from juryrank.types import Ranking


@pytest.fixture
def jury_gate() -> Callable[..., Ranking]:
    """A function that takes outputs, judges and a claim, and fails the test unless the claim is proven."""
    return assert_claim


def assert_claim(outputs: Any, judges: Any, claim: Any, **options: Any) -> Ranking:
    """The ranking, if it proves the claim ("new over old", or a list of claims); `options` are those of `rank`."""
    __tracebackhide__ = True
    from juryrank.errors import JudgeFailed
    from juryrank.report.gate import GateOutcome, outcome_of, summary
    from juryrank.run.rank import IN_PYTHON, rank

    problem = ""
    try:
        found = rank(outputs, judges, goal=claim, **options)
    except JudgeFailed as failed:
        found, problem = failed.ranking, str(failed).removesuffix(IN_PYTHON)
    if outcome_of(found, problem) is not GateOutcome.PROVEN:
        pytest.fail(summary(found, problem=problem), pytrace=False)
    return found
