"""Was the head signed, by whom, and is it the key that somebody expects?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from juryrank.log.signatures import counted_words, holds, is_signed, successor_text
from juryrank.verify.report import Check

NAME = "signature"


def check_signature(document: Mapping[str, Any], *, key: str | None = None) -> Check | None:
    """The installation's signature, if the file has one or a key is expected; None: neither.

    `key`: the public key that the installation is known by. One that replaced it counts, if the old one signed it.
    """
    signature = document.get("signature")
    if key is None and not can_check():
        return None  # `not_checked` says so
    if signature is None:
        return None if key is None else Check(NAME, False, f"not signed, and the key {key[:16]}… is expected")
    if signature["head"] != document["head"]:
        return Check(NAME, False, "the signature is of a head other than this file's")
    if not is_signed(signature):
        return Check(NAME, False, "the signature does not fit the head, the time and the key: it was forged")
    words = f"head signed at {signature['time'][:19]} by the key {signature['key'][:16]}…"
    if key is None:
        return Check(NAME, True, f"{words}; --key checks whose key it is")
    keys = successors(key, document["events"])
    if signature["key"] not in keys:
        return Check(NAME, False, f"{words}, which is not the expected key {key[:16]}… nor one that it named")
    return Check(NAME, True, f"{words}, as expected" + ("" if signature["key"] == key else " (a named successor)"))


def studies_counted(document: Mapping[str, Any]) -> tuple[str, ...]:
    """A note where the signature says how many studies there were, of which this is the one that is shown."""
    signature = document.get("signature")
    if signature is None or not can_check() or not is_signed(signature):
        return ()
    return (counted_words(signature["made"], signature["deleted"]),)


def can_check() -> bool:
    """Is there a library for signatures? `pip install juryrank` alone brings none."""
    return find_spec("cryptography") is not None


def not_checked(document: Mapping[str, Any]) -> tuple[str, ...]:
    """A note where the file is signed and nobody looked at the signature."""
    if "signature" not in document or can_check():
        return ()
    return ("The signature was not checked: pip install 'juryrank[study]' brings what is needed.",)


def successors(key: str, events: Sequence[Mapping[str, Any]]) -> list[str]:
    """The key and those that replaced it, each signed by the one before."""
    keys = [key]
    for event in events:
        if event["kind"] != "key_changed" or event["data"]["old"] not in keys:
            continue
        old, new = event["data"]["old"], event["data"]["new"]
        if holds(old, successor_text(old, new), event["data"]["signature"]):
            keys.append(new)
    return keys
