"""One uploaded file as something to show. Decoders run in a process of their own; this one only waits for it."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from juryrank.defaults import (
    DECODERS,
    DOCX_BYTES,
    ITEM_CHARACTERS,
    MOST_PIXELS,
    PAGE_PIXELS,
    PAGE_WIDTH,
    PDF_CHARACTERS,
    PDF_PAGES,
    PICTURE_SIDE,
    THUMB_SIDE,
    WORKER_MEMORY,
    WORKER_PATIENCE,
    WORKER_SECONDS,
    WORKER_WRITTEN,
)
from juryrank.errors import BadInput
from juryrank.server.files.kinds import HEAD_BYTES, FileKind, Way, kind_of
from juryrank.server.studies.intake import decode
from juryrank.server.web.render import FILE, Content, Kind, document_html

WORKER = Path(__file__).with_name("worker.py")
AT_ONCE = threading.Semaphore(DECODERS)
SIZES = {
    "pixels": MOST_PIXELS, "side": PICTURE_SIDE, "thumb": THUMB_SIDE, "pages": PDF_PAGES, "page_width": PAGE_WIDTH,
    "page_pixels": PAGE_PIXELS, "characters": PDF_CHARACTERS, "docx_bytes": DOCX_BYTES,
}  # fmt: skip
PAGE_END = "\f"  # between the words of two pages


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file as it will be stored."""

    body: bytes
    type: str


@dataclass(frozen=True, slots=True)
class Decoded:
    """What became of one file: what is shown of it, and the files that this needs, by their hashes."""

    content: Content
    files: dict[str, NewFile] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return sum(len(file.body) for file in self.files.values())


def decoded(path: Path, name: str) -> Decoded:
    """A file that was received, as an item's content; or BadInput with the reason why not."""
    with path.open("rb") as file:
        kind = kind_of(name, file.read(HEAD_BYTES))
    if kind.way in (Way.TEXT, Way.MARKDOWN):
        return _text(path, kind)
    if kind.way in (Way.AUDIO, Way.VIDEO):
        return _as_it_is(path, kind)
    if kind.way is Way.ZIP:
        raise BadInput("it is a ZIP within a ZIP; pack all files into one")
    with tempfile.TemporaryDirectory(prefix="juryrank-") as out:
        made = work(kind.way.value, path=str(path), out=out, format=kind.type.partition("/")[2].upper())
        return _DRESSED[kind.way](made, Path(out))


def _text(path: Path, kind: FileKind) -> Decoded:
    text = decode(path.read_bytes(), name="the file").strip()
    if not text:
        raise BadInput("the file is empty")
    return Decoded(Content.checked(text, kind=kind.way.value))


def _as_it_is(path: Path, kind: FileKind) -> Decoded:
    """Sound and film: browsers decode them, and they are served under their own type only."""
    new = NewFile(path.read_bytes(), kind.type)
    hash = hashlib.sha256(new.body).hexdigest()
    return Decoded(Content(FILE + hash, Kind(kind.way.value)), {hash: new})


def _picture(made: dict[str, Any], out: Path) -> Decoded:
    hash, small = made["files"][0]["hash"], made["thumb"]["hash"]
    return Decoded(Content(FILE + hash, Kind.IMAGE, thumb=small), _files(made, out))


def _pages(made: dict[str, Any], out: Path) -> Decoded:
    body = " ".join(FILE + one["hash"] for one in made["files"])
    words = PAGE_END.join(made["words"]) if any(made["words"]) else ""
    return Decoded(Content(body, Kind.PAGES, words, made["thumb"]["hash"]), _files(made, out))


def _document(made: dict[str, Any], out: Path) -> Decoded:
    html = document_html(made["html"])
    if len(html) > ITEM_CHARACTERS:
        raise BadInput(f"its text has {len(html):,} characters; at most {ITEM_CHARACTERS:,} can be shown")
    return Decoded(Content(html, Kind.DOCUMENT), _files(made, out))


_DRESSED = {Way.PICTURE: _picture, Way.PDF: _pages, Way.DOCX: _document}


def _files(made: dict[str, Any], out: Path) -> dict[str, NewFile]:
    """What the worker wrote, read from its folder; the names that it gives are checked, not trusted."""
    found: dict[str, NewFile] = {}
    for one in (*made["files"], *([made["thumb"]] if made.get("thumb") else [])):
        hash = str(one["hash"])
        if not is_hash(hash) or one["type"] not in ("image/jpeg", "image/webp"):
            raise BadInput("it cannot be decoded")
        found[hash] = NewFile((out / hash).read_bytes(), one["type"])
    return found


def is_hash(text: str) -> bool:
    """Is this the name of a stored file?"""
    return len(text) == 64 and set(text) <= set("0123456789abcdef")


# ---------------------------------------------------------------------------- archives
def zip_members(path: Path, *, most_files: int, most_bytes: int) -> list[tuple[int, str]]:
    """Numbers and names of the files in a ZIP."""
    made = work("members", path=str(path), most_files=most_files, most_bytes=most_bytes)
    return [(one["number"], one["name"]) for one in made["members"]]


@contextmanager
def zip_member(path: Path, number: int, *, most_bytes: int) -> Iterator[Path]:
    """One file of a ZIP, unpacked for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="juryrank-") as out:
        work("member", path=str(path), number=number, out=out, most_bytes=most_bytes)
        yield Path(out) / "member"


# ---------------------------------------------------------------------------- the other process
def work(do: str, **task: Any) -> dict[str, Any]:
    """One task for the worker; BadInput with its reason, or because it used up its memory or time."""
    limits = {"memory": WORKER_MEMORY, "seconds": WORKER_SECONDS, "written": WORKER_WRITTEN}
    sent = json.dumps({"do": do, "limits": limits, "sizes": SIZES, "sys_path": sys.path, **task})
    with AT_ONCE:
        try:
            done = subprocess.run(
                [sys.executable, "-I", str(WORKER)],
                input=sent.encode(), capture_output=True, timeout=WORKER_PATIENCE, check=False, env={},
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise BadInput("it takes too long to decode") from None
    try:
        reply = json.loads(done.stdout)
    except ValueError:
        raise BadInput("it cannot be decoded: it takes too much memory or time, or is damaged") from None
    if "refused" in reply:
        raise BadInput(str(reply["refused"]))
    made: dict[str, Any] = reply["made"]
    return made
