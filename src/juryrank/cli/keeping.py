"""Where `juryrank rank` keeps a ranking: in the database of the folder, under the name of what is ranked."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from juryrank.cli.common import quoted
from juryrank.defaults import SQLITE
from juryrank.errors import BadInput, StorageError
from juryrank.judges.models.judge import ModelJudge

if TYPE_CHECKING:
    from juryrank.study.kept import Keeping


@contextmanager
def keeping(
    source: str,
    judges: Mapping[str, Callable[..., Any]],
    *,
    storage: str,
    seed: int | None,
    study: str | None,
    keep: bool,
    again: bool,
) -> Iterator[Keeping | None]:
    """What `rank` goes on with, or None: nothing is kept.

    Files are kept. Standard input, a pipe, answers that a script types, and builds (CI) are kept only if --study
    names them. Models have their own cache of answers.
    """
    if not keep and (study or again):
        raise BadInput("--no-keep keeps nothing: leave it out, or leave out --study and --again")
    from juryrank.storage import open_storage
    from juryrank.study.kept import Keeping, alone, check_no_models

    if study or again:
        check_no_models(judges)
    if not keep or not (study or _lasts(source, judges)):
        yield None
        return
    name = study or _named(source, storage)
    try:
        place = open_storage(storage)
    except StorageError as problem:
        raise StorageError(f"{problem}. (With --no-keep nothing is kept, and no database is needed.)") from None
    with alone(place, name):
        yield Keeping(place, name, judges, seed=seed, again=again, opened=lambda *known: _say(place.place, *known))


def _lasts(source: str, judges: Mapping[str, Callable[..., Any]]) -> bool:
    if source == "-" or os.environ.get("CI") or not (Path(source).is_file() or Path(source).is_dir()):
        return False
    if any(isinstance(judge, ModelJudge) for judge in judges.values()):
        return False
    return bool(judges) or sys.stdin.isatty()


def _named(source: str, storage: str) -> str:
    """The path of what is ranked, as seen from the folder of the database: both may move together."""
    folder = Path(storage.removeprefix(SQLITE)).parent if storage.startswith(SQLITE) else Path()
    return Path(os.path.relpath(os.path.realpath(source), os.path.realpath(folder))).as_posix()


def _say(place: str, name: str, answers: int | None) -> None:
    where = place.removeprefix(SQLITE)
    if answers is None:
        typer.echo(
            f"Kept in {where} as {quoted(name)}, texts included: stop when you like, the same command goes on.\n"
            f"(To forget it: juryrank study delete {quoted(name)})",
            err=True,
        )
    else:
        many = "1 answer" if answers == 1 else f"{answers:,} answers"
        typer.echo(f"Going on with {quoted(name)} of {where}: {many} so far.", err=True)
