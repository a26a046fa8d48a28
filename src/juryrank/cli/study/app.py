"""`juryrank study`: rankings that last for days, with people and programs coming and going.

The subcommands live in the modules of `PARTS`; each has an `add(study_app)`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Annotated

import typer

from juryrank.cli.help import App

if TYPE_CHECKING:
    from juryrank.study import Study

PARTS = ("manage", "show", "items", "judges", "run", "votes", "trust")
ORDER = (
    "create", "list", "show", "items", "judges", "run", "export", "import", "certificate", "head", "receipt",
    "close", "delete",
)  # fmt: skip

study_app = App(
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="""Rankings that last: every question and answer is kept in a log on SQLite or PostgreSQL.

[bold]Example[/bold]

  juryrank study create wines --items wines.txt --judge ann --judge bob
  juryrank serve                       people answer in the browser
  juryrank study run wines --judge ann=cmd:./ann.sh      programs answer
  juryrank study show wines --watch

Named judges, as here, are counted: the result is their majority. Without
--judge people may join, and the result is what most people would say. With
--fresh (each judge answers anew each time, right at least half of the time)
the exact order can be proven.
""",
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The study's name.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the command."""
    if not study_app.registered_commands:
        for part in PARTS:
            importlib.import_module(f"juryrank.cli.study.{part}").add(study_app)
        study_app.registered_commands.sort(key=lambda command: ORDER.index(str(command.name)))
    app.add_typer(study_app, name="study")


def opened(name: str, storage: str) -> Study:
    """The study of this name."""
    from juryrank.study import open_study

    return open_study(name, storage=storage)
