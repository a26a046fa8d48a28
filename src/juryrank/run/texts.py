"""Texts as items, each under a short name: one per line, or longer ones between lines of three dashes."""

from __future__ import annotations

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
