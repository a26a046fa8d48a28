"""A square per pair of names: the darker, the larger the share; names stand at the left, their numbers on top."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from juryrank.report.picture.axes import SMALL, TEXT, is_narrow, label_room
from juryrank.report.picture.scene import Cells, Rect, Scene, Text
from juryrank.report.words.formats import em_width, fit

LARGEST, WRITTEN = 40.0, 30.0  # pixels of a square; from here on its number is written into it
MOST_HINTS = 500  # squares with a tooltip of their own; of more a page would grow too large
READABLE = 8.5  # pixels of a row whose name can be read
NUMBER_COLUMN, EDGE, EDGE_RIGHT = 26.0, 22.0, 6.0
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
    corner = {pair: (left + pair[1] * side, EDGE + pair[0] * side) for pair in shares}
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
    bottom = EDGE + len(names) * side
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
        y, numbered = EDGE + (k + 0.5) * side + text * 0.36, (k + 1) % every == 0
        if room:
            shown = fit(name, room + 2, text)
            scene.add(Text(NUMBER_COLUMN + room, y, shown, text, anchor="end", hint=name if shown != name else ""))
        if room or numbered:
            scene.add(Text(NUMBER_COLUMN - 6, y, str(k + 1), min(text, SMALL), "muted", "end"))
        if numbered:
            scene.add(Text(left + (k + 0.5) * side, EDGE - 7, str(k + 1), SMALL, "muted", "middle"))


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
