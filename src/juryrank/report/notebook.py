"""A result as an HTML fragment for notebooks: estimates and promises; it fetches and runs nothing."""

from __future__ import annotations

from html import escape

from juryrank.report.view import View, view_of
from juryrank.report.words.estimates import BADGE, TITLE, EstimateView
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
    parts = [f"<p><b>{escape(view.title[:1].upper() + view.title[1:])}</b>. {escape(view.subtitle)}</p>"]
    parts.append(_estimates(view.estimates) if view.estimates else _order(view))
    if view.promise and not view.post_hoc:
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
    note = f'<p style="color:{SOFT}">{escape(found.note)}</p>'
    return f"{said}<table>{head}{body}</table>{more}{note}"


def _order(view: View) -> str:
    shown = view.rows[:ROWS_MOST]
    body = "".join(_row([str(row.guess), row.item, row.rank]) for row in shown)
    more = f"<p>and {len(view.rows) - len(shown):,} more</p>" if len(view.rows) > len(shown) else ""
    return f"<table>{_row(['', 'item', 'possible ranks'], 'th')}{body}</table>{more}"


def _row(cells: list[str], tag: str = "td") -> str:
    style = ' style="text-align:left"'
    return "<tr>" + "".join(f"<{tag}{style}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _badge(word: str, colour: str) -> str:
    style = f"color:{colour};border:1px solid {colour};border-radius:9px;padding:0 7px;font-size:85%"
    return f'<span style="{style}">{word}</span>'
