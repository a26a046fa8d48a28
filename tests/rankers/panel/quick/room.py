"""The state of a run as arrays, so that it runs plain and compiled; they are those of the real panel."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

RANGES, TIERS, TOP, ORDER = 0, 1, 2, 3  # objectives
TIE, SKIP, LEAVE = 0, 1, 2  # of `manners`
# Places in `numbers`; the last three are about the objective `order`
CAME, TAKEN, ARRIVED, COUNTED, QUESTIONS, TURN, DONE, WRONG = range(8)
FIXED, ATTEMPT, FROM_SITTING = range(8, 11)
N_NUMBERS = 11


class Rules(NamedTuple):
    """What is asked for, the truth, and the tables for it (`goals` and rows of `leads`: by attempt of `order`)."""

    objective: int
    top: int
    field: bool
    truth: np.ndarray
    goals: np.ndarray
    leads: np.ndarray
    evidence: np.ndarray
    doubt: np.ndarray
    factors: np.ndarray


class People(NamedTuple):
    """Who comes, and what each does with each question; by sitting: `chance`, and `dealt` plans of field-share."""

    at_once: int
    transitive: bool
    manners: np.ndarray
    utility: np.ndarray
    luck: np.ndarray
    coin: np.ndarray
    walk: np.ndarray
    turns: np.ndarray
    chance: np.ndarray
    dealt: np.ndarray


class Sittings(NamedTuple):
    """By sitting: its plan, what was answered (1: the first item, 2: the second) and how far it is."""

    plans: np.ndarray
    lengths: np.ndarray
    given: np.ndarray
    asked: np.ndarray
    told: np.ndarray
    gone: np.ndarray
    seats: np.ndarray  # who is here now
    sitting_of: np.ndarray  # by person; -1: none yet
    waiting: np.ndarray  # by pair: planned, not yet counted


class Counts(NamedTuple):
    """What has been counted, and what is settled by it."""

    wins: np.ndarray
    settled: np.ndarray
    closure: np.ndarray
    blocked: np.ndarray
    logs: np.ndarray  # field-share: capital by pair and bet
    balance: np.ndarray
    s: np.ndarray  # the guide's strengths


class Attempt(NamedTuple):
    """The objective `order`: the list, and its links' own evidence."""

    listed: np.ndarray
    place_of: np.ndarray
    tally: np.ndarray
    proven: np.ndarray
    claim_order: np.ndarray
    claimed: np.ndarray
    doubts: np.ndarray


class OpenStudies(NamedTuple):
    """Paper to work on: nothing on it lasts."""

    step: np.ndarray
    matrix: np.ndarray
    values: np.ndarray
    needed: np.ndarray
    keys: np.ndarray
    position: np.ndarray
    order: np.ndarray
    above: np.ndarray
    left: np.ndarray
    lines: np.ndarray


class Room(NamedTuple):
    """Everything."""

    numbers: np.ndarray
    rules: Rules
    people: People
    sittings: Sittings
    counts: Counts
    attempt: Attempt
    desk: OpenStudies


def empty_room(rules: Rules, people: People, *, size: int, lengths: np.ndarray) -> Room:
    """Before anybody has come; `size` questions per sitting, `lengths` of the plans dealt beforehand."""
    crowd, n = people.utility.shape
    pairs = n * (n - 1) // 2

    def whole(*shape: int) -> np.ndarray:
        return np.zeros(shape, np.int64)

    sittings = Sittings(
        whole(crowd, size, 2), lengths.copy(), whole(crowd, size), whole(crowd), whole(crowd), whole(crowd),
        whole(crowd), np.full(crowd, -1), whole(pairs),
    )  # fmt: skip
    logs = np.zeros((n if rules.field else 1, n, len(rules.factors)))
    counts = Counts(whole(n, n), whole(n, n), whole(n, n), whole(n + 1), logs, whole(n), np.zeros(n))
    attempt = Attempt(whole(n), whole(n), whole(n, 2), whole(n), whole(n), whole(n, n), np.zeros(n))
    desk = OpenStudies(
        np.zeros(n), np.zeros((n, n)), np.zeros(n), np.zeros(pairs), np.zeros(max(2 * size, n) + 2),
        whole(n), whole(n), whole(n), whole(n), whole(n + 1),
    )  # fmt: skip
    return Room(whole(N_NUMBERS), rules, people, sittings, counts, attempt, desk)
