"""The checker's evidence is never more than fractions give, and never too little for an honest ranker."""

import numpy as np
import pytest

from juryrank.core.certified.prove.choose import write_prior
from juryrank.core.certified.prove.evidence import BETA, GRID_SIZE, PRIOR_SIZE
from juryrank.core.gears import plain_gear
from juryrank.rankers.certified.ranker import Certified
from juryrank.verify.evidence import SHAPES


def posteriors(rng):
    """What may be known of a judge: everything between one accuracy and two far apart."""
    for low in range(GRID_SIZE):
        for high in range(low, GRID_SIZE):
            for share in (0.5, 1e-3, 0.999, 0.9995, 0.9998, float(rng.random())):
                known = np.zeros(GRID_SIZE)
                known[low] += 1 - share
                known[high] += share
                yield known
    for spread in (0.1, 1.0, 10.0):
        yield from rng.dirichlet([spread] * GRID_SIZE, size=40)


def test_shapes_that_a_ranker_writes_are_in_the_range_that_the_checker_allows():
    with plain_gear():
        machine = Certified("abc", judges=["ann"], assume="steady")._machine
        shapes = []
        for known in posteriors(np.random.default_rng(3)):
            machine.jury.posterior[0] = known
            prior = np.zeros(PRIOR_SIZE)
            write_prior(machine, 0, prior)
            shapes += prior[BETA + 1 :].tolist()
    assert SHAPES[0] * 5 < min(shapes) and max(shapes) < SHAPES[1] / 2
    assert min(shapes) == pytest.approx(7e-4, rel=0.1) and max(shapes) == pytest.approx(3.6e5, rel=0.05)
