"""Items as the caller has them, and as rankers and logs name them.

Rankers and logs know items by text. A text is its own name; a number becomes its text; a row (a mapping, a
dataclass, any object) with an `id` is named by that; judges are shown the thing itself, and results give
back the thing, or the id where the thing is a row that cannot be hashed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from juryrank.errors import BadAnswer, BadInput
from juryrank.rankers.contract.roster import answer_of, side_of
from juryrank.types import Answer, Estimates, Grade, NonVote, Question, Ranking

ID_KEYS = ("id", "item")


class Catalogue:
    """The items of one ranking, by name.

    >>> catalogue = Catalogue([{"id": 7, "text": "seven"}, {"id": 8, "text": "eight"}])
    >>> catalogue.names, catalogue.shown("7")["text"], catalogue.public("7")
    (['7', '8'], 'seven', 7)
    """

    grades = False  # does the ranker take answers by degree? Else only their side counts

    def __init__(self, items: Iterable[Any]) -> None:
        if isinstance(items, str | bytes):
            raise BadInput(f"items is one text, {items[:20]!r}; give a list of items (or list(text) for letters)")
        try:
            things = list(items)
        except TypeError:
            raise BadInput(f"items is {items!r}; give a list of items") from None
        self._things: dict[str, Any] = {}
        self._public: dict[str, Hashable] = {}
        self._seen: set[Hashable] = set()
        for thing in things:
            self._add(thing)

    def _add(self, thing: Any) -> None:
        public = identity(thing)
        if public in self._seen:
            raise BadInput(f"item {public!r} is listed twice; each item must be given once")
        self._seen.add(public)
        name = str(public)
        if name in self._things:  # 1 and "1" are different items
            name = repr(public)
        self._things[name], self._public[name] = thing, public

    @property
    def names(self) -> list[str]:
        return list(self._things)

    def __contains__(self, name: object) -> bool:
        return name in self._things

    @property
    def rows(self) -> dict[str, Any]:
        """The items that are whole rows, by name.

        >>> Catalogue(["a", {"id": "b", "size": 2}]).rows
        {'b': {'id': 'b', 'size': 2}}
        """
        return {name: thing for name, thing in self._things.items() if isinstance(thing, Mapping)}

    def content(self, name: str) -> Any:
        """All that judges may be shown of an item."""
        return self._things[name]

    def show(self, things: Mapping[str, Any]) -> None:
        """Show judges these things, by name, in place of the names."""
        self._things = dict(things)

    def shown(self, name: Any) -> Any:
        """What a judge is shown."""
        return self._things[name]

    def shown_for(self, question: Question) -> tuple[Any, ...]:
        """What a judge is called with."""
        return self.shown(question.left), self.shown(question.right)

    def lettered_for(self, question: Question) -> tuple[Any, ...]:
        """What a program or a model is called with: where several are shown together, under letters."""
        return self.shown_for(question)

    def shown_aside(self, left: str, right: str, case: str | None) -> tuple[Any, ...]:
        """What a judge is called with for a pair that never counts: items by name, else the text itself."""
        return self._things.get(left, left), self._things.get(right, right)

    def identical(self, question: Question) -> bool:
        """Are the two things shown the same, so that there is nothing to ask?"""
        return False

    def to_ask(self) -> Iterator[Question]:
        """Every question that a judge may be called for, on one of its sides; not those that need no call.

        >>> [(q.left, q.right) for q in Catalogue(["a", "b", "c"]).to_ask()]
        [('a', 'b'), ('b', 'c'), ('a', 'c')]
        """
        names = self.names
        for apart in range(1, len(names)):  # the first few are about many items
            for left, right in zip(names, names[apart:], strict=False):
                yield Question(0, "", left, right)

    def samples(self, most: int) -> list[tuple[Any, ...]]:
        """What judges are called with for some of the questions that they may be asked."""
        return [self.lettered_for(question) for question in islice(self.to_ask(), most)]

    def public(self, name: Any) -> Hashable:
        """What a result calls an item; a name that is not an item stays as it is."""
        found: Hashable = self._public.get(name, name)
        return found

    def everything(self) -> Iterator[Any]:
        """All that judges may be shown."""
        yield from self._things.items()

    def answer(self, question: Question, said: Any) -> Answer:
        """A judge's answer in the ranker's words: the thing or its id, TIE or SKIP; a grade if it takes grades."""
        if isinstance(said, NonVote):
            return NonVote(said)
        if isinstance(said, Grade):
            return said if self.grades else answer_of(question, side_of(question, said))
        for name in (question.left, question.right):
            if said is self._things[str(name)] or same(said, self._public[str(name)]):
                return name
        for name in (question.left, question.right):
            if same(said, self._things[str(name)]):
                return name
        raise BadAnswer(f"answered {_short(said)}, which is neither of the two items, nor TIE, nor SKIP")

    def back(self, ranking: Ranking) -> Ranking:
        """The ranking in the caller's own items."""
        if all(name == public for name, public in self._public.items()):
            return ranking
        links = (
            replace(link, better=self.public(link.better), worse=self.public(link.worse)) for link in ranking.links
        )
        estimates, order = ranking.estimates, tuple(map(self.public, ranking.order))
        if estimates is not None:
            estimates = Estimates.later(partial(self._publicly, estimates))
        return replace(ranking, order=order, links=tuple(links), estimates=estimates)

    def _publicly(self, estimates: Estimates) -> Estimates:
        guesses = tuple(replace(guess, item=self.public(guess.item)) for guess in estimates.items)
        return replace(estimates, items=guesses)


