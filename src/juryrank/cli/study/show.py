"""`juryrank study show`: how far a study is, its history, who took part, what another ranker would make of it."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from juryrank.cli.common import Json, Storage, console, emit_json
from juryrank.cli.study.app import Name, opened
from juryrank.cli.study.judges import judge_table
from juryrank.cli.study.votes import write_out
from juryrank.defaults import DEFAULT_STORAGE, WIDTH
from juryrank.errors import BadInput
from juryrank.run.display import questions_words

if TYPE_CHECKING:
    from juryrank.study import Study

POLL = 0.5  # seconds between two looks at the log
MOST_NAME = 60  # terminal columns
ENDED = ("done", "spent", "closed")

DATED = 18  # terminal columns for an act's time

HELP = """Show how far a study is: the order so far, what is settled, the judges.

--history lists everything but questions and answers, from the log, which
cannot be changed afterwards.

--participants has one row per judge: parameters, consent, conduct, flags and
answers about the person. It holds names and a platform's ids, so keep it to
yourself. Flags change nothing.

--ranker, --error and --set show what another ranker would make of the same
answers. That result is post-hoc and promises nothing; the study stays as it
is.

[bold]Examples[/bold]

  juryrank study show wines
  juryrank study show wines --watch
  juryrank study show wines --history
  juryrank study show wines --participants --out participants.csv
  juryrank study show wines --ranker guess
"""


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("show", help=HELP)(show)


def show(
    name: Name,
    watch: Annotated[bool, typer.Option("--watch", help="Keep running, and show every change.")] = False,
    history: Annotated[
        bool, typer.Option("--history", help="What was done besides asking and answering.")
    ] = False,
    participants: Annotated[
        bool, typer.Option("--participants", help="Who took part, one row per judge, as CSV.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="With --participants: a file instead of standard output.")
    ] = None,
    ranker: Annotated[str | None, typer.Option(help="What this ranker makes of the answers (post-hoc).")] = None,
    error: Annotated[
        float | None, typer.Option("--error", help="The same with this chance of a wrong result (post-hoc).")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="OPTION=VALUE", help="The same with this option (post-hoc)."),
    ] = None,
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    otherwise = ranker is not None or error is not None or bool(option)
    if watch + history + participants + otherwise > 1:
        raise BadInput("--watch, --history, --participants and another ranker are shown one at a time; give one")
    if out is not None and not participants:
        raise BadInput("--out goes with --participants; for the result: juryrank report NAME --out FILE")
    study = opened(name, storage)
    if history:
        _show_history(study, as_json=as_json)
    elif participants:
        _show_participants(study, out, as_json=as_json)
    elif otherwise:
        _show_refolded(study, ranker, error, option, as_json=as_json)
    elif as_json:
        emit_json({**study.progress().to_dict(), "ranking": study.ranking().to_dict()})
    elif watch:
        watch_status(study, console())
    else:
        console().print(status_view(study))


def _show_history(study: Study, *, as_json: bool) -> None:
    from juryrank.report.words.formats import clean, wrap

    acts = study.log.history()
    if as_json:
        emit_json([asdict(act) for act in acts])
        return
    for act in acts:
        words = f"event {act.seq}: {clean(act.words)}" + (" (an edit: the result is post-hoc)" if act.edit else "")
        first, *more = wrap(words, WIDTH - DATED)
        dated = f"{act.at[:16].replace('T', ' '):<{DATED}}{first}"
        typer.echo("\n".join([dated, *(" " * DATED + line for line in more)]))


def _show_participants(study: Study, out: Path | None, *, as_json: bool) -> None:
    from juryrank.study.people import participant_rows, participants_csv

    rows = participant_rows(study)
    if as_json:
        emit_json(rows)
    else:
        write_out(participants_csv(rows).encode(), out)


def _show_refolded(
    study: Study, ranker: str | None, error: float | None, option: list[str] | None, *, as_json: bool
) -> None:
    from juryrank.cli.rank import options
    from juryrank.report import result_text

    result = study.log.refold(ranker=ranker, error=error, **options(option))
    if as_json:
        emit_json(result.to_dict())
    else:
        typer.echo(result_text(result, title=study.name), nl=False)


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
