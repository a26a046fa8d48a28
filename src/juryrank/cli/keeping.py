"""Where `juryrank rank` keeps a ranking: in the database of the folder, under the name of what is ranked."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from juryrank.cli.common import quoted
from juryrank.defaults import LOCK_PATIENCE, SQLITE
from juryrank.errors import BadInput, StorageError

if TYPE_CHECKING:
    from juryrank.study.kept import Keeping


NO_KEEP = "--no-keep"
UNSEEN = (
    "\n(A program or function is another judge once its files change, imported ones beside it included.\n"
    "What else it uses is not seen: after a change there, start anew with --again.)"
)


@contextmanager
def keeping(
    sources: list[str],
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
    names them.
    """
    if not keep and (study or again):
        raise BadInput("--no-keep keeps nothing: leave it out, or leave out --study and --again")
    from juryrank.storage import open_storage
    from juryrank.study.kept import Keeping, alone
    from juryrank.study.source import may_change_unseen

    if not keep or not (study or _lasts(sources, judges)):
        yield None
        return
    name = study or " + ".join(_named(source, storage) for source in sources)
    there = where(storage)
    try:
        place = open_storage(storage)
        place.check_writable(patience=LOCK_PATIENCE)
        with alone(place, name):
            say = partial(_say, place.place, any(map(may_change_unseen, judges.values())))
            yield Keeping(place, name, judges, seed=seed, again=again, opened=say)
    except StorageError as problem:
        said = str(problem) if there in str(problem) else f"{there} cannot be used: {problem}"
        other = "" if NO_KEEP in said else f". --storage names another file; with {NO_KEEP} nothing is kept"
        raise StorageError(f"{said}{other}") from None


def _lasts(sources: list[str], judges: Mapping[str, Callable[..., Any]]) -> bool:
    if sources == ["-"] or os.environ.get("CI"):
        return False
    if not all(_path(source).is_file() or _path(source).is_dir() for source in sources):
        return False
    return bool(judges) or sys.stdin.isatty()


def _path(source: str) -> Path:
    """Of NAME=FILE the file."""
    return Path(source if Path(source).exists() else source.rpartition("=")[2])


def _named(source: str, storage: str) -> str:
    """The path of what is ranked, as seen from the folder of the database: both may move together."""
    folder = Path(storage.removeprefix(SQLITE)).parent if storage.startswith(SQLITE) else Path()
    return Path(os.path.relpath(os.path.realpath(_path(source)), os.path.realpath(folder))).as_posix()


def where(place: str) -> str:
    """A storage as people name it."""
    return place.removeprefix(SQLITE)


def _say(place: str, unseen: bool, name: str, answers: int | None, changed: Sequence[str]) -> None:
    happened = "; ".join(changed)
    if answers is not None:
        many = "1 answer" if answers == 1 else f"{answers:,} answers"
        since = f" Since then {happened}." if changed else ""
        _print(f"Going on with {quoted(name)} of {where(place)}: {many} so far.{since}")
        return
    if changed:
        _print(
            f"{happened[0].upper()}{happened[1:]}: this is another ranking, and old answers count in it wherever "
            "judge and content are the same."
        )
    _print(
        f"Kept in {where(place)} as {quoted(name)}, texts included: stop when you like, the same command goes on."
    )
    typer.echo(f"(To forget it: juryrank study delete {quoted(name)})" + (UNSEEN if unseen else ""), err=True)


def _print(words: str) -> None:
    """On standard error; a terminal breaks no word."""
    import shutil

    from juryrank.report.words.formats import wrap

    wide = shutil.get_terminal_size().columns
    typer.echo("\n".join(wrap(words, wide)) if sys.stderr.isatty() else words, err=True)
