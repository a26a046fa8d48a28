"""Certificates: a result together with every raw event behind it, and an independent re-check of both.

    certificate(events, ranking)     the document, plain JSON values
    read_certificate(text)           the document back, or a clear error
    verify(document)                 recompute everything from the raw events: a Report

    reading    the strict reader       record/    the events read plainly      chain    the hashes
    levels     how δ is shared         evidence   the formulas                 result   what a document holds
    certified/, panel/, jury/, paper/  a checker per ranker (`checkers`)       rerun    the ranker played again

The checker shares no code with the rankers: levels, formulas, rules and words are written here a second time, and
an import contract keeps it so (only `rerun`, which plays the ranker again on request, may import it).
"""

import sys
import types

from juryrank.verify.certificate import certificate
from juryrank.verify.check import verify
from juryrank.verify.reading import read_certificate
from juryrank.verify.report import Check, Finding, Report

__all__ = [
    "Check",
    "Finding",
    "Report",
    "certificate",
    "read_certificate",
    "verify",
]


class _Callable(types.ModuleType):
    """`juryrank.verify(document)`: a package cannot share its name with a function, so it is called itself."""

    __call__ = staticmethod(verify)


sys.modules[__name__].__class__ = _Callable
