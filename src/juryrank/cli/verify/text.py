"""A verification report as terminal text, good at 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import typer

from juryrank.report.words.formats import clean, columns, pad, wrap
from juryrank.types import Link
from juryrank.verify import Check, Report

WIDTH = 80
NAME_COLUMN = 12  # or what the longest name takes
LINKS_SHOWN = 30  # more than this: only the least certain ones
ITEM_MOST = 22
VERDICTS = {
    "certified": ("green", "TRUE AND CERTIFIED"),
    "partial": ("yellow", "TRUE, NOT CERTIFIED AS A WHOLE"),
    "false": ("red", "NOT TRUE"),
}


def report_text(report: Report) -> str:
    """What was checked, each link's evidence, the verdict."""
    parts = [
        _title(report),
        _checks(report.checks),
        _links(report),
        _section("Edited after answers were seen: nothing is promised", report.post_hoc),
        _section("Note", report.notes),
        _verdict(report),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _title(report: Report) -> list[str]:
    words = f"Certificate of {len(report.order)} items by the ranker {report.ranker}, δ = {report.error:g}: "
    return wrap(words + f"{report.questions} questions, {report.answers} answers, {report.events} events", WIDTH)


def _checks(checks: Sequence[Check]) -> list[str]:
    lines = ["Checked, from the raw events"]
    room = max(NAME_COLUMN, *(len(check.name) + 1 for check in checks))
    for check in checks:
        mark = typer.style("✓", fg="green") if check.ok else typer.style("✗", fg="red", bold=True)
        first, *more = wrap(clean(check.words), WIDTH - room - 4) or [""]
        lines.append(f"  {mark} {check.name:<{room}}{first}")
        lines += [" " * (room + 4) + line for line in more]
    return lines


def _links(report: Report) -> list[str]:
    if not report.links:
        return []
    level = report.links[0].level
    needed = f"; {1 / level:.4g} proves one" if level else ""
    shown, rest = list(report.links), 0
    if len(shown) > LINKS_SHOWN:
        least_first = sorted(shown, key=lambda link: link.evidence or 0.0)
        kept = set(map(id, least_first[:LINKS_SHOWN]))
        shown, rest = [link for link in shown if id(link) in kept], len(shown) - LINKS_SHOWN
    widest = max(columns(clean(item)) for link in shown for item in (link.better, link.worse))
    room = min(widest, ITEM_MOST)
    lines = [f"Evidence{needed}", *(_link(link, room) for link in shown)]
    return [*lines, f"  ... and {rest} links with more evidence (--json shows all)"] if rest else lines


def _link(link: Link, room: int) -> str:
    mark = typer.style("✓", fg="green") if link.settled else typer.style("·", dim=True)
    names = f"{pad(clean(link.better), room)} over {pad(clean(link.worse), room)}"
    evidence = "-" if link.evidence is None else f"{link.evidence:.4g}"
    return f"  {mark} {names} {evidence:>9}  {link.answers_for:>3} for {link.answers_against:>3} against"


def _section(title: str, lines: Iterable[str]) -> list[str]:
    bullets = []
    for words in lines:
        first, *more = wrap(clean(words), WIDTH, indent="    ")
        bullets += [f"  - {first.lstrip()}", *more]
    return [title, *bullets] if bullets else []


def _verdict(report: Report) -> list[str]:
    colour, words = VERDICTS[report.verdict]
    lines = [typer.style(f"Verdict: {words}", fg=colour, bold=True)]
    for failure in report.failures:
        lines += wrap(clean(f"{failure.name}: {failure.words}"), WIDTH, indent="  ")
    if report.true:
        lines += wrap(report.statement, WIDTH, indent="  ")
    return [*lines, f"  head {report.head}"]
