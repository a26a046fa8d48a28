"""From a drawn cell to a question and back. A question's terms are all that a checker needs to draw it again:

terms = {"place": 17, "chances": [0.5, 0.5]}                   the place within the pair, and every judge's chance
                                                               when the cell was drawn
      + {"list": {...}}                                        a list, fixed after so many cells drawn
      + {"call": 1}                                            the second side of a cell that has both
      + {"ahead": [...]}                                       cells drawn for judges who have not come yet

Which answers are evidence for which list follows from where the lists were fixed, and is not written down: a cell
counts for every list with its pair that was fixed after fewer cells than were drawn before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from juryrank.core.levels import Objective
from juryrank.rankers.contract.limits import Draft
from juryrank.rankers.contract.roster import frozen
from juryrank.rankers.jury.core.attempt import Attempt
from juryrank.rankers.jury.core.candidates import insertion_order
from juryrank.rankers.jury.core.claims import needed
from juryrank.rankers.jury.core.evidence import Prior
from juryrank.rankers.jury.core.machine import SEARCH_RULE, pair_of
from juryrank.rankers.jury.core.table import ALL, Pair, numbers, pick_cell, pick_judge, shown_order, shown_side
from juryrank.rankers.jury.foresight import foresight_terms, read_foresight
from juryrank.types import SKIP, TIE, Answer, Grade, Order, Question

if TYPE_CHECKING:
    from juryrank.rankers.jury.state import JuryState

AHEAD_PER_JUDGE = 4  # cells that may wait for judges who have not come yet


@dataclass(slots=True)
class UnsentCall:
    """A call that is drawn and not sent: its judge has not come yet."""

    pair: Pair
    place: int
    call: int
    judge: int
    terms: dict[str, Any]


def next_waiting(jury: JuryState, judge: int | None) -> UnsentCall | None:
    """The oldest call drawn for this judge (None: for anybody); else one is drawn, ahead for others if need be."""
    for queued in jury.queue:
        if judge in (None, queued.judge) and queued.judge not in jury.roster.paused:
            return queued
    if judge is None:
        drawn = _draw(jury)
        return _fill_round(jury) if drawn is None and jury.machine.out < jury.in_round else drawn
    while len(jury.queue) < AHEAD_PER_JUDGE * len(jury.judge_names):
        waiting = _draw(jury, hold=False)
        if waiting is None or waiting.judge == judge:
            return waiting
        hold_for_later(jury, waiting)
    return None


def _fill_round(jury: JuryState) -> UnsentCall | None:
    """A question that may turn out needless: it goes with this batch, because the next one is hours away."""
    drawn = _draw(jury, hold=False)
    return None if drawn is None or jury.machine.has_enough_out(drawn.pair) else drawn


def hold_for_later(jury: JuryState, waiting: UnsentCall) -> bool:
    """Draw a cell ahead: its judge is asked when it comes. False if it does not fit what was drawn before."""
    fits = _enter(jury, waiting)
    if fits:
        jury.queue.append(waiting)
        jury.unrecorded.append(ahead_terms(jury, waiting))
    return fits


def _draw(jury: JuryState, *, hold: bool = True) -> UnsentCall | None:
    """Draw the next cell without entering it."""
    plan = jury.machine.plan(jury.roster.paused, hold=hold)
    if plan is None:
        return None
    book = jury.machine.book(plan.pair)
    chances = book.chances(jury.rates, jury.roster.paused)
    if not chances:
        return None
    place = len(book.drawn)
    judge = pick_judge(chances, numbers(jury.key, *jury.names(plan.pair), place)[0])
    terms: dict[str, Any] = {"place": place, "chances": list(chances)}
    if plan.begins is not None:
        terms["list"] = list_terms(jury, plan.begins)
    return UnsentCall(plan.pair, place, 0, judge, terms)


def list_terms(jury: JuryState, attempt: Attempt, *, values: bool = True) -> dict[str, Any]:
    """A new list as it goes on record: its number (and so its level), after how many cells it was fixed, for which
    resolution, order and claims in their sequence, the prior of each; with forecasts, `values` of its pairs."""
    rows = [
        [jury.items[better], jury.items[worse], prior.mean, prior.spread]
        for (better, worse), prior in zip(attempt.claims, attempt.priors, strict=True)
    ]
    square = attempt.priors[0].square if attempt.priors else 1.0
    return {
        "rule": SEARCH_RULE,
        "number": attempt.number,
        "after": attempt.after,
        "goal": jury.read.resolutions[attempt.goal],
        "order": [jury.items[i] for i in attempt.order],
        "claims": rows,
        "square": square,
        **foresight_terms(jury, attempt, values=values),
    }


def read_list(jury: JuryState, terms: Mapping[str, Any]) -> Attempt:
    """The attempt that a question's terms put on record."""
    claims = [(jury.roster.item(frozen(a)), jury.roster.item(frozen(b))) for a, b, _, _ in terms["claims"]]
    priors = [Prior(float(mean), float(spread), float(terms["square"])) for _, _, mean, spread in terms["claims"]]
    order = [jury.roster.item(frozen(item)) for item in terms["order"]]
    goal = jury.read.resolutions.index(terms["goal"])
    foresight = read_foresight(jury, terms)
    listed = jury.machine.attempt(terms["number"], order, claims, priors, goal=goal, foresight=foresight)
    listed.after = int(terms["after"])
    return listed


