"""A few questions about the person, before the first comparison or after the last one."""

from __future__ import annotations

import enum
import hashlib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from juryrank.defaults import MOST_ABOUT_PERSON
from juryrank.errors import BadInput
from juryrank.server.languages.speaking import ErrorForJudge, tr

MOST_LABEL, MOST_OPTION, MOST_OPTIONS = 300, 100, 30
MOST_TEXT = 1000  # characters of an answer
MOST_NUMBER = 1e12
LINE = re.compile(r"^(?P<label>.*?)\s*(?:\[(?P<kind>[^\[\]]*)\])?\s*(?P<star>\*?)$")


class AnswerKind(enum.StrEnum):
    """How a question about the person is answered."""

    TEXT = "text"
    NUMBER = "number"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class PersonQuestion:
    """One question about the person."""

    label: str
    kind: AnswerKind = AnswerKind.TEXT
    options: tuple[str, ...] = ()
    required: bool = False

    def __post_init__(self) -> None:
        if not self.label.strip() or len(self.label) > MOST_LABEL or not self.label.isprintable():
            raise BadInput(f"a question about the person has 1 to {MOST_LABEL} printable characters on one line")
        if (self.kind is AnswerKind.CHOICE) != bool(self.options):
            raise BadInput(f"{self.label[:60]!r}: only a choice has answers to choose from, and it needs them")
        if self.options and not 2 <= len(self.options) <= MOST_OPTIONS:
            raise BadInput(f"{self.label[:60]!r}: give 2 to {MOST_OPTIONS} answers to choose from")
        if len(set(self.options)) < len(self.options):
            raise BadInput(f"{self.label[:60]!r}: an answer is listed twice")
        if any(not one.strip() or len(one) > MOST_OPTION or not one.isprintable() for one in self.options):
            raise BadInput(f"{self.label[:60]!r}: an answer has 1 to {MOST_OPTION} printable characters")

    @property
    def field(self) -> str:
        """The name of its field in a form: made from its words, so that editing questions mixes up no answers."""
        return "about-" + hashlib.sha256(self.label.encode()).hexdigest()[:12]

    @property
    def line(self) -> str:
        """The question as its owner writes it."""
        kind = " / ".join(self.options) if self.options else self.kind.value
        return f"{self.label} [{kind}]{' *' if self.required else ''}"

    def checked(self, answer: str) -> str:
        """The answer as it is kept; raises with words for the person."""
        answer = answer.replace("\0", "").strip()
        if not answer:
            if self.required:
                raise ErrorForJudge(tr("Please answer “{question}”.", question=self.label))
            return ""
        if self.kind is AnswerKind.CHOICE and answer not in self.options:
            raise ErrorForJudge(tr("“{question}”: please choose one of the answers.", question=self.label))
        if self.kind is AnswerKind.NUMBER:
            return self._number(answer)
        if len(answer) > MOST_TEXT:
            raise ErrorForJudge(
                tr("“{question}”: please write at most {n} characters.", question=self.label, n=MOST_TEXT)
            )
        return answer.encode("utf-8", "ignore").decode()

    def _number(self, answer: str) -> str:
        try:
            found = float(answer.replace(",", ".")) if len(answer) < 40 else math.nan
        except ValueError:
            found = math.nan
        if not abs(found) <= MOST_NUMBER:
            raise ErrorForJudge(tr("“{question}”: please give a number.", question=self.label))
        return f"{found:.12g}"


def questions_from_text(text: str) -> tuple[PersonQuestion, ...]:
    """Questions, one per line: `How old are you? [number] *`, `Do you cook? [never / often]`, `Your city`.

    >>> [(one.kind.value, one.required) for one in questions_from_text("Age? [number] *\\nCity")]
    [('number', True), ('text', False)]
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    found = []
    for place, line in enumerate(lines, start=1):
        try:
            found.append(_question(line))
        except BadInput as problem:
            raise BadInput(f"line {place}: {problem}") from None
    return checked_questions(found)


def checked_questions(questions: Sequence[PersonQuestion]) -> tuple[PersonQuestion, ...]:
    """The questions, if they are not too many and none is asked twice."""
    if len(questions) > MOST_ABOUT_PERSON:
        raise BadInput(
            f"there are {len(questions)} questions about the person; at most {MOST_ABOUT_PERSON} are asked"
        )
    labels = [one.label for one in questions]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise BadInput(f"{twice[:60]!r} is asked twice; ask it once")
    return tuple(questions)


def _question(line: str) -> PersonQuestion:
    parts = LINE.match(line)
    assert parts is not None  # it matches every line
    kind, required = (parts["kind"] or "text").strip(), bool(parts["star"])
    if kind in (AnswerKind.TEXT, AnswerKind.NUMBER):
        return PersonQuestion(parts["label"], AnswerKind(kind), (), required)
    options = tuple(one.strip() for one in kind.split("/"))
    if len(options) < 2:
        raise BadInput(f"[{kind[:40]}] is none of [text], [number], [one answer / another answer]")
    return PersonQuestion(parts["label"], AnswerKind.CHOICE, options, required)


def from_plain(data: Iterable[Mapping[str, Any]]) -> tuple[PersonQuestion, ...]:
    """As stored."""
    return tuple(
        PersonQuestion(one["label"], AnswerKind(one["kind"]), tuple(one["options"]), bool(one["required"]))
        for one in data
    )


def answers_of(questions: Iterable[PersonQuestion], sent: Mapping[str, str]) -> dict[str, str]:
    """What somebody answered, by the question's words; raises with words for the person."""
    return {one.label: one.checked(sent.get(one.field, "")) for one in questions}
