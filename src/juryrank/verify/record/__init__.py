"""The raw events read plainly: who was asked what, what came back and when, and what was done afterwards.

record    Record: questions, items, judges, edits, faults        read      from events to a Record
clock     times and deadlines                                    conduct   undos, skips and expiries per judge
"""

from juryrank.verify.record.read import read_events
from juryrank.verify.record.record import Asked, Record

__all__ = ["Asked", "Record", "read_events"]
