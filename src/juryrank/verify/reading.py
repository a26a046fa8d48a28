"""A certificate's text, read strictly: whatever is not exactly a certificate is one clear sentence.

JSON lets a name stand twice, has numbers without end, and readers that disagree about both: none of it gets in.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from juryrank._version import __version__
from juryrank.errors import BadInput, BadSnapshot, before_first_release, shown
from juryrank.log.chain import Event
from juryrank.log.receipts import checked_shape
from juryrank.log.terms import fault
from juryrank.verify.chain import HASH
from juryrank.verify.record.read import READERS
from juryrank.verify.terms import is_number, names

FORMAT = "juryrank-certificate/1"
OLD_FORMAT = "juryrank certificate"  # before 1.0, when logs had numbers for a schema
OLD = "check it with the juryrank that made it"
LOG_SCHEMA = "juryrank-log/1"
EVENT_FIELDS = ("seq", "kind", "data", "at", "hash")
PARTS = {"version": str, "settings": dict, "head": str, "result": dict, "estimates": dict, "events": list}
NAMES = {"format", *PARTS}
MOST_DIGITS = 18  # of a whole number: more is no count of anything
DEEPEST = 40  # values within values; an honest certificate has under ten
RANKER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")  # a name, and no sentence
VERSION = re.compile(r"[0-9A-Za-z.+-]{1,60}")
AGAIN = "get the file again from whoever gave it to you"

TOO_DEEP = f"this is not a certificate: it is nested too deeply; {AGAIN}"


def read_certificate(text: str) -> dict[str, Any]:
    """The certificate in a file's text; raises BadSnapshot for anything that is not a whole one.

    >>> read_certificate('{"format": "juryrank-certificate/1", "head"')
    Traceback (most recent call last):
    juryrank.errors.BadSnapshot: this is not a whole certificate: it breaks off or is damaged at line 1, \
