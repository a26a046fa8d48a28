"""What the certified ranker may say: a certificate, or the links it claims and the ranges they give."""

from __future__ import annotations

import math
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

import numpy as np

from juryrank.core.levels import level_of
from juryrank.core.watches import Alarm, never_changing, watch, withholding
from juryrank.quoting import in_sentence
from juryrank.rankers.certified.core import phases
from juryrank.rankers.certified.core import state as st
from juryrank.rankers.certified.core.pair_answers import NONE
from juryrank.rankers.certified.core.phases import ELIMINATION, ORDER, SET
from juryrank.rankers.certified.core.search.gaps import AT, BOUNDS, FREE, ITEM
from juryrank.rankers.certified.core.state import pair_at
from juryrank.rankers.certified.forecast import forecast_of, open_links
from juryrank.rankers.certified.objective import (
    claim_level,
    elimination_links,
    elimination_ranges,
    ruled_out,
    unanimous_judges,
)
from juryrank.rankers.certified.outlook import Outlook
from juryrank.rankers.certified.state import attempt_record, given_up_words, in_all, stuck_at
from juryrank.rankers.contract.estimates import mean_gap, whole_order
from juryrank.statements.details import CertifiedDetails
from juryrank.statements.promises import AWAITED, VOID, BestPromise, LinksPromise, Promise, Withheld
from juryrank.types import JudgeReport, Link, Ranking

if TYPE_CHECKING:
    from juryrank.rankers.certified.state import CertifiedState

Claim = tuple[int, int, int]  # better, worse, attempt
START_AGAIN = "Gold pairs speak against a judge on whose answers this rests. Start again without this judge."
MOST_CLOSURE = 3_000  # items: above this, ranges use the running attempt's claims only


def ranking_of(
    state: CertifiedState, *, name: str, judges: tuple[JudgeReport, ...], ahead: Outlook | None
) -> Ranking:
    """The result as it stands; `ahead`: what more questions would bring, where there are more."""
    s = state.machine
    c = s.cursor
    placed = [int(k) for k in s.order[: c.placed]]
    complete = len(placed) == len(state.items)
    order = placed if complete else whole_order(placed, flights_of(s), s.arrivals.tolist())
    alarms: tuple[Alarm, ...] = ()
    if complete and len(order) > 1 and state.aim.kind != ELIMINATION:  # which has no order to judge by
        names = [state.items[k] for k in order]
        alarms = watch(state.tallies, names, steady=state.assume == "steady")
    proven = bool(c.phase == phases.CERTIFIED)
    unexamined = state.cross.goes_on
    why_not = _why_not(state, alarms) if proven else None
    reached = proven and why_not is None
    certified = reached and state.aim.k is None
    claims = claims_of(state)
    return Ranking(
        order=tuple(state.items[k] for k in order),
        certified=certified,
        error=state.error,
        questions=state.questions,
        ranker=name,
        links=links_of(state, placed, claims),
        judges=judges,
        ranges=tuple(_ranges(state, order, claims, proven and not unexamined)),
        statement=_promise(state, order, reached, why_not, claims).words,
        warnings=_given_up(state)
        + tuple(alarm.words for alarm in alarms)
        + _never_change(state)
        + _few_judges(state),
        details=_details(state, claims, placed, ahead),
        proven=reached,
    )


def voided(ranking: Ranking) -> Ranking:
    """The same without any promise: the assumption was refuted."""
    links = tuple(replace(link, settled=False) for link in ranking.links)
    anywhere = tuple((1, len(ranking.order)) for _ in ranking.order)
    details = replace(ranking.details, claims=[])
    return replace(
        ranking, certified=False, proven=False, links=links, ranges=anywhere, statement=VOID, details=details
    ).with_warnings(START_AGAIN)


def links_of(state: CertifiedState, placed: list[int], claims: list[Claim]) -> tuple[Link, ...]:
    """The pairs that the result rests on: neighbours, or for a set the k-th item with all others."""
    s = state.machine
    claimed = {(better, worse) for better, worse, _ in claims}
    if state.aim.kind == ELIMINATION:
        return elimination_links(state, settled=bool(claims))
    if state.aim.kind == SET and len(placed) < len(state.items):
        return ()  # there is no set yet
    pairs = (pair_at(s, k) for k in range(len(placed) - 1))
    return tuple(_link(state, k, pair, settled=pair in claimed) for k, pair in enumerate(pairs))


