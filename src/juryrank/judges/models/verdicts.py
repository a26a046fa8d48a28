"""Reading a model's answer: tolerant of code fences, case, reasoning and prose around it; it never guesses."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.S | re.I)
OBJECT = re.compile(r"\{[^{}]*\}", re.S)
LABELLED = re.compile(  # at the start of a line or of a part of it: "the first answer is ..." is no verdict
    r"(?:^|[^\w\s])[ \t]{0,8}(?:(?:so|thus|therefore|my|the|final|overall|best|better)\W{1,4}){0,4}"
    r"(?:verdict|answer|decision|winner)\b\W{0,8}(?:(?:is|would\s+be)\b\W{0,4})?(?:it(?:['’]|\s+i)s\s+)?"
    r"(?:(?:the|a)\s+)?(?:boxed\{)?([^\n]*)",
    re.I | re.M,
)
ENDED = (  # after a word: the one that is meant, that it is better, and then no more of this clause
    r"(?:\s+(?:one|item|text|answer))?(?:\s+(?:wins|is(?:\s+(?:clearly|slightly|much))?\s+better))?"
    r"\s*(?:$|[^\w\s?-]|\s-\s|(?:because|since|as|due\s+to)\b)"
)
MARKS = re.compile(r"[\"'`*_]+")
THOUGHT = re.compile(r"\A.*</think(?:ing)?>", re.S | re.I)  # some endpoints leave the first mark out
DECLINES = (
    r"(?:can(?:not|\s+not|['’]?t)|won['’]?t|will\s+not|prefer\s+not|(?:(?:must|have\s+to|will|would)\s+)?(?:decline|refuse)"
    r"|(?:am|are|['’]m|['’]re)\s+(?:unable|not\s+(?:able|going|willing|comfortable)))"
)
TO_JUDGE = (
    r"(?:judg|compar|choos|pick|decid|evaluat|assess|rate|rating|rank|help|assist|answer|comply|say|tell|continu"
    r"|determin|select|provid|mak|giv|engag|do\s+(?:this|that|so))\w*"
)
UNWILLING = re.compile(  # it says that it will not compare; "I cannot choose the first one" says something else
    rf"\b(?:I|we)\s*(?:(?:really|simply|just|honestly)\s+)?{DECLINES}"
    rf"(?:\s*(?:[.!]|\Z)|(?:\s+(?:to|with|\w+ly))*\s+{TO_JUDGE}\b(?!\s+(?:but|(?:the\s+|answer\s+)?"
    r"(?:first|second|former|latter))\b))",
    re.I,
)
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
    said = _aloud(text)
    if not said:
        raise Unreadable("it is empty")
    found = _from_json(said)
    if found is None:
        found = _from_prose(said, words)
    by_word = {_plain(word): word for word in words}
    if _plain(found) not in by_word:
        raise Unreadable(f"its verdict is {found[:40]!r}, which is none of {', '.join(words)}")
    return by_word[_plain(found)]


def is_refusal(text: str) -> bool:
    """Does an answer without a verdict say that the judge will not compare the two?

    >>> is_refusal("I'm sorry, but I can't judge these."), is_refusal("I cannot choose the first one.")
    (True, False)
    """
    return UNWILLING.search(_aloud(text)) is not None


def _aloud(text: str) -> str:
    """What was said, without the thinking before it."""
    return THOUGHT.sub(" ", THINKING.sub(" ", text[-LONGEST:])).strip()


def _from_json(said: str) -> str | None:
    verdicts = []
    for piece in [said, *OBJECT.findall(said)]:
        try:
            fields = json.loads(piece, object_pairs_hook=list)  # all of them: a name may stand there twice
        except (ValueError, RecursionError):
            continue
        if isinstance(fields, list):
            named = (field for field in fields if isinstance(field, tuple))
            verdicts += [value for name, value in named if name == "verdict" and isinstance(value, str)]
    different = {_plain(verdict) for verdict in verdicts}
    if len(different) > 1:
        raise Unreadable("it has several verdicts that differ")
    return verdicts[-1] if verdicts else None


def _from_prose(said: str, words: Sequence[str]) -> str:
    """The verdict of an answer that is one word and nothing else, or that says `verdict: ...` and no more.

    >>> _from_prose("It is longer. My verdict is the first one, because it is right.", ["first", "second"])
    'first'
    >>> _from_prose("The first answer is better than the second.", ["first", "second"])
    Traceback (most recent call last):
    juryrank.judges.models.verdicts.Unreadable: it has no verdict
    """
    if _plain(said) in map(_plain, words):
        return said
    labelled = [_word_at_start(found[1], words) for found in LABELLED.finditer(said)]
    if not labelled:
        raise Unreadable("it has no verdict")
    if labelled[-1] is None or len({word for word in labelled if word is not None}) > 1:
        raise Unreadable("its verdict names none of the words asked for, or several")
    return labelled[-1]


def _word_at_start(text: str, words: Sequence[str]) -> str | None:
    """The word that a text begins with, if the clause ends there and names no other: "first is worse" has none."""
    text = MARKS.sub("", text).strip().casefold()
    said = [word for word in words if re.match(rf"{re.escape(word.casefold())}{ENDED}", text)]
    return said[0] if len(said) == 1 and _words_in(_plain(text), words) == said else None


def _words_in(text: str, words: Sequence[str]) -> list[str]:
    """The words that occur in a text; `better` does not count where it is part of `much better`."""
    there = [word for word in words if re.search(rf"\b{re.escape(_plain(word))}\b", text)]
    return [word for word in there if not any(word != other and _plain(word) in _plain(other) for other in there)]


def _plain(text: str) -> str:
    return re.sub(r"[\s\"'`*_.!]+", " ", text).strip().casefold()
