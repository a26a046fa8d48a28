"""What the events of a jury prove: every draw drawn again, every count counted again."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from juryrank.statements import RecordedCount, resolution_of
from juryrank.statements.cases import AgainstGoal, CasesPromise, Evaluation, ProofStrength
from juryrank.statements.numbers import number_of, top_name
from juryrank.types import Link
from juryrank.verify.arithmetic.levels import attempt_level
from juryrank.verify.jury.book import Book
from juryrank.verify.jury.cells import value
from juryrank.verify.jury.evidence import UNCHOSEN
from juryrank.verify.jury.forecasts import ListedForesight
from juryrank.verify.jury.lists import BookOf, Listed, Refuted, needed, prove, refuted
from juryrank.verify.jury.setup import JuryOptions, read_setup
from juryrank.verify.jury.together import walk_of
from juryrank.verify.jury.walk import LogWalk
from juryrank.verify.record import Record
from juryrank.verify.report import Check, Claim, Finding
from juryrank.verify.room import Room

# ----------------------------------------------------------------------------
# Ranks of a proven chain: fixed, but where the answers about two of its items say that it goes in a circle
FEWEST = 2  # answers about a pair before they leave ranks open
LEVEL = 1e-9


def against(order: Sequence[str], books: Iterable[Book]) -> list[tuple[str, str]]:
    """Pairs of the order, neighbours apart, about which two answers or more prefer the lower item."""
    place, found = {item: k for k, item in enumerate(order)}, []
    for book in sorted(books, key=lambda one: sorted((place[one.first], place[one.second]))):
        above, below = sorted((book.first, book.second), key=place.__getitem__)
        if place[below] - place[above] < 2:
            continue
        told = [value(book.setup, draw)[:2] for draw in book.draws if draw.settled and not draw.aside]
        said = [x for x, given in told if given > 0]
        lean = sum(said) if book.first == above else -sum(said)
        if len(said) >= FEWEST and lean < -LEVEL:
            found.append((above, below))
    return found


def ranks(order: Sequence[str], turned: Sequence[tuple[str, str]]) -> dict[str, tuple[int, int]]:
    """The ranks that each item of a chain can have: whoever stands in a circle can have all of its places.

    >>> ranks("abcd", [("a", "c")])
    {'a': (1, 3), 'b': (1, 3), 'c': (1, 3), 'd': (4, 4)}
    """
    place = {item: rank for rank, item in enumerate(order, 1)}
    circle = {rank: rank for rank in place.values()}  # rank: the first of its circle
    for above, below in turned:
        first = circle[place[above]]
        for rank in range(place[above], place[below] + 1):
            first = min(first, circle[rank])
        joined = {circle[rank] for rank in range(place[above], place[below] + 1)}
        circle = {rank: first if start in joined else start for rank, start in circle.items()}
    last = {start: max(rank for rank, of in circle.items() if of == start) for start in circle.values()}
    return {item: (circle[rank], last[circle[rank]]) for item, rank in place.items()}


# ----------------------------------------------------------------------------
# What the answers rule out by count: required claims, or every choice that could meet the objective
MOST_SETS = 5000  # sets looked at before nothing is said


def failing_claims(setup: JuryOptions, step: int, book_of: BookOf) -> list[tuple[str, str]]:
    """The required claims that are counted false at this resolution."""
    if setup.objective != "require" or step == len(setup.resolutions):
        return []
    return [claim for claim in setup.required if _loses(setup, step, book_of, *claim)]


def none_exists(setup: JuryOptions, step: int, books: Iterable[Book], room: Room) -> bool:
    """Is it counted that no k systems are each at least as good as every other one at this resolution?"""
    if setup.objective != "top" or step == len(setup.resolutions) or len(setup.items) < 2:
        return False
    number = {item: i for i, item in enumerate(setup.items)}
    beaten_by: list[list[int]] = [[] for _ in setup.items]
    for book in books:
        for item, other in ((book.first, book.second), (book.second, book.first)):
            if book.by_count(item, setup.resolutions[step]) is False:
                beaten_by[number[item]].append(number[other])
    if setup.k == 1:
        return all(beaten_by)
    return not _choice_exists(beaten_by, int(setup.k or 0), room)


def _loses(setup: JuryOptions, step: int, book_of: BookOf, better: str, worse: str) -> bool:
    book = book_of(better, worse)
    return book is not None and book.by_count(better, setup.resolutions[step]) is False


def _choice_exists(beaten_by: Sequence[Sequence[int]], k: int, room: Room) -> bool:
    """Is there a set of k that holds whatever beats a member? (True where telling takes too long.)

    >>> circle = [[2], [0], [1], []]  # 0 loses to 2, 1 to 0, 2 to 1
    >>> _choice_exists(circle, 2, Room()), _choice_exists(circle, 3, Room())
    (False, True)
    """
    needs = {_with_all_above(beaten_by, item, room) for item in range(len(beaten_by))}
    seen, waiting = {frozenset[int]()}, [frozenset[int]()]
    while waiting:
        base = waiting.pop()
        room.take(len(needs) * (1 + k // 10), "which systems could be chosen")
        for more in needs:
            union = base | more
            if len(union) == k or len(seen) > MOST_SETS:
                return True
            if len(union) < k and union not in seen:
                seen.add(union)
                waiting.append(union)
    return False


def _with_all_above(beaten_by: Sequence[Sequence[int]], item: int, room: Room) -> frozenset[int]:
    """An item, what beats it, what beats that, and so on."""
    found, waiting = {item}, [item]
    while waiting:
        next_one = beaten_by[waiting.pop()]
        room.take(1 + len(next_one), "which systems could be chosen")
        new = set(next_one) - found
        found |= new
        waiting += new
    return frozenset(found)


# ----------------------------------------------------------------------------
# What a proof would survive, counted by the checker: the worst of all silence, and another choice of the list
@dataclass(frozen=True, slots=True)
class Strength:
    """`survives`: the worst of what was not said. `from_first_draw`: whichever list was chosen, and whenever."""

    survives: bool
    from_first_draw: bool
    silent: bool  # was anything refused, failed or dropped?

    def details(self) -> dict[str, bool]:
        return {"survives": self.survives, "from_first_draw": self.from_first_draw}

    def claimed(self) -> ProofStrength:
        """As the promise says it: nothing is said of silence where there is none."""
        return ProofStrength(self.survives if self.silent else None, self.from_first_draw)


def strength(walk: LogWalk, best: Listed, *, refuting: bool = False) -> Strength:
    """What the list that proves most would survive; `refuting`: what its refutation would."""
    survives = _survives(walk, best, refuting=refuting)
    return Strength(survives, _from_first_draw(walk, best, refuting=refuting), _silent(walk))


def _silent(walk: LogWalk) -> bool:
    draws = (draw for book in walk.books.values() for draw in book.draws if draw.settled)
    return bool(walk.setup.left) or any(
        draw.aside or any(x is None for x in draw.answers.values()) for draw in draws
    )


def _survives(walk: LogWalk, best: Listed, *, refuting: bool) -> bool:
    """With refused, failed and missing answers against it, and those who were dropped in the table again."""
    setup = replace(walk.setup, against=True)
    if walk.dropped:
        setup = setup.without(setup.left - walk.dropped)
    pairs = map(frozenset, best.claims)
    worst = {pair: walk.books[pair].at_worst(setup, walk.dropped) for pair in pairs if pair in walk.books}

    def found(one: str, other: str) -> Book | None:
        return worst.get(frozenset((one, other)))

    if refuting:
        return bool(refuted(setup, best, found, walk.record.room))
    again = _blank(best)
    prove(setup, again, found, walk.record.room)
    return again.steps >= best.steps > 0


def _from_first_draw(walk: LogWalk, best: Listed, *, refuting: bool) -> bool:
    """From each pair's first draw, with a prior that nobody chose, at δ shared by all claims that there are.

    Whoever may set judges aside and knows the seed chooses what is drawn: then nothing does.
    """
    books = filter(None, (walk.found(*claim) for claim in best.claims))
    if walk.changed or any(draw.without for book in books for draw in book.draws):
        return False
    n = len(walk.setup.items)
    level = Fraction(walk.setup.error) / (n * (n - 1))
    if refuting:
        first = replace(best, starts={})
        return bool(refuted(walk.setup, first, walk.found, walk.record.room, level=level))
    again = _blank(best)
    again.priors, again.square = [UNCHOSEN] * len(best.claims), 1.0
    again.foresight = None if best.foresight is None else ListedForesight()
    again.starts = dict.fromkeys(best.claims, 0)
    prove(walk.setup, again, walk.found, walk.record.room, level=level)
    return again.steps >= best.steps > 0


def _blank(listed: Listed) -> Listed:
    blank = [[False] * len(row) for row in listed.proven]
    return replace(listed, proven=blank, most=[], priors=list(listed.priors), starts=dict(listed.starts))


# ----------------------------------------------------------------------------
# What the events of a jury prove: every draw drawn again, every count counted again
ASSUMED = (
    "That an answer does not depend on what else is asked is taken as given; so is that nobody knew the seed."
)

LARGEST_LOG = 700.0  # evidence is shown as a number; more than e^700 does not fit one
PAUSES = (
    "Before or while it was asked, judges were set aside or came back {:,} times. Who knows the seed, and may "
    "choose when, chooses what is drawn: ask why it was done, if it was often."
)
UNCHECKED = "Ties recorded without asking, as both outputs were the same: {:,}. The outputs are not on record."


def check(record: Record, shown: Sequence[str]) -> Finding:
    """The jury's own checks, and what they prove."""
    try:
        setup = read_setup(record)
    except (ValueError, TypeError, KeyError) as problem:
        return Finding((Check("options", False, f"these are not options of this ranker: {problem}"),))
    if sorted(shown) != sorted(record.items):
        return Finding((Check("options", False, "the order shown does not hold each item once"),))
    options = Check(
        "options",
        True,
        f"{_objective(setup)}, {number_of(len(setup.cases), 'case')}, resolution {_resolution(setup)}",
    )
    walk = walk_of(setup, record)
    try:
        walk.run()
    except ValueError as problem:
        return Finding((options, Check("draws", False, str(problem))))
    setup = walk.setup  # as it is at the end
    more = f"; {number_of(walk.foreign, 'question')} outside any draw, not counted" if walk.foreign else ""
    draws = Check(
        "draws", True, f"{number_of(walk.drawn, 'cell')}, each drawn again from the seed and shown as drawn{more}"
    )
    best = _best(setup, walk, shown)
    evidence = Check(
        "evidence", True, f"{number_of(len(walk.lists), 'list')} fixed before the evidence, recounted in order"
    )
    unchecked = (UNCHECKED.format(walk.outputs.unchecked),) if walk.outputs.unchecked else ()
    pauses = (PAUSES.format(walk.pauses),) if walk.pauses else ()
    return _finding(walk, (options, draws, evidence), best, extra=(*unchecked, *pauses))


