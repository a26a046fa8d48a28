"""One link for everybody: whoever presses Start becomes a judge, as long as there is room and time.

The link is kept as it is, since its owner shows it again and again; it opens nothing but the first page. A pass
phrase is kept as a hash.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from juryrank.defaults import PER_ADDRESS
from juryrank.errors import BadInput
from juryrank.server.access.vault import hash_secret, new_secret, same
from juryrank.server.languages.speaking import tr
from juryrank.storage.base import Storage
from juryrank.storage.values import seconds_of

NOTE, BY_CODE = "open-link", "open-link/"
DEFAULT_CAPACITY, MOST_CAPACITY = 500, 100_000
MOST_PHRASE = 200


@dataclass(frozen=True, slots=True)
class OpenLink:
    """How a study is open to whoever has its link. `capacity`: judges in the study, named ones included."""

    code: str
    on: bool = True
    capacity: int = DEFAULT_CAPACITY
    opens_at: str | None = None  # UTC
    closes_at: str | None = None
    phrase: str = ""  # a hash; empty: none is asked for
    salt: str = ""  # the code with which the phrase was hashed; empty: this link's own
    per_address: int = PER_ADDRESS  # who may begin at one address within an hour; 0: any number

    def __post_init__(self) -> None:
        if not 1 <= self.capacity <= MOST_CAPACITY:
            raise BadInput(f"room for {self.capacity:,} people: give a number from 1 to {MOST_CAPACITY:,}")
        if not 0 <= self.per_address <= MOST_CAPACITY:
            raise BadInput(
                f"{self.per_address:,} people per address and hour: give 0 (any number) to {MOST_CAPACITY:,}"
            )
        if self.opens_at and self.closes_at and seconds_of(self.opens_at) >= seconds_of(self.closes_at):
            raise BadInput("it would close before it opens; check the two times")

    def with_phrase(self, phrase: str) -> OpenLink:
        """The same with another pass phrase; empty: without one."""
        if len(phrase) > MOST_PHRASE:
            raise BadInput(f"the pass phrase has {len(phrase):,} characters; at most {MOST_PHRASE} are kept")
        return replace(self, phrase=hash_secret(f"{self.code}/{tidy(phrase)}") if tidy(phrase) else "", salt="")

    def lets_in(self, phrase: str) -> bool:
        salt = self.salt or self.code
        return not self.phrase or same(self.phrase, hash_secret(f"{salt}/{tidy(phrase)}"))

    def refusal(self, *, full: bool, closed: bool, now: float) -> tuple[str, str] | None:
        """Why nobody can begin now, as a heading and a sentence; None: they can."""
        if closed or not self.on:
            return tr("This study is closed"), tr("No more answers are needed. Thank you for coming.")
        if self.opens_at and now < seconds_of(self.opens_at):
            return tr("Not open yet"), tr("This study opens on {day} at {time} UTC.", **moment(self.opens_at))
        if self.closes_at and now >= seconds_of(self.closes_at):
            return tr("This study is over"), tr("It closed on {day} at {time} UTC.", **moment(self.closes_at))
        if full:
            return tr("This study is full"), tr("All places are taken. Thank you for coming.")
        return None


class OpenLinks:
    """The open links of a storage."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def of(self, study: int) -> OpenLink | None:
        found = self._storage.note(NOTE, study=study)
        return None if found is None else OpenLink(**found)

    def make(self, study: int, **more: Any) -> OpenLink:
        """A new link, as open as the older one, which lets nobody in any more; those who have begun can go on."""
        before, code = self.of(study), new_secret()[:16]
        same_terms = (
            replace(before, code=code, on=True, salt=before.salt or before.code) if before else OpenLink(code)
        )
        made = replace(same_terms, **more)
        self._storage.set_note(BY_CODE + hash_secret(made.code), study)
        self.save(study, made)
        return made

    def change(self, study: int, *, phrase: str | None = None, **terms: Any) -> OpenLink:
        """Change the link, or make it; what is wrong is found before one is made. `phrase` None: as it is."""
        link = replace(self.of(study) or OpenLink("-" * 16), **terms)
        if phrase is not None:
            link.with_phrase(phrase)
        link = replace(self.of(study) or self.make(study), **terms)
        link = link if phrase is None else link.with_phrase(phrase)
        self.save(study, link)
        return link

    def save(self, study: int, link: OpenLink) -> None:
        self._storage.set_note(NOTE, asdict(link), study=study)

    def study_of(self, code: str) -> int | None:
        """The study that a link leads to, or led to before it was replaced."""
        found = self._storage.note(BY_CODE + hash_secret(code))
        return None if found is None else int(found)


def moment(at: str) -> dict[str, str]:
    """The day and the time of a moment, for a sentence.

    >>> moment("2026-01-02T03:04:05+00:00")
    {'day': '2026-01-02', 'time': '03:04'}
    """
    return {"day": at[:10], "time": at[11:16]}


def utc_moment(text: str) -> str | None:
    """A time that somebody typed, in UTC unless it says otherwise; empty: none.

    >>> utc_moment("2026-01-31T09:00"), utc_moment(" ")
    ('2026-01-31T09:00:00+00:00', None)
    """
    if not text.strip():
        return None
    try:
        found = datetime.fromisoformat(text.strip())
        known = found if found.tzinfo else found.replace(tzinfo=UTC)
        return known.astimezone(UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        raise BadInput(f"{text[:40]!r} is not a time; write it like 2026-01-31T09:00") from None


def tidy(phrase: str) -> str:
    """A pass phrase in the form that is compared, as people write it down and read it out.

    >>> tidy("  Blue   Whale ")
    'blue whale'
    """
    return " ".join(phrase.casefold().split())


# ----------------------------------------------------------------------------
# Results that anybody with the link may see: off unless an owner switches them on; no names of people
PAGES_NOTE, BY_PAGES_CODE = "public-page", "public-page/"


class PublicPages:
    """The public pages of a storage."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def code_of(self, study: int) -> str | None:
        """The end of the page's address; None: it is switched off."""
        found = self._storage.note(PAGES_NOTE, study=study)
        return None if found is None else str(found)

    def switch_on(self, study: int) -> str:
        """Make the page; one that is there stays as it is."""
        code = self.code_of(study)
        if code is None:
            code = new_secret()[:16]
            self._storage.set_note(BY_PAGES_CODE + hash_secret(code), study)
            self._storage.set_note(PAGES_NOTE, code, study=study)
        return code

    def switch_off(self, study: int) -> None:
        """Its address stops working for good; switched on again the page has another one."""
        code = self.code_of(study)
        if code is not None:
            self._storage.set_note(BY_PAGES_CODE + hash_secret(code), None)
            self._storage.set_note(PAGES_NOTE, None, study=study)

    def study_of(self, code: str) -> int | None:
        found = self._storage.note(BY_PAGES_CODE + hash_secret(code))
        return None if found is None or self.code_of(int(found)) != code else int(found)
