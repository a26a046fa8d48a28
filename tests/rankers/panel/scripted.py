"""One run's random draws, made beforehand: the real panel and the quick one play the same people from them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from juryrank.core.gears import compiled
from juryrank.core.lead_table import LeadTable, log_evidence
from juryrank.core.levels import Objective, epoch_error, false_proofs, level_of, read_objective
from juryrank.core.panel.field_share import BETS, matching_plan, met_at_most
from juryrank.rankers.panel.ranker import Panel
from juryrank.rankers.panel.sittings import PLAN_STREAM
from juryrank.simulation.worlds.people import Population, false_claims
from juryrank.types import SKIP, TIE
from tests.rankers.panel.quick.player import play_quickly
from tests.rankers.panel.quick.room import (
    ATTEMPT,
    ORDER,
    QUESTIONS,
    RANGES,
    TIERS,
    TOP,
    WRONG,
    People,
    Rules,
    empty_room,
)

SITTING = 10
ATTEMPTS = 40  # lists of the objective `order`: tables are made for so many
CODE = {Objective.RANGES: RANGES, Objective.TIERS: TIERS, Objective.TOP: TOP, Objective.ORDER: ORDER}


@dataclass(frozen=True)
class Script:
    """People in order of coming, what they think, and what they do with each question of their sitting."""

    population: Population
    theta: np.ndarray
    at_once: int
    utility: np.ndarray  # one row per person
    luck: np.ndarray  # tie, skip or choice, by person and place
    coin: np.ndarray
    walk: np.ndarray
    turns: np.ndarray  # whose turn it is
    chance: np.ndarray  # by sitting: what breaks ties between pairs
    dealt: np.ndarray  # by sitting: the plan of field-share
    lengths: np.ndarray


def draw(population: Population, rng: np.random.Generator, *, people: int, at_once: int, field: bool) -> Script:
    """A run's chance."""
    n, shape = population.items, (people, SITTING)
    camp = rng.choice(len(population.weights), size=people, p=population.weights)
    slope = rng.choice(population.slopes, size=people)
    utility = slope[:, None] * population.scores[camp]
    if population.transitive:
        utility = utility + rng.gumbel(size=utility.shape)
    none = np.zeros((people, 0, 2), np.int64), np.zeros(people, np.int64)
    dealt, lengths = deal(n, people, rng) if field else none
    return Script(
        population,
        population.theta(),
        at_once,
        utility,
        rng.random(shape),
        rng.random(shape),
        rng.random(shape),
        rng.random(people * (SITTING + 1) + 1),
        np.zeros((people, 1)) if field else rng.random((people, n * (n - 1) // 2)),
        dealt,
        lengths,
    )


def deal(items: int, people: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """`matching_plan` for everybody at once."""
    seats = items + items % 2
    met = met_at_most(items, SITTING)
    pairs = met * (items // 2)
    return lay_out(
        items,
        rng.permuted(np.tile(np.arange(seats), (people, 1)), axis=1),
        rng.permuted(np.tile(np.arange(seats - 1), (people, 1)), axis=1)[:, :met],
        rng.permuted(np.tile(np.arange(pairs), (people, 1)), axis=1)[:, :SITTING],
    )


def lay_out(items: int, seats: np.ndarray, turns: np.ndarray, kept: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The pairs of everybody's matchings (circle method), of which those in `kept` are asked."""
    people, ring, table = len(seats), seats.shape[1] - 1, np.arange(seats.shape[1] // 2)
    a = np.where(table == 0, turns[:, :, None], (turns[:, :, None] + table) % ring if ring else 0)
    b = np.where(table == 0, ring, (turns[:, :, None] - table) % ring if ring else 0)
    rows = np.arange(people)[:, None, None]
    met = np.stack((seats[rows, a], seats[rows, b]), axis=-1).reshape(people, -1, 2)
    met = met[(met < items).all(axis=2)].reshape(people, -1, 2)  # without byes
    plans = met[np.arange(people)[:, None], kept]
    return np.ascontiguousarray(plans), np.full(people, plans.shape[1])


def as_the_panel_draws(script: Script, seed: int, *, field: bool) -> Script:
    """The same script with the panel's own chance for plans, so that both plan alike."""
    people, n = script.utility.shape
    generators = [np.random.default_rng([seed & 0xFFFFFFFFFFFF, PLAN_STREAM, k + 1]) for k in range(people)]
    if not field:
        return replace(script, chance=np.array([rng.random(n * (n - 1) // 2) for rng in generators]))
    plans = [matching_plan(n, SITTING, rng) for rng in generators]
    return replace(script, dealt=np.array(plans), lengths=np.array([len(plan) for plan in plans]))


@dataclass(frozen=True)
class Outcome:
    """What a run came to."""

    wrong: bool
    questions: int
    plans: np.ndarray  # by sitting and place: two items, or zeros where nothing was planned
    settled: np.ndarray

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and (
            (self.wrong, self.questions) == (other.wrong, other.questions)
            and bool((self.plans == other.plans).all())
            and bool((self.settled == other.settled).all())
        )


def play_really(script: Script, options: dict, *, error: float, seed: int) -> Outcome:
    """The real Panel, asked and told question by question."""
    population, theta = script.population, script.theta
    people, n = script.utility.shape
    panel = Panel(range(n), error=error, seed=seed, sitting=SITTING, **options)
    turns, seats, came, wrong, seen = iter(script.turns), [], 0, False, 0
    while True:
        while came < people and len(seats) < script.at_once and not panel.done:
            panel.add_judge(came)
            seats.append(came)
            came += 1
        if not seats:
            break
        turn = int(next(turns) * len(seats)) if len(seats) > 1 else 0
        person = seats[turn]
        question = panel.ask(person)
        if question is None:
            seats.pop(turn)
            continue
        place = question.terms["place"]
        if place > 0 and script.walk[person, place] < population.leave:
            panel.lapse(question.terms["sitting"])
            seats.pop(turn)
        else:
            panel.tell(question, _answer(script, person, place, question))
        if panel.state.version != seen:
            seen = panel.state.version
            wrong = wrong or false_claims(panel, theta) > 0
    plans = np.zeros((people, SITTING, 2), np.int64)
    for row, sitting in zip(plans, panel.sittings, strict=False):
        row[: len(sitting.plan)] = sitting.plan
    return Outcome(wrong, panel.questions, plans, panel.state.counted.settled)


def _answer(script: Script, person: int, place: int, question):
    population = script.population
    if script.luck[person, place] < population.tie:
        return TIE
    if script.luck[person, place] < population.tie + population.skip:
        return SKIP
    low, high = sorted((question.left, question.right))
    gap = script.utility[person, low] - script.utility[person, high]
    if population.transitive:
        return low if gap > 0 else high
    return low if script.coin[person, place] < 1 / (1 + math.exp(-min(max(gap, -40.0), 40.0))) else high


def play_quick(script: Script, options: dict, *, error: float, gear=compiled) -> Outcome:
    """The compiled player on the same script (`gear`: which gear it runs in)."""
    people, n = script.utility.shape
    objective, k = read_objective(options["objective"], options.get("k"))
    field = options.get("relation") == "field-share"
    truth = _as_shares(script.theta) if field else script.theta
    rules = Rules(CODE[objective], k or 0, field, truth, *_tables(n, objective, field, error, people))
    room = empty_room(rules, _people(script), size=SITTING, lengths=script.lengths)
    gear(play_quickly)(room)
    assert room.numbers[ATTEMPT] <= ATTEMPTS
    wrong, questions = bool(room.numbers[WRONG]), int(room.numbers[QUESTIONS])
    return Outcome(wrong, questions, room.sittings.plans, room.counts.settled.astype(bool))


def _people(script: Script) -> People:
    world = script.population
    return People(
        script.at_once,
        world.transitive,
        np.array([world.tie, world.skip, world.leave]),
        script.utility,
        script.luck,
        script.coin,
        script.walk,
        script.turns,
        script.chance,
        script.dealt,
    )


def _as_shares(theta: np.ndarray) -> np.ndarray:
    """Field-share's truth in the form of shares: 0 where the row's score is below the column's."""
    scores = theta.sum(axis=1)
    return np.where(scores[:, None] < scores[None, :] - 1e-9 * max(len(theta) - 1, 1), 0.0, 1.0)


@lru_cache(maxsize=64)
def _tables(n: int, objective: Objective, field: bool, error: float, people: int) -> tuple:
    """(goals by attempt, leads by attempt, ln K, doubt, factors of field-share) for one cell."""
    if objective is Objective.ORDER:
        levels = [level_of(error, attempt) for attempt in range(1, ATTEMPTS + 1)]
    else:
        levels = [epoch_error(error, 0, joining=True) / false_proofs(n, objective, scores=field)]
    leads = np.array([LeadTable(level).leads(people) for level in levels])
    grid = range(people + 1)
    evidence = np.array([[log_evidence(w, against) for against in grid] for w in grid])
    doubt = 1 / (1 + np.exp(evidence - evidence.T))
    met = met_at_most(n, SITTING)
    factors = np.log1p(BETS[:, None] * np.arange(-2 * met, 2 * met + 1) / (2 * met))
    return np.log(1 / np.array(levels)), leads, evidence, doubt, factors
