"""The options of `certified`."""

from __future__ import annotations

from dataclasses import dataclass

from juryrank.options.table import RankerOptions, anything, count, flag, one_of, option


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifiedChoices(RankerOptions):
    """Of the true order.

    >>> CertifiedChoices(repeats=0)
    Traceback (most recent call last):
        ...
    juryrank.errors.BadInput: repeats is 0; it is how often a judge may be asked the same pair: 1 or more, or None where every answer is fresh
    """  # noqa: E501

    assume: str = option(
        "better-than-chance", one_of("what is taken for granted of every judge", "better-than-chance", "steady")
    )
    repeats: int | None = option(
        None, count("how often a judge may be asked the same pair", none="where every answer is fresh")
    )
    trust_repeats: bool = option(
        False, flag("whether a judge who never changes an answer is believed (else cross-examined)")
    )
    patience: int | None = option(  # a pair that judges get right 51.3 % of the time is hardly ever given up
        20_000,
        count(
            "how many evenly split answers about one pair are enough to give up",
            none="to go on until the budget ends",
        ),
    )
    objective: str = option("order", anything("what is to be proven", "order, best, or top-k such as top-3"))
    k: int | None = option(None, anything("how many items are wanted at the top", "1 or more, for top-k"))
    joining: bool = option(
        True, flag("whether items may join; decided by whether the ranking is kept"), inside=True
    )
    claims_first: bool = option(
        True, flag("whether links are proven one by one, for a ranking that may stop early"), inside=True
    )
    insert: str = option(
        "depth",
        one_of(
            "how items find their place: one after the other, or all together (a better order early)",
            "depth",
            "breadth",
        ),
    )
