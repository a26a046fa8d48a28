"""A study's report, as HTML or Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from juryrank.report.compose import compose
from juryrank.report.html import report_html
from juryrank.report.markdown import report_markdown
from juryrank.report.material import material_of

if TYPE_CHECKING:
    from juryrank.study import Study


def study_report(
    study: Study, *, format: str = "html", title: str = "", names: bool = False, plotly_url: str | None = None
) -> str:
    """The whole report of a study; `names` shows people's names where they are known, not pseudonyms."""
    ranking = study.ranking()
    known = {judge: person.name for judge, person in study.people().items()} if names else {}
    made = compose(material_of(study.events(), ranking, name=study.name, names=known), title=title)
    return report_markdown(made) if format == "md" else report_html(made, plotly_url=plotly_url)
