"""The style sheet and the pages know each other's names: a rule that lost its page dresses another some day."""

from __future__ import annotations

import re
from pathlib import Path

import juryrank

ROOT = Path(juryrank.__file__).parent
SHEET = ROOT / "server/static/style.css"
IN_MARKUP = r'class="([^"]*)"|_class %\}([^{]*)\{%'
IN_CODE = r'class="([^"]*)"|" (\w+)"'
IN_SCRIPTS = r'classList\.\w+\(([^;]*)|className = (".*?")'
IN_PICTURES = r'name="([^"]*)"'  # of an SVG, as its class


def test_every_rule_has_a_page_that_uses_it() -> None:
    places = [(path, IN_MARKUP) for path in ROOT.glob("server/templates/*.html")]
    places += [(ROOT / "server/web/render.py", IN_CODE)]
    places += [(path, IN_SCRIPTS) for path in ROOT.glob("server/static/*.js")]
    places += [(ROOT / "report/picture/paint.py", IN_PICTURES)]
    used: set[str] = set()
    for path, where in places:
        for found in re.findall(where, path.read_text()):
            used |= set(re.findall(r"[a-z][\w-]*", " ".join(found) if isinstance(found, tuple) else found))
    rules = re.sub(r"/\*.*?\*/", "", SHEET.read_text(), flags=re.S)
    styled = {name for head in re.findall(r"([^{}]+)\{", rules) for name in re.findall(r"\.([a-z][\w-]*)", head)}
    assert len(styled) > 100 and styled <= used, styled - used
