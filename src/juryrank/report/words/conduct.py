"""What judges left out or changed: a reader of a promise is told where it is more than a few."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from juryrank.log import Conduct
from juryrank.verify.record.conduct import sentences, totals


def conduct_words(conduct: Mapping[str, Conduct], ranker: str, *, named: bool = True) -> list[str]:
    """The same sentences as in a certificate's statement, from the same counts; `named`: with judges' names.

    >>> conduct_words({"ann": Conduct(asked=40, chosen=28, skips=12)}, "certified")[0]
    '12 questions (30 % of 40; most by ann: 12 of 40) were skipped. This assumes that leaving a question open did \
not depend on the answer.'
    """
    rows = [{"judge": judge, **asdict(one)} for judge, one in conduct.items()]
    return sentences(rows, totals(rows), ranker, named=named) if rows else []


def left_out_words(one: Conduct) -> str:
    """What one judge left out or changed, in a few words; empty where there is nothing to say.

    >>> left_out_words(Conduct(asked=9, chosen=6, skips=1, expired=2, undone=1))
    '1 skipped, 2 expired, 1 changed'
    """
    counts = (
        (one.skips, "skipped"),
        (one.expired, "expired"),
        (one.undone, "changed"),
        (one.taken_back, "taken back"),
    )
    return ", ".join(f"{count:,} {word}" for count, word in counts if count)
