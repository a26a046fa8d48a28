"""Votes inside other files: how large what is packed may become, and Parquet through Arrow."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from pathlib import Path
from typing import IO, Any

import numpy as np

from juryrank.defaults import GZIP_BYTES, UNPACKED_BYTES
from juryrank.errors import BadInput, need_extra
from juryrank.votes.pieces import HASHED, Coded, Coder, tell

UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)


def members_of(archive: zipfile.ZipFile, data: bytes) -> set[str]:
    """The names in a ZIP file; raises where its parts lie on top of each other, as no program writes them."""
    if sum(part.compress_size for part in archive.infolist()) > len(data):
        raise BadInput("this ZIP file says that its parts are larger than the file is: it was made to be a trap")
    return set(archive.namelist())


def member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """A part to be read; never more than it says that it holds."""
    size = archive.getinfo(name).file_size
    if size > UNPACKED_BYTES:
        raise BadInput(
            f"its part {name} has {size >> 20:,} MB once unpacked, and at most {UNPACKED_BYTES >> 20} are read"
        )
    return archive.open(name)


def ungzipped(data: bytes) -> bytes:
    """What is inside a gzip file."""
    found = gzip.GzipFile(fileobj=io.BytesIO(data)).read(GZIP_BYTES + 1)
    if len(found) > GZIP_BYTES:
        raise BadInput("it has more than 1 GB once unpacked: unpack it, and split it into several files")
    return found


# ----------------------------------------------------------------------------
# Parquet through Arrow: columns in pieces, each distinct value once; whole rows where a format needs them
PIECE = 1 << 18  # rows at a time


def parquet_rows(data: bytes | Path, most: int | None = None) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """The columns and rows of a Parquet file, or its first rows."""
    file, rows = opened(data), list[dict[str, Any]]()
    try:
        for batch in file.iter_batches(batch_size=most or PIECE):
            rows += batch.to_pylist()
            if most is not None:
                break
    except Exception as problem:  # pyarrow has no common base for what a broken file raises
        raise _unreadable(problem, file) from None
    return tuple(map(str, file.schema_arrow.names)), rows


def opened(data: bytes | Path) -> Any:
    """The file, with its schema read."""
    place: Any = (lambda: str(data)) if isinstance(data, Path) else (lambda: io.BytesIO(data))
    parquet = need_extra("pyarrow.parquet", extra="votes", what="a Parquet file")
    types = need_extra("pyarrow.types", extra="votes", what="a Parquet file")
    try:
        file = parquet.ParquetFile(place())
        texts = [field.name for field in file.schema_arrow if types.is_string(field.type)]
        return parquet.ParquetFile(place(), read_dictionary=texts)  # a long text in each row is one text
    except Exception as problem:
        raise _unreadable(problem) from None


def is_flat(file: Any) -> bool:
    """Does every cell hold one value, and not a list or a record?"""
    types = need_extra("pyarrow.types", extra="votes", what="a Parquet file")
    return not any(types.is_nested(field.type) for field in file.schema_arrow)


def coded(file: Any, coder: Coder) -> Coded:
    """The columns as numbers."""
    rows = file.metadata.num_rows
    columns = None if rows <= HASHED else coder.kept
    try:
        for batch in file.iter_batches(batch_size=PIECE, columns=columns):
            coder.add(batch, np.arange(coder.rows + 1, coder.rows + 1 + len(batch)))
            tell(f"reading: {coder.rows / max(rows, 1):.0%}")
        return coder.done()
    except BadInput:
        raise
    except Exception as problem:
        raise _unreadable(problem, file) from None


def _unreadable(problem: Exception, file: Any = None) -> BadInput:
    """What is broken, why, and what to do; nothing of the file was used."""
    broken = _broken_groups(file) if file is not None else []
    said = f"this Parquet file cannot be read: {problem}"
    if not broken:
        return BadInput(f"{said}. Write it anew, or give the votes as CSV")
    many = file.metadata.num_row_groups
    which = f"row group {broken[0]}" + (f" and {len(broken) - 1} more" if broken[1:] else "")
    return BadInput(
        f"{said}. Of its {many} row groups (from 0), {which} cannot be read; nothing of the file was used. Write "
        "it anew from its source, or a file of the others: pyarrow.parquet.ParquetFile(FILE).read_row_groups"
    )


def _broken_groups(file: Any) -> list[int]:
    found = []
    for group in range(file.metadata.num_row_groups):
        try:
            file.read_row_group(group)
        except Exception:  # as above: whatever a broken file raises
            found.append(group)
    return found
