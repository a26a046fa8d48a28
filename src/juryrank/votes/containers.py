"""Votes inside other files: how large what is packed may become, and Parquet through Arrow."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from juryrank.defaults import GZIP_BYTES, UNPACKED_BYTES
from juryrank.errors import BadInput, need_extra

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


def parquet_rows(data: bytes, most: int | None = None) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
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


def opened(data: bytes) -> Any:
    """The file, with its schema read."""
    parquet = need_extra("pyarrow.parquet", extra="votes", what="a Parquet file")
    types = need_extra("pyarrow.types", extra="votes", what="a Parquet file")
    try:
        file = parquet.ParquetFile(io.BytesIO(data))
        texts = [field.name for field in file.schema_arrow if types.is_string(field.type)]
        return parquet.ParquetFile(io.BytesIO(data), read_dictionary=texts)  # a long text in each row is one text
    except Exception as problem:
        raise _unreadable(problem) from None


def is_flat(file: Any) -> bool:
    """Does every cell hold one value, and not a list or a record?"""
    types = need_extra("pyarrow.types", extra="votes", what="a Parquet file")
    return not any(types.is_nested(field.type) for field in file.schema_arrow)


def coded(file: Any, kept: Sequence[str]) -> tuple[dict[str, tuple[Any, list[Any]]], int, int]:
    """Per column the code of each row and the distinct values; how many rows there are, and how many repeat
    another one in every column."""
    hashed = need_extra("pandas.util", extra="votes", what="a Parquet file").hash_pandas_object
    known = {name: dict[Any, int]() for name in kept}
    codes: dict[str, list[NDArray[np.int32]]] = {name: [] for name in kept}
    rows: list[NDArray[np.uint64]] = []
    try:
        for batch in file.iter_batches(batch_size=PIECE):
            rows.append(hashed(batch.to_pandas(strings_to_categorical=True), index=False).to_numpy())
            for name in kept:
                values, places = _distinct(batch.column(name))
                used, again = np.unique(places, return_inverse=True)
                numbers = [known[name].setdefault(values[k], len(known[name])) for k in used]
                codes[name].append(np.array(numbers, dtype=np.int32)[again])
    except Exception as problem:
        raise _unreadable(problem, file) from None
    whole = np.concatenate(rows) if rows else np.zeros(0, dtype=np.uint64)
    nothing = np.zeros(0, dtype=np.int32)
    columns = {name: (np.concatenate(codes[name] or [nothing]), list(known[name])) for name in kept}
    return columns, len(whole), len(whole) - len(np.unique(whole))


def _distinct(column: Any) -> tuple[list[Any], NDArray[np.int64]]:
    """The distinct values of a column, None the last, and which one each row holds."""
    found = column if hasattr(column, "dictionary") else column.dictionary_encode()
    values = found.dictionary.to_pylist()
    return [*values, None], found.indices.cast("int64").fill_null(len(values)).to_numpy()


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
