"""The certificate: a result and the raw events behind it, as one JSON document.

    {"format": "juryrank certificate", "schema": 1, "version": "...",
     "settings": what the ranking was created with (the data of its first event),
     "events":   every event, each {"seq", "kind", "data", "at", "hash"}, the hash chained to the one before,
     "head":     the hash of the last event,
     "result":   what is claimed: order, certified, links, ranges, details (attempts, claims, ...)}

Nothing in `result` is taken on trust: `verify` recomputes it from `events`. What cannot be recomputed (the
estimated accuracy of a judge, sentences) is not in a certificate.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from juryrank._version import __version__
from juryrank.errors import BadInput, BadSnapshot
from juryrank.log import Event
from juryrank.types import Ranking

CERTIFICATE_SCHEMA = 1
FORMAT = "juryrank certificate"
EVENT_FIELDS = ("seq", "kind", "data", "at", "hash")
RESULT_FIELDS = ("order", "certified", "error", "questions", "ranker", "links", "ranges", "post_hoc", "details")


def certificate(events: Iterable[Event], ranking: Ranking) -> dict[str, Any]:
    """The certificate of a ranking whose whole log is `events`.

    >>> from juryrank.log import GENESIS, chained, settings
    >>> from juryrank.types import Ranking
    >>> start = settings(["a"], judges=["ann"], ranker="certified", error=0.1)
    >>> one = chained(GENESIS, 1, "created", start)
    >>> document = certificate([one], Ranking(("a",), True, 0.1, 0, "certified"))
    >>> document["head"] == one.hash, document["result"]["order"]
    (True, ['a'])
    """
    log = [{name: getattr(event, name) for name in EVENT_FIELDS} for event in events]
    if not log or log[0]["kind"] != "created":
        raise BadInput("a certificate needs the whole log, from its `created` event on; this one has no beginning")
    claimed = ranking.to_dict()
    document = {
        "format": FORMAT,
        "schema": CERTIFICATE_SCHEMA,
        "version": __version__,
        "settings": log[0]["data"],
        "head": log[-1]["hash"],
        "result": {name: claimed[name] for name in RESULT_FIELDS},
        "events": log,
    }
    try:
        plain: dict[str, Any] = json.loads(json.dumps(document, ensure_ascii=False))
    except TypeError as problem:
        raise BadInput(f"a certificate is JSON, and {problem}: use strings as items and judges") from None
    return plain


def read_certificate(text: str) -> dict[str, Any]:
    """The certificate in a file's text; raises BadSnapshot for anything that is not a whole one.

    >>> read_certificate('{"format": "juryrank certificate", "schema"')
    Traceback (most recent call last):
    juryrank.errors.BadSnapshot: this is not a whole certificate: it breaks off or is damaged at line 1, \
column 44; get the file again from whoever gave it to you
    """
    try:
        document = json.loads(text)
    except json.JSONDecodeError as problem:
        raise BadSnapshot(
            f"this is not a whole certificate: it breaks off or is damaged at line {problem.lineno}, column "
            f"{problem.colno}; get the file again from whoever gave it to you"
        ) from None
    return whole(document)


def whole(document: Any) -> dict[str, Any]:
    """The same document, if it has the shape of a certificate that this version reads."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadSnapshot("this JSON is not a juryrank certificate; make one with `juryrank study certificate`")
    if document.get("schema") != CERTIFICATE_SCHEMA:
        raise BadSnapshot(
            f"this certificate has schema {document.get('schema')!r}, written by juryrank "
            f"{document.get('version', 'of unknown version')}; this version ({__version__}) reads schema "
            f"{CERTIFICATE_SCHEMA}: verify it with the version that wrote it"
        )
    kinds: Mapping[str, type] = {"settings": dict, "head": str, "result": dict, "events": list}
    for name, kind in kinds.items():
        if not isinstance(document.get(name), kind):
            raise BadSnapshot(f"the certificate has no proper {name!r}: it was cut or altered; get the file again")
    missing = [name for name in RESULT_FIELDS if name not in document["result"]]
    if missing:
        raise BadSnapshot(f"the certificate's result has no {missing[0]!r}: it was cut or altered")
    for number, event in enumerate(document["events"], start=1):
        if not isinstance(event, dict) or set(event) != set(EVENT_FIELDS) or not isinstance(event["data"], dict):
            raise BadSnapshot(f"event {number} of the certificate is not a whole event: it was cut or altered")
    return document
