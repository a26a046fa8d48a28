"""Pictures that our own code draws are what it draws now; every other one exists and is used by a page."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
PAGES = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]


@pytest.mark.pinned
def test_drawn_pictures_are_current():
    for name, text in runpy.run_path(str(IMAGES / "make.py"))["drawn"]().items():
        assert (IMAGES / name).read_text(encoding="utf-8") == text, f"{name}: run `make captures`"


def test_every_picture_is_on_a_page_and_says_what_it_shows():
    shown = "".join(path.read_text(encoding="utf-8") for path in PAGES)
    files = {path.name for path in IMAGES.iterdir() if path.suffix in (".png", ".svg")}
    assert [name for name in sorted(files) if f"images/{name}" not in shown] == []
    words = re.findall(r"!\[([^\]]*)\]\((?:docs/)?images/", shown) + re.findall(r'<img [^>]*alt="([^"]*)"', shown)
    assert words and [text for text in words if len(text) < 20] == []
