"""What answers about pairs tell about those who gave them: a link for everybody, or one for each judge.

Each pair is judged by what the other pairs say about its gap and, for each judge, by what the others say about
the pair. How far apart its items are is not known, so all gaps are integrated over: forty answers that are split
evenly are those of a good judge about two equal items as well as those of a bad one.
"""

from __future__ import annotations

import numpy as np

from juryrank.rankers.guess.core.by_pair import FEW_NODES, FROM_CERTAIN, PairRows, log_likelihood, looked, told
from juryrank.rankers.guess.core.link import LAPSES, SLOPES, Floats, JudgeLinks, meant, pooled, sigmoid
from juryrank.rankers.guess.core.posterior import Posterior

FEW_ANSWERS = 2  # of a judge about a pair: they are weighed one by one, which is quicker
MEANT = 4.0  # how much likelier small lapses are before any answer
MEANT_PRIOR: Floats = meant(MEANT)
MEANT_POOL, MEANT_ROUNDS = 1.0, 8  # judges that this prior counts for, and until they settle
LINK_PAIRS = 300  # that one link is learned from
CELLS = 8192  # numbers worked on at once: few calls, and they stay in the processor's cache


def one_link(found: Posterior, rows: PairRows) -> JudgeLinks:
    """Everybody's link, if all answers count alike."""
    return JudgeLinks.of(common_link(found, rows, LAPSES, SLOPES)[None])


def common_link(found: Posterior, rows: PairRows, lapses: Floats, slopes: Floats) -> Floats:
    """(lapse, slope): what is believed of one link for all answers together."""
    every = -(-len(rows.first) // LINK_PAIRS)
    rows = rows.alike()
    at, likely = (column[::every] for column in looked(found, rows, FEW_NODES))
    wins, losses = rows.wins[::every], rows.losses[::every]
    like = np.empty((len(lapses), len(slopes)))
    for g, slope in enumerate(slopes):
        like[:, g] = every * _integrated(lapses, sigmoid(slope * at), wins, losses, likely).sum(axis=1)
    like += MEANT * np.log(1 - 2 * lapses)[:, None]
    belief: Floats = np.exp(like - like.max())
    return belief / belief.sum()


def each_link(found: Posterior, rows: PairRows) -> JudgeLinks:
    """Each judge's link, beside what the others say about each pair."""
    at, likely = looked(found, rows, FEW_NODES)
    own = told(found.jury, rows, at)
    others = (np.add.reduceat(own, rows.first, axis=0) + likely)[rows.pair] - own
    others -= others.max(axis=1, keepdims=True)
    others -= np.log(np.exp(others).sum(axis=1, keepdims=True))
    total = rows.wins + rows.losses
    few, many = np.flatnonzero(total <= FEW_ANSWERS), np.flatnonzero(total > FEW_ANSWERS)
    mass = np.exp(others[few])
    by_row = np.empty((len(LAPSES), len(total)))
    like = np.empty((len(found.jury.flat), len(LAPSES), len(SLOPES)))
    for g, slope in enumerate(SLOPES):
        up = sigmoid(slope * at)
        mean = (mass * up[rows.pair[few]]).sum(axis=1)
        by_row[:, few] = _said(mean, rows.wins[few], rows.losses[few])
        by_row[:, many] = _integrated(
            LAPSES, up[rows.pair[many]], rows.wins[many], rows.losses[many], others[many]
        )
        for e, row in enumerate(by_row):
            like[:, e, g] = np.bincount(rows.judge, weights=row, minlength=len(like))
    heard = np.asarray(np.bincount(rows.judge, weights=total, minlength=len(like)), np.float64)
    return pooled(like, heard, prior=MEANT_PRIOR, weight=MEANT_POOL, rounds=MEANT_ROUNDS)


def _said(up: Floats, wins: Floats, losses: Floats) -> Floats:
    """(lapse, row): log-likelihood of a few answers, each by itself."""
    lapse = LAPSES[:, None]
    found: Floats = wins * np.log(lapse + (1 - 2 * lapse) * up) + losses * np.log(1 - lapse - (1 - 2 * lapse) * up)
    return found


def _integrated(lapses: Floats, up: Floats, wins: Floats, losses: Floats, weight: Floats) -> Floats:
    """(lapse, row): log-likelihood of each row's answers over gaps, which have these logarithms of weights."""
    found, at_once = np.empty((len(lapses), len(wins))), max(1, CELLS // max(1, up.size))
    for start in range(0, len(lapses), at_once):
        lapse = lapses[start : start + at_once, None, None]
        chance = np.clip(lapse + (1 - 2 * lapse) * up, FROM_CERTAIN, 1 - FROM_CERTAIN)
        values = log_likelihood(chance, wins, losses) + weight
        most = values.max(axis=-1, keepdims=True)
        found[start : start + at_once] = most[..., 0] + np.log(np.exp(values - most).sum(axis=-1))
    return found
