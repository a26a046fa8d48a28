"""Shared by the simulation's tests: the paper's world in small."""

import pytest

from juryrank.simulation import two_groups


@pytest.fixture
def mixed():
    """Nine judges, three of them good: elimination happens in the middle of a run."""
    return two_groups(9, gamma_a=0.5, gamma_b=1.0)