def _ranges(state: CertifiedState, order: list[int], claims: list[Claim], proven: bool) -> list[tuple[int, int]]:
    """(best, worst) possible rank of every item."""
    total = len(state.items)
    if state.aim.kind == ELIMINATION:
        return elimination_ranges(state, order, proven=proven)
    claims = [] if _contradictory(claims) else claims
    return ranges_of(order, claims, total, proven and state.aim.kind == ORDER)


def flights_of(s: st.State) -> dict[int, float]:
    """The newcomers with the gap of the list so far that each is expected in."""
    total, found = int(s.cursor.placed), {}
    for row in np.flatnonzero(s.slots.row[: s.cursor.rows, ITEM] != FREE):
        bounds = int(s.slots.row[row, BOUNDS])
        ends = np.append(s.slots.bound[row, :bounds, AT], total)  # the last gap of each interval
        weight = s.slots.weight[row, : bounds + 1]
        found[int(s.slots.row[row, ITEM])] = mean_gap(ends, np.exp(weight - weight.max()))
    return found


def claims_of(state: CertifiedState) -> list[Claim]:
    """Every claim of every attempt: all of them hold together with probability 1 - δ.

    What rests on judges who may be repeating themselves is left out, whether the proof is complete or not.
    """
    s = state.machine
    c = s.cursor
    weak = state.cross.weak
    if c.objective == ELIMINATION:
        done = c.phase == phases.CERTIFIED and not state.cross.goes_on and len(state.items) > 1
        return [(int(s.order[0]), int(x), int(c.attempt)) for x in s.order[1 : c.items]] if done else []
    claims = [(int(a), int(b), int(m)) for a, b, m in s.proof.claims[: c.claims]]
    if c.phase == phases.PROVE:
        claims += [(*pair_at(s, k), int(c.attempt)) for k in s.proof.link[: c.claimed, st.FIXED].tolist()]
    claims = _supported(state, claims)
    if c.phase == phases.CERTIFIED:
        now = (k for k in s.proof.link[: c.claimed, st.FIXED].tolist() if k not in weak)
        claims += [(*pair_at(s, k), int(c.attempt)) for k in now]
    return claims


def _supported(state: CertifiedState, claims: list[Claim]) -> list[Claim]:
    """The claims that need no repeats which may be memory."""
    by_attempt: dict[int, list[tuple[int, int]]] = {}
    for better, worse, attempt in claims:
        by_attempt.setdefault(attempt, []).append((better, worse))
    out = {attempt: state.cross.unsupported(attempt, pairs) for attempt, pairs in by_attempt.items()}
    return [claim for claim in claims if claim[:2] not in out[claim[2]]]


def settled_links(state: CertifiedState) -> int:
    """Links of the order so far that are claimed, by whichever attempt."""
    c = state.machine.cursor
    if c.phase == phases.CERTIFIED:
        return max(len(state.items) - 1, 0) - len(state.cross.weak)
    if c.objective == ELIMINATION:
        return len(ruled_out(state))  # items, each of which is not the best
    claims = {claim[:2] for claim in claims_of(state)}
    pairs = (pair_at(state.machine, k) for k in range(c.placed - 1) if claims)
    return sum(pair in claims for pair in pairs)


def ranges_of(order: list[int], claims: list[Claim], total: int, certified: bool) -> list[tuple[int, int]]:
    """(best, worst) possible rank of every item of `order`, from the transitive closure of the claims.

    >>> ranges_of([2, 0, 1], [(2, 0, 1)], 3, False)
    [(1, 2), (2, 3), (1, 3)]
    """
    if certified:
        return [(k + 1, k + 1) for k in range(len(order))]
    if len(order) > MOST_CLOSURE and claims:
        claims = [claim for claim in claims if claim[2] == claims[-1][2]]
    below = _closure(claims)
    above: dict[int, int] = {}
    for mask in below.values():
        for item in _bits(mask):
            above[item] = above.get(item, 0) + 1
    return [(1 + above.get(x, 0), total - below.get(x, 0).bit_count()) for x in order]