column 44; get the file again from whoever gave it to you
    """
    try:
        document = json.loads(
            text, object_pairs_hook=_each_once, parse_constant=_no_number, parse_int=_whole, parse_float=_finite
        )
    except json.JSONDecodeError as problem:
        _refuse_log(text)
        raise BadSnapshot(
            f"this is not a whole certificate: it breaks off or is damaged at line {problem.lineno}, column "
            f"{problem.colno}; {AGAIN}"
        ) from None
    except RecursionError:
        raise BadSnapshot(TOO_DEEP) from None
    return whole(document)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise BadSnapshot(f"the file holds the name {shown(twice)} twice in one place: it was altered; {AGAIN}")
    return found


def _refuse_log(text: str) -> None:
    """Say so where it is a log, one event per line."""
    try:
        first = json.loads(text.partition("\n")[0])
    except (ValueError, RecursionError):
        return
    if isinstance(first, dict) and {"seq", "kind", "data"} <= first.keys() and isinstance(first["data"], dict):
        if isinstance(first["data"].get("schema"), int):
            raise BadSnapshot(before_first_release("log", OLD))
        raise BadSnapshot(
            "this is a log, not a certificate: `juryrank study import FILE --name NAME` checks and restores it, "
            "and `juryrank study certificate NAME` then makes a certificate"
        )


def _no_number(text: str) -> float:
    raise BadSnapshot(f"the file holds {text}, which is not a number: it was altered; {AGAIN}")


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise BadSnapshot(f"the file holds a number of {len(text)} digits: it was altered; {AGAIN}")
    return int(text)


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _no_number(shown(text))


def whole(document: Any) -> dict[str, Any]:
    """The same document, if it has exactly the shape of a certificate that this version reads."""
    if not isinstance(document, dict):
        raise BadSnapshot(
            f"this is not a juryrank certificate (an object), it is a {type(document).__name__}: make one with "
            "`juryrank study certificate`; in Python result.certificate(), or read_certificate(text) of a file"
        )
    if not str(document.get("format")).startswith("juryrank"):
        raise BadSnapshot("this JSON is not a juryrank certificate; make one with `juryrank study certificate`")
    if document["format"] == OLD_FORMAT:
        raise BadSnapshot(before_first_release("certificate", OLD))
    if document["format"] != FORMAT:
        raise BadSnapshot(
            f"this certificate is a {shown(document['format'])}, and juryrank {__version__} reads {FORMAT} alone: "
            "verify it with the juryrank that wrote it"
        )
    _check_depth(document)
    _check_names(document)
    _check_head(document)
    for number, event in enumerate(document["events"], start=1):
        _check_event(number, event)
    _check_created(document["events"][0])
    _check_fields(document["events"])
    if names(document["estimates"].get("order")) is None:
        raise _bad("the certificate's estimates show no order")
    _check_text(document)
    return document


def _bad(words: str) -> BadSnapshot:
    return BadSnapshot(f"{words}: it was cut or altered; {AGAIN}")


def _check_depth(document: Any) -> None:
    """Layer by layer, so that no nesting is too deep for the reader itself."""
    layer = [document]
    for _ in range(DEEPEST):
        holders = [value for value in layer if isinstance(value, dict | list)]
        layer = [inner for held in holders for inner in (held.values() if isinstance(held, dict) else held)]
        if not layer:
            return
    raise BadSnapshot(TOO_DEEP)


def _check_names(document: Mapping[str, Any]) -> None:
    missing, extra = sorted(NAMES - document.keys()), sorted(document.keys() - NAMES - {"signature"})
    if missing or extra:
        what = (
            f"the certificate has no {missing[0]!r}"
            if missing
            else f"a certificate has no field {shown(extra[0])}"
        )
        raise _bad(what)
    for name, kind in PARTS.items():
        if not isinstance(document[name], kind):
            raise _bad(f"the certificate has no proper {name!r}")
    if not VERSION.fullmatch(document["version"]):
        raise _bad("the certificate's version is not the name of a version")
    if not document["events"]:
        raise _bad("the certificate has no event")
    if "signature" in document:
        try:
            checked_shape(document["signature"])
        except BadInput as problem:
            raise _bad(str(problem)) from None


def _check_head(document: Mapping[str, Any]) -> None:
    if not HASH.fullmatch(document["head"]):
        raise _bad("the certificate's head is not a hash")


def _check_event(number: int, event: Any) -> None:
    """An event, if it has exactly the fields of its kind."""
    if not isinstance(event, dict) or set(event) != set(EVENT_FIELDS):
        raise _bad(f"event {number} of the certificate is not a whole event")
    at, seal = event["at"], event["hash"]
    fine = type(event["seq"]) is int and isinstance(event["data"], dict)
    fine = (
        fine and (at is None or isinstance(at, str)) and isinstance(seal, str) and HASH.fullmatch(seal) is not None
    )
    if not fine:
        raise _bad(f"event {number} of the certificate is not a whole event")
    if not isinstance(event["kind"], str) or event["kind"] not in READERS:
        raise _bad(f"event {number} is of unknown kind {shown(event['kind'])}")


def _check_fields(events: list[dict[str, Any]]) -> None:
    """Every event has exactly the fields of its kind (docs/log.md), each of its kind, and terms of this ranker."""
    ranker = events[0]["data"]["ranker"]
    for event in events:
        try:
            Event(event["seq"], event["kind"], event["data"], event["at"]).check()
        except BadInput as problem:
            raise _bad(str(problem)) from None
        strange = fault(event["data"].get("terms") or {}, ranker)
        if strange:
            raise _bad(f"event {event['seq']} ({event['kind']}) cannot be read: {strange}")


def _check_created(event: Mapping[str, Any]) -> None:
    data = event["data"]
    if event["kind"] != "created":
        raise _bad("the first event does not create the study")
    if data.get("schema") != LOG_SCHEMA:
        raise BadSnapshot(f"its log is a {shown(data.get('schema'))}, and this juryrank reads {LOG_SCHEMA} alone")
    if names(data.get("items")) is None or names(data.get("judges")) is None:
        raise _bad("the first event does not name items and judges")
    named = isinstance(data.get("ranker"), str) and RANKER.fullmatch(data["ranker"])
    if not named or not isinstance(data.get("options") or {}, dict):
        raise _bad("the first event does not name a ranker and its options")
    error = data.get("error")
    if not is_number(error) or not 0 < error < 1:
        raise BadSnapshot(
            f"the error δ of the study is {shown(error)}; it is a probability between 0 and 1: {AGAIN}"
        )


def _check_text(document: Mapping[str, Any]) -> None:
    try:
        json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        raise _bad("the certificate holds half a character or a number without end") from None