def identity(thing: Any) -> Hashable:
    """What an item is called: itself if it can be hashed, else its id.

    >>> identity("a"), identity(("a", 1)), identity({"item": "b", "text": "..."})
    ('a', ('a', 1), 'b')
    """
    if isinstance(thing, Hashable):
        try:
            hash(thing)
            return thing
        except TypeError:  # a tuple that holds a list, for example
            pass
    if isinstance(thing, Mapping):
        found = next((thing[key] for key in ID_KEYS if key in thing), None)
    else:
        found = getattr(thing, "id", None)
    if found is None or not isinstance(found, Hashable):
        raise BadInput(f"item {_short(thing)} cannot be named: give it an id, or use something hashable")
    return found


def row_text(row: Mapping[str, Any]) -> str:
    """A row as people read it: its name, then a line for each column that is filled.

    >>> row_text({"id": "x", "colour": "red", "note": ""})
    'x\\ncolour: red'
    """
    filled = {key: value for key, value in row.items() if value not in ("", None)}
    return "\n".join(f"{value}" if key in ID_KEYS else f"{key}: {value}" for key, value in filled.items())


def same(said: Any, thing: Any) -> bool:
    """Are two things equal? False where comparing them fails."""
    try:
        return bool(said == thing)
    except Exception:  # comparing arrays and the like gives no single truth
        return False


def _short(thing: Any) -> str:
    text = repr(thing)
    return text if len(text) <= 60 else text[:57] + "..."


# ----------------------------------------------------------------------------
# Texts as items, each under a short name: one per line, or longer ones between lines of three dashes.
BLOCK_END = "---"
MOST_NAME = 300  # characters of a line that is its own name
MOST_SHORT_NAME = 80  # characters of a name that is taken from the beginning of a text


def in_blocks(text: str) -> bool:
    """Are these texts between lines of three dashes?"""
    return any(line.strip() == BLOCK_END for line in text.splitlines())


def named_texts(text: str) -> list[tuple[str, str]]:
    """The name and the text of each item: of each line, or of each block between lines of three dashes.

    >>> named_texts("tea\\n\\n coffee ")
    [('tea', 'tea'), ('coffee', 'coffee')]
    >>> named_texts("Tea\\nIt is hot.\\n---\\nCoffee")
    [('Tea', 'Tea\\nIt is hot.'), ('Coffee', 'Coffee')]
    """
    lines = text.splitlines()
    if in_blocks(text):
        return told_apart(_blocks(lines))
    return told_apart([_line(line.strip()) for line in lines if line.strip()])


def _line(line: str) -> tuple[str, str]:
    """A line too long for a name is named by its beginning, as a block is."""
    return line[:MOST_SHORT_NAME].rstrip() if len(line) > MOST_NAME else line, line


def _blocks(lines: list[str]) -> list[tuple[str, str]]:
    """Blocks between lines of three dashes: the first line names the item, the whole block is shown."""
    blocks: list[list[str]] = [[]]
    for line in lines:
        if line.strip() == BLOCK_END:
            blocks.append([])
        else:
            blocks[-1].append(line)
    texts = ["\n".join(block).strip() for block in blocks]
    return [(text.splitlines()[0][:MOST_SHORT_NAME].strip(), text) for text in texts if text]


def told_apart(named: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Texts by their beginnings; where others begin alike, with a number. The same text twice keeps one name.

    >>> told_apart([("The task", "The task ... I swam"), ("The task", "The task ... I slept"), ("tea", "tea")])
    [('The task', 'The task ... I swam'), ('The task (2)', 'The task ... I slept'), ('tea', 'tea')]
    """
    taken: dict[str, str] = {}
    found = []
    for name, text in named:
        free, k = name, 1
        while taken.setdefault(free, text) != text:
            k += 1
            free = f"{name} ({k})"
        found.append((free, text))
    return found
