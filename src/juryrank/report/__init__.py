"""Results for people: terminal text, the picture, and one self-contained page."""

from typing import TYPE_CHECKING

from juryrank.lazy import on_first_use

if TYPE_CHECKING:
    from juryrank.report.notebook import fitted_html, result_html
    from juryrank.report.page.compose import certificate_report, study_report
    from juryrank.report.picture.picture import picture_png, picture_svg
    from juryrank.report.text import result_text
    from juryrank.report.view import View, view_of

__all__ = [
    "View",
    "certificate_report",
    "fitted_html",
    "picture_png",
    "picture_svg",
    "result_html",
    "result_text",
    "study_report",
    "view_of",
]

__getattr__ = on_first_use(
    __name__,
    {
        "View": "view",
        "certificate_report": "page.compose",
        "fitted_html": "notebook",
        "picture_png": "picture.picture",
        "picture_svg": "picture.picture",
        "result_html": "notebook",
        "result_text": "text",
        "study_report": "page.compose",
        "view_of": "view",
    },
)
