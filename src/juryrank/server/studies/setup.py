"""How a study is shown to its judges: wording, first page, contents of items, attention checks."""

from __future__ import annotations

import hashlib
import random
from base64 import b32decode, b32encode
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from typing import Any

from juryrank.defaults import DEFAULT_LEASE, MOST_DAYS, WORDING_CHARACTERS
from juryrank.errors import BadInput, UnknownQuestion
from juryrank.run.items import row_text
from juryrank.server.crowd.questionnaire import PersonQuestion, checked_questions, from_plain
from juryrank.server.languages.speaking import LANGUAGES, tr
from juryrank.server.web.render import Content, Kind, outside_origins
from juryrank.study import Study

# ----------------------------------------------------------------------------
# What the pages call a question: a code of its own for each judge, the same for attention checks and all
# others.
#
# A judge can look at everything that the browser receives. Numbers would show which questions the ranking knows.
# The code is the question's number, encrypted so that equal numbers give equal codes (SIV): two tabs agree,
# nothing is stored, and a code that was never given is noticed.
CHECK, CHECK_DIGITS = "check-", 12  # attention checks in what is stored about a judge; hexadecimal
MAC_BYTES, NUMBER_BYTES = 5, 8
LENGTH = 21  # letters of a code: 13 bytes in base 32
FIRST_CHECK = 1 << 56  # numbers from here on are checks


class QuestionNames:
    """Codes for the questions of one study, by judge.

    The key is the log's seed. Judges learn it with the log at the earliest, which names every question anyway.

    >>> names = QuestionNames(7, 1)
    >>> codes = names.of_question("ann", 41), names.of_check("ann", "check-00000000001f")
    >>> [len(code) for code in codes], [names.read("ann", code) for code in codes]
    ([21, 21], [41, 'check-00000000001f'])
    """

    def __init__(self, seed: int | str, salt: int) -> None:
        self._key = hashlib.sha256(f"{seed}/{salt}".encode()).digest()

    def of_question(self, judge: str, number: int) -> str:
        return self._written(judge, number)

    def of_check(self, judge: str, check: str) -> str:
        return self._written(judge, FIRST_CHECK + int(check.removeprefix(CHECK), 16))

    def read(self, judge: str, name: str) -> int | str:
        """The number of a question, or what a check is called in storage; raises for what was never asked."""
        try:
            number = self._number(judge, name)
        except ValueError:
            raise UnknownQuestion(
                f"{name[:40]!r} is not a question that was asked; ask for the next one"
            ) from None
        return number if number < FIRST_CHECK else f"{CHECK}{number - FIRST_CHECK:0{CHECK_DIGITS}x}"

    def _written(self, judge: str, number: int) -> str:
        plain = number.to_bytes(NUMBER_BYTES, "big")
        mac = self._mac(judge, plain)
        return b32encode(mac + _xor(plain, self._pad(mac))).decode().rstrip("=").lower()

    def _number(self, judge: str, name: str) -> int:
        if len(name) != LENGTH or not name.isascii():
            raise ValueError(name)
        raw = b32decode(name.upper() + "===")
        plain = _xor(raw[MAC_BYTES:], self._pad(raw[:MAC_BYTES]))
        number = int.from_bytes(plain, "big")
        if self._written(judge, number) != name:
            raise ValueError(name)
        return number

    def _mac(self, judge: str, plain: bytes) -> bytes:
        return hashlib.blake2b(
            plain + judge.encode(), key=self._key, person=b"mac", digest_size=MAC_BYTES
        ).digest()

    def _pad(self, mac: bytes) -> bytes:
        return hashlib.blake2b(mac, key=self._key, person=b"pad", digest_size=NUMBER_BYTES).digest()


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


# ----------------------------------------------------------------------------
# How a study is shown to its judges: wording, first page, contents of items, attention checks.
SETUP = "setup"  # the key in a study's settings
DEFAULT_QUESTION = "Which is better?"
CASE_KINDS = (Kind.TEXT.value, Kind.MARKDOWN.value)


