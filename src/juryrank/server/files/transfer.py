"""Files received piece by piece onto the disk, and handed out in a sandbox with their own type and no other."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.responses import Response

from juryrank.errors import BadInput
from juryrank.server.files.decoding import is_hash
from juryrank.server.files.uploads import Refusal, Uploads
from juryrank.storage import Storage
from juryrank.study.archive import MEDIA

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


# ----------------------------------------------------------------------------
# A stored file as a response: its own type and no other, in a sandbox, in parts where a player asks for parts
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, max-age=31536000, immutable",  # its address is the hash of its content
    "Accept-Ranges": "bytes",
}
RANGE = re.compile(r"bytes=(\d{0,12})-(\d{0,12})")


def file_response(request: Request, storage: Storage, study: int, hash: str) -> Response:
    """The file of this hash, if the study has it."""
    found = storage.file(study, hash) if is_hash(hash) else None
    if found is None:
        return no_file()
    meta, body = found
    kind = meta.type if MEDIA.fullmatch(meta.type) else "application/octet-stream"
    part = _part(request.headers.get("range", ""), len(body))
    if part is None:
        return Response(body, media_type=kind, headers=HEADERS)
    first, last = part
    if first > last:
        return Response(status_code=416, headers={"Content-Range": f"bytes */{len(body)}"})
    headers = {**HEADERS, "Content-Range": f"bytes {first}-{last}/{len(body)}"}
    return Response(body[first : last + 1], 206, media_type=kind, headers=headers)


def no_file() -> Response:
    """The response where there is no such file: only a browser that looks for a picture reads it."""
    return Response(status_code=404)


def _part(header: str, size: int) -> tuple[int, int] | None:
    """The requested part, as its first and last byte; None: the whole file.

    >>> _part("bytes=2-", 10), _part("bytes=-3", 10), _part("bytes=0-4,6-7", 10), _part("bytes=90-", 10)
    ((2, 9), (7, 9), None, (90, 9))
    """
    asked = RANGE.fullmatch(header.strip())
    if asked is None or asked.groups() == ("", ""):
        return None
    first, last = asked.groups()
    if not first:
        return max(0, size - int(last)), size - 1
    return int(first), min(int(last), size - 1) if last else size - 1
