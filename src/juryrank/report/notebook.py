"""A result, or a fit, as an HTML fragment for notebooks; it fetches and runs nothing."""

from __future__ import annotations

from html import escape
from typing import Any

from juryrank.report.view import View, view_of
from juryrank.report.words.estimates import BADGE, TITLE, EstimateView
from juryrank.report.words.formats import rank_words
from juryrank.report.words.headlines import promises
from juryrank.types import Ranking

ROWS_MOST = 60
BLUE, GREEN, SOFT = "#1f5fa8", "#137a3a", "#667080"  # readable on white and on dark pages alike


def result_html(ranking: Ranking) -> str:
    """The result; estimates are blue and say so, promises are green.

    >>> result = Ranking(("b<", "a"), certified=False, error=0.1, questions=0, ranker="panel")
    >>> "b&lt;" in result_html(result)
    True
    """
    view = view_of(ranking)
    promised = bool(view.promise) and promises(ranking)
    basis = view.basis if promised else view.subtitle
    parts = [f"<p><b>{escape(view.title[:1].upper() + view.title[1:])}</b>. {escape(basis)}</p>"]
    if not view.gate:
        parts.append(_estimates(view.estimates) if view.estimates else _order(view, ranking))
    if promised:
        parts.append(f"<p>{_badge('promise', GREEN)} {escape(view.promise)}</p>")
    parts += [f"<p><b>Note:</b> {escape(words)}</p>" for words in (*view.post_hoc, *view.warnings)]
    return f"<div>{''.join(parts)}</div>"


def _estimates(found: EstimateView) -> str:
    shown = found.rows[:ROWS_MOST]
    promised = ["promised rank"] if found.promised else []
    head = _row(["", "item", found.score_title, found.top_title, *promised], "th")
    body = "".join(
        _row(
            [str(r.place), r.item, f"{100 * r.beats:.0f} % ({r.span_words})", r.top_words, r.promised][
                : 4 + len(promised)
            ]
        )
        for r in shown
    )
    more = f"<p>and {len(found.rows) - len(shown):,} more</p>" if len(found.rows) > len(shown) else ""
    said = f"<p>{_badge(BADGE, BLUE)} <b>{TITLE}:</b> {escape(found.says)}</p>"
    note = f'<p style="color:{SOFT}">{escape(found.note_of_table)}</p>'
    return f"{said}<table>{head}{body}</table>{more}{note}"


def _order(view: View, ranking: Ranking) -> str:
    """A proven order; scores stay estimates, and say so."""
    shown, found = view.rows[:ROWS_MOST], ranking.estimates
    scores = {} if found is None else {str(guess.item): guess for guess in found.items}
    head = ["", "item", "possible ranks"]
    if found is not None and found.answers:
        head.append(f"estimated score ({100 * found.level:.0f} % interval)")
    cells = [[str(row.guess), row.item, row.rank] for row in shown]
    for line, item in zip(cells, ranking.order, strict=False):
        guess = scores.get(str(item))
        if len(head) > 3:
            line.append(f"{guess.score:.2f} ({guess.score_low:.2f} to {guess.score_high:.2f})" if guess else "")
    more = f"<p>and {len(view.rows) - len(shown):,} more</p>" if len(view.rows) > len(shown) else ""
    return f"<table>{_row(head, 'th')}{''.join(map(_row, cells))}</table>{more}"


def fitted_html(fitted: Any) -> str:
    """A fit: scores with their intervals, what a control does, and what to know before believing them.

    >>> from juryrank import fit
    >>> "estimate" in fitted_html(fit([("ann", "x<", "y", "y")]))
    True
    """
    votes, shown = fitted.estimate.ballots, fitted.items[:ROWS_MOST]
    digits = {"elo": 0, "logit": 2, "probability": 3}[fitted.scale]
    plain = {} if fitted.without is None else {row.name: row for row in fitted.without.items}
    level = f"{100 * fitted.level:g} % interval, {fitted.interval}"
    head = ["rank", "item", "score", level, "possible ranks", "votes", *(["without control"] if plain else [])]
    body = []
    for row in shown:
        reach, ranks = f"{row.low:.{digits}f} to {row.high:.{digits}f}", rank_words(row.rank_low, row.rank_high)
        cells = [str(row.rank), row.name, f"{row.score:.{digits}f}", reach, ranks, f"{row.votes:,}"]
        body.append(_row([*cells, *([f"{plain[row.name].score:.{digits}f}"] if plain else [])]))
    more = f"<p>and {len(fitted.items) - len(shown):,} more</p>" if len(fitted.items) > len(shown) else ""
    said = [*(effect.words for effect in fitted.controls), *(c.words for c in fitted.checks if not c.ok)]
    notes = "".join(f"<p><b>Note:</b> {escape(words)}</p>" for words in said)
    title = f"{_badge(BADGE, BLUE)} <b>{escape(fitted.model)}</b>, {escape(votes.size_in_words)}. "
    unit = f"Score: {escape(fitted.unit)}."
    return f"<div><p>{title}{unit}</p><table>{_row(head, 'th')}{''.join(body)}</table>{more}{notes}</div>"


def _row(cells: list[str], tag: str = "td") -> str:
    style = ' style="text-align:left"'
    return "<tr>" + "".join(f"<{tag}{style}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _badge(word: str, colour: str) -> str:
    style = f"color:{colour};border:1px solid {colour};border-radius:9px;padding:0 7px;font-size:85%"
    return f'<span style="{style}">{word}</span>'
