"""Scores from votes that exist already (`juryrank.fit`): an estimate, never a promise.

`entry` is where to begin, `result` what comes back, `core` one fit from ballots to errors, `figures` the pictures.
`sources` turns files, frames, rows and studies into `ballots`; `model` says which effects there are and how likely
votes are, `solver` finds the best ones. `intervals` (above 3,000 items `sparse`) clusters errors by case and by
judge; `influence` and `matrices` are their parts. `checks`, `judges`, `against` (judges beside people or gold) and
`validation` (models on judges held back) say how far to believe it.
"""

from juryrank.votes.fitting.entry import fit
from juryrank.votes.fitting.result import Fitted

__all__ = ["Fitted", "fit"]
