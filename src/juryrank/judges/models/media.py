"""What is more than a line of text: conversations as turns, pictures as they are sent.

A picture is a row with nothing but an id and a `file` that is one (PNG, JPEG, GIF, WebP). The prompt holds its
hash in its place, so that answers kept for another picture are never found for it.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from juryrank.defaults import PICTURE_BYTES
from juryrank.errors import BadInput

TOKENS = (
    2_000  # of one picture, about: only for the money set aside before a call; the endpoint counts what it took
)
KINDS = {  # by how such a file begins
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"RIFF": "image/webp",
}
ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp")


@dataclass(frozen=True, slots=True)
class AttachedPicture:
    """A picture as both wire formats send it."""

    kind: str
    data: str  # base64
    words: str = ""  # what stands in the prompt in its place

    def part(self, api: str) -> dict[str, Any]:
        """One part of a message.

        >>> AttachedPicture("image/png", "aGk=").part("openai")["image_url"]["url"]
        'data:image/png;base64,aGk='
        """
        if api == "anthropic":
            return {"type": "image", "source": {"type": "base64", "media_type": self.kind, "data": self.data}}
        return {"type": "image_url", "image_url": {"url": f"data:{self.kind};base64,{self.data}"}}


def picture_file(thing: Any) -> Path | None:
    """The picture that a thing is; None: it is something else."""
    if not isinstance(thing, Mapping) or set(thing) - {"id"} != {"file"}:
        return None
    path = Path(str(thing["file"]))
    return path if path.suffix.lower() in ENDINGS else None


def pictures_of(prompt: str, *things: Any) -> list[AttachedPicture]:
    """The pictures among what is shown, in the order of the prompt."""
    found = [_read(path) for thing in things if (path := picture_file(thing)) is not None]
    return sorted(found, key=lambda picture: prompt.find(picture.words))


def parts_of(text: str, pictures: Sequence[AttachedPicture], api: str) -> list[dict[str, Any]]:
    """A prompt with each picture right behind its place in the text."""
    parts = []
    for picture in pictures:
        before, words, text = text.partition(picture.words)
        parts += [{"type": "text", "text": before + words}, picture.part(api)]
    return [*parts, {"type": "text", "text": text}] if text else parts


def picture_words(path: Path) -> str:
    """What stands in the prompt in a picture's place."""
    return f"(an attached picture, {hashlib.sha256(_bytes(path)).hexdigest()[:16]})"


def _read(path: Path) -> AttachedPicture:
    data = _bytes(path)
    kind = next((kind for start, kind in KINDS.items() if data.startswith(start)), None)
    if kind is None:
        raise BadInput(f"{path.name} is not a picture that models are shown; give PNG, JPEG, GIF or WebP files")
    return AttachedPicture(kind, base64.b64encode(data).decode(), picture_words(path))


def _bytes(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > PICTURE_BYTES:
            raise BadInput(
                f"{path.name} has {size:,} bytes; models are shown {PICTURE_BYTES:,} at most: make it smaller"
            )
        return path.read_bytes()
    except OSError as problem:
        raise BadInput(f"the picture {path.name} cannot be read: {problem.strerror}") from None


def is_conversation(value: Any) -> bool:
    """Is it a list of turns, each with who speaks and what is said?"""
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str | bytes)
        and len(value) > 0
        and all(isinstance(turn, Mapping) and {"role", "content"} <= set(turn) for turn in value)
    )


def turns(conversation: Sequence[Mapping[str, Any]]) -> str:
    """A conversation as people read it.

    >>> print(turns([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": [{"text": "Hello"}]}]))
    user: Hi
    <BLANKLINE>
    assistant: Hello
    """
    return "\n\n".join(f"{turn['role']}: {_said(turn['content'])}" for turn in conversation)


def _said(content: Any) -> str:
    if isinstance(content, list) and all(isinstance(part, Mapping) for part in content):
        return "\n".join(str(part.get("text", f"({part.get('type', 'something else')})")) for part in content)
    return written(content)


def written(value: Any) -> str:
    """A value as text: a conversation as turns, lists and mappings as JSON, never as Python prints them.

    >>> written({"a": [1, None]}), written("plain")
    ('{"a": [1, null]}', 'plain')
    """
    if is_conversation(value):
        return turns(value)
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)
