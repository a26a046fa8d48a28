"""Is a recorded question the one that the search asks? Its rule is played again, with room for the last digits.

Which list was fixed, where, and with which prior, decides what is evidence: whoever knows seed and answers could
choose them. So a checker has them computed again. Who comes when is not the search's: cells that were drawn ahead
may be of any moment since the question before, but at that moment they are those that the search draws.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from juryrank.errors import BadInput
from juryrank.rankers.jury.asking import (
    UnsentCall,
    drawn_as,
    hold_for_later,
    list_terms,
    pair_ahead,
    pair_asked,
    read_list,
)
from juryrank.rankers.jury.core.counting import refutation_of
from juryrank.rankers.jury.core.machine import EITHER_WAY, LAST_DIGITS, Leniency, Machine, NextQuestion
from juryrank.rankers.jury.core.pair import Drawn, PairBook
from juryrank.rankers.jury.core.robust import recounted
from juryrank.rankers.jury.core.table import ALL, Pair
from juryrank.rankers.jury.core.together import MachineOfAll
from juryrank.rankers.jury.foresight import pair_terms, read_foresight
from juryrank.rankers.jury.state import Members
from juryrank.types import Judge, Question

if TYPE_CHECKING:
    from juryrank.rankers.jury.state import JuryState

Terms = Mapping[str, Any]


def draw_ahead(jury: JuryState, rows: Sequence[Terms], *, leaving: Collection[Judge] = ()) -> int:
    """Draw those cells of the next question that the search draws now; says how many it drew.

    `rows`: all that the question will have on record, drawn since the question before. `leaving`: judges who are
    set aside before it is asked; only cells that say so are drawn for them sooner. (What a later moment draws does
    not depend on when these were, so the first moment that fits will do.)
    """
    before = len(jury.unrecorded)
    for row in rows[before:]:
        pair = pair_ahead(jury, row)
        terms = {name: value for name, value in row.items() if name != "aside"}
        if _fault(jury, pair, terms):
            break
        waiting = drawn_as(jury, pair, terms)
        later = jury.judge_names[waiting.judge] in leaving and "aside" not in row
        if later or not hold_for_later(jury, waiting):
            break
    return len(jury.unrecorded) - before


def fault(jury: JuryState, question: Question) -> str:
    """What is wrong with a recorded question, were it asked now; empty: nothing."""
    terms, pair = question.terms, pair_asked(jury, question)
    if list(terms.get("ahead", ())) != jury.unrecorded:
        return "the cells drawn since the question before, or the lists that they fix, are not those of the search"
    book = jury.machine.shared if isinstance(jury.machine, MachineOfAll) else jury.machine.books.get(pair)
    if "chances" not in terms or terms.get("place") != (len(book.drawn) if book else 0):
        return ""  # the second side of a cell, or one that was drawn before: nothing is chosen here
    return _fault(jury, pair, terms)


def _fault(jury: JuryState, pair: Pair, terms: Terms) -> str:
    """What is wrong with a cell of this pair, were it drawn now, and with the list that it fixes."""
    given, about, other = terms.get("list"), False, None
    if given is not None:
        read_foresight(jury, given)  # forecasts of its pairs, whoever made them
    for plan in _plans(jury, prefer=pair):
        fixed = None if plan.begins is None else list_terms(jury, plan.begins)
        other = other or plan
        about = about or plan.pair == pair
        if plan.pair == pair and _same(given, fixed):
            return ""
    if other is None:
        return "the search asks nothing there"
    if about:
        return "the list that it fixes, or does not fix, is not that of the search"
    first, second = (jury.items[i] for i in other.pair)
    return f"the search asks about {first} and {second} there"


def _plans(jury: JuryState, *, prefer: Pair) -> Iterator[NextQuestion]:
    """What the search does now, on this processor and on others; for judges who are called, and who come."""
    machine, aside = jury.machine, jury.roster.paused
    try:
        for slack in EITHER_WAY:
            for hold in (True, False):
                machine.leniency = Leniency(slack, prefer)
                with suppress(BadInput):  # a list that the log does not fix there: nobody has its forecasts
                    if (plan := machine.plan(aside, hold=hold)) is not None:
                        yield plan
    finally:
        machine.leniency = machine.usual


def _same(given: Terms | None, fixed: Terms | None) -> bool:
    """Are two lists the same, but for the last digit of their priors?"""
    if given is None or fixed is None:
        return given is fixed
    plain = ("rule", "number", "after", "goal", "order")
    if given.keys() != fixed.keys() or any(given[name] != fixed[name] for name in plain):
        return False
    foreseen = [one.get("forecast", {}) for one in (given, fixed)]
    if foreseen[0].keys() != foreseen[1].keys() or foreseen[0].get("pairs") != foreseen[1].get("pairs"):
        return False
    rows = [[row[:2] for row in one["claims"]] for one in (given, fixed)]
    if rows[0] != rows[1]:
        return False
    numbers = [
        [one["square"], *(value for row in one["claims"] for value in row[2:]), *more.get("shares", ()),
         *more.get("squares", ())]
        for one, more in zip((given, fixed), foreseen, strict=True)
    ]  # fmt: skip
    return all(abs(a - b) <= LAST_DIGITS for a, b in zip(*numbers, strict=True))


# ----------------------------------------------------------------------------
# A jury's state as JSON values, and back. What follows from the drawn cells is not written down
def write(jury: JuryState) -> dict[str, Any]:
    """Everything that a restored jury needs to go on alike."""
    machine = jury.machine
    return {
        "key": jury.key,
        "books": [_book(book) for _, book in sorted(machine.books.items()) if book.drawn],
        "attempts": [
            {**list_terms(jury, attempt, values=False), **attempt.state()} for attempt in machine.attempts
        ],
        **({} if jury.forecasts is None else {"forecasts": _forecasts(jury)}),
        "order": list(machine.order),
        "coarse_order": list(machine.coarse_order),
        "goal": machine.goal,
        "drawn": machine.drawn,
        "line": [list(pair) for pair, _ in machine.line],
        "due": None if machine.due is None else list_terms(jury, machine.due, values=False),
        "refit_at": machine.refit_at,
        "opinion": machine.opinion.state(),
        "queue": [[*w.pair, w.place, w.call, w.judge, w.terms] for w in jury.queue],
        "unrecorded": jury.unrecorded,
        "tally": jury.tally.state(),
        "foreign": sorted(jury.foreign),
        "members": jury.members.state(),
        "since": machine.since,
        "same_outputs": jury.same_outputs,
        "changed": machine.changed,
        **({"shared": _book(machine.shared)} if isinstance(machine, MachineOfAll) else {}),
        **({"order_keys": [[u, key] for u, key in jury.order_keys.items()]} if jury.read.together else {}),
    }


def _forecasts(jury: JuryState) -> list[Any]:
    """Those of all pairs that a list has brought."""
    pairs = {pair for attempt in jury.machine.attempts for pair in attempt.place}
    known = jury.forecasts
    return [pair_terms(jury, pair) for pair in sorted(pairs) if known is not None and known.has(pair)]


def _book(book: PairBook) -> dict[str, Any]:
    cells = [[d.judge, d.cell, d.x, d.answered, d.back, d.failed, d.aside, list(d.chances)] for d in book.drawn]
    return {"pair": list(book.pair), "drawn": cells, "counted": book.counted, "since": book.since}


def read(jury: JuryState, saved: Mapping[str, Any]) -> None:
    """The state that `write` wrote down."""
    machine, jury.key = jury.machine, saved["key"]
    jury.members = Members.read(saved["members"])
    jury.renew_table()
    machine.table = jury.table
    machine.since, machine.changed = saved["since"], saved["changed"]
    for row in [*saved["books"], *filter(None, [saved.get("shared")])]:
        _load_book(jury, row)
    if jury.forecasts is not None:
        jury.forecasts.learn(jury, saved["forecasts"])
    if isinstance(machine, MachineOfAll):
        machine.read_places()
        jury.order_keys = dict(saved["order_keys"])
    for row in saved["attempts"]:
        attempt = read_list(jury, row)
        attempt.load(row)
        machine.attempts.append(attempt)
    for attempt in machine.current:
        machine.foresee(attempt)
    machine.order, machine.coarse_order, machine.goal = (
        list(saved["order"]),
        list(saved["coarse_order"]),
        saved["goal"],
    )
    machine.drawn = saved["drawn"]
    _load_line(machine, saved["line"])
    machine.due = None if saved["due"] is None else read_list(jury, saved["due"])
    machine.most_counted = max((book.counted for book in machine.books.values()), default=0)
    machine.opinion.load(saved["opinion"], machine.books)
    if machine.required and machine.current:
        turned = refutation_of(machine.current[-1])
        machine.refutation = recounted(
            machine, turned, machine.table, turned.priors, level=turned.level, starts=turned.starts
        )
    for book in machine.books.values():
        machine.recount(book)
    machine.refit_at = saved["refit_at"]  # after the recount, which calls for a fit where a claim is newly closed
    jury.queue = [UnsentCall((i, j), place, call, u, terms) for i, j, place, call, u, terms in saved["queue"]]
    jury.unrecorded = list(saved["unrecorded"])
    jury.tally.load(saved["tally"])
    jury.foreign = set(saved["foreign"])
    jury.same_outputs = saved["same_outputs"]


def _load_book(jury: JuryState, row: Mapping[str, Any]) -> None:
    i, j = row["pair"]
    book = jury.machine.book((i, j))
    for judge, cell, x, answered, back, failed, aside, chances in row["drawn"]:
        drawn = Drawn(judge, cell, tuple(chances), jury.read.calls, x, answered, back, failed, aside)
        book.enter(drawn)
        if book.pair != ALL:
            jury.machine.degree[[i, j]] += 1
    for _ in range(row["counted"]):
        book.count()
    book.since = row["since"]


def _load_line(machine: Machine, pairs: Sequence[Sequence[int]]) -> None:
    """What is drawn and not counted: of each pair, the cells after its counted ones."""
    books = {(i, j): machine.book((i, j)) for i, j in pairs}
    cells = {pair: iter(book.drawn[book.counted :]) for pair, book in books.items()}
    machine.line.extend(((i, j), next(cells[i, j])) for i, j in pairs)
