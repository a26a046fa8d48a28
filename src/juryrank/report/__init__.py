"""Results for people: terminal text, the picture, and one self-contained page."""

from juryrank.report.notebook import result_html
from juryrank.report.picture.picture import picture_png, picture_svg
from juryrank.report.sources import certificate_report, study_report
from juryrank.report.text import result_text
from juryrank.report.view import View, view_of

__all__ = [
    "View",
    "certificate_report",
    "picture_png",
    "picture_svg",
    "result_html",
    "result_text",
    "study_report",
    "view_of",
]
