"""Estimates as terminal text: who is ahead, with bars that fit the width."""

from __future__ import annotations

from juryrank.report.words.estimates import EstimateRow, EstimateView
from juryrank.report.words.formats import columns, pad, wrap

HEADING = "Who is ahead (estimate, no promise)"
ROWS_MOST = 40
SHORTEST_NAME, LONGEST_NAME, SCALE_LEAST, SCALE_MOST = 8, 34, 11, 41
INTERVAL, MARK, MIDDLE = "─", "●", "·"


def estimate_lines(found: EstimateView, *, width: int) -> list[str]:
    """A heading, a summary in words, one line per item, and how far to trust it."""
    said, note = (wrap(text, width - 2, indent="  ") for text in (found.says, found.note))
    return [HEADING, *said, "", *bar_lines(found, width=width), *note]


def bar_lines(found: EstimateView, *, width: int) -> list[str]:
    """One line per item: the chance against another item with its interval, and the chance of being at the top."""
    shown = found.rows[:ROWS_MOST]
    number = len(str(len(found.rows)))
    title = "best" if found.k == 1 else f"top {found.k}"
    frame = number + 2 + 2 + 2 + max(len(title), 5)
    longest = max(columns(row.item) for row in shown)
    name = max(SHORTEST_NAME, min(longest, LONGEST_NAME, width - frame - SCALE_LEAST))
    scale = max(SCALE_LEAST, min(SCALE_MOST, width - frame - name))
    head = pad("0 %", scale // 2 - 1) + pad("50 %", scale - scale // 2 - 4) + "100 %"
    lines = [" " * (number + 2) + pad("", name) + f"  {head[:scale]}  {title:>5}"]
    for row in shown:
        told = f"{row.place:>{number}}  {pad(row.item, name)}  {_bar(row, scale)}  {row.top_words:>5}"
        lines.append(told.rstrip())
    more = len(found.rows) - len(shown)
    return [*lines, f"  and {more:,} more"] if more else lines


def _bar(row: EstimateRow, scale: int) -> str:
    """The interval on a scale from 0 to 100 %, with a dot for the estimate and a mark at the middle."""
    line = [" "] * scale
    line[scale // 2] = MIDDLE
    left, right = (round(share * (scale - 1)) for share in (row.low, row.high))
    line[left : right + 1] = INTERVAL * (right + 1 - left)
    line[round(row.beats * (scale - 1))] = MARK
    return "".join(line)
