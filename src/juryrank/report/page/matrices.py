"""Charts with a square per pair: of two judges, or of two items."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from juryrank.report.page.charts import drawn
from juryrank.report.page.document import Chart
from juryrank.report.page.tallies import Agreement
from juryrank.report.picture.squares import squares
from juryrank.report.words.formats import clean


def agreement_chart(table: Agreement) -> Chart:
    """A square per pair of judges: how often they prefer the same item."""
    names = [clean(name) for name in table.judges]
    shares = {
        (i, j): float(share)
        for i, row in enumerate(table.share)
        for j, share in enumerate(row)
        if i != j and not math.isnan(share)
    }
    hints = {
        (i, j): f"{names[i]} and {names[j]}: {100 * share:.0f} % of {table.common[i, j]:,} common pairs"
        for (i, j), share in shares.items()
    }
    says = "Share of common pairs on which two judges prefer the same item; columns are numbered as the rows are."
    return drawn(says, lambda width: squares(names, shares, width=width, says=says, hints=hints, both_ways=True))


def pairs_chart(order: Sequence[str], won: Mapping[tuple[str, str], int], settled: set[tuple[str, str]]) -> Chart:
    """A square per pair of items: the share of answers that prefer the row; a spot where it is settled."""
    names, place = [clean(item) for item in order], {item: k for k, item in enumerate(order)}
    counts = {
        (place[one], place[other]): (won.get((one, other), 0), won.get((other, one), 0))
        for pair in won
        for one, other in (pair, pair[::-1])
        if one in place and other in place
    }
    shares = {pair: good / (good + bad) for pair, (good, bad) in counts.items()}
    hints = {
        (i, j): f"{names[i]} over {names[j]}: {a:,} of {a + b:,} answers" for (i, j), (a, b) in counts.items()
    }
    marked = {(place[better], place[worse]) for better, worse in settled}
    says = "Share of answers that prefer the row's item to the column's; columns are numbered as the rows are" + (
        "; a green spot marks a settled pair." if marked else "."
    )
    return drawn(says, lambda width: squares(names, shares, width=width, says=says, hints=hints, marked=marked))
