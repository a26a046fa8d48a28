"""Recorded votes of real people, replayed on the panel: `python -m benchmarks.people_replay VOTES`.

Any votes file that `juryrank votes` reads (CSV, JSON, JSON lines; columns such as judge, left, right, winner; an
empty winner or the word tie is a tie). Two replays:

    as recorded   one answer of every person to each pair (drawn at random where there are several), people in the
                  file's order, one sitting each. Their pairs were not chosen by juryrank: this shows what such
                  answers hold; the promise of field-share would need random matchings.
    live          people come in random order with sittings planned by juryrank; a pair that a person was never
                  asked is a skip. Means over the orders.

`--people 60` draws so many people with replacement instead (each draw is a new person with the old one's
opinions), `--robin` asks everybody pairs in turn for comparison, `--sitting 20` changes the questions per person.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass

import numpy as np

from juryrank.core.lead_table import LeadTable
from juryrank.core.levels import Objective
from juryrank.rankers.panel.core.field_share import BETS, FieldShare
from juryrank.rankers.panel.core.head_to_head import HeadToHead
from juryrank.rankers.panel.ranker import Panel
from juryrank.rankers.panel.view import promised, rank_spans
from juryrank.types import SKIP, TIE
from juryrank.votes import Outcome, read_votes

OBJECTIVES = ((Objective.RANGES, None), (Objective.TIERS, None), (Objective.TOP, 1), (Objective.TOP, 3))

Answers = dict[frozenset[str], str]  # pair -> winner ("" for a tie)
Votes = dict[str, Answers]  # by judge


def read(path: str) -> dict[str, dict[frozenset[str], list[str]]]:
    """Every answer of every judge to every pair; skips and answers that do not count are left out."""
    votes: dict[str, dict[frozenset[str], list[str]]] = {}
    reading = read_votes(path)
    for vote in reading.votes:
        if vote.left == vote.right or vote.outcome not in (Outcome.LEFT, Outcome.RIGHT, Outcome.TIE):
            continue
        pair = frozenset((vote.left, vote.right))
        said = "" if vote.outcome is Outcome.TIE else vote.winner
        votes.setdefault(vote.judge, {}).setdefault(pair, []).append(said)
    if len(votes) < 2:
        raise SystemExit(f"{path}: a replay needs to know who gave each answer, and this file names no two people")
    return votes


def one_answer_each(votes: dict[str, dict[frozenset[str], list[str]]], seed: int) -> Votes:
    """One answer per person and pair, drawn at random."""
    rng = np.random.default_rng(seed)
    return {
        judge: {pair: given[int(rng.integers(len(given)))] for pair, given in answers.items()}
        for judge, answers in votes.items()
    }


class Recorded(FieldShare):
    """Field-share on lists that were not dealt by us: m is how often an item occurs at most in a person's list."""

    def count_list(self, pairs: list[frozenset[int]], preferences: list[tuple[int, int]]) -> None:
        met = max(Counter(item for pair in pairs for item in pair).values())
        balance = np.zeros(self.items)
        for better, worse in preferences:
            balance[better] += 1
            balance[worse] -= 1
        edge = (balance[:, None] - balance[None, :]) / (2 * met)
        self.logs += np.log1p(BETS[:, None, None] * edge)
        self._settled |= self.evidence >= np.log(1 / self.level)


def as_recorded(votes: Votes, items: list[str], error: float) -> None:
    index = {item: k for k, item in enumerate(items)}
    said = [
        [(index[w], index[next(iter(pair - {w}))]) for pair, w in answers.items() if w]
        for answers in votes.values()
    ]
    for objective, k in OBJECTIVES:
        if k is not None and k >= len(items):
            continue
        ballot = HeadToHead(len(items), error=error, objective=objective, k=k)
        for number, preferences in enumerate(said, 1):
            ballot.count_person(number, preferences)
        show(f"head-to-head, {name(objective, k)}", ballot, items)
    for objective in (Objective.RANGES, Objective.TIERS):
        field = Recorded(len(items), error=error, objective=objective, k=None, joining=True, size=10)
        for answers, preferences in zip(votes.values(), said, strict=True):
            pairs = [frozenset(index[item] for item in pair) for pair in answers]
            field.count_list(pairs, preferences)
            for better, worse in preferences:
                field.wins[better, worse] += 1
        show(f"field-share, {name(objective, None)}", field, items)


def name(objective: Objective, k: int | None) -> str:
    return objective.value if k is None else ("best" if k == 1 else f"top-{k}")


