"""How many have which share: for more judges than rows could show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from juryrank.report.picture.axes import PLOT, QUARTERS, SMALL, across, is_narrow, round_ticks
from juryrank.report.picture.scene import Line, Rect, Scene, Text
from juryrank.report.words.formats import counted, em_width

BINS = 20  # of 5 % each, around 0 %, 5 %, ..., 100 %
HEIGHT, EDGE = PLOT


def histogram(values: Sequence[float], *, width: float, title: str, says: str, what: str) -> Scene:
    """Columns of how many `what` (judges) have a share of about 0 %, 5 %, ..., 100 %."""
    scene = Scene(width, label=says)
    number = Counter(round(BINS * value) for value in values)
    counts = round_ticks(max(number.values(), default=0), 4 if is_narrow(width) else 5)
    left, right = 12 + em_width(f"{counts[-1]:,}") * SMALL, width - 22
    step = (right - left) / (BINS + 1)
    middles = [left + (k + 0.5) * step for k in range(BINS + 1)]
    bottom = EDGE + HEIGHT
    scene.add(Text(0, 14, f"number of {what}", SMALL, "muted"))
    for count in counts:
        y = bottom - HEIGHT * count / counts[-1]
        scene.add(Line(left, y, right, y, "grid"))
        scene.add(Text(left - 8, y + 4, f"{count:,}", SMALL, "muted", "end"))
    ticks = [(middles[round(BINS * share)], f"{100 * share:.0f} %") for share in QUARTERS]
    scene.height = across(scene, ticks, top=bottom, bottom=bottom, title=title, middle=(left + right) / 2)
    scene.add(Line(middles[BINS // 2], EDGE - 4, middles[BINS // 2], bottom, "muted"))
    for k, many in sorted(number.items()):
        tall = HEIGHT * many / counts[-1]
        hint = f"{counted(many, what.removesuffix('s'))} at about {100 * k / BINS:.0f} %"
        scene.add(Rect(middles[k] - step / 2 + 1, bottom - tall, step - 2, tall, "dot", hint=hint))
    return scene
