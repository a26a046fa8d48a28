"""The report's charts, each drawn for a desk and for a phone; squares are in `matrices`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from juryrank.core.intervals import Share
from juryrank.report.page.document import Chart
from juryrank.report.picture.charts import BarRow, DotRow, counted_up, dots, progress_bars, squares, time_curve
from juryrank.report.picture.scene import NARROW, WIDE, Scene, histogram, is_narrow, read_time
from juryrank.report.tallies import Agreement, JudgeTally
from juryrank.report.words.formats import clean
from juryrank.types import JudgeReport, Link

MOST_ROWS = 25  # more judges than this are shown as a histogram


def drawn(says: str, draw: Callable[[float], Scene]) -> Chart:
    """What `draw` gives for both widths."""
    return Chart(says, draw(WIDE), draw(NARROW))


def accuracy_chart(judges: Sequence[JudgeReport]) -> Chart:
    """Estimated accuracies with their intervals."""
    rows = [
        (str(judge.name), judge.accuracy, judge.low, judge.high) for judge in judges if judge.accuracy is not None
    ]
    found = [
        (name, value, value if low is None else min(low, value), value if high is None else max(high, value))
        for name, value, low, high in rows
    ]
    return _dots(found, says="Estimated accuracy of each judge, with its interval.", title="accuracy")


def order_agreement_chart(rows: Sequence[JudgeTally]) -> Chart:
    """How often each judge's answers agree with the order shown."""
    return _shares(
        [(row.name, row.with_order) for row in rows],
        says="Share of each judge's answers that agree with the order above",
        title="answers that agree with the order",
    )


def sides_chart(rows: Sequence[JudgeTally]) -> Chart:
    """How often each judge chose the left side."""
    return _shares(
        [(row.name, row.left) for row in rows],
        says="Share of each judge's answers that chose the left side; without a bias it is one half",
        title="chose the left side",
    )


def _shares(rows: Sequence[tuple[str, Share]], *, says: str, title: str) -> Chart:
    """A dot per judge with its interval; many judges become a histogram."""
    if len(rows) > MOST_ROWS:
        said, values = f"{says}: how many judges.", [share.value for _, share in rows]
        return drawn(said, lambda width: histogram(values, width=width, title=title, says=said, what="judges"))
    found = [(name, share.value, share.low, share.high) for name, share in rows]
    return _dots(found, says=f"{says}, with a 95 % interval.", title=title)


def _dots(rows: Sequence[tuple[str, float, float, float]], *, says: str, title: str) -> Chart:
    def draw(width: float) -> Scene:
        return dots([_dot(*row, short=is_narrow(width)) for row in rows], width=width, title=title, says=says)

    return drawn(says, draw)


def _dot(name: str, value: float, low: float, high: float, *, short: bool) -> DotRow:
    words = f"{100 * value:.0f} %" + ("" if short else f" ({100 * low:.0f} to {100 * high:.0f})")
    hint = f"{clean(name)}: {100 * value:.0f} % ({100 * low:.0f} to {100 * high:.0f} %)"
    return DotRow(clean(name), value, low, high, words, hint)


def evidence_chart(links: Sequence[Link]) -> Chart:
    """Each link's evidence as a share of what settles it, on a logarithmic scale."""
    rows = []
    for link in links:
        name, share = f"{clean(link.better)} > {clean(link.worse)}", _evidence_share(link)
        words, colour = ("settled", "line") if link.settled else (f"{100 * share:.0f} %", "dot")
        rows.append(BarRow(name, ((share, colour, f"{name}: {words}"),), words))
    says = "How far each link of the order is from settled."
    title = "evidence: share of the way to settled (logarithmic)"
    return drawn(says, lambda width: progress_bars(rows, width=width, title=title, says=says, goal="settled"))


def _evidence_share(link: Link) -> float:
    if link.settled:
        return 1.0
    if not link.evidence or not link.level or link.evidence <= 1:
        return 0.0
    return min(math.log(link.evidence) / -math.log(link.level), 1.0)


def time_chart(answered: Sequence[str], asked: Sequence[str] = ()) -> Chart | None:
    """Questions asked and answered so far, over time; None where the moments do not differ."""
    curves = [
        (words, colour, counted_up([at for at in map(read_time, times) if at is not None]))
        for words, colour, times in (("answered", "dot", answered), ("asked", "muted", asked))
    ]
    curves = curves[:1] if not curves[1][2] or curves[0][2] == curves[1][2] else curves
    if len({at for *_, points in curves for at, _ in points}) < 2:
        return None
    says = "Questions asked and answered so far, over time." if len(curves) > 1 else "Answers so far, over time."
    counts = "questions so far" if len(curves) > 1 else "answers so far"
    return drawn(says, lambda width: time_curve(curves, width=width, says=says, counts=counts))


# ----------------------------------------------------------------------------
# Charts with a square per pair: of two judges, or of two items.
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
