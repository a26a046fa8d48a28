"""Packed files, unpacked as far as memory allows: a few kilobytes may claim to hold more than any machine has."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from typing import IO

from juryrank.errors import BadInput

LARGEST = 1 << 28  # bytes of one part of a ZIP file once unpacked
LARGEST_GZIP = 1 << 30
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)


def members_of(archive: zipfile.ZipFile, data: bytes) -> set[str]:
    """The names in a ZIP file; raises where its parts lie on top of each other, as no program writes them."""
    if sum(part.compress_size for part in archive.infolist()) > len(data):
        raise BadInput("this ZIP file says that its parts are larger than the file is: it was made to be a trap")
    return set(archive.namelist())


def member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """A part to be read; never more than it says that it holds."""
    size = archive.getinfo(name).file_size
    if size > LARGEST:
        raise BadInput(
            f"its part {name} has {size >> 20:,} MB once unpacked, and at most {LARGEST >> 20} are read"
        )
    return archive.open(name)


def ungzipped(data: bytes) -> bytes:
    """What is inside a gzip file."""
    found = gzip.GzipFile(fileobj=io.BytesIO(data)).read(LARGEST_GZIP + 1)
    if len(found) > LARGEST_GZIP:
        raise BadInput("it has more than 1 GB once unpacked: unpack it, and split it into several files")
    return found
