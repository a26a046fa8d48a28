"""The command line: one module per command, imported only when it is called, so that `--help` is quick."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Sequence

from juryrank.cli.first_page import print_first_page, wanted
from juryrank.errors import JuryrankError

# In the order of `juryrank --help`: where a command lives (that module has a `register(app)`), and its line there.
COMMANDS = {
    "demo": ("demo", "Watch a simulated jury rank forty worlds by size."),
    "rank": ("rank", "Rank the things in a file."),
    "fit": ("fit", "Scores from votes you already have, with honest intervals and an audit."),
    "plan": ("plan.command", "Say what a ranking will cost, before you start."),
    "simulate": (
        "simulate",
        "Play a ranker many times in a simulated world: how many questions, how often exact.",
    ),
    "reproduce": (
        "reproduce",
        "Make the paper's figures again: CSV, PNG, PDF, tables, and a check of what should be seen.",
    ),
    "study": (
        "study.app",
        "Rankings that last: every question and answer is kept in a log on SQLite or PostgreSQL.",
    ),
    "judges": ("judges", "Language models as judges: try them out before you trust them with money."),
    "verify": (
        "verify",
        "Recompute a result from the raw events in its certificate: is everything it promises true?",
    ),
    "report": (
        "report",
        "Write a study's result with everything behind it: evidence, judges, bias, cost, assumptions.",
    ),
    "serve": ("serve", "Judge pages, a live dashboard and a REST interface for your studies."),
}

HELP = """Rank anything with judges you can't fully trust, with the fewest questions,
and know when you are done.

[bold]Start here[/bold]

  juryrank demo                 watch a simulated jury at work
  juryrank rank things.txt      rank the lines of a file: you are asked
  juryrank fit votes.csv        scores from votes you already have
  juryrank plan --items 100 --accuracies 0.9,0.8,0.7
                                what a ranking will cost
  juryrank serve --demo         a jury in the browser

Every command has --help with examples, and --json for scripts.
Exit code: 0 done, 2 misuse, 3 what was asked for is not proven, 4 it is
refuted, 5 no judge could be asked, 130 stopped by Ctrl-C.
"""

EXIT_DONE, EXIT_MISUSE, EXIT_NOT_CERTIFIED, EXIT_REFUTED, EXIT_NOT_ASKED, EXIT_INTERRUPTED = 0, 2, 3, 4, 5, 130


def build_app(only: str | None = None) -> object:
    """The Typer application: whole, or with this one command."""
    from juryrank.cli.common import version_option
    from juryrank.cli.help import App

    app = App(
        name="juryrank",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help=HELP,
    )

    @app.callback()
    def top(version: bool = version_option) -> None:
        """Shared options of every command."""

    for name, (module, line) in COMMANDS.items():
        if only is None or name == only:
            importlib.import_module(f"juryrank.cli.{module}").register(app)
        else:
            app.command(name, help=line)(_not_imported)
    return app


def _not_imported() -> None:
    """A placeholder for a command in `juryrank --help`: its own module is not needed there."""


def called(arguments: Sequence[str]) -> str:
    """The command that these arguments call, or nothing.

    >>> called(["rank", "things.txt"]), called(["--help"])
    ('rank', '')
    """
    first = next((word for word in arguments if not word.startswith("-")), "")
    return first if first in COMMANDS else ""


def main() -> None:
    """Entry point: runs a command; errors made by the user end with one clear message and exit code 2."""
    if wanted(sys.argv[1:]):
        print_first_page(HELP, COMMANDS)
        raise SystemExit(EXIT_DONE if sys.argv[1:] else EXIT_MISUSE)
    from juryrank.cli.common import in_flags

    warnings.formatwarning = lambda words, *_, **__: f"juryrank: note: {in_flags(str(words))}\n"  # no path of ours
    try:
        build_app(called(sys.argv[1:]))()  # type: ignore[operator]
    except JuryrankError as problem:
        print(f"juryrank: {in_flags(str(problem))}", file=sys.stderr)
        raise SystemExit(EXIT_MISUSE) from None
    except KeyboardInterrupt:
        print("juryrank: stopped.", file=sys.stderr)
        raise SystemExit(EXIT_INTERRUPTED) from None
