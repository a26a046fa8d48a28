"""What becomes of a file; decompression bombs and mislabelled files are refused with a reason."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from juryrank.defaults import PICTURE_SIDE, THUMB_SIDE
from juryrank.errors import BadInput
from juryrank.server.files import decoding
from juryrank.server.files.decoding import Decoded, decoded, zip_member, zip_members
from juryrank.server.web.render import Kind, item_html
from tests.server.files import making


def made_of(body: bytes, name: str, place: Path) -> Decoded:
    path = place / "file"
    path.write_bytes(body)
    return decoded(path, name)


def refused(body: bytes, name: str, place: Path) -> str:
    with pytest.raises(BadInput) as why:
        made_of(body, name, place)
    return str(why.value)


def opened(made: Decoded, hash: str) -> Image.Image:
    return Image.open(io.BytesIO(made.files[hash].body))


def test_a_photograph_is_upright_smaller_and_says_nothing_about_its_place(tmp_path: Path) -> None:
    made = made_of(making.photograph(3000, 1500), "Holiday.JPG", tmp_path)
    shown = opened(made, made.content.body.removeprefix("file:"))
    assert shown.size == (PICTURE_SIDE // 2, PICTURE_SIDE) and made.content.kind is Kind.IMAGE
    assert max(opened(made, made.content.thumb).size) == THUMB_SIDE
    for file in made.files.values():
        assert making.SECRET_PLACE.encode() not in file.body and file.type == "image/jpeg"
        assert not Image.open(io.BytesIO(file.body)).getexif()


def test_pages_become_pictures_and_keep_their_words(tmp_path: Path) -> None:
    made = made_of(making.pdf([["FIRST-LINE"], ["second"], ["third", "LAST-LINE"]]), "essay.pdf", tmp_path)
    assert made.content.kind is Kind.PAGES and len(made.content.body.split()) == 3
    words = made.content.alt.split("\f")
    assert [word in page for word, page in zip(("FIRST-LINE", "second", "LAST-LINE"), words, strict=True)] == [
        True
    ] * 3
    page = opened(made, made.content.body.split()[0].removeprefix("file:"))
    assert page.width == 1240 and page.convert("L").getextrema()[0] < 60  # something is drawn on it
    shown = item_html(made.content, name="Ann")
    assert (
        shown.count("<img ") == 3 and 'alt="Page 3 of 3"' in shown and "LAST-LINE" in shown and "Ann" not in shown
    )


def test_a_word_document_becomes_text_without_anything_that_runs(tmp_path: Path) -> None:
    body = making.document(["FIRST &lt;script&gt;alert(1)&lt;/script&gt;", "LAST"], outside="javascript:alert(2)")
    made = made_of(body, "essay.docx", tmp_path)
    assert made.content.kind is Kind.DOCUMENT and not made.files
    assert "FIRST" in made.content.body and "LAST" in made.content.body
    assert "<script" not in made.content.body and "javascript:" not in made.content.body


@pytest.mark.parametrize(
    ("name", "kind"), [("a.txt", Kind.TEXT), ("b.md", Kind.MARKDOWN), ("c.wav", Kind.AUDIO), ("d.png", Kind.IMAGE)]
)
def test_other_kinds(name: str, kind: Kind, tmp_path: Path) -> None:
    body = {Kind.AUDIO: making.SOUND, Kind.IMAGE: making.picture(format="PNG")}.get(kind, "Käse".encode())
    assert made_of(body, name, tmp_path).content.kind is kind


def test_liars_are_refused(tmp_path: Path) -> None:
    assert "its content is a JPEG picture" in refused(making.picture(), "a.png", tmp_path)
    assert "its content is something else" in refused(b"<html><script>", "a.jpg", tmp_path)
    assert "there is none in it" in refused(making.zipped({"a.txt": b"x"}), "a.docx", tmp_path)
    assert "cannot be read as a PDF" in refused(b"%PDF-1.4 nothing", "a.pdf", tmp_path)
    assert "cannot be read" in refused(b"\xff\xd8\xff" + b"x" * 500, "a.jpg", tmp_path)
    assert "cannot be read" in refused(making.picture()[:300], "a.jpg", tmp_path)  # cut short
    assert "UTF-8" in refused(b"\xff\x00\x81", "a.txt", tmp_path)
    assert "PNG" in refused(b"<svg onload='x'/>", "a.svg", tmp_path)
    assert "not accepted" in refused(b"MZ", "a.exe", tmp_path)
    assert "CSV" in refused(b"a,b", "a.csv", tmp_path)
    assert "film" in refused(making.moving_picture(), "a.gif", tmp_path)
    assert "empty" in refused(b"", "a.jpg", tmp_path)


def test_no_refusal_shows_a_path_of_the_machine(tmp_path: Path) -> None:
    for body, name in (
        (b"\x89PNG\r\n\x1a\n" + b"x" * 500, "a.png"),
        (making.picture(format="PNG")[:60], "a.png"),
        (b"\xff\xd8\xff" + b"x" * 500, "a.jpg"),
        (b"GIF89a" + b"x" * 50, "a.gif"),
        (b"RIFF\x00\x00\x00\x00WEBP" + b"x" * 50, "a.webp"),
    ):
        said = refused(body, name, tmp_path)
        assert "/" not in said and "cannot be read" in said, said


def test_bombs_are_refused(tmp_path: Path) -> None:
    assert "pixels" in refused(making.picture_bomb(), "a.png", tmp_path)
    assert "40 are accepted" in refused(making.pdf([["x"]] * 41), "a.pdf", tmp_path)
    zeros = making.lying_zip("word/document.xml", bytes(1000), says=120_000_000)
    assert "100 MB" in refused(zeros, "a.docx", tmp_path)
    bomb = tmp_path / "bomb.zip"
    bomb.write_bytes(making.zipped({f"{k}.txt": bytes(3_000_000) for k in range(3)}))
    with pytest.raises(BadInput, match="unpacked it has 9 MB"):
        zip_members(bomb, most_files=10, most_bytes=8_000_000)
    with pytest.raises(BadInput, match="3 files in it"):
        zip_members(bomb, most_files=2, most_bytes=80_000_000)
    with pytest.raises(BadInput, match="more than 1 MB"), zip_member(bomb, 0, most_bytes=1_000_000):
        raise AssertionError
    liar = tmp_path / "liar.zip"
    liar.write_bytes(making.lying_zip("a.txt", bytes(5_000_000), says=1))
    with pytest.raises(BadInput), zip_member(liar, 0, most_bytes=1_000_000):
        raise AssertionError


def test_a_decoder_that_wants_too_much_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits hold in the other process, and this one goes on."""
    body = making.picture(3000, 3000, format="PNG")
    monkeypatch.setattr(decoding, "WORKER_MEMORY", 80_000_000)
    assert "memory" in refused(body, "a.png", tmp_path)
    monkeypatch.setattr(decoding, "WORKER_PATIENCE", 0.001)
    assert "too long" in refused(body, "a.png", tmp_path)
