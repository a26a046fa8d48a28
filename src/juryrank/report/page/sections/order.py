"""The order, its picture, and the promise."""

from __future__ import annotations

from dataclasses import replace

from juryrank.report.material import Material
from juryrank.report.page.document import Block, Gallery, Grid, Picture, Section, ShownItem, Words, cut
from juryrank.report.view import BEFORE, CHAINS_TITLE, View
from juryrank.report.words.estimates import TITLE
from juryrank.report.words.formats import clean


def ahead_section(view: View) -> Section | None:
    """Who is ahead: estimates, and what more answers would bring."""
    found = view.estimates
    if found is None:
        return None
    header = ("place", "item", "preferred to another", found.top_title, "likely ranks", "promised ranks")
    rows = tuple(
        (
            str(row.place),
            row.item,
            f"{100 * row.beats:.0f} % ({row.span_words})",
            row.top_words,
            row.rank,
            row.promised,
        )
        for row in found.rows
    )
    numbers = frozenset({"place", found.top_title})
    grid = Grid(header, rows, numbers, fold="The estimates as a table")
    return Section(f"{TITLE} (estimate)", (Words(found.says), Picture(view), grid, Words(found.note)))


def items_section(material: Material, view: View) -> Section | None:
    """The items in the order of the result, with what judges saw of them."""
    if not any(one.words or one.picture for one in material.shown.values()):
        return None
    rows = zip((row.item for row in view.rows), material.ranking.order, strict=False)
    return Section(
        "What was compared",
        (Gallery(tuple((name, material.shown.get(str(item), ShownItem())) for name, item in rows)),),
    )


def order_section(material: Material, view: View) -> Section:
    """What is proven: the order with its ranges, and the promise in exact words."""
    blocks: list[Block] = []
    if view.gate:
        pass  # its claims are shown with the cases
    elif view.estimates is None or view.promises:
        blocks.append(
            Picture(replace(view, estimates=None, open_pairs=(), forecasts=()) if view.estimates else view)
        )
    elif not view.guesses_only:
        blocks.append(Words(view.nothing_proven))
    if view.unplaced:
        blocks.append(Words(f"Not placed yet: {', '.join(view.unplaced)}."))
    if view.chains:
        chains = tuple((BEFORE.join(chain), str(len(chain) - 1)) for chain in view.chains)
        blocks.append(cut(Grid((CHAINS_TITLE.lower(), "links"), chains, frozenset({"links"})), "chains"))
    if view.promise and not material.edits:
        lead = [Words("The promise, in exact words:")] if view.promises else []
        blocks += [*lead, Words(view.promise, "quote")]
    if material.edits:
        blocks.append(
            Words("This result is post-hoc: it promises nothing, because " + "; ".join(material.edits), "warn")
        )
    ranks = ", ".join(filter(None, ("possible ranks", view.transitive)))
    header = ("place", "item", ranks) if view.ranged else ("place", "item")
    rows = tuple((str(row.guess), row.item, row.rank)[: len(header)] for row in view.rows)
    blocks.append(Grid(header, rows, frozenset({"place"}), fold="The order as a table"))
    top = _top_rows(material)
    if top:
        blocks.append(
            Grid(
                ("top", "in", "out", "open"),
                top,
                frozenset({"top"}),
                fold="In, out or open, for every size of the top",
            )
        )
    proven = view.estimates and not view.guesses_only
    return Section("What is proven (promise)" if proven else "The order", tuple(blocks))


def _top_rows(material: Material) -> tuple[tuple[str, ...], ...]:
    top = material.ranking.details.top
    return tuple(
        (str(k), *(", ".join(clean(item) for item in said.get(what) or ()) for what in ("in", "out", "open")))
        for k, said in top.items()
    )
