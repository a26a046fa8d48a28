"""A board for a screen that many people see: the first places large, who has finished; it can be frozen."""

from __future__ import annotations

from collections.abc import Mapping
from time import time
from typing import Any

from juryrank.server.dashboard.judge_rows import DONE, moment
from juryrank.server.dashboard.overview import Overview
from juryrank.statements.numbers import number_of
from juryrank.storage.base import Storage
from juryrank.storage.values import utc

NOTE = "frozen-board"


def board_of(view: Overview) -> dict[str, Any]:
    """What the board shows of this moment."""
    found, thumbs = view.estimates if view.begun else None, view.thumbs
    items = [row.item for row in found.rows if not row.withdrawn] if found else []
    if not found and view.begun:
        items = [row["item"] for row in view.order if not row["withdrawn"]]
    rows = [{"place": place, "item": item, "thumb": thumbs.get(item, "")} for place, item in enumerate(items, 1)]
    return {"name": view.name, "rows": rows, "finished": finished_words(view), "as_of": view.as_of, "at": ""}


def finished_words(view: Overview) -> str:
    """How many judges have finished, of those who were invited or came."""
    judges = [row for row in view.progress.judges if not row.removed]
    begun = sum(row.left + row.right + row.ties + row.skips > 0 for row in judges)
    done = sum(row.report.note.endswith(DONE) for row in judges)
    total = number_of(len(judges), "judge")
    return f"{done:,} of {total} have finished" if done else f"{begun:,} of {total} have begun"


class FrozenBoards:
    """Boards that stay as they were, so that the end is a surprise; the public page shows no more than they do."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def of(self, study: int) -> Mapping[str, Any] | None:
        """The board as it was frozen; None: it is live."""
        found: Mapping[str, Any] | None = self._storage.note(NOTE, study=study)
        return found

    def freeze(self, study: int, board: Mapping[str, Any]) -> None:
        """Keep it as it is; one that is frozen stays as it was."""
        if self.of(study) is None:
            self._storage.set_note(NOTE, {**board, "at": moment(utc(time()))}, study=study)

    def go_on(self, study: int) -> None:
        self._storage.set_note(NOTE, None, study=study)
