"""The order, its picture, and the promise."""

from __future__ import annotations

from juryrank.report.material import Material
from juryrank.report.page.document import Block, Grid, Picture, Section, Words, cut
from juryrank.report.view import BEFORE, CHAINS_TITLE, View
from juryrank.report.words.formats import clean


def order_section(material: Material, view: View) -> Section:
    """The order, its picture, and the promise in exact words."""
    blocks: list[Block] = [Picture(view)]
    if view.unplaced:
        blocks.append(Words(f"Not placed yet: {', '.join(view.unplaced)}."))
    if view.chains:
        chains = tuple((BEFORE.join(chain), str(len(chain) - 1)) for chain in view.chains)
        blocks.append(cut(Grid((CHAINS_TITLE.lower(), "links"), chains, frozenset({"links"})), "chains"))
    if view.promise and not material.edits:
        blocks += [Words("The promise, in exact words:"), Words(view.promise, "quote")]
    if material.edits:
        blocks.append(
            Words("This result is post-hoc: it promises nothing, because " + "; ".join(material.edits), "warn")
        )
    header = ("place", "item", "possible ranks") if view.ranged else ("place", "item")
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
    return Section("The order", tuple(blocks))


def _top_rows(material: Material) -> tuple[tuple[str, ...], ...]:
    top = material.ranking.details.get("top") or {}
    return tuple(
        (str(k), *(", ".join(clean(item) for item in said.get(what) or ()) for what in ("in", "out", "open")))
        for k, said in top.items()
    )
