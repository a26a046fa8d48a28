"""Where a report's material comes from: a study, or the certificate of any ranking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from juryrank.errors import BadSnapshot
from juryrank.log import Event, fold
from juryrank.report.material import Material, material_of, with_items_named
from juryrank.report.page.compose import compose, report_html, report_markdown
from juryrank.report.page.document import ShownItem
from juryrank.verify.certificate import LiveStatement
from juryrank.verify.chain import check_chain

if TYPE_CHECKING:
    from juryrank.study import Study


def study_material(study: Study, *, names: bool = False) -> Material:
    """A study's material; `names` shows people's names where they are known, not pseudonyms."""
    ranking = study.ranking(besides=False)  # the report says it, under the names it shows
    known = {judge: person.name for judge, person in study.people().items()} if names else {}
    return material_of(study.events(), ranking, name=study.name, names=known, state=study.progress().state)


def certificate_material(document: Mapping[str, Any], *, name: str = "Ranking") -> Material:
    """The material of a certificate: the result is folded again from its events, not taken from its claims."""
    chain = check_chain(document["events"], document["head"])
    if not chain.ok:
        raise BadSnapshot(f"this certificate was altered: {chain.words}. A report of it would not be true.")
    events = [Event(row["seq"], row["kind"], row["data"], row["at"], row["hash"]) for row in document["events"]]
    found = fold(events)
    state = "done" if found.ranker.done else "spent" if found.ranker.spent else ""
    ranking = found.ranking()
    ranking = LiveStatement(lambda: events).complete(ranking, state=0, judges=False)
    return material_of(events, ranking, name=name, state=state)


def rendered(material: Material, *, format: str = "html", title: str = "") -> str:
    """The report as HTML or Markdown (`format="md"`)."""
    made = compose(material, title=title)
    return report_markdown(made) if format == "md" else report_html(made)


def study_report(
    study: Study,
    *,
    format: str = "html",
    title: str = "",
    names: bool = False,
    shown: Mapping[str, ShownItem] | None = None,
    items: Mapping[str, str] | None = None,
) -> str:
    """The whole report of a study; `shown`: what judges saw of its items; `items`: other names for some of them.

    >>> from juryrank import create_study
    >>> from juryrank.storage import MemoryStorage
    >>> study = create_study(["a", "b"], name="Letters", judges=["ann"], storage=MemoryStorage(), seed=1)
    >>> study_report(study, format="md").splitlines()[0]
    '# Letters'
    """
    material = replace(study_material(study, names=names), shown=shown or {})
    if items:
        material = with_items_named(material, study.ranking(names=items, besides=False), items)
    return rendered(material, format=format, title=title)


def certificate_report(document: Mapping[str, Any], *, format: str = "html", title: str = "Ranking") -> str:
    """The whole report of a certificate, such as `juryrank.rank(...).certificate()`.

    >>> from juryrank import rank
    >>> document = rank(["a", "b"], {"ann": min}, seed=1).certificate()
    >>> certificate_report(document, format="md", title="Letters").splitlines()[0]
    '# Letters'
    """
    return rendered(certificate_material(document, name=title), format=format)