def _best(setup: JuryOptions, walk: LogWalk, shown: Sequence[str]) -> Listed:
    """The list that proves most: one on record, or the order shown where counting alone decides it.

    Of lists that prove as much, the one that is shown.
    """
    current = walk.lists[walk.since :]
    for listed in current:
        prove(setup, listed, walk.found, walk.record.room)
    claims = needed(setup, shown, walk.record.room) if len(setup.items) > 1 else []
    blank = [[False] * len(setup.resolutions) for _ in claims]
    counted = Listed(0, list(shown), claims, [(0.0, 0.0)] * len(claims), 1.0, blank)
    prove(setup, counted, walk.found, walk.record.room)
    wanted = set(claims)

    def proves(one: Listed) -> tuple[int, int, bool, int]:
        return one.steps, sum(one.stated().values()), set(one.claims) == wanted, one.number

    return max([counted, *current], key=proves)


def _finding(
    walk: LogWalk,
    checks: tuple[Check, ...],
    best: Listed,
    *,
    extra: tuple[str, ...] = (),
) -> Finding:
    setup, steps, stated = walk.setup, best.steps, best.stated()
    lists = walk.lists[walk.since :]
    against_it = refuted(setup, lists[-1], walk.found, walk.record.room) if lists else []
    strong = None
    if len(setup.items) > 1 and (steps or against_it):
        strong = strength(walk, best if steps else lists[-1], refuting=not steps)
    resolution = setup.resolutions[steps - 1] if steps else None
    chain = setup.objective == "order" and resolution == 0 and len(setup.items) > 1
    turned = against(best.order, walk.books.values()) if chain else []
    walk.record.room.take(3 * len(turned) * len(best.order), "so many circles")
    whole = chain and not turned
    level = None if best.number == 0 else float(attempt_level(setup.error, best.number))
    claims: list[Claim] = [(better, worse, level) for better, worse in sorted(stated)]
    rows = [[a, b, setup.resolutions[stated[a, b] - 1] if (a, b) in stated else None] for a, b in best.claims]
    return Finding(
        checks,
        proven=steps > 0,
        order=tuple(best.order) if whole else None,
        claims=tuple(claims),
        ranges=ranks(best.order, turned) if chain else _ranges(setup, best.order, resolution),
        promise=_promise(walk, best, against_it, strong, circle=bool(turned)),
        refuted=bool(against_it),
        details={
            "objective": _objective(setup),
            "resolution": resolution,
            "cases": 0 if setup.cases == (None,) else len(setup.cases),
            "judges": [judge for u, judge in enumerate(setup.judges) if u not in setup.left],
            "dropped": [setup.judges[u] for u in sorted(walk.dropped)],
            "joined": walk.joined,
            "mode": "fresh" if setup.fresh else "table",
            "attempt": best.number or None,
            "claims": rows,
            "refuted": [[*one.claim, one.level] for one in against_it],
            **(strong.details() if strong else {}),
        },
        links=tuple(_links(walk, best, level)),
        notes=(ASSUMED, *extra),
    )


