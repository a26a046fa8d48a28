"""Which files are accepted. The extension says what a file is meant to be; its first bytes must agree."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from juryrank.errors import BadInput

HEAD_BYTES = 64  # enough of a file's beginning to know it by


class Way(enum.Enum):
    """What is done with a file."""

    TEXT = "text"  # read as it is
    MARKDOWN = "markdown"
    PICTURE = "picture"  # decoded and encoded again
    PDF = "pdf"  # its pages become pictures
    DOCX = "docx"  # becomes text
    AUDIO = "audio"  # kept as it is
    VIDEO = "video"
    ZIP = "zip"  # opened: one item per file in it


@dataclass(frozen=True, slots=True)
class FileKind:
    """One kind of file: what is done with it, its media type, and how it begins."""

    name: str
    way: Way
    type: str
    begins: Callable[[bytes], bool]


def _at(place: int, *marks: bytes) -> Callable[[bytes], bool]:
    return lambda head: head[place:].startswith(marks)


def _riff(form: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(b"RIFF") and head[8:12] == form


def _mp3(head: bytes) -> bool:
    return head.startswith(b"ID3") or (len(head) > 1 and head[0] == 0xFF and head[1] & 0xE6 in (0xE2, 0xE4, 0xE6))


JPEG = FileKind("a JPEG picture", Way.PICTURE, "image/jpeg", _at(0, b"\xff\xd8\xff"))
PNG = FileKind("a PNG picture", Way.PICTURE, "image/png", _at(0, b"\x89PNG\r\n\x1a\n"))
GIF = FileKind("a GIF picture", Way.PICTURE, "image/gif", _at(0, b"GIF87a", b"GIF89a"))
WEBP = FileKind("a WebP picture", Way.PICTURE, "image/webp", _riff(b"WEBP"))
PDF = FileKind("a PDF", Way.PDF, "application/pdf", _at(0, b"%PDF-"))
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
DOCX = FileKind("a Word document", Way.DOCX, WORD, _at(0, b"PK\x03\x04"))
ZIP = FileKind("a ZIP archive", Way.ZIP, "application/zip", _at(0, b"PK\x03\x04", b"PK\x05\x06"))
MP3 = FileKind("MP3 sound", Way.AUDIO, "audio/mpeg", _mp3)
OGG = FileKind("Ogg sound", Way.AUDIO, "audio/ogg", _at(0, b"OggS"))
WAV = FileKind("WAV sound", Way.AUDIO, "audio/wav", _riff(b"WAVE"))
FLAC = FileKind("FLAC sound", Way.AUDIO, "audio/flac", _at(0, b"fLaC"))
M4A = FileKind("MPEG-4 sound", Way.AUDIO, "audio/mp4", _at(4, b"ftyp"))
MP4 = FileKind("an MP4 film", Way.VIDEO, "video/mp4", _at(4, b"ftyp"))
WEBM = FileKind("a WebM film", Way.VIDEO, "video/webm", _at(0, b"\x1aE\xdf\xa3"))
TEXT = FileKind("plain text", Way.TEXT, "text/plain", lambda head: True)  # found out by decoding it
MARKDOWN = FileKind("Markdown", Way.MARKDOWN, "text/markdown", lambda head: True)

KINDS: Mapping[str, FileKind] = {
    "jpg": JPEG, "jpeg": JPEG, "png": PNG, "gif": GIF, "webp": WEBP, "pdf": PDF, "docx": DOCX, "zip": ZIP,
    "mp3": MP3, "ogg": OGG, "oga": OGG, "opus": OGG, "wav": WAV, "flac": FLAC, "m4a": M4A,
    "mp4": MP4, "m4v": MP4, "webm": WEBM, "txt": TEXT, "text": TEXT, "md": MARKDOWN, "markdown": MARKDOWN,
}  # fmt: skip
ADVICE: Mapping[str, str] = {  # what to do with files that are not accepted
    "svg": "SVG can hold programs; export it as PNG",
    "heic": "save it as JPEG",
    "heif": "save it as JPEG",
    "avif": "save it as JPEG or PNG",
    "tif": "save it as JPEG or PNG",
    "tiff": "save it as JPEG or PNG",
    "bmp": "save it as PNG",
    "psd": "export it as JPEG or PNG",
    "doc": "save it as DOCX or PDF",
    "odt": "save it as DOCX or PDF",
    "rtf": "save it as DOCX or PDF",
    "pages": "export it as PDF",
    "pptx": "export it as PDF",
    "ppt": "export it as PDF",
    "mov": "save it as MP4",
    "avi": "save it as MP4",
    "csv": "a table holds many items: choose it under “CSV, JSON or text file”",
    "tsv": "a table holds many items: choose it under “CSV, JSON or text file”",
    "json": "a list holds many items: choose it under “CSV, JSON or text file”",
    "xlsx": "save the sheet as CSV UTF-8 and choose it under “CSV, JSON or text file”",
    "html": "save it as PDF",
    "htm": "save it as PDF",
}
TAKEN = "text, Markdown, JPEG, PNG, GIF, WebP, PDF, DOCX, MP3, Ogg, WAV, FLAC, M4A, MP4, WebM, or a ZIP of these"
_KNOWN_BY_THEIR_BEGINNING = (JPEG, PNG, GIF, WEBP, PDF, ZIP, OGG, WAV, FLAC, MP4, WEBM)


def ending(name: str) -> str:
    """What stands behind the last dot of a file's name, in lower case.

    >>> ending("Holiday.JPG"), ending("README")
    ('jpg', '')
    """
    return name.rpartition(".")[2].lower() if "." in name else ""


def kind_of(name: str, head: bytes) -> FileKind:
    """What a file is, or why it is not accepted.

    >>> kind_of("a.png", b"\\x89PNG\\r\\n\\x1a\\n").name
    'a PNG picture'
    """
    kind = KINDS.get(ending(name))
    if kind is None:
        why = ADVICE.get(ending(name))
        raise BadInput(why or f"such files are not accepted; these are: {TAKEN}")
    if not head and kind.way not in (Way.TEXT, Way.MARKDOWN):
        raise BadInput("the file is empty")
    if not kind.begins(head):
        held = next((one.name for one in _KNOWN_BY_THEIR_BEGINNING if one.begins(head)), "something else")
        raise BadInput(
            f"its name says {kind.name}, its content is {held}; give it the right ending, or save it again"
        )
    return kind
