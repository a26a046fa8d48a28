"""Results for people: terminal text, the picture, and one self-contained page."""

from juryrank.report.of_study import study_report
from juryrank.report.picture import picture_png, picture_svg
from juryrank.report.text import result_text
from juryrank.report.view import View, view_of

__all__ = ["View", "picture_png", "picture_svg", "result_text", "study_report", "view_of"]
