"""The sections of a report; one with nothing to say is left out."""

from juryrank.report.sections.answers import sides_section, time_section
from juryrank.report.sections.evidence import evidence_section
from juryrank.report.sections.judges import judges_section
from juryrank.report.sections.order import order_section
from juryrank.report.sections.setup import assumptions_section, settings_section

__all__ = [
    "assumptions_section",
    "evidence_section",
    "judges_section",
    "order_section",
    "settings_section",
    "sides_section",
    "time_section",
]
