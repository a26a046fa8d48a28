"""A new key for the installation: signed by the old one, and written into every study's log."""

from __future__ import annotations

from juryrank.errors import BadInput
from juryrank.log.bodies import KeyChanged
from juryrank.storage import Storage, open_storage
from juryrank.study.signing.keys import key_file, new_key, replace_key, signing_key
from juryrank.study.study import Study


def change_key(storage: str | Storage) -> tuple[str, str, int]:
    """Replace the key; returns (old, new, how many logs say so). The old file is kept beside the new one."""
    place = open_storage(storage, create=False)
    file, old = key_file(place), signing_key(place)
    if file is None or old is None:
        raise BadInput("this installation signs nothing yet: set JURYRANK_KEY to a file for its key")
    new = new_key()
    said = KeyChanged(old=old.public, new=new.public, signature=old.names(new))
    rows = place.studies()
    for row in rows:
        Study(place, row).log.note_key(said)
    replace_key(file, old, new)  # last: an event about a key that never came is harmless, the opposite is not
    return old.public, new.public, len(rows)
