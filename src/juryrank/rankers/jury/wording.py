"""What may be said, in exact and readable words; and what is not said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from juryrank.core.levels import Objective
from juryrank.core.watches import turns_with_side
from juryrank.defaults import FEW_CELLS, MANY_REFUSALS
from juryrank.quoting import in_sentence, in_sentences
from juryrank.rankers.jury.core.opinion import KNOWN
from juryrank.statements import RecordedCount, recorded_of
from juryrank.statements.cases import LISTED, AgainstGoal, CasesPromise, Evaluation, ProofStrength
from juryrank.statements.numbers import number_of, top_name

if TYPE_CHECKING:
    from juryrank.rankers.jury.breakdown import Turned
    from juryrank.rankers.jury.core.attempt import Attempt
    from juryrank.rankers.jury.state import JuryState


def promise(
    jury: JuryState,
    attempt: Attempt | None,
    *,
    turned: Sequence[Turned] = (),
    strength: Mapping[str, bool] | None = None,
) -> CasesPromise:
    """What is claimed now; `attempt`: the list shown; `turned`: its pairs whose answers go against it."""
    steps, k = attempt.steps if attempt else 0, jury.read.k
    proven = jury.read.resolutions[:steps]
    order = attempt.order if attempt and steps and not jury.machine.required else []
    chosen = order if k is None else sorted(order[:k])  # a set has no order of its own
    whole = jury.read.objective is Objective.ORDER and bool(proven) and proven[-1] == 0
    aside = any(drawn.aside for book in jury.machine.books.values() for drawn in book.drawn)
    silent = aside or any([*jury.tally.refused, *jury.tally.failed, *jury.members.left])
    return CasesPromise(
        error=jury.error,
        goal=objective_name(jury),
        about=_evaluation(jury),
        order=tuple(jury.items[i] for i in chosen),
        required=tuple(_named(jury, jury.machine.required)),
        resolutions=tuple(proven),
        counted=bool(attempt and steps and attempt.counted_true[:, steps - 1].all()),
        circle=whole and any(pair.counts for pair in turned),
        refuted=jury.machine.refuted,
        against=_against(jury),
        strength=ProofStrength(strength["survives"] if silent else None, strength["from_first_draw"])
        if strength
        else None,
    )


def _evaluation(jury: JuryState) -> Evaluation:
    changes = jury.members.changes(jury.items, jury.judge_names)
    return Evaluation(
        items=len(jury.items),
        judges=jury.table.active,
        cases=None if jury.read.unnamed else jury.table.cases,
        both_sides=not jury.read.single,
        together=jury.read.together,
        fresh=jury.table.fresh,
        refusals_against=jury.read.refusals_against,
        weighed=len(set(jury.table.weights)) > 1 or not jury.table.even,
        seed_from=jury.options["seed_from"],
        recorded=RecordedCount.of(_recorded_cells(jury)) if jury.read.recorded else None,
        absent=sum(map(len, jury.table.absent.values())),
        dropped=tuple(changes["dropped"]),
        judges_joined=tuple(changes["judges_joined"]),
        items_joined=tuple(changes["items_joined"]),
        forecast_by="" if jury.forecasts is None else jury.forecasts.by,
    )


def _named(jury: JuryState, pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[Any, Any]]:
    return ((jury.items[better], jury.items[worse]) for better, worse in pairs)


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
    return [*said, f"The answers about {number_of(more, 'more pair')} go against the order."] if more else said


def _recorded_cells(jury: JuryState) -> list[int]:
    """RecordedCount answers of each pair."""
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
    cells = recorded_of(RecordedCount.of(_recorded_cells(jury)))
    if centre is None:
        return [cells]
    name = in_sentence(jury.items[centre])
    return [
        f"{cells} Everything recorded is against {name}: no two of the others were ever compared, so which of "
        f"them is better cannot be proven from this, however clear the shares against {name} look. Claims "
        f"against {name} can be."
    ]


def objective_name(jury: JuryState) -> str:
    if jury.machine.required:
        return "require"
    if jury.read.objective is Objective.ORDER:
        return "order"
    return top_name(jury.read.k)


def failing_words(jury: JuryState) -> str:
    """What is counted or proven against the objective at the next resolution; empty: nothing."""
    return promise(jury, None).against_words


def _against(jury: JuryState) -> AgainstGoal | None:
    machine, resolutions = jury.machine, jury.read.resolutions
    if machine.step == len(resolutions) or len(jury.items) < 2:
        return None
    fails = [claim for claim in machine.required if machine.loses[machine.step][claim]]
    if fails:
        return AgainstGoal("counted", resolutions[machine.step], tuple(_named(jury, fails)))
    if machine.refuted:
        return AgainstGoal("refuted", resolutions[-1], tuple(_named(jury, refuted_claims(jury))))
    return AgainstGoal("none", resolutions[machine.step]) if machine.none_exists else None


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
    silent = [book.pair for book in books if book.known >= KNOWN and not book.answered]
    if not silent:
        return []
    named = "; ".join(in_sentences((jury.items[i], jury.items[j]), " and ") for i, j in sorted(silent)[:LISTED])
    more = f" and {len(silent) - LISTED} more pairs" if len(silent) > LISTED else ""
    return [f"Every question about {named}{more} was refused or failed: nothing can be proven about them."]


def warnings(jury: JuryState, circle: Sequence[Any]) -> tuple[str, ...]:
    """What a reader should know before relying on it."""
    found = unrecorded_words(jury)
    if circle:
        found.append(f"The answers so far go round in a circle: {in_sentences((*circle, circle[0]), ' > ')}.")
    side, cases = ("order shown", "pairs on a case") if jury.read.together else ("side", "cases")
    for u, name in enumerate(jury.judge_names):
        turned, seen = jury.tally.flipped[u], jury.tally.both_sides[u]
        if turns_with_side(turned, seen, place=u):
            found.append(
                f"Judge {in_sentence(name)} changes its answer with the {side}: {turned:,} of {seen:,} {cases}."
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
            f"{number_of(repeats, 'question')} came to a judge who had seen the case before, with other outputs: "
            "people remember, and the promise assumes that an answer does not depend on what else is asked."
        )
    if jury.table.fresh:
        found.append("Judges that repeat themselves (temperature 0) break the assumption of fresh answers.")
    return tuple(found)
