"""Charts as scenes, for report and dashboard: rows with dots or bars, squares per pair, a curve over time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from juryrank.report.picture.scene import (
    PLOT,
    QUARTERS,
    SMALL,
    TEXT,
    Cells,
    Circle,
    Curve,
    Line,
    Rect,
    Scene,
    Text,
    across,
    is_narrow,
    key,
    label_room,
    moment_ticks,
    put_name,
    round_ticks,
)
from juryrank.report.words.formats import em_width, fit

ROW, BAR, DOT = 24.0, 7.0, 4.5
GAP, EDGE = 14.0, 8.0
LABEL = 40.0  # pixels that "100 %" takes on an axis


@dataclass(frozen=True, slots=True)
class DotRow:
    """A share with its interval; `words` stand at the right, `hint` is the tooltip."""

    name: str
    value: float
    low: float
    high: float
    words: str
    hint: str


@dataclass(frozen=True, slots=True)
class BarRow:
    """Parts of a bar, one after the other: (size, colour, tooltip); `words` stand at the right."""

    name: str
    parts: tuple[tuple[float, str, str], ...]
    words: str


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where names, plot and words stand."""

    room: float
    left: float
    right: float
    top: float

    def x(self, share: float) -> float:
        return self.left + share * (self.right - self.left)

    def y(self, k: int) -> float:
        return self.top + (k + 0.5) * ROW


def _frame(rows: Sequence[DotRow] | Sequence[BarRow], *, width: float, top: float) -> _Frame:
    room = label_room([row.name for row in rows], 96.0 if is_narrow(width) else 250.0)
    beside = max((em_width(row.words) * SMALL for row in rows), default=0.0)
    return _Frame(room, room + GAP, width - beside - GAP - 2, top)


def dots(rows: Sequence[DotRow], *, width: float, title: str, says: str) -> Scene:
    """A dot per row on a scale from 0 to 100 %, with its interval; one half is marked."""
    scene = Scene(width, label=says)
    frame = _frame(rows, width=width, top=EDGE)
    bottom = frame.y(len(rows) - 1) + ROW / 2
    scene.height = _shares(scene, frame, bottom, title)
    scene.add(Line(frame.x(0.5), EDGE, frame.x(0.5), bottom, "muted"))
    for k, row in enumerate(rows):
        y = frame.y(k)
        put_name(scene, row.name, x=frame.room, y=y, room=frame.room)
        low, high = frame.x(row.low), frame.x(row.high)
        scene.add(Rect(low, y - BAR / 2, max(high - low, 1.0), BAR, "bar", BAR / 2, row.hint))
        scene.add(Circle(frame.x(row.value), y, DOT, "dot", "paper"))
        scene.add(Text(frame.right + GAP, y + SMALL * 0.36, row.words, SMALL))
    return scene


def _shares(scene: Scene, frame: _Frame, bottom: float, title: str) -> float:
    shares = QUARTERS if frame.x(0.25) - frame.x(0) >= LABEL else QUARTERS[::2]
    ticks = [(frame.x(share), f"{100 * share:.0f} %") for share in shares]
    return across(scene, ticks, top=frame.top, bottom=bottom, title=title, middle=(frame.left + frame.right) / 2)


def progress_bars(rows: Sequence[BarRow], *, width: float, title: str, says: str, goal: str) -> Scene:
    """Bars on a scale from 0 to 100 %, where a green line says that the `goal` is reached."""
    scene = Scene(width, label=says)
    frame = _frame(rows, width=width, top=EDGE + 20)
    bottom = frame.y(len(rows) - 1) + ROW / 2
    scene.height = _shares(scene, frame, bottom, title)
    _bars(scene, frame, rows, most=1.0)
    scene.add(Line(frame.right, frame.top - 6, frame.right, bottom, "line", 2.0))
    scene.add(Text(frame.right, frame.top - 11, goal, SMALL, "line", "end"))
    return scene


