"""Files on their way into a study: each is received, decoded and kept for a day, until a study takes them."""

from __future__ import annotations

import hashlib
import re
import secrets
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from juryrank.defaults import MEGABYTE, MOST_ITEMS, UPLOAD_SECONDS
from juryrank.errors import BadInput, UnknownName
from juryrank.quoting import TURNING
from juryrank.server.files.decoding import Decoded, decoded, zip_member, zip_members
from juryrank.server.files.kinds import ending
from juryrank.server.settings import ServerSettings
from juryrank.server.studies.intake import MOST_ID, NewItem, composed
from juryrank.server.studies.open_studies import OpenStudies
from juryrank.server.studies.setup import content_from
from juryrank.server.web.render import BY_URL, Content, Kind, plain_words
from juryrank.storage import Storage
from juryrank.storage.values import WHOLE_STORAGE


# ---------------------------------------------------------------------------- items' names from names of files
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


# ----------------------------------------------------------------------------
# Files on their way into a study: each is received, decoded and kept for a day, until a study takes them
UPLOAD = "upload/"  # notes: upload/ID holds when it began, upload/ID/file/N what became of a file
MOST_PATH = 500  # characters of a file's name with its folders
GLIMPSE = 300  # characters of a text that the form's preview gets


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """How much is accepted."""

    file_bytes: int
    upload_bytes: int
    study_bytes: int

    @classmethod
    def of(cls, settings: ServerSettings) -> UploadLimits:
        return cls(settings.file_bytes, settings.files_bytes, settings.study_bytes)


@dataclass(frozen=True, slots=True)
class Taken:
    """One file that was accepted."""

    path: str
    content: Content
    files: tuple[str, ...]  # hashes of what is stored for it
    received: int
    stored: int

    @property
    def glimpse(self) -> str:
        """What a judge will see of it, where that is no picture."""
        if self.content.kind in BY_URL:
            return {Kind.AUDIO: "a sound", Kind.VIDEO: "a film"}.get(self.content.kind, "")
        return plain_words(self.content)[:GLIMPSE]


@dataclass(frozen=True, slots=True)
class Refusal:
    """One file that was refused."""

    path: str
    why: str

    def __str__(self) -> str:
        return f"{self.path}: {self.why}"


class Uploads:
    """All uploads that wait for a study."""

    def __init__(self, storage: Storage, limits: UploadLimits) -> None:
        self._storage = storage
        self.limits = limits

    # ------------------------------------------------------------------ receiving
    def begin(self) -> str:
        """A new upload; abandoned ones are forgotten."""
        self._forget_old(time.time())
        upload = secrets.token_urlsafe(16)
        self._storage.set_note(UPLOAD + upload, {"at": time.time()})
        return upload

    def add(self, upload: str, path: str, file: Path) -> Iterator[Taken | Refusal]:
        """Accept one file, or each file of a ZIP; yields the outcome of each in turn."""
        self._check(upload)
        path = path.strip()[-MOST_PATH:] or "unnamed"
        try:
            yield from self._add(upload, path, file)
        except BadInput as why:
            yield Refusal(path, str(why))

    def _add(self, upload: str, path: str, file: Path) -> Iterator[Taken | Refusal]:
        size = file.stat().st_size
        if ending(path) != "zip":
            yield self._one(upload, path, file, size)
            return
        if size > self.limits.upload_bytes:
            raise BadInput(too_large(size, self.limits.upload_bytes))
        for number, name in zip_members(file, most_files=MOST_ITEMS, most_bytes=self.limits.upload_bytes):
            try:
                with zip_member(file, number, most_bytes=self.limits.file_bytes) as member:
                    yield self._one(upload, name[-MOST_PATH:], member, member.stat().st_size)
            except BadInput as why:
                yield Refusal(name[-MOST_PATH:], str(why))

    def _one(self, upload: str, path: str, file: Path, size: int) -> Taken:
        if size > self.limits.file_bytes:
            raise BadInput(too_large(size, self.limits.file_bytes))
        sizes = list(self._storage.notes(f"{UPLOAD}{upload}/size/").values())
        if len(sizes) >= MOST_ITEMS:
            raise BadInput(f"there are {MOST_ITEMS:,} files already, and more are not accepted")
        if sum(received for received, _ in sizes) + size > self.limits.upload_bytes:
            most = self.limits.upload_bytes / MEGABYTE
            raise BadInput(f"one upload holds at most {most:,g} MB, which are used up; begin another one")
        made = decoded(file, path)
        if sum(stored for _, stored in sizes) + made.size > self.limits.study_bytes:
            most = self.limits.study_bytes / MEGABYTE
            raise BadInput(f"a study holds at most {most:,g} MB, which are used up")
        return self._keep(upload, path, made, size)

    def _keep(self, upload: str, path: str, made: Decoded, size: int) -> Taken:
        for file in made.files.values():
            self._storage.put_file(WHOLE_STORAGE, file.body, type=file.type)
        taken = Taken(path, made.content, tuple(made.files), size, made.size)
        number = secrets.token_hex(8)  # two at once stay two
        self._storage.set_note(f"{UPLOAD}{upload}/size/{number}", [size, made.size])
        self._storage.set_note(f"{UPLOAD}{upload}/file/{number}", asdict(taken))
        return taken

    # ------------------------------------------------------------------ what is there
    def taken(self, upload: str) -> list[Taken]:
        """The files accepted so far, in the order of their names."""
        self._check(upload)
        notes = self._storage.notes(f"{UPLOAD}{upload}/file/")
        return sorted(map(_taken, notes.values()), key=lambda one: _natural(one.path))

    def items(self, upload: str) -> list[NewItem]:
        """The files as items."""
        taken = self.taken(upload)
        names = item_names([one.path for one in taken])
        return [NewItem(name, one.content) for name, one in zip(names, taken, strict=True)]

    def file(self, upload: str, hash: str) -> bool:
        """Does this upload hold such a file?"""
        return any(hash in one.files for one in self.taken(upload))

    def drop(self, upload: str, path: str) -> bool:
        """Take a file out again; False: it was not there."""
        self._check(upload)
        found = [
            key for key, note in self._storage.notes(f"{UPLOAD}{upload}/file/").items() if note["path"] == path
        ]
        for key in found:
            self._storage.set_note(key, None)
            self._storage.set_note(key.replace("/file/", "/size/"), None)
        return bool(found)

    def _check(self, upload: str) -> None:
        if not upload or "/" in upload or self._storage.note(UPLOAD + upload) is None:
            raise UnknownName("these files are not kept any more; choose them again")

    # ------------------------------------------------------------------ into a study
    def waiting(self, upload: str) -> Waiting | None:
        """The files of an upload, for a study to take; None: there is no upload."""
        return Waiting(self, upload) if upload else None

    def hand_over(self, upload: str, study: int) -> None:
        """Copy the files into a study; raises before anything is copied if there is no room."""
        taken = self.taken(upload)
        there = sum(file.size for file in self._storage.files(study))
        if there + sum(one.stored for one in taken) > self.limits.study_bytes:
            most = self.limits.study_bytes / MEGABYTE
            raise BadInput(f"the study's files would take more than {most:,g} MB; add fewer, or smaller ones")
        for hash in dict.fromkeys(hash for one in taken for hash in one.files):
            found = self._storage.file(WHOLE_STORAGE, hash)
            if found is None:
                raise UnknownName("these files are not kept any more; choose them again")
            self._storage.put_file(study, found[1], type=found[0].type)

    def forget(self, upload: str) -> None:
        """The study has them."""
        gone = {hash for one in self.taken(upload) for hash in one.files}
        for key in (UPLOAD + upload, *self._storage.notes(f"{UPLOAD}{upload}/")):
            self._storage.set_note(key, None)
        waiting = {hash for note in self._notes("/file/") for hash in note["files"]}
        for hash in gone - waiting:
            self._storage.delete_file(WHOLE_STORAGE, hash)

    def _notes(self, part: str) -> list[Any]:
        return [note for key, note in self._storage.notes(UPLOAD).items() if part in key]

    def _forget_old(self, now: float) -> None:
        heads = {key: note for key, note in self._storage.notes(UPLOAD).items() if key.count("/") == 1}
        for key, note in heads.items():
            if now - float(note["at"]) > UPLOAD_SECONDS:
                self.forget(key.removeprefix(UPLOAD))


