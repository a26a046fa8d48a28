"""Numbers that somebody may want otherwise stand in one place, with a word on each, and are used."""

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "juryrank"
PLACES = ("defaults.py",)
NUMBER = re.compile(r"^([A-Z][A-Z_, ]+?)(?:: Final)? = [^\n]*\d[^\n]*$", re.M)
TEXTS = {str(path.relative_to(SOURCE)): path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}
WORDS = {place: set(re.findall(r"\w+", text)) for place, text in TEXTS.items()}
MADE = {
    (place, name)
    for place, text in TEXTS.items()
    if not place.startswith("verify/")  # whose ranges are its own, on purpose
    for name in re.findall(r"^([A-Z][A-Z_]+)(?:: Final)? = ", text, re.M)
}


def numbers(place):
    """The lines and names of a file's numbers."""
    return [(found[0], found[1].split(", ")) for found in NUMBER.finditer(TEXTS[place])]


@pytest.mark.parametrize("place", PLACES)
def test_a_number_is_explained_used_and_stands_once(place):
    found = numbers(place)
    assert len(found) > 40
    for line, names in found:
        assert "  # " in line, f"{line} says nothing about itself"
        for name in names:
            used = [other for other, words in WORDS.items() if other != place and name in words]
            assert used or TEXTS[place].count(name) > 1, f"nobody needs {name}"
            twice = [other for other, made in MADE if made == name and other != place]
            assert not twice, f"{name} stands in {twice} too"