def _closure(claims: list[Claim]) -> dict[int, int]:
    """Item -> the set of items claimed to be worse, as bits; contradictory claims give no more than themselves."""
    worse: dict[int, list[int]] = {}
    for a, b, _ in claims:
        worse.setdefault(a, []).append(b)
    done: dict[int, int] = {}
    for top in worse:
        trail, path = [top], {top}
        while trail:
            x = trail[-1]
            pending = [y for y in worse.get(x, ()) if y not in done and y not in path]
            if pending:
                trail.append(pending[0])
                path.add(pending[0])
                continue
            mask = 0
            for y in worse.get(x, ()):
                mask |= (1 << y) | done.get(y, 0)
            done[x] = mask
            path.discard(trail.pop())
    return {x: mask & ~(1 << x) for x, mask in done.items()}


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def _link(state: CertifiedState, k: int, pair: tuple[int, int], *, settled: bool) -> Link:
    """A link with its evidence in the running attempt; without one, with all answers about the pair.

    A link is settled if it may be claimed: one proven after a link that is not yet proven promises nothing.
    """
    s = state.machine
    c, p = s.cursor, s.proof
    a, b = pair
    if c.phase not in (phases.PROVE, phases.CERTIFIED):
        by = state.answers_about(a, b)
        return Link(state.items[a], state.items[b], settled, None, None, *in_all(by), by)
    by = {}
    node = int(p.link[k, st.LINK_HEAD])
    while node != NONE:
        judge, good, bad, following = p.node[node].tolist()
        by[state.judge_names[judge]] = (good, bad)
        node = following
    evidence = math.exp(min(float(p.worth[k, st.BEST]), 700.0))
    level = level_of(state.error, int(c.attempt))
    return Link(state.items[a], state.items[b], settled, evidence, level, *in_all(by), by)


def _details(
    state: CertifiedState, claims: list[Claim], order: list[int], ahead: Outlook | None
) -> CertifiedDetails:
    c = state.machine.cursor
    attempts = list(state.ended)
    phase = int(c.phase)
    if phase in (phases.PROVE, phases.CERTIFIED) and c.attempt > 0:
        outcome = "certified" if phase == phases.CERTIFIED else "given up" if state.gave_up else "running"
        attempts.append(attempt_record(state.error, int(c.attempt), int(c.attempt_asked), outcome))
    placed = set(order)
    aimed = state.aim.k is not None
    return CertifiedDetails(
        objective=state.aim.words if aimed else "",
        k=state.aim.k,
        eliminated=[state.items[x] for x in ruled_out(state)] if state.aim.kind == ELIMINATION else None,
        assume=state.assume,
        repeats=state.repeats,
        never_changing=state.cross.names,
        phase=phases.PHASES[phase],
        attempts=attempts,
        level=attempts[-1]["level"] if attempts else None,
        claims=[
            {"better": state.items[a], "worse": state.items[b], "attempt": m, "level": claim_level(state, m)}
            for a, b, m in claims
        ],
        proven_links=int(c.proven) if phase in (phases.PROVE, phases.CERTIFIED) else 0,
        placed=len(order),
        unplaced=[item for k, item in enumerate(state.items) if k not in placed],
        late=state.outstanding.late,
        forecast={} if state.gave_up or ahead is None else forecast_of(state, ahead),
        open_pairs=[] if ahead is None else open_links(state, ahead),
        gave_up=stuck_at(state) if state.gave_up else None,
        fewest_judges=unanimous_judges(state.error) if state.repeats == 1 else None,
    )


def _why_not(state: CertifiedState, alarms: tuple[Alarm, ...]) -> Withheld | None:
    """Why a complete proof is not enough; None: it is."""
    suspects, weak = state.cross.names, state.cross.weak
    if weak and state.aim.kind == ELIMINATION:
        return Withheld("repeats", items=(state.items[min(weak)],))
    if weak:
        link = tuple(state.items[x] for x in pair_at(state.machine, min(weak)))
        return Withheld("repeats", items=link, judges=tuple(sorted(map(str, suspects))))
    speaking = withholding(alarms, suspects)
    return speaking[0].withheld if speaking else AWAITED if state.cross.goes_on else None


