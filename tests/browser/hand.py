"""A simulated person's hand: every click, field and paste is a step, and takes as long as it takes people."""

from __future__ import annotations

from typing import Any

CLICK_SECONDS = 1.5  # to find it, point at it and press
KEY_SECONDS = 0.33  # 180 keys per minute: slow typing
PASTE_SECONDS = 6.0  # to go to another window, mark the list, copy it, come back and paste it


class Hand:
    """Counts what is done on a page; fields are typed key by key in the count, pasted lists are not."""

    def __init__(self, page: Any) -> None:
        self.page, self.steps, self.seconds = page, 0, 0.0

    def click(self, what: str) -> None:
        self.page.click(what)
        self._count(CLICK_SECONDS)

    def choose(self, what: str, value: str) -> None:
        self.page.select_option(what, value)
        self._count(2 * CLICK_SECONDS)

    def type(self, what: str, text: str) -> None:
        self.page.fill(what, text)
        self._count(CLICK_SECONDS + KEY_SECONDS * len(text))

    def paste(self, what: str, text: str) -> None:
        self.page.fill(what, text)
        self._count(PASTE_SECONDS)

    def upload(self, what: str, files: Any) -> None:
        """Two clicks: the field, and the files in the window that opens."""
        self.page.set_input_files(what, files)
        self._count(2 * CLICK_SECONDS)
        self.steps += 1

    def _count(self, seconds: float) -> None:
        self.steps += 1
        self.seconds += seconds
