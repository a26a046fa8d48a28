"""What may be said, in exact and readable words; and what is not said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from juryrank.core.levels import Objective
from juryrank.core.monitor.watches import turns_with_side
from juryrank.quoting import in_sentence, in_sentences
from juryrank.rankers.jury.core.opinion import KNOWN
from juryrank.rankers.jury.options import COMMITTED
from juryrank.statements import (
    failing_of,
    recorded_of,
    refuted_of,
    resolution_of,
    share_of,
    strength_of,
    sure_of,
)

if TYPE_CHECKING:
    from juryrank.rankers.jury.circles import Turned
    from juryrank.rankers.jury.core.attempt import Attempt
    from juryrank.rankers.jury.state import JuryState

LISTED = 8  # names written out in a sentence; more are counted
SILENT = (
    "It says nothing about other cases or judges, nor whether the judges are right: it is about what they say."
)


def statement(jury: JuryState, attempt: Attempt | None, *, turned: Sequence[Turned] = ()) -> str:
    """The promise as it stands now; `attempt`: the list shown; `turned`: its pairs whose answers go against it."""
    if len(jury.items) < 2:
        return "There is nothing to compare."
    failing = failing_words(jury)
    if jury.machine.refuted and not (attempt and attempt.steps):
        return " ".join([*failing, _basis(jury), *change_words(jury), SILENT, seed_words(jury)])
    if attempt is None or not attempt.steps:
        none = f"Nothing is proven yet about {objective_words(jury)}; the order shown is a best guess."
        return " ".join(failing) or none
    steps, resolution = attempt.steps, jury.read.resolutions[attempt.steps - 1]
    counted = bool(attempt.counted_true[:, steps - 1].all())
    sure = "Counted" if counted else f"With probability at least {sure_of(jury.error)}"
    whole = jury.read.objective is Objective.ORDER and not jury.machine.required and resolution == 0
    claimed = _claim_words(jury, attempt.order, resolution) + (f" {_whole_words(turned)}" if whole else "")
    parts = [*failing, f"{sure}: {claimed}", _basis(jury)]
    if steps > 1:
        parts.append(f"Proven at resolution {', then '.join(map(resolution_of, jury.read.resolutions[:steps]))}.")
    parts += [*change_words(jury), SILENT, seed_words(jury)]
    return " ".join(parts)


def _claim_words(jury: JuryState, order: Sequence[int], resolution: float) -> str:
    share = f"at least {share_of(resolution)}"
    k = jury.read.k
    if jury.machine.required:
        pairs = "; ".join(
            in_sentences((jury.items[a], jury.items[b]), " against ") for a, b in jury.machine.required
        )
        return f"{pairs}: the first gets {share} of the answers given about that pair {_kinds(jury)}."
    if jury.read.objective is Objective.ORDER:
        names = _names([jury.items[i] for i in order], " > ")
        subject = f"in the order {names}, each system, against the next one,"
        return f"{subject} gets {share} of the answers given about that pair {_kinds(jury)}."
    if k == 1:
        return (
            f"against each other system, taken singly, {in_sentence(jury.items[order[0]])} gets {share} of the "
            f"answers given about that pair {_kinds(jury)}."
        )
    chosen = [jury.items[i] for i in sorted(order[:k])]  # a set has no order of its own
    return (
        f"each of {_names(chosen, ', ')}, against each other system, taken singly, gets {share} of the answers "
        f"given about that pair {_kinds(jury)}."
    )


def _whole_words(turned: Sequence[Turned]) -> str:
    if any(pair.counts for pair in turned):
        return "The whole order does not follow, as the answers go in a circle."
    return 'If "at least as good" is transitive, the whole order holds.'


def turned_words(order: Sequence[Any], turned: Sequence[Turned]) -> list[str]:
    """What speaks against an order whose links are proven: the answers about items that are no neighbours."""
    said = []
    for pair in [*(p for p in turned if p.counts), *(p for p in turned if not p.counts)][:LISTED]:
        above, below = in_sentence(order[pair.above]), in_sentence(order[pair.below])
        if pair.counts:
            share = f"{below} gets {100 * (1 - pair.share):.0f} % of the {pair.answers:,} answers against {above}"
            said.append(
                f"The answers go in a circle: {share}. Ranks from {pair.above + 1} to {pair.below + 1} are open."
            )
        else:
            said.append(
                f"The only answer about {above} and {below} goes against the order: if that is no slip, the "
                "answers go in a circle, and these ranks do not hold."
            )
    more = len(turned) - len(said)
    return [*said, f"The answers about {_count(more, 'more pair')} go against the order."] if more else said


def _names(order: Sequence[Any], between: str) -> str:
    if len(order) <= LISTED:
        return in_sentences(order, between)
    return in_sentences(order[:LISTED], between) + f"{between}… ({len(order)} in all)"


def _kinds(jury: JuryState) -> str:
    refusals = "refusals count against it" if jury.read.refusals_against else "refusals left out"
    weighed = ", by weight" if _weighed(jury) else ""
    return f"(ties count half, graded answers by their size, {refusals}{weighed})"


def _weighed(jury: JuryState) -> bool:
    return len(set(jury.table.weights)) > 1 or not jury.table.even


def _basis(jury: JuryState) -> str:
    judges = _count(jury.table.active, "judge")
    sides = "" if jury.read.single else ", both sides"
    cases = "" if jury.read.unnamed else f", {_count(jury.table.cases, 'case')}"
    if jury.table.fresh:
        return (
            f"This is about the mean answers of {judges}{cases}{sides}, each answering anew every time; "
            f"it assumes that the chances of a judge's answers to a question never change.{_missing(jury)}"
        )
    return (
        f"This is about all answers of the whole evaluation ({judges}{cases}{sides}), asked or not; "
        f"it assumes only that an answer does not depend on what else is asked.{_missing(jury)}"
    )


def _missing(jury: JuryState) -> str:
    """Whoever has no output where it would lose leaves the case out of every comparison: that is said."""
    if jury.read.recorded:
        return f" {recorded_of(_recorded_cells(jury))}"
    out = sum(map(len, jury.table.absent.values()))
    n = len(jury.items)
    whole = f"{n * (n - 1) // 2 * jury.table.cases:,} comparisons of two systems on one case"
    return f" {out:,} of the {whole} are left out, as an output is missing." if out else ""


def _recorded_cells(jury: JuryState) -> list[int]:
    """Recorded answers of each pair."""
    return [jury.table.active * jury.table.judge_cells(pair) for pair in combinations(range(len(jury.items)), 2)]


def unrecorded_words(jury: JuryState) -> list[str]:
    """What a table with gaps cannot tell: of a star, anything about two of those around its centre."""
    if not jury.read.recorded:
        return []
    compared = [p for p in combinations(range(len(jury.items)), 2) if jury.table.judge_cells(p)]
    n = len(jury.items)
    if len(compared) == n * (n - 1) // 2:
        return []
    centre = next((i for i in range(n) if all(i in pair for pair in compared)), None)
    cells = recorded_of(_recorded_cells(jury))
    if centre is None:
        return [cells]
    name = in_sentence(jury.items[centre])
    return [
        f"{cells} Everything recorded is against {name}: no two of the others were ever compared, so which of "
        f"them is better cannot be proven from this, however clear the shares against {name} look. Claims "
        f"against {name} can be."
    ]


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def change_words(jury: JuryState) -> list[str]:
    """Who was dropped or joined after answers had been seen: the claims were fixed anew after the last change."""
    changes = jury.members.changes(jury.items, jury.judge_names)
    dropped, judges, items = changes["dropped"], changes["judges_joined"], changes["items_joined"]
    parts = [f"{_count(len(dropped), 'judge')} dropped ({_names(dropped, ', ')})"] if dropped else []
    parts += [f"{_count(len(judges), 'judge')} joined ({_names(judges, ', ')})"] if judges else []
    parts += [f"{_count(len(items), 'system')} joined ({_names(items, ', ')})"] if items else []
    if not parts:
        return []
    return [f"After the start: {'; '.join(parts)}. The claims were fixed anew after the last change."]


def seed_words(jury: JuryState) -> str:
    """Whoever chose the seed could have chosen the draws."""
    if jury.options["seed_from"] == "owner":
        return "The draws follow a seed that its owner chose."
    if jury.options["seed_from"] == COMMITTED:
        return "The draws follow a seed that was committed by its hash before the first question."
    return "The draws follow a seed that nobody chose, by the word of whoever made the study."


def strength_words(jury: JuryState, *, survives: bool, from_first_draw: bool) -> list[str]:
    """What the proof would survive; nothing is said of silence where there is none."""
    silent = any([*jury.tally.refused, *jury.tally.failed, jury.machine.set_aside, *jury.members.left])
    return strength_of(survives if silent else None, from_first_draw=from_first_draw)


def objective_words(jury: JuryState) -> str:
    if jury.machine.required:
        return "what is required"
    if jury.read.objective is Objective.ORDER:
        return "the order"
    return "the best one" if jury.read.k == 1 else f"the top {jury.read.k}"


def objective_name(jury: JuryState) -> str:
    if jury.machine.required:
        return "require"
    if jury.read.objective is Objective.ORDER:
        return "order"
    return "best" if jury.read.k == 1 else f"top-{jury.read.k}"


def failing_words(jury: JuryState) -> list[str]:
    """What is counted against the objective at the next resolution: required claims, or every choice."""
    machine = jury.machine
    if machine.step == len(jury.read.resolutions) or len(jury.items) < 2:
        return []
    resolution, against = jury.read.resolutions[machine.step], jury.read.refusals_against
    fails = [claim for claim in machine.required if machine.loses[machine.step][claim]]
    if fails:
        named = [(jury.items[a], jury.items[b]) for a, b in fails]
        return [failing_of(named, k=None, resolution=resolution, refusals_against=against)]
    if machine.refuted:
        return [_refuted(jury)]
    if not machine.none_exists:
        return []
    return [failing_of([], k=jury.read.k, resolution=resolution, refusals_against=against)]


def _refuted(jury: JuryState) -> str:
    """The refutation of what is required, at the finest resolution."""
    against = [(jury.items[a], jury.items[b]) for a, b in refuted_claims(jury)]
    refusals = "whatever was refused would have said" if jury.read.refusals_against else "refusals left out"
    weighed = ", by weight" if _weighed(jury) else ""
    return refuted_of(
        against,
        claims=len(jury.machine.required),
        error=jury.error,
        resolution=jury.read.resolutions[-1],
        kinds=f"(ties count half, graded answers by their size, {refusals}{weighed})",
    )


def refuted_claims(jury: JuryState) -> list[tuple[int, int]]:
    """The required claims whose refutation is proven."""
    turned = jury.machine.refutation
    if turned is None:
        return []
    return [(a, b) for (b, a), proven in zip(turned.claims, turned.proven[:, 0], strict=True) if proven]


def _repeats(jury: JuryState) -> int:
    """How often a judge was asked about a case that the same judge had been asked about before."""
    books, sides = jury.machine.books.values(), jury.table.sides
    seen = Counter((drawn.judge, drawn.cell // sides) for book in books for drawn in book.drawn if drawn.back)
    return seen.total() - len(seen)


def silent_pairs(jury: JuryState) -> list[str]:
    """Pairs about which everything was asked and nothing was answered: nothing is ever said of them."""
    books = jury.machine.books.values()
    silent = [book.pair for book in books if book.known >= KNOWN and not book.told.answered]
    if not silent:
        return []
    named = "; ".join(in_sentences((jury.items[i], jury.items[j]), " and ") for i, j in sorted(silent)[:LISTED])
    more = f" and {len(silent) - LISTED} more pairs" if len(silent) > LISTED else ""
    return [f"Every question about {named}{more} was refused or failed: nothing can be proven about them."]


MANY_REFUSALS = 0.05
FEW_CELLS = 20


def warnings(jury: JuryState, circle: Sequence[Any]) -> tuple[str, ...]:
    """What a reader should know before relying on it."""
    found = unrecorded_words(jury)
    if circle:
        found.append(f"The answers so far go round in a circle: {in_sentences((*circle, circle[0]), ' > ')}.")
    for u, name in enumerate(jury.judge_names):
        turned, seen = jury.tally.flipped[u], jury.tally.both_sides[u]
        if turns_with_side(turned, seen, place=u):
            found.append(
                f"Judge {in_sentence(name)} changes its answer with the side: {turned:,} of {seen:,} cases."
            )
    calls = sum(map(jury.tally.calls, range(len(jury.judge_names))))
    refused, failed = sum(jury.tally.refused), sum(jury.tally.failed)
    if calls and refused / calls > MANY_REFUSALS:
        found.append(f"{100 * refused / calls:.0f} % of the questions were refused ({refused:,} of {calls:,}).")
    if calls and failed / calls > MANY_REFUSALS:
        found.append(
            f"{100 * failed / calls:.0f} % of the questions got no answer ({failed:,} of {calls:,} failed or "
            "expired): they count against every claim."
        )
    found += silent_pairs(jury)
    cells = jury.table.active * min(map(jury.table.judge_cells, [(0, 1), *jury.table.absent]), default=0)
    if not jury.table.fresh and 0 < cells < FEW_CELLS:
        found.append(
            f"There are only {cells} answers per pair in the whole evaluation: it says little beyond itself."
        )
    repeats = _repeats(jury) if jury.read.single and not jury.read.recorded else 0
    if repeats:
        found.append(
            f"{_count(repeats, 'question')} came to a judge who had seen the case before, with other outputs: "
            "people remember, and the promise assumes that an answer does not depend on what else is asked."
        )
    if jury.table.fresh:
        found.append("Judges that repeat themselves (temperature 0) break the assumption of fresh answers.")
    return tuple(found)