def _promise(
    state: CertifiedState, order: list[int], reached: bool, why_not: Withheld | None, claims: list[Claim]
) -> Promise:
    trusted, k = state.trust_repeats and state.repeats != 1, state.aim.k
    resting, names = _resting(state, claims), [state.items[x] for x in order]
    if state.aim.kind == ELIMINATION:
        return BestPromise(
            error=state.error,
            assume=state.assume,
            items=len(state.items),
            ruled_out=len(ruled_out(state)),
            best=names[0] if reached else None,
            withheld=why_not,
            trusted=trusted,
            resting=resting,
        )
    return LinksPromise(
        error=state.error,
        assume=state.assume,
        k=k,
        proven=tuple(names[:k]) if reached else None,
        claims=len({claim[:2] for claim in claims}),  # several attempts may claim the same one
        contradictory=_contradictory(claims),
        withheld=why_not,
        trusted=trusted,
        resting=resting,
    )


def _contradictory(claims: list[Claim]) -> bool:
    """Do the claims go round in a circle?"""
    above: dict[int, list[int]] = {}
    for better, worse, _ in claims:
        above.setdefault(worse, []).append(better)
    try:
        TopologicalSorter(above).prepare()
    except CycleError:
        return True
    return False


def _resting(state: CertifiedState, claims: list[Claim]) -> tuple[str, ...]:
    """On whose repeats the claims rest, where there are too few pairs to examine them."""
    by_attempt: dict[int, list[tuple[int, int]]] = {}
    for better, worse, attempt in claims:
        by_attempt.setdefault(attempt, []).append((better, worse))
    few = {judge for m, pairs in by_attempt.items() for judge in state.cross.resting_on(m, pairs)}
    return tuple(sorted(map(str, few)))


def _given_up(state: CertifiedState) -> tuple[str, ...]:
    """Why nothing more is asked although not all is proven."""
    return (given_up_words(stuck_at(state), state.questions),) if state.gave_up else ()


def _never_change(state: CertifiedState) -> tuple[str, ...]:
    """On whom the result rests, where it rests on somebody who may be repeating themselves."""
    weak, suspects = len(state.cross.weak), state.cross.names
    if state.machine.cursor.phase in (phases.PROVE, phases.ELIMINATE):
        weak, suspects = _left_out(state), never_changing(state.tallies)
    if not weak:
        return ()
    judge = suspects[0]
    times = state.tallies.again[judge][0]
    more = len(suspects) - 1
    who = f"Judge {in_sentence(judge)}" + (f" (and {more} more)" if more else "")
    what = "ruled-out item" if state.aim.kind == ELIMINATION else "link"
    links = f"1 {what} rests" if weak == 1 else f"{weak} {what}s rest"
    return (
        f"{who} never gave another answer when asked a pair again ({times} times): perfect, or repeating "
        f"itself, mistakes included. {links} on such repeats, which prove nothing new. Ask more judges, or "
        "each pair once (repeats=1); or, if you know that every answer is drawn anew, say trust_repeats=True.",
    )


def _left_out(state: CertifiedState) -> int:
    """How much of an unfinished proof is not claimed, as it rests on repeats which may be memory."""
    c = state.machine.cursor
    if state.aim.kind == ELIMINATION:
        return int(c.proven) - len(ruled_out(state))
    return int(c.claimed) - len([claim for claim in claims_of(state) if claim[2] == c.attempt])


def _few_judges(state: CertifiedState) -> tuple[str, ...]:
    judges, fewest = len(state.judge_names), unanimous_judges(state.error)
    if state.repeats != 1 or judges >= fewest or len(state.items) < 2:
        return ()
    return (
        f"With {judges} judges, each asked a pair once, nothing can be certified at error {state.error}: "
        f"a link needs at least {fewest} unanimous judges. Find more judges, or allow a larger error.",
    )
