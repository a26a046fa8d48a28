"""Receiving a request's body onto the disk, piece by piece: memory holds one piece, however large the body is."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from juryrank.errors import BadInput
from juryrank.server.files.uploads import Refusal, Uploads

SHOWN = 8  # refused files that are named; the list may be long


class Received:
    """A file on its way in, in a temporary place of its own; `close` removes it."""

    def __init__(self, *, most: int) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="juryrank-")
        self.path = Path(self._folder.name) / "received"
        self.size = 0
        self.most = most

    async def read(self, pieces: AsyncIterator[bytes]) -> None:
        """Read a whole body; what exceeds the limit is dropped: browsers read a reply only after sending all."""
        with self.path.open("wb") as file:
            async for piece in pieces:
                self.size += len(piece)
                if self.size <= self.most:
                    await run_in_threadpool(file.write, piece)

    @property
    def is_whole(self) -> bool:
        return self.size <= self.most

    def close(self) -> None:
        self._folder.cleanup()


@contextmanager
def on_disk(file: BinaryIO) -> Iterator[Path]:
    """A form's file under a path, for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="juryrank-") as folder:
        path = Path(folder) / "received"
        with path.open("wb") as target:
            file.seek(0)
            shutil.copyfileobj(file, target, 1 << 20)
        yield path


def with_sent_files(uploads: Uploads, upload: str, sent: Sequence[UploadFile | str]) -> str:
    """The upload with the files that came with a form (a browser without scripts sends them so).

    Either all of them are accepted, or none is, and BadInput names those that were refused.
    """
    files = [one for one in sent if isinstance(one, UploadFile) and one.filename]
    if not files:
        return upload
    upload, refused = uploads.begin(), []
    for one in files:
        with on_disk(one.file) as path:
            refused += [
                made for made in uploads.add(upload, one.filename or "", path) if isinstance(made, Refusal)
            ]
    if refused:
        uploads.forget(upload)
        more = f" And {len(refused) - SHOWN} more." if len(refused) > SHOWN else ""
        raise BadInput(f"nothing was accepted. {'. '.join(map(str, refused[:SHOWN]))}.{more}")
    return upload
