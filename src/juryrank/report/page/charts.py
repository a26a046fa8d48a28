"""The report's figures as plotly JSON. Colours are roles (`@ink`, `@dot`, ...), filled in by the page's theme."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import Any

from juryrank.core.intervals import Share
from juryrank.report.page.document import Chart
from juryrank.report.page.tallies import JudgeTally
from juryrank.report.words.formats import clean, shorten
from juryrank.types import JudgeReport, Link

LABEL = 28  # letters of a name on an axis
ROW = 22  # pixels a row of a chart
FRAME = 70
MOST_ROWS = 25  # more judges than this are shown as a histogram


def label(name: object) -> str:
    """A name escaped so that plotly, which reads some HTML, shows it as it is."""
    return html.escape(shorten(clean(name), LABEL), quote=False)


def labels(names: Sequence[object]) -> list[str]:
    """Distinct labels, also for long names that begin alike."""
    seen: dict[str, int] = {}
    made = []
    for name in names:
        text = label(name)
        seen[text] = seen.get(text, 0) + 1
        made.append(text if seen[text] == 1 else f"{text} ({seen[text]})")
    return made


def axis(**more: Any) -> dict[str, Any]:
    """The settings that all axes share."""
    return {"gridcolor": "@grid", "zeroline": False, "linecolor": "@grid", "automargin": True, **more}


def rows_height(rows: int) -> int:
    return max(150, FRAME + ROW * rows)


def accuracy_chart(judges: Sequence[JudgeReport]) -> Chart:
    """Estimated accuracies with their intervals."""
    known = [judge for judge in judges if judge.accuracy is not None]
    values = [float(judge.accuracy or 0) for judge in known]
    low = [value - (value if judge.low is None else judge.low) for judge, value in zip(known, values, strict=True)]
    high = [
        (value if judge.high is None else judge.high) - value for judge, value in zip(known, values, strict=True)
    ]
    return _dots(
        labels([judge.name for judge in known]),
        values,
        [max(0.0, x) for x in low],
        [max(0.0, x) for x in high],
        says="Estimated accuracy of each judge, with its interval.",
        title="accuracy",
    )


def order_agreement_chart(rows: Sequence[JudgeTally]) -> Chart:
    """How often each judge's answers agree with the order shown."""
    return _shares(
        [row.name for row in rows],
        [row.with_order for row in rows],
        says="Share of each judge's answers that agree with the order above",
        title="answers that agree with the order",
    )


def sides_chart(rows: Sequence[JudgeTally]) -> Chart:
    """How often each judge chose the left side."""
    return _shares(
        [row.name for row in rows],
        [row.left for row in rows],
        says="Share of each judge's answers that chose the left side; without a bias it is one half",
        title="chose the left side",
    )


def _shares(names: Sequence[object], shares: Sequence[Share], *, says: str, title: str) -> Chart:
    """A dot per judge with its interval; many judges become a histogram."""
    if len(shares) > MOST_ROWS:
        return _histogram([share.value for share in shares], says=f"{says}: how many judges.", title=title)
    values = [share.value for share in shares]
    low = [share.value - share.low for share in shares]
    high = [share.high - share.value for share in shares]
    return _dots(labels(names), values, low, high, says=f"{says}, with a 95 % interval.", title=title)


def _histogram(values: list[float], *, says: str, title: str) -> Chart:
    trace = {
        "type": "histogram",
        "x": values,
        "xbins": {"start": -0.025, "end": 1.025, "size": 0.05},
        "marker": {"color": "@dot", "line": {"color": "@paper", "width": 1}},
        "hovertemplate": "%{y} judges<extra></extra>",
    }
    layout = {
        "xaxis": axis(range=[-0.03, 1.03], tickformat=".0%", title={"text": title}),
        "yaxis": axis(title={"text": "judges"}),
        "shapes": [_half()],
    }
    return Chart([trace], layout, says, 260)


def _dots(
    names: list[str], values: list[float], low: list[float], high: list[float], *, says: str, title: str
) -> Chart:
    bars = {"type": "data", "symmetric": False, "array": high, "arrayminus": low, "color": "@bar", "thickness": 4}
    trace = {
        "type": "scatter",
        "mode": "markers",
        "x": values,
        "y": names,
        "error_x": {**bars, "width": 0},
        "marker": {"color": "@dot", "size": 9},
        "hovertemplate": "%{y}: %{x:.0%}<extra></extra>",
    }
    layout = {
        "xaxis": axis(range=[-0.02, 1.02], tickformat=".0%", title={"text": title}),
        "yaxis": axis(autorange="reversed", type="category", showgrid=False),
        "shapes": [_half()],
    }
    return Chart([trace], layout, says, rows_height(len(names)))


def _half() -> dict[str, Any]:
    line = {"color": "@muted", "width": 1, "dash": "dot"}
    return {"type": "line", "x0": 0.5, "x1": 0.5, "yref": "paper", "y0": 0, "y1": 1, "line": line}


def evidence_chart(links: Sequence[Link]) -> Chart:
    """Each link's evidence as a share of what settles it, on a logarithmic scale (1 is settled)."""
    names = labels([f"{clean(link.better)} > {clean(link.worse)}" for link in links])
    share = [_evidence_share(link) for link in links]
    trace = {
        "type": "bar",
        "orientation": "h",
        "x": share,
        "y": names,
        "marker": {"color": ["@line" if link.settled else "@bar" for link in links]},
        "hovertemplate": "%{y}: %{x:.2f} of what is needed<extra></extra>",
    }
    line = {"color": "@line", "width": 2}
    layout = {
        "xaxis": axis(
            title={"text": "evidence, as a share of the way to settled (log scale)"},
            tickformat=".0%",
            range=[0, max(1.05, *share) if share else 1.05],
        ),
        "yaxis": axis(autorange="reversed", type="category", showgrid=False),
        "shapes": [{"type": "line", "x0": 1, "x1": 1, "yref": "paper", "y0": 0, "y1": 1, "line": line}],
        "bargap": 0.4,
    }
    return Chart([trace], layout, "How far each link of the order is from settled.", rows_height(len(links)))


def _evidence_share(link: Link) -> float:
    if not link.evidence or not link.level or link.evidence <= 1:
        return 0.0
    return round(min(math.log(link.evidence) / -math.log(link.level), 2.0), 4)


def time_chart(answered: Sequence[tuple[str, int]], asked: Sequence[tuple[str, int]] = ()) -> Chart:
    """Questions asked and answered so far, over time: (moment, count) each."""
    filled = {"fill": "tozeroy", "fillcolor": "@wash"}
    traces = [{**_steps(answered, "answered", color="@dot", width=2), **filled}]
    if asked:
        traces.append(_steps(asked, "asked", color="@muted", width=1))
    layout = {
        "xaxis": axis(type="date"),
        "yaxis": axis(title={"text": "questions so far"}, rangemode="tozero"),
        "showlegend": bool(asked),
        "legend": {"orientation": "h", "x": 0, "y": 1.15},
    }
    says = "Questions asked and answered so far, over time." if asked else "Answers so far, over time."
    return Chart(traces, layout, says, 280)


def _steps(points: Sequence[tuple[str, int]], name: str, *, color: str, width: int) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": [time for time, _ in points],
        "y": [count for _, count in points],
        "line": {"color": color, "width": width, "shape": "hv"},
        "hovertemplate": f"%{{y:,}} {name}, %{{x}}<extra></extra>",
    }
