"""Items' names from names of files."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

from juryrank.server.studies.intake import MOST_ID, composed

TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def item_names(paths: Sequence[str]) -> list[str]:
    """A name for each file: without its folders and extension, as long as the names still differ.

    >>> item_names(["set/a.png", "set/b.png"])
    ['a', 'b']
    >>> item_names(["red/a.png", "blue/a.png"]), item_names(["a.png", "a.jpg"])
    (['red/a', 'blue/a'], ['a.png', 'a.jpg'])
    """
    paths = ["".join(filter(_shows, composed(path.replace("\\", "/").strip("/")))) for path in paths]
    for shorten in (_stem, _without_ending, _last, str):
        names = [shorten(path)[-MOST_ID:].strip() or "unnamed" for path in paths]
        if len(set(names)) == len(names):
            return names
    return _numbered(paths)


def _shows(character: str) -> bool:
    """Is it neither a control character nor one that reverses the direction of what follows?"""
    return unicodedata.category(character) not in ("Cc", "Cs") and character not in TURNING


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _without_ending(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    return folder + slash + (name.rpartition(".")[0] or name)


def _stem(path: str) -> str:
    return _without_ending(_last(path))


def _numbered(names: Sequence[str]) -> list[str]:
    """The same file twice: `a.png`, `a.png (2)`."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name[-MOST_ID + 8 :] if seen[name] == 1 else f"{name[-MOST_ID + 8 :]} ({seen[name]})")
    return found
