"""Language models among the judges, and what may be believed of them."""

from __future__ import annotations

from juryrank.report.material import Material
from juryrank.report.models import NEVER_COUNT, model_rows
from juryrank.report.page.document import Block, Grid, Section, Words

WHAT_IT_IS = (
    "Language models were asked too. A model's mistakes belong to the pair, not to the draw: more of its answers "
    "make a result more certain, not more true. Gold pairs, whose better item is known, and probes test "
    "a model; they never count."
)
HEADER = (
    "model", "behind it", "answers", "beside", "cost", "gold pairs", "with most people", "answers anew",
)  # fmt: skip


def models_section(material: Material) -> Section | None:
    """What each model did, what it cost and how good it is; None where there is no model."""
    rows = model_rows(material)
    if not rows:
        return None
    cells = [
        (row.name, row.model, f"{row.counted:,}", f"{row.beside:,}", row.cost_words, row.gold, row.people_words,
         row.fresh_words)
        for row in rows
    ]  # fmt: skip
    keep = [k for k in range(len(HEADER)) if k == 0 or any(row[k] not in ("", "0") for row in cells)]
    header = tuple(HEADER[k] for k in keep)
    grid = Grid(
        header, tuple(tuple(row[k] for k in keep) for row in cells), frozenset({"answers", "beside", "cost"})
    )
    blocks: list[Block] = [Words(WHAT_IT_IS), grid]
    if any(row.beside for row in rows):
        blocks.append(Words(NEVER_COUNT))
    blocks += [Words(f"{row.name}: {remark}") for row in rows for remark in row.remarks]
    return Section("Models", tuple(blocks))
