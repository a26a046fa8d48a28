"""Scores from votes that exist already (`juryrank.fit`): an estimate, never a promise.

`entry` is where to begin, `result` what comes back, `core` one fit from ballots to errors, `scales` the units,
`figures` the pictures. `intake` turns files, frames, rows and studies into arrays; `model` holds the likelihood
and its solvers; `intervals` the errors clustered by case and by judge; `quality` checks, judges, reliability, and
models compared.
"""

from juryrank.votes.fitting.entry import fit
from juryrank.votes.fitting.result import Fitted

__all__ = ["Fitted", "fit"]
