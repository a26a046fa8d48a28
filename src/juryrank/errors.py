"""Every error of juryrank: what happened, why, and what to do. An operation that raises changes nothing."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from juryrank.quoting import BLANKS


class JuryrankError(Exception):
    """The base of all errors that juryrank raises on purpose; the command line shows them and exits with 2.

    >>> from juryrank import JuryrankError, rank
    >>> try:
    ...     rank(["a", "a"], {"ann": min})
    ... except JuryrankError as problem:
    ...     print(type(problem).__name__)
    BadInput
    """


class BadInput(JuryrankError, ValueError):
    """A value that cannot be used; the message says which, why, and what would work."""


class UnknownName(BadInput):
    """A ranker, judge, item, study or question that does not exist."""


class UnknownQuestion(UnknownName):
    """An answer to a question that was never asked."""


class AnsweredTwice(JuryrankError):
    """An answer to a question that already has one."""


class BadAnswer(BadInput):
    """An answer that is neither of the two items, nor TIE, nor SKIP."""


class WrongJudge(JuryrankError):
    """An answer by a judge other than the one asked."""


class CannotJoin(JuryrankError):
    """This ranker cannot take new items once it has started."""


class JudgeFailed(JuryrankError):
    """A judge raised, hung, or kept giving invalid answers; `ranking` is what was known by then."""

    ranking: Any = None


class JudgeRefused(JudgeFailed):
    """A judge declined to answer: this counts as a skip with this reason, not as a failure."""


class JudgeUnreachable(JudgeFailed):
    """A judge could not be asked (no connection, a limit, an error of its endpoint): its question stays open."""


class JudgeUnusable(JudgeUnreachable):
    """A judge cannot be asked as things are (a wrong key, nothing at its address): it is set aside at once."""


class MoneySpent(JuryrankError):
    """The cap on money leaves no room for another call: nothing was sent."""


class NoRecord(JuryrankError):
    """A ranking whose log was not kept."""


class BadSnapshot(BadInput):
    """A snapshot or certificate that is truncated, altered, or from another version."""


class BadWorld(BadInput):
    """A simulated world that cannot exist."""


class BadVotes(BadInput):
    """A vote file with rows that cannot be used: says which lines, and why."""


class MissingExtra(JuryrankError, ImportError):
    """A feature whose optional packages are not installed."""


class StudyError(JuryrankError):
    """The base of all errors about lasting studies."""


class UnknownStudy(StudyError, UnknownName):
    """No study of that name in this storage."""


class StudyExists(StudyError):
    """A study of that name is already there."""


class StudyClosed(StudyError):
    """The study takes no more questions or answers."""


class LateAnswer(StudyError):
    """The answer came after its lease had expired: kept in the log, not counted."""


class StorageError(JuryrankError):
    """The database cannot be used: unreachable, read-only, full, not ours, or newer than this program."""


class LogAltered(StorageError):
    """A log whose hashes do not match: an event was changed, dropped, added or moved after it was written."""


def shown(name: object, *, most: int = 60) -> str:
    """A name as a message shows it: quoted, on one line, and not longer than a line.

    >>> shown("two\\nlines"), len(shown("x" * 10_000)), shown("\\u2800")
    ("'two\\\\nlines'", 62, "'\\\\u2800'")
    """
    text = name if isinstance(name, str) else repr(name)
    if len(text) > most:
        text = text[: most * 2 // 3] + "…" + text[-(most - most * 2 // 3 - 1) :]
    return "".join(map(_escaped, repr(text))) if isinstance(name, str) else text


def _escaped(letter: str) -> str:
    return ascii(letter)[1:-1] if letter in BLANKS else letter


def before_first_release(what: str, instead: str) -> str:
    """The one sentence about a file of before 1.0, and what to do.

    >>> before_first_release("log", "start anew")
    'this log was made by juryrank before 1.0, and nothing from then is read: start anew'
    """
    return f"this {what} was made by juryrank before 1.0, and nothing from then is read: {instead}"


def need_extra(module: str, *, extra: str, what: str) -> ModuleType:
    """Import an optional package, or say which extra brings it.

    >>> need_extra("json", extra="none", what="nothing").__name__
    'json'
    """
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        raise MissingExtra(
            f"{what} needs the package {module.split('.')[0]!r}, which is not installed. "
            f"Install it with: {install_line(extra)}"
        ) from missing


def install_line(extra: str) -> str:
    """The command that brings an extra, by where juryrank came from: an index, or a clone (PEP 610).

    >>> install_line("fit").endswith("[fit]'")
    True
    """
    import json
    import os
    import shlex
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        source = json.loads(distribution("juryrank").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        source = {}
    folder = url2pathname(urlsplit(source["url"]).path) if "dir_info" in source else ""
    if not os.path.isdir(folder):
        return f"pip install 'juryrank[{extra}]'"
    near = os.path.relpath(folder)
    place = folder if near.startswith(os.path.join("..", "..")) else near
    place = place if place.startswith((".", os.sep)) else os.path.join(".", place)
    editable = "-e " if source["dir_info"].get("editable") else ""
    return f"pip install {editable}{shlex.quote(f'{place}[{extra}]')}"
