"""The links of a claimed order, held against the attempt that set out to prove it."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from typing import Any

from juryrank.types import Link
from juryrank.verify.certified.attempts import BETTER_THAN_CHANCE, Attempt
from juryrank.verify.certified.claims import ROUNDING, proven
from juryrank.verify.certified.recount import LinkCount, recount
from juryrank.verify.report import Check

NAME = "links"
LARGEST_LOG = 700.0  # evidence is written as a number; more than e^700 does not fit one


def last_attempt(
    attempts: Sequence[Attempt], result: Mapping[str, Any]
) -> tuple[Attempt | None, Sequence[LinkCount]]:
    """The attempt that the result's links belong to, recounted up to the votes that the result counts."""
    told = result["details"].get("attempts") or [{}]
    for attempt in attempts:
        if attempt.number == told[-1].get("attempt") and any(
            link["level"] is not None for link in result["links"]
        ):
            votes = sum(link["answers_for"] + link["answers_against"] for link in result["links"])
            return attempt, recount(attempt, votes=votes)
    return None, ()


def check_links(
    last: Attempt | None, links: Sequence[LinkCount], result: Mapping[str, Any], *,
    claims: Container[tuple[str, str]], exact: bool,
) -> Check:  # fmt: skip
    """Each link: its items, level, votes for and against and by whom, evidence, and whether it may be claimed.

    `claims`: what some attempt may claim. `exact`: nobody took an answer back, so the votes must be the same.
    """
    claimed = result["links"]
    for link in claimed:
        if link["settled"] and (link["better"], link["worse"]) not in claims:
            return Check(NAME, False, f"{link['better']} over {link['worse']} is called settled, and is not")
    if last is None:
        wrong = [link for link in claimed if (link["evidence"] or 1.0) > 1.0]
        words = f"no attempt supports {wrong[0]['better']} over {wrong[0]['worse']}" if wrong else "none proven"
        return Check(NAME, not wrong, words)
    if last.order != result["order"] or len(claimed) != len(links):
        return Check(NAME, False, f"the order is not the list that attempt {last.number} set out to prove")
    for k, (link, count) in enumerate(zip(claimed, links, strict=True)):
        fault = _fault(last, k, link, count, exact=exact)
        if fault:
            return Check(NAME, False, f"{last.order[k]} over {last.order[k + 1]}: {fault}")
    done = sum(proven(last, count) for count in links)
    return Check(NAME, True, f"{done} of {len(links)} proven, their evidence recomputed answer by answer")


def _fault(last: Attempt, k: int, link: Mapping[str, Any], count: LinkCount, *, exact: bool) -> str:
    if [link["better"], link["worse"]] != last.order[k : k + 2]:
        return f"called {link['better']} over {link['worse']}"
    if not math.isclose(link["level"], last.level, rel_tol=1e-9):
        return f"level {link['level']!r}, not {last.level!r}"
    if exact and {judge: list(both) for judge, both in link["by"].items()} != count.by:
        return "the answers for and against are not those in the log"
    if exact and (link["answers_for"], link["answers_against"]) != count.tally:
        return "the numbers for and against are not those in the log"
    claimed, recomputed = math.log(max(link["evidence"], 1e-300)), min(count.most, LARGEST_LOG)
    lazy = last.assume != BETTER_THAN_CHANCE or not exact  # steady evidence also grows by answers elsewhere
    if claimed > recomputed + ROUNDING or (claimed < recomputed - ROUNDING and not lazy):
        return f"evidence {link['evidence']:.4g} is claimed; the answers give {_number(count.most)}"
    return ""


def as_links(
    last: Attempt | None, links: Sequence[LinkCount], claims: Container[tuple[str, str]]
) -> tuple[Link, ...]:
    """The recomputed links in the words of the product: settled is what may be claimed."""
    if last is None:
        return ()
    return tuple(
        Link(
            last.order[k],
            last.order[k + 1],
            (last.order[k], last.order[k + 1]) in claims,
            math.exp(min(count.most, LARGEST_LOG)),
            last.level,
            *count.tally,
            {judge: (both[0], both[1]) for judge, both in count.by.items()},
        )
        for k, count in enumerate(links)
    )


def _number(log_value: float) -> str:
    return f"{math.exp(min(log_value, LARGEST_LOG)):.4g}"