def _promise(
    walk: LogWalk, best: Listed, against_it: Sequence[Refuted], strong: Strength | None, *, circle: bool
) -> CasesPromise:
    setup, steps = walk.setup, best.steps
    order: Sequence[str] = () if setup.objective == "require" or not steps else best.order
    if setup.objective == "top":
        order = [item for item in setup.items if item in order[: setup.k]]  # a set has no order of its own
    return CasesPromise(
        error=setup.error,
        goal=_objective(setup),
        about=_evaluation(walk),
        order=tuple(order),
        required=setup.required,
        resolutions=setup.resolutions[:steps],
        counted=steps > 0 and all(reached[steps - 1] is None for reached in best.most),
        circle=circle,
        refuted=bool(against_it),
        against=_against(walk, steps, against_it),
        strength=strong.claimed() if strong else None,
    )


def _against(walk: LogWalk, step: int, against_it: Sequence[Refuted]) -> AgainstGoal | None:
    setup = walk.setup
    if step == len(setup.resolutions):
        return None
    if fails := failing_claims(setup, step, walk.found):
        return AgainstGoal("counted", setup.resolutions[step], tuple(fails))
    if against_it:
        return AgainstGoal("refuted", setup.resolutions[-1], tuple(one.claim for one in against_it))
    none = none_exists(setup, step, walk.books.values(), walk.record.room)
    return AgainstGoal("none", setup.resolutions[step]) if none else None