@dataclass(frozen=True, slots=True)
class AttentionCheck:
    """An attention check: a pair whose answer is known; kept out of the ranking."""

    better: str
    worse: str

    @property
    def id(self) -> str:
        """Its name in storage, which stays when others are added or taken away."""
        return CHECK + hashlib.sha256(f"{self.better}\0{self.worse}".encode()).hexdigest()[:CHECK_DIGITS]


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything about a study that its judges see. Changing it never changes the ranking's promise."""

    question: str = DEFAULT_QUESTION
    intro: str = ""  # Markdown; empty: no first page
    consent: bool = False  # the first page must be agreed to
    own_work: bool = False  # the first page asks which items are the judge's own
    ties: bool = True  # offer "too close to call"
    lease: float = DEFAULT_LEASE
    link_days: float | None = None  # how long links work that are made from now on; None: until replaced
    contents: Mapping[str, Content] = field(default_factory=dict)
    checks: Sequence[AttentionCheck] = ()
    before: Sequence[PersonQuestion] = ()  # about the person, on the first page
    after: Sequence[PersonQuestion] = ()  # and when they have answered enough
    comment: str = ""  # what a judge may say about each choice, to the owner; empty: no box
    keep_until: str = ""  # the day on which what is known about people is deleted ("2027-06-30"); empty: none
    language: str = ""  # of judges' pages; empty: the browser's
    groups: Mapping[str, str] = field(default_factory=dict)  # item: the group it belongs to, for results
    show_names: bool = False  # may judges and the public see names that are not what judges compare?
    numbering: int = 0  # shuffles the numbers of items whose names they may not see
    case_kind: str = Kind.TEXT  # how inputs and outputs of a study on cases are shown: text or markdown

    @property
    def wording(self) -> str:
        """The question as a judge reads it: in their language, unless the owner wrote one."""
        return tr("Which is better?") if self.question == DEFAULT_QUESTION else self.question

    def __post_init__(self) -> None:
        for words in (self.question, self.intro, self.comment):
            if len(words) > WORDING_CHARACTERS:
                raise BadInput(
                    f"a text has {len(words):,} characters; at most {WORDING_CHARACTERS:,} can be shown"
                )
        if not self.question.strip():
            raise BadInput("the question is empty; write what judges should compare, such as: Which is better?")
        if not 10 <= self.lease <= 30 * 24 * 3600:
            raise BadInput(f"the time for an answer is {self.lease:g} s; give between 10 seconds and 30 days")
        if self.keep_until:
            _checked_day(self.keep_until)
        checked_questions([*self.before, *self.after])
        if self.language and self.language not in LANGUAGES:
            raise BadInput(
                f"{self.language[:40]!r} is not a language of the pages; there are: {', '.join(LANGUAGES)}"
            )
        if self.case_kind not in CASE_KINDS:
            raise BadInput(f"{self.case_kind!r} is not a way to show cases; there are: {', '.join(CASE_KINDS)}")
        if self.link_days is not None and not 0 < self.link_days <= MOST_DAYS:
            raise BadInput(f"links would work for {self.link_days:g} days; give at most {MOST_DAYS}, above 0")

    @property
    def has_intro(self) -> bool:
        """Is there a first page?"""
        return bool(self.intro.strip()) or self.consent or self.own_work or bool(self.before)

    def hides(self, item: str) -> bool:
        """Is the item's name for the owner alone? Yes, unless it is what judges compare, or the owner shows it."""
        content = self.contents.get(item)
        return content is not None and not self.show_names and item not in (content.body, content.title)

    def check_cases(self) -> None:
        """Refuse settings that would show systems' names to judges of cases."""
        if self.checks or self.own_work:
            what = "attention checks" if self.checks else "asking for people's own work"
            raise BadInput(f"{what} would show the systems' names, which judges of cases never see: leave it out")

    @property
    def outside(self) -> tuple[str, ...]:
        """The sites that the judge page loads media from."""
        intro = Content(self.intro, Kind.MARKDOWN)
        return outside_origins([intro, *self.contents.values()])

    def to_dict(self) -> dict[str, Any]:
        """As stored.

        >>> Setup.from_dict(Setup(question="Warmer?").to_dict()).question
        'Warmer?'
        """
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any] | None) -> Setup:
        known = {key: value for key, value in (data or {}).items() if key in cls.__dataclass_fields__}
        contents = {item: content_from(content) for item, content in known.pop("contents", {}).items()}
        before, after = (from_plain(known.pop(part, ())) for part in ("before", "after"))
        checks = tuple(AttentionCheck(**check) for check in known.pop("checks", ()))
        return cls(contents=contents, checks=checks, before=before, after=after, **known)

    def changed(self, **changes: Any) -> Setup:
        """The same setup with these fields changed."""
        return replace(self, **changes)


