"""Preference pairs for training (DPO): a prompt with a chosen and a rejected text, only where votes are clear.

On cases a pair is one case and two outputs, and clear by a margin: what is proven about two systems holds over all
cases, not on each. Without cases it is two items, and clear where it is proven, or by a margin.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from juryrank.errors import BadInput
from juryrank.types import Ranking
from juryrank.votes.vote import Outcome, Vote

LEADS = {Outcome.LEFT: 1.0, Outcome.RIGHT: -1.0, Outcome.TIE: 0.0}
PROMPTS = ("prompt", "input", "instruction", "question")  # columns of an item that hold it
TEXTS = ("text", "output", "answer", "response", "completion")


class PreferencePairs(NamedTuple):
    """The rows, and how many pairs were not clear enough, or had no common prompt."""

    rows: list[dict[str, Any]]
    unclear: int
    apart: int = 0

    def jsonl(self) -> bytes:
        """One JSON object per line."""
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows).encode()


def pairs_on_cases(votes: Iterable[Vote], kept: Mapping[str, Any], *, margin: float | None) -> PreferencePairs:
    """One row per case and two systems whose mean vote (from 1 to -1) is the margin or more.

    >>> vote = Vote(1, judge="m", left="new", right="old", winner="new", outcome=Outcome.LEFT, case="q")
    >>> kept = {"inputs": {"q": "2 + 2?"}, "outputs": {"new": {"q": "4"}, "old": {"q": "5"}}}
    >>> found = pairs_on_cases([vote], kept, margin=1.0).rows[0]
    >>> found["prompt"], found["chosen"], found["rejected"]
    ('2 + 2?', '4', '5')
    """
    if margin is None:
        raise BadInput(
            "what is proven about two systems holds over all cases, not on each: say by how much the votes on a "
            "case must agree, such as --margin 0.5 (three of four for the same output)"
        )
    checked_margin(margin)
    outputs = kept["outputs"]
    if outputs is None:
        raise BadInput("the systems of this study have no outputs, so there is nothing to choose between")
    rows, unclear = [], 0
    for (one, other, case), (lead, answers) in _balance(votes).items():
        better, worse = (one, other) if lead > 0 else (other, one)
        if abs(lead) < margin or outputs[better].get(case) == outputs[worse].get(case):
            unclear += 1
            continue
        row = {"prompt": kept["inputs"][case], "chosen": outputs[better][case], "rejected": outputs[worse][case]}
        more = {"margin": abs(lead), "answers": answers, "case": case}
        rows.append({**row, **more, "chosen_system": better, "rejected_system": worse})
    return PreferencePairs(rows, unclear)


def pairs_of_items(
    votes: Iterable[Vote],
    ranking: Ranking,
    contents: Mapping[str, Mapping[str, Any]],
    *,
    prompt: str | None,
    margin: float | None,
) -> PreferencePairs:
    """One row per two items of which one is proven to be better, or ahead by the margin."""
    clear = _proven(ranking) if margin is None else _ahead(votes, checked_margin(margin))
    rows, unclear, apart = [], 0, 0
    for better, worse, more in clear:
        if better is None:
            unclear += 1
            continue
        said = {_prompt(contents.get(name, {}), prompt) for name in (better, worse)}
        if None in said:
            raise BadInput(
                f"item {better!r} has no prompt (a column {' or '.join(PROMPTS)}): give one for all with --prompt"
            )
        if len(said) > 1:  # answers to different prompts are no pair
            apart += 1
            continue
        texts = {name: _text(name, contents) for name in (better, worse)}
        row = {"prompt": said.pop(), "chosen": texts[better], "rejected": texts[worse], **more}
        rows.append({**row, "chosen_item": better, "rejected_item": worse})
    return PreferencePairs(rows, unclear, apart)


def checked_margin(margin: float) -> float:
    """A margin between 0 and 1."""
    if not 0 < margin <= 1:
        raise BadInput(f"the margin is {margin}; it is above 0 (any lead) and at most 1 (all agree)")
    return margin


def _balance(votes: Iterable[Vote]) -> dict[tuple[str, str, str], tuple[float, int]]:
    """The mean vote about each two items on each case, and how many votes that is."""
    said: dict[tuple[str, str, str], list[float]] = {}
    for vote in votes:
        if vote.counts:
            lead = LEADS[vote.outcome] if vote.grade is None else vote.grade
            first, second = sorted((vote.left, vote.right))
            said.setdefault((first, second, vote.case), []).append(lead if vote.left == first else -lead)
    return {place: (sum(leads) / len(leads), len(leads)) for place, leads in said.items()}


Clear = tuple[str | None, str, dict[str, Any]]


def _ahead(votes: Iterable[Vote], margin: float) -> Iterable[Clear]:
    for (one, other, _), (lead, answers) in _balance(votes).items():
        better, worse = (one, other) if lead > 0 else (other, one)
        yield (better if abs(lead) >= margin else None), worse, {"margin": abs(lead), "answers": answers}


def _proven(ranking: Ranking) -> Iterable[Clear]:
    """Items whose promised ranks do not overlap."""
    if ranking.post_hoc or not ranking.ranges:
        raise BadInput("this study promises nothing, so no pair is proven: say how clear votes must be (--margin)")
    for k, better in enumerate(ranking.order):
        for m in range(k + 1, len(ranking.order)):
            apart = ranking.ranges[k][1] < ranking.ranges[m][0]
            yield (str(better) if apart else None), str(ranking.order[m]), {"proven": 1 - ranking.error}


def _prompt(content: Mapping[str, Any], given: str | None) -> str | None:
    return given if given is not None else next((str(content[c]) for c in PROMPTS if content.get(c)), None)


def _text(name: str, contents: Mapping[str, Mapping[str, Any]]) -> str:
    """What an item says: its column of text, or its name where it is nothing else."""
    content = contents.get(name, {})
    return next((str(content[column]) for column in TEXTS if content.get(column)), name)