def part_bars(
    rows: Sequence[BarRow], *, width: float, title: str, says: str, legend: Sequence[tuple[str, str]]
) -> Scene:
    """Bars of counts, made of parts; `legend` is (colour, words) per part."""
    scene = Scene(width, label=says)
    frame = _frame(rows, width=width, top=key(scene, legend, x=0))
    bottom = frame.y(len(rows) - 1) + ROW / 2
    largest = max((sum(size for size, *_ in row.parts) for row in rows), default=0)
    counts = round_ticks(largest, 4 if is_narrow(width) else 6)
    ticks = [(frame.x(count / counts[-1]), f"{count:,}") for count in counts]
    middle = (frame.left + frame.right) / 2
    scene.height = across(scene, ticks, top=frame.top, bottom=bottom, title=title, middle=middle)
    _bars(scene, frame, rows, most=counts[-1])
    return scene


def _bars(scene: Scene, frame: _Frame, rows: Sequence[BarRow], *, most: float) -> None:
    thick = ROW * 0.55
    for k, row in enumerate(rows):
        y, so_far = frame.y(k), 0.0
        put_name(scene, row.name, x=frame.room, y=y, room=frame.room)
        for size, colour, hint in row.parts:
            start, end = frame.x(so_far / most), frame.x((so_far + size) / most)
            if size > 0:
                scene.add(Rect(start, y - thick / 2, max(end - start, 1.0), thick, colour, hint=hint))
            so_far += size
        scene.add(Text(frame.right + GAP, y + SMALL * 0.36, row.words, SMALL))


# ----------------------------------------------------------------------------
# A square per pair of names: the darker, the larger the share; names stand at the left, their numbers on top
LARGEST, WRITTEN = 40.0, 30.0  # pixels of a square; from here on its number is written into it
MOST_HINTS = 500  # squares with a tooltip of their own; of more a page would grow too large
READABLE = 8.5  # pixels of a row whose name can be read
NUMBER_COLUMN, TOP, EDGE_RIGHT = 26.0, 22.0, 6.0
STRONGEST, UNDER_TEXT = 0.95, 0.5  # colours behind a number stay pale enough to read it
LEVELS = 10

Pair = tuple[int, int]  # row, column


def squares(
    names: Sequence[str],
    shares: Mapping[Pair, float],
    *,
    width: float,
    says: str,
    hints: Mapping[Pair, str],
    marked: Collection[Pair] = (),
    both_ways: bool = False,
) -> Scene:
    """`shares` colours the pairs it has. `marked` ones get a green spot. `both_ways`: below one half in another
    colour, and one half has none."""
    scene = Scene(width, label=says)
    room = label_room(names, 84.0 if is_narrow(width) else 210.0)
    if _side(width, room, len(names)) < READABLE:  # names would be too small to read: numbers stand for them
        room = 0.0
    left, side = NUMBER_COLUMN + room + 10, _side(width, room, len(names))
    size = side - (1.0 if side > 6 else 0.4)
    written = side >= WRITTEN
    _names(scene, names, room=room, left=left, side=side)
    corner = {pair: (left + pair[1] * side, TOP + pair[0] * side) for pair in shares}
    strongest = UNDER_TEXT if written else STRONGEST
    hinted = not is_narrow(width) and len(shares) <= MOST_HINTS
    for (fill, opacity), pairs in sorted(_levels(shares, strongest, both_ways=both_ways).items()):
        scene.add(Cells(size, tuple(corner[pair] for pair in pairs), fill, opacity))
    for pair, (x, y) in corner.items():
        if hinted:
            scene.add(Rect(x, y, size, size, "paper", hint=hints[pair], opacity=0.0))
        if written:
            words = f"{100 * shares[pair]:.0f}"
            scene.add(Text(x + size / 2, y + size / 2 + 4.3, words, SMALL, anchor="middle"))
    _marks(scene, [corner[pair] for pair in marked if pair in corner], size, written=written)
    bottom = TOP + len(names) * side
    if written:
        scene.add(Text(left, bottom + 18, "numbers in squares: %", SMALL, "muted"))
        scene.height = bottom + 28
    else:
        scene.height = _key(scene, 2.0 if is_narrow(width) else left, bottom + 12, both_ways=both_ways)
    return scene