PARTS = {  # of the page Settings: the fields of each form
    "settings": (
        "question", "intro", "consent", "own_work", "show_names", "ties", "lease", "link_days", "language",
        "comment", "keep_until",
    ),
    "about": ("before", "after"),
    "checks": ("checks",),
}  # fmt: skip


def fingerprint(setup: Setup, part: str) -> str:
    """Stands for one part of the settings as somebody saw them: another one, and they were changed since.

    >>> fingerprint(Setup(), "settings") == fingerprint(Setup(question="Warmer?"), "settings")
    False
    """
    seen = [repr(getattr(setup, name)) for name in PARTS[part]]
    return hashlib.sha256("\0".join(seen).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def setup_in(settings: Mapping[str, Any]) -> Setup:
    """How a study is shown. One that was made at the terminal shows its rows and its wording, as there.

    >>> setup_in({"rows": {"x": {"id": "x", "colour": "red"}}}).contents["x"].body
    'x\\ncolour: red'
    """
    setup = Setup.from_dict(settings.get(SETUP))
    rows = settings.get("rows") or {}
    contents = {item: Content(row_text(row)) for item, row in rows.items()} | dict(setup.contents)
    if setup.question == DEFAULT_QUESTION and settings.get("wording"):
        setup = setup.changed(question=settings["wording"])
    return setup.changed(contents=contents)


def _checked_day(day: str) -> None:
    try:
        if date.fromisoformat(day).isoformat() == day:
            return
    except ValueError:
        pass
    raise BadInput(f"{day[:40]!r} is not a day; write it like 2027-06-30")


def content_from(data: Mapping[str, Any]) -> Content:
    """An item's content as stored."""
    return Content(data["body"], Kind(data["kind"]), data.get("alt", ""), data.get("thumb", ""))


# ---------------------------------------------------------------------------- names outside the owner's pages
def question_names(study: Study, setup: Setup) -> QuestionNames:
    """What the judges' pages call the questions of a study."""
    return QuestionNames(study.created["seed"], setup.numbering)


def labels_of(study: Study, setup: Setup) -> dict[str, str]:
    """Every item of a study with what judges and the public may call it."""
    return labels_for(study.items, setup, first=len(study.created["items"]))


def labels_for(items: Sequence[str], setup: Setup, *, first: int) -> dict[str, str]:
    """The same for a list of which the first so many were there from the start.

    Numbers stay as items join. Those of the first list are shuffled: it is often in the order of the alphabet.

    >>> labels_for(["tea", "milk"], Setup(), first=2)
    {'tea': 'tea', 'milk': 'milk'}
    """
    begun = list(items[:first])
    random.Random(setup.numbering).shuffle(begun)
    shown = {item for item in items if not setup.hides(item)}
    numbers = {item: place for place, item in enumerate([*begun, *items[first:]], start=1)}
    labels = {item: item if item in shown else f"Item {numbers[item]}" for item in items}
    return {item: _unlike(label, shown) if item not in shown else label for item, label in labels.items()}


def hidden_labels(study: Study, setup: Setup) -> dict[str, str]:
    """Only those items whose names are hidden; empty: none is."""
    return {item: label for item, label in labels_of(study, setup).items() if setup.hides(item)}


def _unlike(label: str, names: set[str]) -> str:
    """A label that is nobody's name."""
    while label in names:
        label += "*"
    return label
