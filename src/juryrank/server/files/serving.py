"""A stored file as a response: its own type and no other, in a sandbox, in parts where a player asks for parts."""

from __future__ import annotations

import re

from fastapi import Request
from starlette.responses import Response

from juryrank.server.files.decoding import is_hash
from juryrank.storage import Storage
from juryrank.study.archive import MEDIA

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
