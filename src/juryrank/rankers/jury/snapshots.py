"""A jury's state as JSON values, and back. What follows from the drawn cells is not written down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from juryrank.rankers.jury.asking import UnsentCall, list_terms, read_list
from juryrank.rankers.jury.core.pair import AnswerSums, Drawn, PairBook
from juryrank.rankers.jury.members import Members

if TYPE_CHECKING:
    from juryrank.rankers.jury.state import JuryState


def write(jury: JuryState) -> dict[str, Any]:
    """Everything that a restored jury needs to go on alike."""
    machine = jury.machine
    return {
        "books": [_book(book) for _, book in sorted(machine.books.items()) if book.drawn],
        "attempts": [{**list_terms(jury, attempt), **attempt.state()} for attempt in machine.attempts],
        "order": list(machine.order),
        "coarse_order": list(machine.coarse_order),
        "goal": machine.goal,
        "drawn": machine.drawn,
        "told": machine.told,
        "set_aside": machine.set_aside,
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
    }


def _book(book: PairBook) -> dict[str, Any]:
    told = book.told
    cells = [[d.judge, d.cell, d.x, d.answered, d.back, d.failed, d.aside, list(d.chances)] for d in book.drawn]
    sums = [told.calls, told.x, told.squares, told.answered, told.cells, told.part, told.given, book.known]
    return {"pair": list(book.pair), "drawn": cells, "told": sums, "counted": book.counted}


def read(jury: JuryState, saved: Mapping[str, Any]) -> None:
    """The state that `write` wrote down."""
    machine = jury.machine
    jury.members = Members.read(saved["members"])
    jury.renew_table()
    machine.table = jury.table
    machine.since, machine.changed = saved["since"], saved["changed"]
    for row in saved["books"]:
        _load_book(jury, row)
    for row in saved["attempts"]:
        attempt = read_list(jury, row)
        attempt.load(row)
        machine.attempts.append(attempt)
    machine.order, machine.coarse_order, machine.goal = (
        list(saved["order"]),
        list(saved["coarse_order"]),
        saved["goal"],
    )
    machine.drawn, machine.told = saved["drawn"], saved["told"]
    machine.set_aside = saved["set_aside"]
    machine.opinion.load(saved["opinion"], machine.books)
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
        book.out -= drawn.settled
        jury.machine.degree[[i, j]] += 1
    for _ in range(row["counted"]):
        book.count()
    *sums, known = row["told"]
    book.told, book.known = AnswerSums(*sums), known