def ahead_terms(jury: JuryState, waiting: UnsentCall) -> dict[str, Any]:
    if waiting.pair == ALL:
        return dict(waiting.terms)
    first, second = jury.names(waiting.pair)
    return {"first": first, "second": second, **waiting.terms}


def draft_of(jury: JuryState, waiting: UnsentCall) -> Draft:
    """The question that a drawn call becomes."""
    book = jury.machine.book(waiting.pair)
    if waiting.place < len(book.drawn):
        cell = book.drawn[waiting.place].cell
    else:
        number = numbers(jury.key, *jury.names(waiting.pair), waiting.place)[1]
        taken, weight = book.taken[waiting.judge], book.open_weight[waiting.judge]
        cell = pick_cell(jury.table, taken, weight, number)
    terms = {"place": waiting.place, "call": waiting.call} if waiting.call else waiting.terms
    if jury.unrecorded:
        terms = {**terms, "ahead": list(jury.unrecorded)}
    if waiting.pair == ALL:
        order = shown_together(jury, waiting.judge, cell)
        case_name = _case_of(jury, cell)
        return Draft(waiting.judge, order[0], order[-1], terms=terms, case=case_name, sided=True, shown=order)
    case, side = shown(jury, waiting.pair, waiting.judge, cell, waiting.call)
    first, second = waiting.pair if side == 0 else waiting.pair[::-1]
    return Draft(waiting.judge, first, second, terms=terms, case=jury.case_name(case), sided=True)


def shown(jury: JuryState, pair: Pair, judge: int, cell: int, call: int) -> tuple[int, int]:
    """The case of a cell, and the side of the pair's first item (0: left)."""
    case, side = divmod(cell, jury.table.sides)
    if jury.read.calls == 2:
        return case, call
    if jury.read.recorded:
        return case, 0
    if jury.read.single:
        return case, shown_side(jury.key, *jury.names(pair), jury.judge_names[judge], jury.read.cases[case])
    return case, side


