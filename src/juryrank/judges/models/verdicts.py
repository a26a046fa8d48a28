"""Reading a model's answer: tolerant of code fences, case, reasoning and prose around it; it never guesses."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.S | re.I)
OBJECT = re.compile(r"\{[^{}]*\}", re.S)
LABELLED = re.compile(r"(?:verdict|answer|decision|winner)\W{0,8}(?:is\W{1,4})?(?:the\s+)?(.+)", re.I)
THOUGHT = re.compile(r"\A.*</think(?:ing)?>", re.S | re.I)  # some endpoints leave the first mark out
LONGEST = 100_000  # characters of an answer that are looked at


class Unreadable(Exception):
    """The answer holds no verdict, or more than one; the text says what was wrong, for the model to correct."""


def read_verdict(text: str, words: Sequence[str]) -> str:
    """The verdict in an answer, as one of `words`; raises Unreadable.

    >>> read_verdict('Well. ```json\\n{"reason": "longer", "verdict": "First"}\\n```', ["first", "second", "tie"])
    'first'
    >>> read_verdict("It depends.", ["first", "second"])
    Traceback (most recent call last):
    juryrank.judges.models.verdicts.Unreadable: it has no verdict
    """
    said = THOUGHT.sub(" ", THINKING.sub(" ", text[-LONGEST:])).strip()
    if not said:
        raise Unreadable("it is empty")
    found = _from_json(said)
    if found is None:
        found = _from_prose(said, words)
    by_word = {_plain(word): word for word in words}
    if _plain(found) not in by_word:
        raise Unreadable(f"its verdict is {found[:40]!r}, which is none of {', '.join(words)}")
    return by_word[_plain(found)]


def _from_json(said: str) -> str | None:
    verdicts = []
    for piece in [said, *OBJECT.findall(said)]:
        try:
            value = json.loads(piece)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("verdict"), str):
            verdicts.append(value["verdict"])
    different = {_plain(verdict) for verdict in verdicts}
    if len(different) > 1:
        raise Unreadable("it has several verdicts that differ")
    return verdicts[-1] if verdicts else None


def _from_prose(said: str, words: Sequence[str]) -> str:
    """The verdict of an answer that is one word and nothing else, or of its last line `verdict: ...`."""
    if _plain(said) in map(_plain, words):
        return said
    for line in reversed(said.splitlines()):
        if labelled := LABELLED.search(line):
            found = _words_in(_plain(labelled[1]), words)
            if len(found) == 1:
                return found[0]
            raise Unreadable("its verdict names none of the words asked for, or several")
    raise Unreadable("it has no verdict")


def _words_in(text: str, words: Sequence[str]) -> list[str]:
    """The words that occur in a text; `better` does not count where it is part of `much better`."""
    there = [word for word in words if re.search(rf"\b{re.escape(_plain(word))}\b", text)]
    return [word for word in there if not any(word != other and _plain(word) in _plain(other) for other in there)]


def _plain(text: str) -> str:
    return re.sub(r"[\s\"'`*_.!]+", " ", text).strip().casefold()
