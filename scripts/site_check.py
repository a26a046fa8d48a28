"""Checks the built site as a reader meets it: `python scripts/site_check.py build/site` (part of `make docs`).

Links and anchors inside the site lead somewhere, every page is at most two clicks from the first one, the whole
weighs less than 30 MB, and axe-core finds nothing in light or dark. The last needs Chromium: without one it is
left out with a word, unless JURYRANK_REQUIRE_ALL is set.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

HEAVIEST = 30e6  # bytes
CLICKS = 2
BROWSERS = 2  # at once: axe keeps one core busy
ONLY_WRONG = {"resultTypes": ["violations"], "preload": False}  # a third of the time: what is right is not listed
ELSEWHERE = {"exclude": [[".sidebar-drawer"]]}  # the list of all pages is the same on each: looked at once
COLOURS = {**ONLY_WRONG, "runOnly": ["color-contrast", "link-in-text-block"]}  # what a dark scheme can break


class Page(HTMLParser):
    """One page: where its links lead, and which anchors it has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.add(value)


class Site:
    """All pages of a built site."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @cached_property
    def pages(self) -> dict[Path, Page]:
        return {path: Page(path) for path in sorted(self.root.rglob("*.html"))}

    def target(self, page: Path, link: str) -> tuple[Path, str] | None:
        """The file and the anchor that a link means; None for one that leaves the site."""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            return None
        file = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        return (file / "index.html" if file.is_dir() else file), unquote(parts.fragment)

    def broken(self) -> list[str]:
        """Links that lead nowhere."""
        found = []
        for path, page in self.pages.items():
            for link in page.links:
                if (target := self.target(path, link)) is None:
                    continue
                file, anchor = target
                if not file.exists():
                    found.append(f"{path.name}: no such file: {link}")
                elif anchor and file in self.pages and anchor not in self.pages[file].anchors:
                    found.append(f"{path.name}: no such place on the page: {link}")
        return sorted(found)

    def far(self) -> list[str]:
        """Pages that take more than two clicks from the first one."""
        near = {self.root / "index.html"}
        for _ in range(CLICKS):
            near |= {
                target[0]
                for path in list(near)
                if path in self.pages
                for link in self.pages[path].links
                if (target := self.target(path, link))
            }
        return [f"more than {CLICKS} clicks away: {path.name}" for path in self.pages if path not in near]

    def heavy(self) -> list[str]:
        weight = sum(path.stat().st_size for path in self.root.rglob("*") if path.is_file())
        return [f"the site weighs {weight / 1e6:.0f} MB"] if weight > HEAVIEST else []

    def inaccessible(self) -> list[str]:
        """What axe-core finds wrong; two browsers look, each at the largest page that is left."""
        pages = iter(sorted(self.pages, key=lambda path: -path.stat().st_size))
        with ThreadPoolExecutor(BROWSERS) as browsers:
            found = [browsers.submit(self._looked_at, pages) for _ in range(BROWSERS)]
            return sorted({problem for one in found for problem in one.result()})

    def _looked_at(self, waiting: Iterator[Path]) -> list[str]:
        try:
            from axe_playwright_python.sync_playwright import Axe
            from playwright.sync_api import sync_playwright
        except ImportError:
            return _left_out("playwright or axe-playwright-python is not installed")
        found: list[str] = []
        with sync_playwright() as player:
            try:
                browser = player.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"))
            except Exception as problem:
                return _left_out(f"no Chromium starts ({str(problem).splitlines()[0]})")
            page = browser.new_page()
            page.route("http*://**", lambda route: route.abort())  # the list of versions: wait for no network
            first = self.root / "index.html"
            for path in waiting:
                page.goto(path.as_uri())
                found += _axe(Axe(), page, path.name, ELSEWHERE if path != first else None)
            browser.close()
        return found


def _axe(axe: Any, page: Any, name: str, context: dict[str, Any] | None) -> list[str]:
    found = []
    for scheme, options in (("light", ONLY_WRONG), ("dark", COLOURS)):
        page.emulate_media(color_scheme=scheme)
        for one in axe.run(page, context=context, options=options).response["violations"]:
            found.append(f"{name}, {scheme}: {one['id']}: {one['nodes'][0]['html'][:150]}")
    return found


def _left_out(why: str) -> list[str]:
    if os.environ.get("JURYRANK_REQUIRE_ALL"):
        return [f"axe could not look: {why}"]
    print(f"axe was left out: {why}", file=sys.stderr)
    return []


def main() -> None:
    site = Site(Path(sys.argv[1]).resolve())
    if not (site.root / "index.html").exists():
        sys.exit(f"{site.root} holds no site: run `make docs`")
    problems = [*site.broken(), *site.far(), *site.heavy(), *site.inaccessible()]
    if problems:
        sys.exit("\n".join(["The site has problems:", *problems]))
    print(f"{len(site.pages)} pages: links, clicks, weight and axe are fine")


if __name__ == "__main__":
    main()
