"""A study in the terminal: shown once, or updated live."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from juryrank.run.display import questions_words

if TYPE_CHECKING:
    from juryrank.study import Study

POLL = 0.5  # seconds between two looks at the log
MOST_NAME = 60  # terminal columns
ENDED = ("done", "spent", "closed")


def show_status(study: Study, console: Any) -> None:
    """Show everything once."""
    console.print(status_view(study))


def watch_status(study: Study, console: Any) -> None:
    """Show everything again after every change, until the study has ended (or Ctrl-C)."""
    from rich.live import Live

    with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:
        seen = -1
        while True:
            now = study.progress()
            if now.seq != seen:
                live.update(status_view(study), refresh=True)
                seen = now.seq
            if now.state in ENDED:
                return
            time.sleep(POLL)


def status_view(study: Study) -> Any:
    """State, counts, order and judges as one object that rich can print."""
    from rich.console import Group
    from rich.text import Text

    from juryrank.cli.study.judges import judge_table
    from juryrank.report.text import view_text
    from juryrank.report.view import view_of
    from juryrank.report.words.formats import clean, shorten

    now = study.progress()
    result = view_text(replace(view_of(study.ranking()), judges=()))  # the table below says more about them
    priced = "" if now.progress.cost == now.progress.questions else f"; cost {now.progress.cost:g}"
    lines = [
        f"{shorten(clean(study.name), MOST_NAME)}: {now.state}. {now.reason}",
        f"ranker {now.ranker}, δ = {now.error}; placed {now.progress.placed}/{now.progress.items}, settled "
        f"{now.progress.settled}/{now.progress.links}",
        f"questions {questions_words(now.progress)}; answers {now.answers}, late {now.late}, open "
        f"{now.progress.open}{priced}",
    ]
    if now.model_cost:
        lines.append(f"models cost {now.model_cost:.4g} so far")
    lines += [
        f"{shorten(clean(row.name), MOST_NAME)}: {row.answers} answers beside the people's, never counted"
        for row in now.beside
    ]
    return Group(Text("\n".join(lines)), Text(""), Text(result), judge_table(study))
