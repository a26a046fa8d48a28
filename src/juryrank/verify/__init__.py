"""Certificates: a result together with every raw event behind it, and an independent re-check of both.

    certificate(events, ranking)     the document, plain JSON values
    read_certificate(text)           the document back, or a clear error
    verify(document)                 recompute everything from the raw events: a Report

The re-check shares with the rankers nothing but the evidence formulas. A ranker's own checker is one file
here and one line in `checkers.CHECKERS`.
"""

from juryrank.verify.certificate import CERTIFICATE_SCHEMA, certificate, read_certificate
from juryrank.verify.check import verify
from juryrank.verify.report import Check, Finding, Report

__all__ = [
    "CERTIFICATE_SCHEMA",
    "Check",
    "Finding",
    "Report",
    "certificate",
    "read_certificate",
    "verify",
]
