"""A result as terminal text: plain letters, good at 80 columns.

>>> from juryrank.types import Ranking
>>> result = Ranking(("b", "a"), certified=False, error=0.1, questions=9, ranker="panel", ranges=((1, 2), (1, 2)))
>>> print(result_text(result, title="Two things").splitlines()[0])
Two things: best guess so far
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from juryrank.defaults import WIDTH
from juryrank.log.gold import gold_words
from juryrank.quoting import in_sentences
from juryrank.report.picture.picture import accuracy_words
from juryrank.report.view import BEFORE, CHAINS_TITLE, ItemRow, View, tick_ranks, view_of
from juryrank.report.words.estimates import EstimateRow, EstimateView
from juryrank.report.words.formats import clean, columns, pad, percent, wrap
from juryrank.report.words.jury import case_lines, claim_lines, disagreement_lines, group_lines, resolution_words
from juryrank.statements.numbers import number_of
from juryrank.types import JudgeReport, Ranking

CELL_MOST = 5  # columns a rank takes in the chart
NAME_LEAST, NAME_MOST = 6, 30
NOTE_LEAST = 20  # columns for what is said about a judge
RANK_GAP = 2
PROVEN_TITLE = "What is proven (promise)"
JURY_TITLE = "Judges (agreeing: pairs on which a judge leans as the order does)"
GOLD_TITLE = "Gold pairs (they test the judges, and never count)"
POST_HOC = "Post-hoc: nothing is promised, because"
BAR, DOT, END_LEFT, END_RIGHT, RULE = "━", "●", "╺", "╸", "─"
PLAIN = str.maketrans({BAR: "=", DOT: "o", END_LEFT: "=", END_RIGHT: "=", RULE: "-", "…": "~", "δ": "d", "·": "-"})


def result_text(
    ranking: Ranking, *, title: str = "", width: int = WIDTH, rows: int = 8, plain: bool = False
) -> str:
    """The whole result; `rows` bounds the open pairs and judges shown, `plain` draws without line characters.

    >>> from juryrank import rank
    >>> print(result_text(rank(["a", "b"], {"ann": min}, seed=1), title="Letters").splitlines()[0])
    Letters: the whole order is settled
    """
    view = view_of(ranking, title=title)
    text = view_text(view, width=width, rows=rows)
    return text.translate(PLAIN) if plain else text


def view_text(view: View, *, width: int = WIDTH, rows: int = 8) -> str:
    """All parts that have something to show, one after the other."""
    parts = (
        [*wrap(view.title, width), *wrap(view.basis, width)],
        estimate_lines(view.estimates, width=width) if view.estimates else [],
        *_proven(view, width=width, rows=rows),
        *_next(view, width=width, rows=rows),
        judge_lines(
            view.judges,
            width=width,
            rows=rows,
            people=view.opinions,
            title=JURY_TITLE if view.jury else "Judges",
        ),
        gold_lines(view.gold, width=width),
        model_lines(view.models, width=width),
        _section(POST_HOC, _bullets(view.post_hoc, width)),
        _section("Note", _bullets(view.warnings, width)),
    )
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _proven(view: View, *, width: int, rows: int) -> list[list[str]]:
    """What is promised: the chart of possible ranks, settled chains, the exact words."""
    promise = [] if view.post_hoc else _section("The promise", wrap(view.promise, width - 2, indent="  "))
    unplaced = _section("Not placed yet", wrap(", ".join(view.unplaced), width - 2, indent="  "))
    if view.estimates and view.guesses_only:
        return [unplaced, promise]
    if view.estimates and not view.promises and not view.jury:
        return [_section(PROVEN_TITLE, wrap(view.nothing_proven, width - 2, indent="  ")), unplaced, promise]
    chart = [] if view.gate else chart_lines(view, width=width)
    return [
        _section(PROVEN_TITLE, chart) if view.estimates else chart,
        unplaced,
        _section(CHAINS_TITLE, chain_lines(view, width=width, rows=rows)),
        [*claim_lines(view.jury, rows=rows), *wrap(resolution_words(view.jury), width - 2, indent="  ")],
        group_lines(view.jury),
        disagreement_lines(view.jury, rows=rows),
        case_lines(view.jury, rows=rows),
        _top_lines(view, width=width, rows=rows),
        promise,
    ]


def _next(view: View, *, width: int, rows: int) -> list[list[str]]:
    """What more answers would settle, and which pairs need them."""
    return [_forecast_lines(view, width=width), _open_lines(view, width=width, rows=rows)]


def _section(title: str, lines: list[str]) -> list[str]:
    return [title, *lines] if lines else []


def _bullets(texts: Iterable[str], width: int) -> list[str]:
    lines: list[str] = []
    for text in texts:
        first, *rest = wrap(text, width - 4) or [""]
        lines += [f"  - {first}", *(f"    {line}" for line in rest)]
    return lines


def chart_lines(view: View, *, width: int = WIDTH) -> list[str]:
    """The order with possible ranks as bars and settled lines between groups."""
    if not view.rows:
        return []
    items = view.ranks
    title = ", ".join(filter(None, ("rank", view.transitive)))
    ranks = max([columns(row.rank) for row in view.rows] + [columns(title)]) if view.ranged else 0
    longest = max(columns(row.item) for row in view.rows)
    number = len(str(items))
    frame = number + 3 + RANK_GAP + ranks + 2
    least = min(items, 24)  # the chart keeps at least this much room
    name = max(NAME_LEAST, min(longest, NAME_MOST, width - frame - least))
    room = max(width - frame - name, 8)
    cell = max(1, min(CELL_MOST, (room - 1) // max(items - 1, 1)))
    scale = _Scale(items, min(room, cell * (items - 1) + 1))
    head = " " * (number + 2) + pad("", name) + "  " + pad(scale.header(), scale.room)
    lines = [(head + " " * RANK_GAP + (title if view.ranged else "")).rstrip()]
    full = columns(head) + RANK_GAP + ranks
    for row in view.rows:
        lead = f"{row.guess:>{number}}  {pad(row.item, name)}  "
        lines.append(f"{lead}{scale.bar(row)}{' ' * RANK_GAP}{row.rank}".rstrip())
        if row.guess in view.lines and len(view.lines) < items - 1:  # all of them: the order alone says it
            lines.append(_ruler(full, "settled"))
    return lines


def _ruler(width: int, word: str) -> str:
    return RULE * (width - len(word) - 4) + f" {word} " + RULE * 2


class _Scale:
    """Ranks to columns."""

    def __init__(self, items: int, room: int) -> None:
        self.items, self.room = items, max(room, 1)

    def at(self, rank: int) -> int:
        return round((rank - 1) * (self.room - 1) / max(self.items - 1, 1))

    def header(self) -> str:
        """The ranks that fit, the first and the last always."""
        line = [" "] * self.room
        width = len(str(self.items))
        for rank in tick_ranks(self.items, most=max(self.room // (width + 2), 2)):
            place = min(self.at(rank), self.room - len(str(rank)))
            line[place : place + len(str(rank))] = str(rank)
        return "".join(line)

    def bar(self, row: ItemRow) -> str:
        line = [" "] * self.room
        if row.best is not None and row.worst is not None:
            left, right = self.at(row.best), self.at(row.worst)
            line[left : right + 1] = BAR * (right + 1 - left)
            if right > left:
                line[left], line[right] = END_LEFT, END_RIGHT
        line[self.at(row.guess)] = DOT
        return "".join(line)


def chain_lines(view: View, *, width: int, rows: int) -> list[str]:
    """Settled runs of neighbours, the longest first where there are too many."""
    shown = set(sorted(view.chains, key=len, reverse=True)[:rows])
    lines = []
    for chain in view.chains:
        if chain in shown:
            first, *rest = wrap(BEFORE.join(chain), width - 4)
            lines += [f"  {first}", *(f"    {line}" for line in rest)]
    more = len(view.chains) - len(shown)
    return lines + ([f"  and {more:,} more"] if more else [])


def _top_lines(view: View, *, width: int, rows: int) -> list[str]:
    """Who is among the first k, where the order does not say so already; without sizes that add no item."""
    if all(row.best is not None and row.best == row.worst for row in view.rows):
        return []
    before: Sequence[tuple[str, ...]] = [(), *(top.inside for top in view.tops)]
    known = [top for top, smaller in zip(view.tops, before, strict=False) if top.inside != smaller]
    lines = []
    for top in known[:rows]:
        names = in_sentences(top.inside)
        full = len(top.inside) == top.size  # then nobody else has a place there
        counts = "" if full else f" ({top.out} out, {top.open} open)"
        lead = f"  top {top.size}: "
        lines.append(lead + pad(names, width - columns(lead) - len(counts)).rstrip() + counts)
    more = len(known) - rows
    return _section("In the top k", lines + ([f"  and {more:,} more sizes"] if more > 0 else []))


def _open_lines(view: View, *, width: int, rows: int) -> list[str]:
    if not view.open_pairs:
        return []
    shown = view.open_pairs[:rows]
    second = max([columns(f"{p.preferred:,} of {p.answers:,}") for p in shown] + [len(view.open_columns[1])])
    third = max([columns(p.needed) for p in shown] + [len(view.open_columns[2])])
    names = min(max(columns(f"{p.first} / {p.second}") for p in shown), width - second - third - 6)
    lines = [f"  {pad('', names)}  {pad(view.open_columns[1], second)}  {view.open_columns[2]}"]
    for pair in shown:
        told = f"{pair.preferred:,} of {pair.answers:,}"
        lines.append(f"  {_pair(pair.first, pair.second, names)}  {pad(told, second)}  {pair.needed}".rstrip())
    more = len(view.open_pairs) - len(shown)
    return _section(view.open_title, lines + ([f"  and {more:,} more"] if more else []))


def _pair(first: str, second: str, width: int) -> str:
    if columns(first) + columns(second) + 3 <= width:
        return pad(f"{first} / {second}", width)
    half = (width - 3) // 2
    left = pad(first, max(half, width - 3 - columns(second))).rstrip()
    return pad(f"{left} / {second}", width)


def _forecast_lines(view: View, *, width: int) -> list[str]:
    lines = []
    for forecast in view.forecasts:
        lines += wrap(forecast.headline, width - 2, indent="  ")
        lines += [f"    {pad(likely, width - 4).rstrip()}" for likely in forecast.likely[:4]]
    return _section(view.forecast_title, lines)


def judge_lines(
    judges: tuple[JudgeReport, ...],
    *,
    width: int = WIDTH,
    rows: int = 8,
    people: bool = False,
    title: str = "Judges",
) -> list[str]:
    """The judges' table, most answers first; judges of whom nothing is estimated are only counted."""
    known = [judge for judge in judges if judge.accuracy is not None or judge.note or not judge.active]
    if not judges or (people and not known):
        return []
    shown = sorted(judges, key=lambda judge: (-judge.answered, clean(judge.name)))[: rows // 2 if people else rows]
    name = max(NAME_LEAST, min(max(columns(clean(judge.name)) for judge in shown), NAME_MOST - 6))
    word = "agreeing" if people else "accuracy"  # a person has no accuracy
    spans = [interval_words(judge) for judge in shown]
    wide = 14 if any(spans) else 0
    lines = [f"  {pad('', name)}  {'answers':>8}  {word}  {pad('interval', wide)}".rstrip()]
    for judge, span in zip(shown, spans, strict=True):
        lead = f"  {pad(clean(judge.name), name)}  {judge.answered:>8,}  {accuracy_words(judge):>8}  "
        lead += pad(span, wide)
        note, *rest = wrap(judge.note, max(width - columns(lead), NOTE_LEAST)) or [""]
        lines += [(lead + note).rstrip(), *(" " * columns(lead) + line for line in rest)]
    more = len(judges) - len(shown)
    return _section(title, lines + ([f"  and {number_of(more, 'more judge')}"] if more else []))


def gold_lines(gold: Mapping[str, Mapping[str, Any]], *, width: int = WIDTH) -> list[str]:
    """How each judge did on gold pairs."""
    name = max([NAME_LEAST, *(min(columns(clean(judge)), NAME_MOST - 6) for judge in gold)])
    lines = [f"  {pad(clean(judge), name)}  {gold_words(record)}" for judge, record in gold.items()]
    return _section(GOLD_TITLE, [pad(line, width).rstrip() for line in lines])


def model_lines(models: Mapping[str, Mapping[str, Any]], *, width: int = WIDTH) -> list[str]:
    """What each model did and cost in this run."""
    lines: list[str] = []
    for name, did in models.items():
        lines += wrap(f"{clean(name)}: {model_words(did)}", width - 2, indent="  ")
    costs = [did["cost"] for did in models.values() if did["cost"] is not None]
    if len(costs) > 1:
        lines.append(f"  In all: {sum(costs):.4g}")
    return _section("Models (in this run, probes and gold pairs included)", lines)


def model_words(did: Mapping[str, Any]) -> str:
    """One model's questions, failures, position bias and cost, in words.

    >>> used = {"questions": 40, "cached": 10, "failed": 1, "refused": 0, "chose_first": 30, "verdicts": 36}
    >>> model_words({**used, "flips": None, "tokens": 9000, "cost": 0.0123})
    '40 questions (25 % of calls from the cache), 1 failed; chose the first 83 %; 9,000 tokens, cost 0.0123'
    """
    calls = max(1, did["questions"] * (1 if did["flips"] is None else 2))
    cached = f" ({100 * did['cached'] / calls:.0f} % of calls from the cache)" if did["cached"] else ""
    said = [number_of(did["questions"], "question") + cached]
    said += [f"{did[trouble]:,} {trouble}" for trouble in ("failed", "refused") if did[trouble]]
    parts = [", ".join(said)]
    if did["verdicts"]:
        parts.append(f"chose the first {100 * did['chose_first'] / did['verdicts']:.0f} %")
    if did["flips"] is not None:
        parts.append(f"{did['flips']:,} flips with the side")
    cost = "no price known" if did["cost"] is None else f"cost {did['cost']:.4g}"
    parts.append(f"{did['tokens']:,} tokens, {cost}")
    return "; ".join(parts)


def interval_words(judge: JudgeReport) -> str:
    """The interval of a judge's accuracy, in percent.

    >>> interval_words(JudgeReport("ann", 9, 9, 7.0, 0.78, 0.5, 0.934, True))
    '50 to 93 %'
    """
    if judge.low is None or judge.high is None:
        return ""
    return f"{round(100 * judge.low)} to {percent(round(judge.high, 2))}"


# ----------------------------------------------------------------------------
# Estimates as terminal text: who is ahead, with bars that fit the width.
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