def show(label, counted, items) -> None:
    order = counted.order(counted.guide())
    settled, lines = promised(counted, order)
    width = np.mean([worst - best + 1 for best, worst in rank_spans(counted, order)])
    total = len(items) * (len(items) - 1) // 2
    groups = " | ".join(
        ", ".join(items[i] for i in order[a:b]) for a, b in zip([0, *lines], [*lines, len(items)], strict=True)
    )
    print(f"  {label:<22} {int(settled.sum()):>5} of {total} pairs, {len(lines) + 1} groups, range {width:.1f}")
    if lines:
        print(f"      {groups}")


@dataclass(frozen=True)
class Live:
    """How people come: how many (None: all of them once), questions each, planned or in turn."""

    orders: int
    people: int | None
    sitting: int
    robin: bool


class InTurn(Panel):
    """Round robin: every pair in turn, from one random list of all pairs."""

    def _plan(self) -> list[tuple[int, int]]:
        pairs = list(zip(*(side.tolist() for side in self._counted.pairs), strict=True))
        deal = np.random.default_rng(self.seed).permutation(len(pairs))
        begun = len(self._book.sittings) * self.sitting
        return [pairs[deal[(begun + k) % len(pairs)]] for k in range(min(self.sitting, len(pairs)))]


def live(votes: dict[str, dict[frozenset[str], list[str]]], items: list[str], error: float, how: Live) -> None:
    for objective, k in OBJECTIVES:
        if k is not None and k >= len(items):
            continue
        wanted = name(objective, k)
        drawn = ((seed, one_answer_each(votes, seed)) for seed in range(how.orders))
        seen = [one_order(answers, items, error, wanted, seed, how) for seed, answers in drawn]
        reached, pairs, groups, width, answers = np.array(seen, dtype=float).mean(axis=0)
        print(
            f"  {name(objective, k):<8} settled in {reached:>4.0%} of orders; {pairs:>5.1f} pairs, {groups:.1f} "
            f"groups, range {width:.1f}, from {answers:.0f} answers",
            flush=True,
        )


def one_order(
    votes: Votes, items: list[str], error: float, objective: str, seed: int, how: Live
) -> tuple[float, ...]:
    kind = InTurn if how.robin else Panel
    panel = kind(items, objective=objective, error=error, seed=seed, sitting=how.sitting)
    rng = np.random.default_rng(seed)
    came = rng.permutation(sorted(votes)) if how.people is None else rng.choice(sorted(votes), how.people)
    for number, judge in enumerate(came):
        if panel.done:
            break
        panel.add_judge(number)
        while (question := panel.ask(number)) is not None:
            winner = votes[judge].get(frozenset((question.left, question.right)))
            panel.tell(question, SKIP if winner is None else winner or TIE)
    ranking = panel.ranking
    width = np.mean([worst - best + 1 for best, worst in ranking.ranges])
    details = ranking.details
    return panel.done, details.settled_count, len(details.groups), float(width), details.answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("votes", help="a votes file")
    parser.add_argument("--error", type=float, default=0.1)
    parser.add_argument("--orders", type=int, default=20, help="random orders of arrival in the live replay")
    parser.add_argument("--people", type=int, help="draw so many people with replacement")
    parser.add_argument("--sitting", type=int, default=10, help="questions per person")
    parser.add_argument("--robin", action="store_true", help="also: every pair in turn instead of plans")
    arguments = parser.parse_args()
    everything = read(arguments.votes)
    votes = one_answer_each(everything, 0)
    items = sorted({item for answers in votes.values() for pair in answers for item in pair})
    asked = Counter(pair for answers in votes.values() for pair in answers)
    chosen = sum(bool(winner) for answers in votes.values() for winner in answers.values())
    fewest = LeadTable(0.8 * arguments.error / (len(items) * (len(items) - 1) / 2)).fewest
    print(
        f"{len(votes)} people, {len(items)} items; one answer per person and pair: {sum(asked.values()):,}, of "
        f"them {chosen:,} choices; {len(asked)} pairs asked, the most asked one of {max(asked.values())} people. "
        f"δ = {arguments.error}; ranges need {fewest} unanimous answers per pair."
    )
    print("as recorded")
    as_recorded(votes, items, arguments.error)
    who = f"{arguments.people} people drawn with replacement" if arguments.people else "everybody once"
    for robin in (False, True) if arguments.robin else (False,):
        print(f"live, {arguments.orders} orders of arrival, {who}{', pairs in turn' if robin else ''}")
        how = Live(arguments.orders, arguments.people, arguments.sitting, robin)
        live(everything, items, arguments.error, how)


if __name__ == "__main__":
    main()
