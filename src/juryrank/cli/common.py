"""What the commands share: the options that mean the same everywhere, and how results are printed."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from juryrank._version import __version__
from juryrank.errors import BadInput
from juryrank.options import CertifiedChoices


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"juryrank {__version__}")
        raise typer.Exit


version_option: bool = typer.Option(
    False, "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
)

Error = Annotated[
    float,
    typer.Option("--error", help="δ: the accepted chance that the promised result is wrong.", show_default=True),
]
About = Annotated[
    str | None,
    typer.Option(
        "--about",
        metavar="WHOM",
        help="judges (exactly these), people (like these), or truth (right at least half the time).",
    ),
]
Goal = Annotated[
    str | None,
    typer.Option("--goal", help="order, best, top-3, ranges, tiers; guess: no proof, the best estimate."),
]
Within = Annotated[
    str | None,
    typer.Option("--within", help="On cases: 0.05 proves at least 45 % of the answers; 'falling' sharpens it."),
]
Fresh = Annotated[
    bool | None, typer.Option("--fresh/--not-fresh", help="Judges answer anew each time they are asked.")
]
Ranker = Annotated[str | None, typer.Option("--ranker", help="For researchers, instead of --about: a ranker.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="OPTION=VALUE", help="A further option of the ranker, as patience=500."),
]
Assume = Annotated[
    str | None,
    typer.Option("--assume", metavar="WHAT", help=f"About the truth: {CertifiedChoices.allowed('assume').words}."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output, for scripts.")]
Seed = Annotated[int, typer.Option("--seed", help="Same seed, same result.")]
Workers = Annotated[int | None, typer.Option("--workers", help="Processes; every core, unless told otherwise.")]
Engine = Annotated[str, typer.Option("--engine", help="local, or dask for a cluster.")]
Scheduler = Annotated[str | None, typer.Option("--scheduler", help="Address of the Dask scheduler.")]
Runs = Annotated[
    Path | None,
    typer.Option("--out", metavar="FOLDER", help="Keep runs there: the same command goes on where it stopped."),
]
Storage = Annotated[
    str,
    typer.Option(
        "--storage",
        envvar="JURYRANK_STORAGE",
        help="Where studies live: sqlite:///FILE or postgresql://USER@HOST/NAME.",
    ),
]
JudgesFile = Annotated[
    Path | None, typer.Option("--judges", metavar="JUDGES.TOML", help="Language models: see juryrank judges.")
]
Cache = Annotated[bool, typer.Option(help="Use models' answers that were paid for before.")]
Gold = Annotated[
    Path | None,
    typer.Option(
        metavar="GOLD.CSV",
        help="Pairs whose better item is known (left, right, winner): they test the judges and never count.",
    ),
]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run",
        "--show-prompt",
        help="Print a whole prompt of each model and what asking may cost; ask nothing.",
    ),
]
StartFrom = Annotated[
    Path | None,
    typer.Option(
        "--start-from",
        metavar="FILE",
        help="On cases: search from an earlier certificate, a fit or scores; they are no evidence.",
    ),
]
Forecast = Annotated[
    Path | None,
    typer.Option(
        "--forecast",
        metavar="FILE",
        help="On cases: what a cheap judge said, or scores (item, case, score): good ones save calls.",
    ),
]
Summary = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Append what came of it to this file, as Markdown.")
]
JUnit = Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write it as a JUnit file, too.")]
IN_PYTHON = re.compile(
    r"\b(about|goal|within|ranker|missing|assume|fresh|repeats|patience|trust_repeats)=('[^']*'|\w+)"
)
FLAGS = ("about", "goal", "within", "ranker", "missing", "assume")  # the others are options of a ranker
MOST_QUOTED = 100  # letters of a name in a command that is proposed


def emit_json(value: Any) -> None:
    """A JSON document on standard output, and nothing else there."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")
    sys.stdout.flush()


def lasting(storage: str) -> None:
    """Refuse a storage that would vanish when this command ends."""
    if storage.startswith("memory:"):
        raise BadInput(
            "memory:// would be gone when this command ends; use sqlite:///FILE or postgresql://USER@HOST/NAME"
        )


def in_flags(words: str) -> str:
    """A message that names arguments as Python does, for somebody at a terminal.

    >>> in_flags("say fresh=True or about='truth'; or patience=500"), in_flags("a=b")
    ('say --fresh or --about truth; or --set patience=500', 'a=b')
    """

    def flag(found: re.Match[str]) -> str:
        name, value = found[1], found[2]
        if name == "fresh":
            return "--fresh" if value == "True" else "--not-fresh"
        return (
            f"--{name} {value.strip(chr(39)) if ' ' not in value else value}"
            if name in FLAGS
            else (f"--set {name}={value}")
        )

    return IN_PYTHON.sub(flag, words)


def program() -> str:
    """What to type for juryrank: `make run` calls it in a folder's environment that is not activated."""
    import shlex
    import shutil

    called = Path(sys.argv[0]).absolute()
    if called.stem != "juryrank" or not called.is_relative_to(Path.cwd()) or shutil.which("juryrank"):
        return "juryrank"
    return shlex.quote(str(called.relative_to(Path.cwd())))


def quoted(name: str) -> str:
    """A name quoted for a shell, on one line.

    >>> quoted("my study"), quoted("plain")
    ("'my study'", 'plain')
    """
    import shlex

    return shlex.quote(name) if name.isprintable() and len(name) <= MOST_QUOTED else "NAME"


def console(*, stderr: bool = False) -> Any:
    """A rich console (standard error for progress, so that standard output stays clean for pipes)."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False)