def _side(width: float, room: float, names: int) -> float:
    """Pixels of a square, its gap included."""
    return min(LARGEST, (width - NUMBER_COLUMN - room - 10 - EDGE_RIGHT) / max(names, 1))


def _names(scene: Scene, names: Sequence[str], *, room: float, left: float, side: float) -> None:
    """Names with their numbers at the left, where the rows are high enough; the numbers again on top."""
    text = min(TEXT, side * 0.95) if room else SMALL
    every = next(step for step in (1, 2, 5, 10, 20, 50) if side * step >= 22)
    for k, name in enumerate(names):
        y, numbered = TOP + (k + 0.5) * side + text * 0.36, (k + 1) % every == 0
        if room:
            shown = fit(name, room + 2, text)
            scene.add(Text(NUMBER_COLUMN + room, y, shown, text, anchor="end", hint=name if shown != name else ""))
        if room or numbered:
            scene.add(Text(NUMBER_COLUMN - 6, y, str(k + 1), min(text, SMALL), "muted", "end"))
        if numbered:
            scene.add(Text(left + (k + 0.5) * side, TOP - 7, str(k + 1), SMALL, "muted", "middle"))


def _levels(
    shares: Mapping[Pair, float], strongest: float, *, both_ways: bool
) -> dict[tuple[str, float], list[Pair]]:
    """The pairs of each colour and strength."""
    found: defaultdict[tuple[str, float], list[Pair]] = defaultdict(list)
    for pair, share in shares.items():
        fill, depth = _colour(share, both_ways=both_ways)
        level = round(depth * LEVELS) / LEVELS
        found[(fill, round(level * strongest, 3)) if level else ("grid", 1.0)].append(pair)
    return found


def _colour(share: float, *, both_ways: bool) -> tuple[str, float]:
    if not both_ways:
        return "dot", share
    return ("warn", 1 - 2 * share) if share < 0.5 else ("dot", 2 * share - 1)


def _marks(scene: Scene, corners: Sequence[tuple[float, float]], size: float, *, written: bool) -> None:
    """A green spot in the middle of a square; in the corner where the middle holds a number."""
    spot = 6.0 if written else max(2.0, round(size * 0.36, 1))
    away = size - spot - 3 if written else (size - spot) / 2
    down = 3.0 if written else away
    if corners:
        scene.add(Cells(spot + 1.6, tuple((x + away - 0.8, y + down - 0.8) for x, y in corners), "paper"))
        scene.add(Cells(spot, tuple((x + away, y + down) for x, y in corners), "line"))


def _key(scene: Scene, x: float, top: float, *, both_ways: bool) -> float:
    """What the colours mean."""
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        fill, depth = _colour(share, both_ways=both_ways)
        words = f"{100 * share:.0f} %"
        scene.add(Rect(x, top, 12, 12, fill if depth else "grid", opacity=depth * STRONGEST or 1.0))
        scene.add(Text(x + 16, top + 10.5, words, SMALL - 1, "muted"))
        x += 22 + em_width(words) * (SMALL - 1)
    return top + 22


# ----------------------------------------------------------------------------
# Counts that grow over time, as steps
HEIGHT, MARGIN = PLOT
POINTS = 150  # of a curve: more are not seen

Points = Sequence[tuple[float, int]]  # (seconds since 1970, count until then)


