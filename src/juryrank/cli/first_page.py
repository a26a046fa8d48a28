"""What `juryrank --help` prints: plain text, ready before the packages that draw the other pages are imported."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from textwrap import wrap

WIDEST = 100
OPTIONS = {"--version": "Print the version and exit.", "-h, --help": "Show this message and exit."}


def wanted(arguments: Sequence[str]) -> bool:
    """Is it the first page that these arguments ask for?

    >>> wanted(["--help"]), wanted([]), wanted(["rank", "--help"])
    (True, True, False)
    """
    return list(arguments) in ([], ["--help"], ["-h"])


def first_page(about: str, commands: Mapping[str, tuple[str, str]], *, width: int = 80, bold: bool = False) -> str:
    """The page.

    >>> print(first_page("Ranks.", {"rank": ("rank", "Rank the things in a file.")}).splitlines()[-5])
      rank        Rank the things in a file.
    """
    on, off = ("\033[1m", "\033[0m") if bold else ("", "")
    lines = [f"{on}Usage:{off} juryrank COMMAND [OPTIONS] [ARGS]...", ""]
    lines += about.replace("[bold]", on).replace("[/bold]", off).rstrip().splitlines()
    for title, rows in (("Commands", {name: line for name, (_, line) in commands.items()}), ("Options", OPTIONS)):
        lines += ["", f"{on}{title}{off}"]
        for name, words in rows.items():
            first, *more = wrap(words, width - 14)
            lines += [f"  {name:<12}{first}", *(f"{'':<14}{line}" for line in more)]
    return "\n".join(lines)


def print_first_page(about: str, commands: Mapping[str, tuple[str, str]]) -> None:
    """The page as wide as the terminal, in bold where there is one."""
    width = min(shutil.get_terminal_size((80, 24)).columns, WIDEST)
    bold = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    try:
        print(first_page(about, commands, width=max(width, 40), bold=bold), flush=True)
    except BrokenPipeError:  # `juryrank --help | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
