"""The fit as a picture: scores with intervals, judges, and how well the model fits; PNG or SVG."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from juryrank.errors import BadInput, need_extra
from juryrank.votes.fitting.ballots import TIED
from juryrank.votes.fitting.intervals import THESE
from juryrank.votes.fitting.judges import FIT_LIMITS

if TYPE_CHECKING:
    from juryrank.votes.fitting.result import Fitted

MOST_ITEMS, MOST_JUDGES = 60, 200  # more cannot be read in one picture; it says how many there are
LONGEST_NAME = 32
NARROWEST = (0.45, 2.2)  # slopes on the axis, at least: two octaves
INK, QUIET, WARN = "#0072B2", "#767676", "#D55E00"  # Okabe and Ito's colours, which everybody can tell apart
STYLE = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "juryrank",  # the same numbers give the same file
    "svg.fonttype": "path",
}


def draw(fitted: Fitted, path: Path) -> None:
    """Draw into a file; its name says which kind."""
    kind = path.suffix.lower().lstrip(".")
    if kind not in ("png", "svg"):
        raise BadInput(f"a figure is written as .png or .svg, not as {str(path)!r}")
    matplotlib = need_extra("matplotlib", extra="figures", what="drawing figures")
    need_extra("matplotlib.figure", extra="figures", what="drawing figures")
    rows = min(len(fitted.items), MOST_ITEMS)
    with matplotlib.rc_context(STYLE):
        sheet = matplotlib.figure.Figure(figsize=(10, max(4.8, 1.6 + 0.19 * rows)), layout="constrained")
        axes = sheet.subplot_mosaic([["scores", "judges"], ["scores", "fit"]], width_ratios=[1.25, 1])
        _scores(axes["scores"], fitted)
        _judges(axes["judges"], fitted)
        _calibration(axes["fit"], fitted)
        votes = fitted.estimate.ballots
        sheet.suptitle(
            f"Estimate ({fitted.model}): {votes.total:,} votes on {len(votes.items):,} items by "
            f"{len(votes.judges):,} judges", x=0.01, ha="left",
        )  # fmt: skip
        try:
            dates: dict[str, Any] = {"png": {"Software": None}, "svg": {"Date": None}}
            sheet.savefig(path, dpi=130, metadata=dates[kind])
        except OSError as problem:
            raise BadInput(f"cannot write {str(path)!r}: {problem.strerror or problem}") from None


def _scores(ax: Any, fitted: Fitted) -> None:
    rows = fitted.items[:MOST_ITEMS]
    at = np.arange(len(rows))[::-1]
    for y, row in zip(at, rows, strict=True):
        if row.judges_like_these is not None and fitted.interval == THESE:
            wide = row.judges_like_these
            ax.plot([wide.low, wide.high], [y, y], color=QUIET, linewidth=0.6, alpha=0.7)
        ax.plot([row.low, row.high], [y, y], color=QUIET, linewidth=1.4, solid_capstyle="butt")
    ax.plot([row.score for row in rows], at, "o", color=INK, markersize=4)
    ax.set_yticks(at, [plain_text(row.name) for row in rows], fontsize=7.5)
    ax.set_ylim(-0.7, len(rows) - 0.3)
    ax.set_xlabel(f"score ({fitted.scale}), {100 * fitted.level:g} % intervals: {_which(fitted)}")
    more = len(fitted.items) - len(rows)
    ax.set_title("Scores" + (f" (the first {len(rows)} of {len(fitted.items):,})" if more else ""), loc="left")
    ax.grid(axis="x", alpha=0.25)
    between = [
        y - 0.5 for y, (above, below) in zip(at, pairwise(rows), strict=False) if above.scale != below.scale
    ]
    for y in between:
        ax.axhline(y, color=WARN, linewidth=1)
    if between:
        apart = "no vote links the two sides of a line: their scores cannot be compared"
        where = {"xycoords": ("axes fraction", "data"), "ha": "right", "va": "bottom"}
        ax.annotate(apart, (0.99, between[0]), fontsize=7, color=WARN, **where)


def _which(fitted: Fitted) -> str:
    """The names of what is drawn."""
    wide = fitted.interval == THESE and fitted.items[0].judges_like_these is not None
    return fitted.interval + (" (thin: judges like these)" if wide else "")


def plain_text(name: str) -> str:
    """A name as matplotlib shows it as it stands: one line, no formula, not too long.

    >>> plain_text("cost $5$"), len(plain_text("x" * 99))
    ('cost \\\\$5\\\\$', 32)
    """
    short = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
    return "".join(c if c.isprintable() else " " for c in short).replace("$", r"\$")


def _judges(ax: Any, fitted: Fitted) -> None:
    """Slopes with intervals where judges have them, agreement with the rest otherwise; the surest judges first."""
    rows = sorted(fitted.judges, key=lambda row: -row.votes)[:MOST_JUDGES]
    sloped = fitted.model == "hbtl"
    values = [
        (row.slope, row.slope_low, row.slope_high) if sloped else
        (row.agreement, row.agreement_low, row.agreement_high)
        for row in rows
    ]  # fmt: skip
    known = sorted((v for v in values if v[0] is not None), key=lambda v: v[0])  # type: ignore[arg-type,return-value]
    for k, (value, low, high) in enumerate(known):
        off = high is not None and high < (1.0 if sloped else 0.5)
        ax.plot([k, k], [low, high], color=WARN if off else QUIET, linewidth=1)
        ax.plot([k], [value], "o", color=WARN if off else INK, markersize=2.5)
    ax.axhline(1.0 if sloped else 0.5, color="black", linewidth=0.8, linestyle=":")
    if sloped:
        ax.set_yscale("log", base=2)
        lowest, highest = ax.get_ylim()
        ax.set_ylim(min(lowest, NARROWEST[0]), max(highest, NARROWEST[1]))  # equal judges look equal
        ax.yaxis.set_major_formatter("{x:g}")
        ax.yaxis.set_minor_formatter("")
    ax.set_xticks([])
    ax.set_xlabel(
        f"{len(known):,} judges" + (f" of {len(fitted.judges):,}" if len(known) < len(fitted.judges) else "")
    )
    ax.set_ylabel("slope (median judge: 1)" if sloped else "agreement with the rest")
    ax.set_title("How sharply judges tell items apart" if sloped else "How often judges agree", loc="left")


def _calibration(ax: Any, fitted: Fitted) -> None:
    """Decided votes by what the model expected: points on the line are fit, points off it are misfit."""
    fit = fitted.estimate
    votes = fit.ballots.part(fit.ballots.outcome != TIED)
    x = fit.solution.x
    left, right, _ = fit.new_judge.chances(x[votes.left] - x[votes.right])
    first = left / np.maximum(left + right, 1e-12)
    ahead = np.maximum(first, 1 - first)  # the favourite's chance
    won = (first >= 0.5) == (votes.outcome == 0)
    edges = np.quantile(ahead, np.linspace(0, 1, 11)) if len(votes) else np.array([0.5, 1.0])
    place = np.clip(np.searchsorted(edges, ahead, side="right") - 1, 0, len(edges) - 2)
    many = np.ones(len(place)) * votes.weight
    count = np.bincount(place, many, len(edges) - 1)
    used = count > 0
    expected = np.bincount(place, ahead * many, len(count))[used] / count[used]
    seen = np.bincount(place, won * many, len(count))[used] / count[used]
    error = 2 * np.sqrt(np.maximum(expected * (1 - expected), 1e-6) / count[used])
    around = np.minimum([error, error], [seen, 1 - seen])  # a share is from 0 to 1
    ax.plot([0.5, 1], [0.5, 1], color="black", linewidth=0.8, linestyle=":")
    ax.errorbar(expected, seen, yerr=around, fmt="o", color=INK, ecolor=QUIET, markersize=4, capsize=2)
    infit = [judge.infit for judge in fitted.judges]
    beyond = sum(not FIT_LIMITS[0] <= value <= FIT_LIMITS[1] for value in infit)
    ax.set_xlabel("expected share of the favourite")
    ax.set_ylabel("share seen")
    limits = f"{FIT_LIMITS[0]:g} to {FIT_LIMITS[1]:g}"
    ax.set_title(f"Expected and seen\ninfit outside {limits}: {beyond:,} of {len(infit):,} judges", loc="left")