def _case_of(jury: JuryState, cell: int) -> str | None:
    return jury.case_name(cell // jury.table.sides)


def shown_together(jury: JuryState, judge: int, cell: int) -> tuple[int, ...]:
    """The items of a cell that shows all that have its case, in one of two opposite orders.

    The order hangs on the key with which the judge was first drawn: what joins later turns no order round.
    """
    case, turned = divmod(cell, jury.table.sides)
    pairs = combinations(range(len(jury.items)), 2)
    there = sorted({i for pair in pairs if case not in jury.table.absent.get(pair, ()) for i in pair})
    key = jury.order_keys.get(judge, jury.key)
    names = [jury.items[i] for i in there]
    found = [there[at] for at in shown_order(key, jury.judge_names[judge], jury.read.cases[case], names)]
    return tuple(found[::-1] if turned else found)


def pair_asked(jury: JuryState, question: Question) -> Pair:
    """The pair that a question is about, or ALL."""
    if jury.read.together:
        return ALL
    return pair_of(jury.roster.item(question.left), jury.roster.item(question.right))


# ---------------------------------------------------------------------- a question is out
def enter_question(jury: JuryState, question: Question) -> bool:
    """Enter a question into its pair's book; False if it is none that this jury could have drawn."""
    try:
        for row in question.terms.get("ahead", ()):
            _enter_ahead(jury, row)
        return _enter_asked(jury, question)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return False


def _enter_ahead(jury: JuryState, row: dict[str, Any]) -> None:
    if row in jury.unrecorded:  # drawn by this very ranker, and on record from now on
        jury.unrecorded.remove(row)
        return
    waiting = drawn_as(jury, pair_ahead(jury, row), row)
    if _enter(jury, waiting):
        jury.queue.append(waiting)
        if row.get("aside"):
            set_aside(jury, waiting.judge, only=waiting)


def pair_ahead(jury: JuryState, row: Mapping[str, Any]) -> Pair:
    """The pair of a cell drawn ahead, or ALL."""
    if jury.read.together:
        return ALL
    return pair_of(*(jury.roster.item(frozen(row[name])) for name in ("first", "second")))


def drawn_as(jury: JuryState, pair: Pair, row: Mapping[str, Any]) -> UnsentCall:
    """A cell drawn ahead as it stands on record."""
    terms = {key: value for key, value in row.items() if key not in ("first", "second")}
    judge = pick_judge(terms["chances"], numbers(jury.key, *jury.names(pair), terms["place"])[0])
    return UnsentCall(pair, terms["place"], 0, judge, terms)


def _enter_asked(jury: JuryState, question: Question) -> bool:
    pair = pair_asked(jury, question)
    place, call = question.terms["place"], question.terms.get("call", 0)
    judge = jury.roster.judge(question.judge)
    queued = next((w for w in jury.queue if (w.pair, w.place, w.call) == (pair, place, call)), None)
    if queued is None:
        waiting = UnsentCall(pair, place, call, judge, dict(question.terms))
        waiting.terms.pop("ahead", None)
        if call or not _enter(jury, waiting):
            return False
    else:
        jury.queue.remove(queued)
    drawn = jury.machine.book(pair).drawn[place]
    if pair == ALL:
        order = shown_together(jury, judge, drawn.cell)
        items = tuple(jury.items[i] for i in order)
        return (drawn.judge, items, question.case) == (judge, question.shown, _case_of(jury, drawn.cell))
    case, side = shown(jury, pair, drawn.judge, drawn.cell, call)
    first_left = jury.items[pair[0]] == question.left
    if drawn.judge != judge or jury.case_name(case) != question.case or first_left != (side == 0):
        return False
    if call == 0 and jury.read.calls == 2:
        jury.queue.append(UnsentCall(pair, place, 1, judge, {}))
    return True


def _enter(jury: JuryState, waiting: UnsentCall) -> bool:
    """Draw the cell for good; False if it does not fit what was drawn before."""
    machine, terms = jury.machine, waiting.terms
    book = machine.book(waiting.pair)
    chances = tuple(float(chance) for chance in terms["chances"])
    if waiting.place != len(book.drawn) or len(chances) != jury.table.judges:
        return False
    if any(chance > 0 and not weight for chance, weight in zip(chances, book.open_weight, strict=True)):
        return False
    if "list" in terms:
        fixed = read_list(jury, terms["list"])
        if not isinstance(fixed.number, int) or fixed.number < 1 or fixed.number in machine.numbers:
            return False  # a level that is used already
        machine.begin(fixed)
    drawn = book.draw(jury.key, jury.names(waiting.pair), chances, calls=jury.read.calls)
    jury.order_keys.setdefault(drawn.judge, jury.key)
    machine.entered(waiting.pair)
    return True


# ---------------------------------------------------------------------- an answer is back
def value_of(jury: JuryState, question: Question, answer: Answer | None) -> float | None:
    """An answer from the side of the pair's first item; None: a refusal."""
    if answer is None or answer is SKIP:
        return None
    if answer is TIE:
        return 0.0
    left = answer.x if isinstance(answer, Grade) else (1.0 if answer == question.left else -1.0)
    first_left = jury.roster.item(question.left) < jury.roster.item(question.right)
    return float(left if first_left else -left)


def values_of(jury: JuryState, question: Question, answer: Answer | None) -> dict[Pair, float] | None:
    """What an answer about all that were shown says of each pair, from the side of its first item."""
    if answer is None or answer is SKIP:
        return None
    order = answer if isinstance(answer, Order) else Order((question.shown,))
    shown = sorted((jury.roster.item(item), order.place(item)) for item in question.shown)
    return {(i, j): float((there > here) - (there < here)) for (i, here), (j, there) in combinations(shown, 2)}


def set_aside(jury: JuryState, judge: int, *, only: UnsentCall | None = None) -> None:
    """Calls drawn for a judge who is set aside count against every claim, whatever they would have said."""
    gone = [waiting for waiting in jury.queue if waiting.judge == judge and only in (None, waiting)]
    jury.queue = [waiting for waiting in jury.queue if waiting not in gone]
    for waiting in gone:
        row = ahead_terms(jury, waiting)
        if row in jury.unrecorded:  # whoever replays this must know, also if the judge is back by then
            jury.unrecorded[jury.unrecorded.index(row)] = {**row, "aside": True}
        jury.machine.drop(waiting.pair, waiting.place)


def forget_unrecorded(jury: JuryState) -> None:
    """Take back what was drawn ahead and is on no record: whoever replays the log does not know of it."""
    for row in reversed(jury.unrecorded):
        pair = pair_ahead(jury, row)
        jury.queue = [w for w in jury.queue if (w.pair, w.place) != (pair, row["place"])]
        jury.machine.undraw(pair, began="list" in row)
    jury.unrecorded = []


# ---------------------------------------------------------------------- the list
def current_order(jury: JuryState) -> list[int]:
    """The list shown: of the attempt that proved something, else of the one at work, else a guess.

    What was required and has failed is no guess: the answers speak against it.
    """
    machine = jury.machine
    attempt = machine.best
    if attempt is None or not (attempt.stated.any() or machine.working):
        return list(machine.order)
    guess = insertion_order(machine.opinion) if machine.counted else machine.order
    if machine.required and machine.refuted and not attempt.stated.any():
        return list(guess)
    if machine.required or jury.read.objective is Objective.ORDER:
        return list(attempt.order)
    chosen = set(attempt.order[: jury.read.k])
    return [i for i in guess if i in chosen] + [i for i in guess if i not in chosen]


def needed_claims(jury: JuryState) -> list[tuple[int, int]]:
    """The claims that the objective needs for the list shown."""
    if jury.machine.required:
        return jury.machine.required
    return needed(jury.read.objective, current_order(jury), jury.read.k) if len(jury.items) > 1 else []
