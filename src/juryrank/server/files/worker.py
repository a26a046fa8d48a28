"""Decoders of strangers' files, as a program of its own: `python worker.py` does one task, then exits.

It knows nothing of the server: it reads one file, writes what it made into one folder, and may use little memory
and time. Whatever a hostile file does to a decoder stays in this process. A task comes as JSON on standard input,
and the outcome goes as JSON to standard output: {"made": ...}, or {"refused": "why"}.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

SIZES: dict[str, int] = {}  # of this task, as its sender says
MOST_PROFILE = 100_000  # bytes of a colour profile
CHUNK = 1 << 20
SKIPPED = ("__MACOSX/", ".", "Thumbs.db", "desktop.ini")  # what systems leave in folders


class Refused(Exception):
    """Why this file is not accepted, in words for its owner."""


# ---------------------------------------------------------------------------- limits
def limit(*, memory: int, seconds: int, written: int) -> None:
    """From here on, limit memory, time and disk to this much."""
    with contextlib.suppress(ImportError):  # not on Windows: there the parent's clock alone stops it
        import resource

        for what, most in (
            (resource.RLIMIT_AS, memory),
            (resource.RLIMIT_CPU, seconds),
            (resource.RLIMIT_FSIZE, written),
            (resource.RLIMIT_CORE, 0),
        ):
            resource.setrlimit(what, (most, most))


# ---------------------------------------------------------------------------- pictures
def picture(task: dict[str, Any]) -> dict[str, Any]:
    """One picture at a sensible size, upright, without a camera's metadata; and a thumbnail."""
    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None  # `upright` looks at the size itself, and says so in words
    try:
        with Image.open(task["path"], formats=[task["format"]]) as found:
            image = upright(found)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError):  # their words may name a path
        raise Refused(f"it cannot be read as a {task['format']} picture: it is damaged; save it again") from None
    out = Path(task["out"])
    as_jpeg = task["format"] == "JPEG" and image.mode == "RGB"
    return {"files": [saved(image, out, jpeg=as_jpeg)], "thumb": thumb(image, out)}


def upright(found: Any) -> Any:
    from PIL import ImageOps

    most = SIZES["pixels"]
    if found.width * found.height > most:
        raise Refused(
            f"it has {found.width:,} x {found.height:,} pixels; at most {most // 10**6} million are allowed"
        )
    if found.format in ("GIF", "WEBP", "PNG") and getattr(found, "n_frames", 1) > 1:
        raise Refused("it is a moving picture; upload it as a film (MP4 or WebM), or its first frame as PNG")
    found.draft("RGB", (SIZES["side"], SIZES["side"]))  # a JPEG is decoded at the size that is needed
    profile = found.info.get("icc_profile") if found.mode in ("RGB", "RGBA", "P") else None
    image = ImageOps.exif_transpose(found)
    image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    image.thumbnail((SIZES["side"], SIZES["side"]), reducing_gap=2.0)
    image.info = {"icc_profile": profile} if profile and len(profile) <= MOST_PROFILE else {}
    return image


def saved(image: Any, out: Path, *, jpeg: bool, quality: int = 85) -> dict[str, str]:
    """Write a picture under the hash of its bytes."""
    body = io.BytesIO()
    profile = image.info.get("icc_profile")
    if jpeg:
        image.save(body, "JPEG", quality=quality, optimize=True, progressive=True, icc_profile=profile)
    else:
        image.save(body, "WEBP", quality=quality, method=3, icc_profile=profile, exif=b"", xmp=b"")
    return written(body.getvalue(), out, "image/jpeg" if jpeg else "image/webp")


def written(body: bytes, out: Path, type: str) -> dict[str, str]:
    hash = hashlib.sha256(body).hexdigest()
    (out / hash).write_bytes(body)
    return {"hash": hash, "type": type}


def thumb(image: Any, out: Path) -> dict[str, str]:
    small = image.copy()
    small.thumbnail((SIZES["thumb"], SIZES["thumb"]))
    small.info = {}
    return saved(small, out, jpeg=small.mode == "RGB", quality=70)


