"""Addresses of pictures, sound and film that judges' browsers could not load.

The server itself never opens an address that somebody typed in: that could reach machines inside its own network.
"""

from __future__ import annotations

import hashlib

from juryrank.server.studies.open_studies import OpenStudies
from juryrank.server.web.render import BY_URL

DEAD = "dead/"  # notes of a study: dead/HASH holds an item, its address and who could not load it
MOST_REPORTERS = 20  # more make it no deader


class DeadLinks:
    """Which items' addresses were reported, by study."""

    def __init__(self, open_studies: OpenStudies) -> None:
        self._desk = open_studies

    def report(self, study: int, judge: str, address: str) -> None:
        """A judge's browser could not load an address; ignored unless an item has it now."""
        for item, content in self._desk.setup(study).contents.items():
            if content.kind in BY_URL and content.body == address:
                self._add(study, judge, item, address)

    def _add(self, study: int, judge: str, item: str, address: str) -> None:
        storage, key = self._desk.storage, DEAD + hashlib.sha256(item.encode()).hexdigest()
        note = storage.note(key, study=study) or {}
        judges = note.get("judges", []) if note.get("address") == address else []
        if judge not in judges and len(judges) < MOST_REPORTERS:
            storage.set_note(key, {"item": item, "address": address, "judges": [*judges, judge]}, study=study)

    def of(self, study: int) -> dict[str, int]:
        """Items whose present address could not be loaded, with the number of judges who said so."""
        contents = self._desk.setup(study).contents
        return {
            note["item"]: len(note["judges"])
            for note in self._desk.storage.notes(DEAD, study=study).values()
            if note["item"] in contents and contents[note["item"]].body == note["address"]
        }
