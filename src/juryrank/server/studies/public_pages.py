"""Results that anybody with the link may see: off unless an owner switches them on; no names of people."""

from __future__ import annotations

from juryrank.server.access.vault import hash_secret, new_secret
from juryrank.storage.base import Storage

NOTE, BY_CODE = "public-page", "public-page/"


class PublicPages:
    """The public pages of a storage."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def code_of(self, study: int) -> str | None:
        """The end of the page's address; None: it is switched off."""
        found = self._storage.note(NOTE, study=study)
        return None if found is None else str(found)

    def switch_on(self, study: int) -> str:
        """Make the page; one that is there stays as it is."""
        code = self.code_of(study)
        if code is None:
            code = new_secret()[:16]
            self._storage.set_note(BY_CODE + hash_secret(code), study)
            self._storage.set_note(NOTE, code, study=study)
        return code

    def switch_off(self, study: int) -> None:
        """Its address stops working for good; switched on again the page has another one."""
        code = self.code_of(study)
        if code is not None:
            self._storage.set_note(BY_CODE + hash_secret(code), None)
            self._storage.set_note(NOTE, None, study=study)

    def study_of(self, code: str) -> int | None:
        found = self._storage.note(BY_CODE + hash_secret(code))
        return None if found is None or self.code_of(int(found)) != code else int(found)