# ---------------------------------------------------------------------------- documents
def pdf(task: dict[str, Any]) -> dict[str, Any]:
    """The pages of a PDF as pictures, with their text for people who cannot see them."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(task["path"])
    except pypdfium2.PdfiumError as problem:
        locked = "password" in str(problem).lower()
        raise Refused(
            "it needs a password; save it without one" if locked else "it cannot be read as a PDF"
        ) from None
    if not 0 < len(document) <= SIZES["pages"]:
        raise Refused(f"it has {len(document)} pages; from 1 to {SIZES['pages']} are accepted")
    out, files, words, first = Path(task["out"]), [], [], None
    for page in document:
        image = page_picture(page)
        first = first or thumb(image, out)
        files.append(saved(image, out, jpeg=False, quality=80))
        words.append(page.get_textpage().get_text_bounded().replace("\f", " ").strip())
        page.close()
    return {"files": files, "thumb": first, "words": cut_words(words)}


def page_picture(page: Any) -> Any:
    width, height = page.get_size()
    if not (0 < width < 1e5 and 0 < height < 1e5):
        raise Refused("a page of it has no sensible size")
    scale = min(SIZES["page_width"] / width, (SIZES["page_pixels"] / (width * height)) ** 0.5)
    return page.render(scale=scale, may_draw_forms=False).to_pil().convert("RGB")


def cut_words(words: list[str]) -> list[str]:
    room = SIZES["characters"] // len(words)
    return [one if len(one) <= room else one[:room].rstrip() + " …" for one in words]


def docx(task: dict[str, Any]) -> dict[str, Any]:
    """A Word document as plain HTML (cleaned by the server before anybody sees it), with its pictures."""
    import mammoth

    check_docx(task["path"])
    out = Path(task["out"])
    files: list[dict[str, str]] = []

    def placed(image: Any) -> dict[str, str]:
        from PIL import Image

        Image.MAX_IMAGE_PIXELS = None
        try:
            with image.open() as opened, Image.open(opened, formats=("JPEG", "PNG", "GIF", "WEBP")) as found:
                made = saved(upright(found), out, jpeg=False)
        except (OSError, SyntaxError, ValueError):
            return {"alt": "(a picture that cannot be shown)"}
        files.append(made)
        return {"src": f"file:{made['hash']}"}

    try:
        with open(task["path"], "rb") as source:
            html = mammoth.convert_to_html(source, convert_image=mammoth.images.img_element(placed)).value
    except (KeyError, ValueError, OSError, zipfile.BadZipFile, RecursionError) as problem:
        raise Refused(f"it cannot be read as a Word document ({type(problem).__name__}); save it again") from None
    if not html.strip():
        raise Refused("there is no text in it")
    return {"files": files, "html": html}


def check_docx(path: str) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError):
        raise Refused("it cannot be read as a Word document; save it again") from None
    if sum(one.file_size for one in members) > SIZES["docx_bytes"]:
        raise Refused(f"unpacked it has more than {SIZES['docx_bytes'] // 10**6} MB")
    if not any(one.filename == "word/document.xml" for one in members):
        raise Refused("its name says Word document, but there is none in it")


# ---------------------------------------------------------------------------- archives
def members(task: dict[str, Any]) -> dict[str, Any]:
    """The files of a ZIP: number, name, size."""
    with opened(task["path"]) as archive:
        found: list[dict[str, Any]] = [
            {"number": k, "name": one.filename, "size": one.file_size}
            for k, one in enumerate(archive.infolist())
            if not one.is_dir() and not is_skipped(one.filename)
        ]
        if any(one.flag_bits & 1 for one in archive.infolist()):
            raise Refused("it needs a password; pack it without one")
    if len(found) > task["most_files"]:
        raise Refused(f"there are {len(found):,} files in it; at most {task['most_files']:,} are accepted")
    total, most = sum(one["size"] for one in found), task["most_bytes"]
    if total > most:
        raise Refused(f"unpacked it has {total / 1e6:,.0f} MB; at most {most / 1e6:,.0f} MB are accepted")
    return {"members": found}


def member(task: dict[str, Any]) -> dict[str, Any]:
    """One file of a ZIP, written out; never more of it than is allowed, whatever the archive says."""
    with opened(task["path"]) as archive:
        one = archive.infolist()[task["number"]]
        seen = 0
        try:
            with archive.open(one) as source, open(Path(task["out"]) / "member", "wb") as target:
                while chunk := source.read(CHUNK):
                    seen += len(chunk)
                    if seen > task["most_bytes"]:
                        raise Refused(f"it has more than {task['most_bytes'] / 1e6:g} MB")
                    target.write(chunk)
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError):
            raise Refused("it cannot be unpacked: it is damaged, or packed in an unusual way") from None
    return {"size": seen}


def opened(path: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError):
        raise Refused("it cannot be read as a ZIP: it is damaged; pack it again") from None


def is_skipped(name: str) -> bool:
    return name.startswith(SKIPPED[0]) or name.rpartition("/")[2].startswith(SKIPPED[1:])


TASKS = {"picture": picture, "pdf": pdf, "docx": docx, "members": members, "member": member}


def main() -> None:
    task = json.loads(sys.stdin.read())
    sys.path[:] = task.pop("sys_path")  # the packages are where the server found them
    limit(**task.pop("limits"))
    SIZES.update(task.pop("sizes"))
    try:
        reply: dict[str, Any] = {"made": TASKS[task.pop("do")](task)}
    except Refused as why:
        reply = {"refused": str(why)}
    except (MemoryError, RecursionError):
        reply = {"refused": "it takes too much memory"}
    sys.stdout.write(json.dumps(reply))


if __name__ == "__main__":
    main()
