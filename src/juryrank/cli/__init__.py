"""The command line. One file a command; heavy imports stay inside the functions, so that `--help` is quick."""

from __future__ import annotations

import importlib
import sys

from juryrank.errors import JuryrankError

# In the order of `juryrank --help`: where each command lives; each module has a `register(app)`.
COMMANDS = (
    "demo.command",
    "rank",
    "plan.command",
    "simulate",
    "reproduce",
    "study.app",
    "verify.command",
    "report",
    "serve",
)

HELP = """Rank anything with judges you can't fully trust, with the fewest questions,
and know when you are done.

[bold]Start here[/bold]

  juryrank demo                 watch a simulated jury at work
  juryrank rank things.txt      rank the lines of a file: you are asked
  juryrank plan --items 100 --accuracies 0.9,0.8,0.7
                                what a ranking will cost
  juryrank serve --demo         a jury in the browser

Every command has --help with examples, and --json where a script may listen.
Exit code: 0 done, 2 misuse, 3 ended without a certified result.
"""

EXIT_DONE, EXIT_MISUSE, EXIT_NOT_CERTIFIED, EXIT_INTERRUPTED = 0, 2, 3, 130


def build_app() -> object:
    """The whole Typer application."""
    import typer

    from juryrank.cli.common import version_option

    app = typer.Typer(
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

    for module in COMMANDS:
        importlib.import_module(f"juryrank.cli.{module}").register(app)
    return app


def main() -> None:
    """Entry point: runs a command; errors made by the user end with one clear message and exit code 2."""
    try:
        importlib.import_module("typer")
    except ImportError:
        print(
            "juryrank: the command line needs an extra that is not installed.\n"
            "Install it with: pip install 'juryrank[cli]'",
            file=sys.stderr,
        )
        raise SystemExit(EXIT_MISUSE) from None
    try:
        build_app()()  # type: ignore[operator]
    except JuryrankError as problem:
        print(f"juryrank: {problem}", file=sys.stderr)
        raise SystemExit(EXIT_MISUSE) from None
    except KeyboardInterrupt:
        print("juryrank: stopped.", file=sys.stderr)
        raise SystemExit(EXIT_INTERRUPTED) from None