def counted_up(moments: Sequence[float]) -> list[tuple[float, int]]:
    """(moment, how many until then) in order of time, thinned to `POINTS`, the first and the last kept.

    >>> counted_up([3.0, 1.0, 2.0]), len(counted_up(range(10_000)))
    ([(1.0, 1), (2.0, 2), (3.0, 3)], 150)
    """
    points = [(moment, count) for count, moment in enumerate(sorted(moments), start=1)]
    if len(points) <= POINTS:
        return points
    chosen = {round(k * (len(points) - 1) / (POINTS - 1)) for k in range(POINTS)}
    return [points[k] for k in sorted(chosen)]


@dataclass(frozen=True, slots=True)
class _Axes:
    first: float
    last: float
    most: int
    left: float
    right: float
    bottom: float

    def x(self, moment: float) -> float:
        return self.left + (moment - self.first) / max(self.last - self.first, 1e-9) * (self.right - self.left)

    def y(self, count: float) -> float:
        return self.bottom - HEIGHT * count / self.most

    def steps(self, points: Points) -> list[tuple[float, float]]:
        """Along, then up, at each point."""
        found = [(self.x(points[0][0]), self.y(0)), (self.x(points[0][0]), self.y(points[0][1]))]
        for (_, before), (moment, count) in pairwise(points):
            found += [(self.x(moment), self.y(before)), (self.x(moment), self.y(count))]
        return [*found, (self.x(self.last), self.y(points[-1][1]))]


def time_curve(curves: Sequence[tuple[str, str, Points]], *, width: float, says: str, counts: str) -> Scene:
    """(words, colour, points) per curve; the first is filled. `counts` says what the scale counts."""
    scene = Scene(width, label=says)
    top = key(scene, [(colour, words) for words, colour, _ in curves], x=0) if len(curves) > 1 else 0.0
    every = [point for *_, points in curves for point in points]
    levels = round_ticks(max(count for _, count in every), 4)
    left, bottom = 12 + em_width(f"{levels[-1]:,}") * SMALL, top + MARGIN + HEIGHT
    first, last = min(at for at, _ in every), max(at for at, _ in every)
    frame = _Axes(first, last, levels[-1], left, width - 34, bottom)
    scene.add(Text(0, top + 14, counts, SMALL, "muted"))
    for level in levels:
        scene.add(Line(left, frame.y(level), frame.right, frame.y(level), "grid"))
        scene.add(Text(left - 8, frame.y(level) + 4, f"{level:,}", SMALL, "muted", "end"))
    _moments(scene, frame)
    for k, (words, colour, points) in reversed(list(enumerate(curves))):  # the first one on top
        _curve(scene, frame, points, words=words, colour=colour, filled=k == 0)
    scene.height = bottom + 62
    return scene


def _moments(scene: Scene, frame: _Axes) -> None:
    bottom = frame.bottom
    for moment, words, day in moment_ticks(frame.first, frame.last, 3 if is_narrow(scene.width) else 6):
        x = frame.x(moment)
        scene.add(Line(x, bottom, x, bottom + 5, "muted"))
        scene.add(Text(_inside(scene, x, words), bottom + 19, words, SMALL, "muted", "middle"))
        if day:
            scene.add(Text(_inside(scene, x, day), bottom + 34, day, SMALL, "muted", "middle"))
    scene.add(Text((frame.left + frame.right) / 2, bottom + 53, "time (UTC)", SMALL, "muted", "middle"))


def _inside(scene: Scene, x: float, words: str) -> float:
    """The middle of a label that does not leave the paper."""
    half = em_width(words) * SMALL / 2
    return min(max(x, half), scene.width - half)


def _curve(scene: Scene, frame: _Axes, points: Points, *, words: str, colour: str, filled: bool) -> None:
    steps = frame.steps(points)
    hint = f"{points[-1][1]:,} {words}"
    if filled:
        floor = [(steps[-1][0], frame.y(0)), (steps[0][0], frame.y(0))]
        scene.add(Curve((*steps, *floor), fill="bar", opacity=0.4, hint=hint))
    scene.add(Curve(tuple(steps), colour, 2.0 if filled else 1.3, hint=hint))
