"""How long reading takes: announced to a judge before they start, from the words of what they will see."""

from __future__ import annotations

import re
from collections.abc import Iterable

from juryrank.server.web.render import BY_URL, Content, plain_words

WORDS_PER_MINUTE = 230  # silent reading; people differ by a third
SIGNS = "\u3040-\u30ff\u3400-\u9fff"  # of scripts without spaces: two of them are read like one word
WORD = re.compile(rf"[{SIGNS}]{{1,2}}|[^\s{SIGNS}]+")


def words_in(text: str) -> int:
    """The number of words; scripts without spaces are counted by their signs.

    >>> words_in("a cat, a dog"), words_in("吾輩は猫である")
    (4, 4)
    """
    return sum(1 for _ in WORD.finditer(text))


def words_shown(item: str, content: Content | None) -> int:
    """The words that a judge reads of an item; pictures, sound and film have none."""
    if content is None:
        return words_in(item)
    return 0 if content.kind in BY_URL else words_in(plain_words(content))


def minutes_to_read(words: Iterable[float], *, questions: int) -> int:
    """Minutes for a person with so many questions about items of so many words; 0: less than one.

    An item that comes again is known: each is read once. The more questions, the fewer of their items are new.

    >>> minutes_to_read([437] * 14, questions=20), minutes_to_read([3] * 14, questions=20)
    (25, 0)
    """
    counts = list(words)
    if not counts:
        return 0
    met = len(counts) * (1 - (1 - 1 / len(counts)) ** (2 * questions))
    return _rounded(met * sum(counts) / len(counts) / WORDS_PER_MINUTE)


def _rounded(minutes: float) -> int:
    """As one would say it: to five minutes from ten on, and to ten from an hour on.

    >>> [_rounded(minutes) for minutes in (0.4, 3.6, 26.6, 76.1)]
    [0, 4, 25, 80]
    """
    step = 1 if minutes < 10 else 5 if minutes < 60 else 10
    return step * round(minutes / step)
