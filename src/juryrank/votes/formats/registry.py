"""Which format a file has, and what it holds: votes as a table, or what systems gave for cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from juryrank.errors import BadInput, UnknownName
from juryrank.votes.formats import (
    alpaca_eval,
    arena_hard,
    argilla,
    inspect_log,
    label_studio,
    lm_eval,
    lmarena,
    promptfoo,
)
from juryrank.votes.formats.shape import Format, Output
from juryrank.votes.tables import FileContent, FileTable, Keep, joined, plain_table

FORMATS: Final[dict[str, Format]] = {
    module.FORMAT.name: module.FORMAT
    for module in (alpaca_eval, arena_hard, lm_eval, promptfoo, inspect_log, lmarena, label_studio, argilla)
}
ENDINGS = (".json", ".jsonl", ".eval", ".parquet")  # of files that may have one of these formats
UNREAD_SHOWN = 3
MOST_LOOKED_AT = 100  # files of a folder, to see whether another program wrote it
SUMMARIES = ("results_", "eval-set", "logs.json")  # written next to lm-eval's samples and inspect's logs
TO_MAP = "--format NAME names another format ({}); a table of your own needs {}"
VOTE_COLUMNS = "the columns judge, left, right, winner (or --column left=NAME and so on)"
OUTPUT_COLUMNS = "the columns system, case, output"


def recognise(content: FileContent, name: str | None = None) -> Format | None:
    """The format of a file; None: it is a plain table. `name` says which, and is refused where it does not fit.

    >>> recognise(FileContent(b'[{"instruction": "2 + 2?", "output": "4", "generator": "new"}]')).name
    'alpaca-eval'
    """
    if name is None:
        return next((format for format in FORMATS.values() if _fits(format, content)), None)
    if name not in FORMATS:
        raise UnknownName(f"there is no format {name!r}; there are: {', '.join(FORMATS)}")
    if not _fits(FORMATS[name], content):
        raise BadInput(
            f"{content.name} is not a file of {FORMATS[name].title}: that has {FORMATS[name].marks}. This one is "
            f"{content.seen()}; {TO_MAP.format(', '.join(FORMATS), VOTE_COLUMNS)}"
        )
    return FORMATS[name]


def _fits(format: Format, content: FileContent) -> bool:
    try:
        return format.recognises(content)
    except (BadInput, KeyError, TypeError, AttributeError, IndexError):  # whoever reads it says what is wrong
        return False


# ---------------------------------------------------------------------------- votes
def read_table(
    source: str | Path | bytes | Sequence[str | Path],
    *,
    kind: str | None = None,
    encoding: str | None = None,
    format: str | None = None,
    keep: Keep | None = None,
) -> FileTable:
    """The votes of a file, of its bytes, or of several files and folders of one format; `keep` chooses columns."""
    if not isinstance(source, bytes | str | Path):
        return _tables([Path(path) for path in source], encoding=encoding, format=format)
    if not isinstance(source, bytes) and Path(source).is_dir():
        return _tables([Path(source)], encoding=encoding, format=format)
    content = FileContent(source, kind=kind, encoding=encoding)
    found = recognise(content, format)
    table = plain_table(content, keep=keep) if found is None else found.votes(content)
    if table is None:
        raise _no_votes(content, found)
    return table


def _no_votes(content: FileContent, format: Format | None) -> BadInput:
    return BadInput(
        f"{content.name} holds outputs of systems ({format.title if format else 'a table'}) and no comparisons: "
        f"nothing to fit. juryrank rank {content.path or 'FILE'} --judge ... compares them; it is {content.seen()}"
    )


def _tables(paths: Sequence[Path], *, encoding: str | None, format: str | None) -> FileTable:
    paths = [arena_hard.part(path, arena_hard.JUDGMENTS) for path in paths]
    tables, without = dict[str, FileTable](), list[BadInput]()
    unread = [name for path in paths for name in passed_over(path)]
    for content, found in contents_of(paths, encoding=encoding, format=format):
        if found is None and content.path not in paths:
            continue  # a table of a folder is not known to be one of votes
        table = plain_table(content) if found is None else found.votes(content)
        if table is None:
            without.append(_no_votes(content, found))
            unread.append(content.name)
        elif table.raw:
            raise BadInput(f"{content.name} is a raw log of juryrank; give it alone")
        else:
            tables[content.name] = table
    if not tables:
        some = ", ".join(map(str, paths))
        raise (
            without[0]
            if without
            else BadInput(f"{some} holds no file of votes of a known format ({', '.join(FORMATS)}); give one file")
        )
    return joined(tables, notes=(unread_words(unread),) if unread else ())


# ---------------------------------------------------------------------------- outputs
def contents_of(
    paths: Iterable[Path], *, encoding: str | None = None, format: str | None = None
) -> Iterator[tuple[FileContent, Format | None]]:
    """The files, and those in folders, each with its format; raises where they are of several."""
    first: tuple[Path, Format | None] | None = None
    for path in paths:
        for file in files_below(path):
            content = FileContent(file, encoding=encoding)
            found = recognise(content, format)
            if first is None:
                first = file, found
            elif found is not first[1]:
                kinds = [
                    f"{at} is {'a plain table' if what is None else what.title}"
                    for at, what in (first, (file, found))
                ]
                raise BadInput(
                    f"the files are of several formats: {'; '.join(kinds)} ({content.seen()}). Give those of one "
                    "format only, by their names"
                )
            yield content, found


def files_below(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = (file for file in sorted(path.rglob("*")) if file.suffix.lower() in ENDINGS and file.is_file())
    return [file for file in found if not file.name.startswith((".", *SUMMARIES))]


def passed_over(path: Path) -> list[str]:
    """The files of a folder that are not read, but for summaries that a program wrote beside its own."""
    if not path.is_dir():
        return []
    read = set(files_below(path))
    rest = (file for file in sorted(path.rglob("*")) if file.is_file() and file not in read)
    return [str(file.relative_to(path)) for file in rest if not file.name.startswith(SUMMARIES)]


def unread_words(names: Sequence[str]) -> str:
    """Which files were not read.

    >>> unread_words(["a.md", "b.md", "c.md", "d.md", "e.md"])
    'not read: a.md, b.md, c.md and 2 more'
    """
    more = f" and {len(names) - UNREAD_SHOWN:,} more" if len(names) > UNREAD_SHOWN else ""
    return f"not read: {', '.join(names[:UNREAD_SHOWN])}{more}"


def foreign(path: Path) -> Format | None:
    """The format of a file, or of the first file in a folder that has one; None: there is none."""
    files = (file for file in files_below(path)[:MOST_LOOKED_AT] if file.suffix.lower() in ENDINGS)
    found = (recognise(FileContent(file)) for file in files if file.is_file())
    return next((format for format in found if format is not None), None)


def outputs_at_hand(path: Path) -> bool:
    """Does a file of another program hold outputs, as AlpacaEval's annotations do?"""
    found = foreign(path)
    try:
        return found is not None and all(bool(outputs_in(content, found)) for content, _ in contents_of([path]))
    except BadInput:
        return False


def outputs_in(content: FileContent, format: Format) -> list[Output]:
    """What a file says that systems gave for cases."""
    bad = next((row for row in content.rows if row.problem), None) if content.document is None else None
    if bad is not None:
        raise BadInput(f"line {bad.line} of {content.name}: {bad.problem}")
    try:
        found = format.outputs(content)
        rows = None if found is None else list(found)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as problem:
        if isinstance(problem, BadInput):
            raise
        raise BadInput(
            f"{content.name} looks like {format.title}, but a row cannot be read ({type(problem).__name__}: "
            f"{problem}); it is {content.seen()}. A table of your own needs {OUTPUT_COLUMNS}"
        ) from None
    if not rows:
        raise BadInput(
            f"{content.name} holds no outputs ({format.title}: {content.seen()}); votes are for: juryrank fit FILE"
        )
    return rows