def _evaluation(walk: LogWalk) -> Evaluation:
    record, setup = walk.record, walk.setup
    shares = {share for u, share in enumerate(setup.shares) if u not in setup.left}
    gone = {pair: len(cases.intersection(setup.cases)) for pair, cases in setup.absent.items()}
    pairs = map(frozenset, combinations(setup.items, 2)) if setup.recorded else ()
    cells = tuple(setup.active * (len(setup.cases) - gone.get(pair, 0)) for pair in pairs)
    return Evaluation(
        items=len(setup.items),
        judges=setup.active,
        cases=None if setup.cases == (None,) else len(setup.cases),
        both_sides=not setup.single,
        together=setup.together,
        fresh=setup.fresh,
        refusals_against=setup.against,
        weighed=max(len(shares), len(set(setup.case_weights))) > 1,
        seed_from=setup.seed_from,
        recorded=RecordedCount.of(cells) if setup.recorded else None,
        absent=sum(gone.values()),
        dropped=tuple(setup.judges[u] for u in sorted(walk.dropped)),
        judges_joined=tuple(setup.judges[record.founders :]),
        items_joined=tuple(setup.items[record.first_items :]),
        forecast_by=setup.forecast_by,
    )


def _links(walk: LogWalk, best: Listed, level: float | None) -> Iterator[Link]:
    """Each claim with the most evidence that it had, at the finest resolution at which it is stated."""
    stated = best.stated()
    for pair, reached in zip(best.claims, best.most, strict=True):
        log = reached[max(stated.get(pair, 1) - 1, 0)]
        evidence = None if log is None or level is None else math.exp(min(log, LARGEST_LOG))
        book = walk.found(*pair)
        yield Link(*pair, pair in stated, evidence, level, *(book.votes(pair[0]) if book else ()))


def _ranges(setup: JuryOptions, order: Sequence[str], resolution: float | None) -> dict[str, tuple[int, int]]:
    n, k = len(order), setup.k
    if resolution != 0 or setup.objective in (
        "order",
        "require",
    ):  # at ε > 0 whoever is stated over another may be behind it
        return dict.fromkeys(setup.items, (1, n))
    return {item: (1, k) if rank <= k else (k + 1, n) for rank, item in enumerate(order, 1)}


def _objective(setup: JuryOptions) -> str:
    if setup.objective == "top":
        return top_name(setup.k)
    return setup.objective


def _resolution(setup: JuryOptions) -> str:
    return ", ".join(map(resolution_of, setup.resolutions))