@dataclass(frozen=True, slots=True)
class Waiting:
    """One upload, ready for its study."""

    uploads: Uploads
    upload: str

    def hand_over(self, study: int) -> None:
        self.uploads.hand_over(self.upload, study)


def too_large(size: int, most: int) -> str:
    """Why a file of this size is not accepted.

    >>> too_large(25_300_000, 20_000_000)
    'it has 25.3 MB; at most 20 MB are accepted'
    """
    return f"it has {size / MEGABYTE:,.1f} MB; at most {most / MEGABYTE:,g} MB are accepted"


def _taken(note: dict[str, Any]) -> Taken:
    return Taken(
        note["path"], content_from(note["content"]), tuple(note["files"]), note["received"], note["stored"]
    )


def _natural(path: str) -> tuple[Any, ...]:
    """A sort key by which page 10 comes after page 9.

    >>> sorted(["a10", "a9", "B1"], key=_natural)
    ['a9', 'a10', 'B1']
    """
    parts = re.split(r"([0-9]{1,15})", path.casefold())
    return tuple((int(part), "") if part.isascii() and part.isdigit() else (-1, part) for part in parts)


# ----------------------------------------------------------------------------
# Addresses of pictures, sound and film that judges' browsers could not load.
#
# The server itself never opens an address that somebody typed in: that could reach machines inside its own
# network.
DEAD = "dead/"  # notes of a study: dead/HASH holds an item, its address and who could not load it
MOST_REPORTERS = 20  # more make it no deader


class DeadLinks:
    """Which items' addresses were reported, by study."""

    def __init__(self, open_studies: OpenStudies) -> None:
        self._desk = open_studies

    def report(self, study: int, judge: str, address: str) -> None:
        """A judge's browser could not load an address; ignored unless an item has it now."""
        for item, content in self._desk.setup(study).contents.items():
            if content.kind in BY_URL and content.body == address:
                self._add(study, judge, item, address)

    def _add(self, study: int, judge: str, item: str, address: str) -> None:
        storage, key = self._desk.storage, DEAD + hashlib.sha256(item.encode()).hexdigest()
        note = storage.note(key, study=study) or {}
        judges = note.get("judges", []) if note.get("address") == address else []
        if judge not in judges and len(judges) < MOST_REPORTERS:
            storage.set_note(key, {"item": item, "address": address, "judges": [*judges, judge]}, study=study)

    def of(self, study: int) -> dict[str, int]:
        """Items whose present address could not be loaded, with the number of judges who said so."""
        contents = self._desk.setup(study).contents
        return {
            note["item"]: len(note["judges"])
            for note in self._desk.storage.notes(DEAD, study=study).values()
            if note["item"] in contents and contents[note["item"]].body == note["address"]
        }
