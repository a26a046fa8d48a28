"""The sections of a report; one with nothing to say is left out."""

from juryrank.report.page.sections.answers import sides_section, time_section
from juryrank.report.page.sections.cases import cases_section
from juryrank.report.page.sections.judges import judges_section, models_section
from juryrank.report.page.sections.order import ahead_section, evidence_section, items_section, order_section
from juryrank.report.page.sections.setup import assumptions_section, settings_section

__all__ = [
    "ahead_section",
    "assumptions_section",
    "cases_section",
    "evidence_section",
    "items_section",
    "judges_section",
    "models_section",
    "order_section",
    "settings_section",
    "sides_section",
    "time_section",
]
