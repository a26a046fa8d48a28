"""A gate in your own tests. pytest finds this by itself; it does nothing unless a test asks for `jury_gate`.

def test_the_new_prompt_is_at_least_as_good(jury_gate):
    jury_gate({"new": new_outputs, "old": old_outputs}, {"m": my_judge}, "new over old", budget=400)
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
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
    from juryrank.errors import JudgeFailed, JuryrankError
    from juryrank.report.gate import GateOutcome, outcome_of, summary
    from juryrank.run.rank import IN_PYTHON, rank

    misuse, problem, found = _unknown(options, rank), "", None
    try:
        found = None if misuse else rank(outputs, judges, goal=claim, **options)
    except JudgeFailed as failed:
        found, problem = failed.ranking, str(failed).removesuffix(IN_PYTHON)
    except JuryrankError as refused:
        misuse = str(refused)
    if misuse or found is None:
        pytest.fail(misuse or problem, pytrace=False)
    if outcome_of(found, problem) is not GateOutcome.PROVEN:
        pytest.fail(summary(found, problem=problem), pytrace=False)
    return found


def _unknown(options: Mapping[str, Any], rank: Callable[..., Any]) -> str:
    """In one line, the first option that `rank` does not take; empty: it takes them all."""
    known = [name for name in inspect.signature(rank).parameters if name not in ("items", "judges", "goal")]
    for name in options:
        if name not in known:
            meant = difflib.get_close_matches(name, known, 1)
            return f"jury_gate has no option {name!r}" + (f"; did you mean {meant[0]!r}?" if meant else "")
    return ""
