"""What a jury is doing: tallies per judge, progress, why there is no question now."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from juryrank.rankers.jury import asking
from juryrank.rankers.jury.core.candidates import answers_needed
from juryrank.rankers.jury.core.table import ALL, Pair
from juryrank.statements import resolution_of
from juryrank.statements.numbers import number_of
from juryrank.types import JudgeReport, Progress, Question, Status, Wait

if TYPE_CHECKING:
    from juryrank.rankers.jury.state import JuryState

FLIPS_WORTH_SAYING = 10  # cases seen on both sides before a share of flips is said
COUNTS = ("answered", "ties", "refused", "failed", "identical", "left", "both_sides", "flipped")


class JudgeCounts:
    """Per judge: answers, ties, refusals, how often the left side won, how often an answer flips with the side.

    Ties that took no call are counted apart.
    """

    def __init__(self, judges: int) -> None:
        for name in COUNTS:
            setattr(self, name, [0] * judges)
        # (pair, judge, case): value and side, while its other side is unseen; was the pair's first item left?
        self._seen: dict[tuple[Pair, int, int], tuple[float, bool]] = {}
        self.same: Counter[Pair] = Counter()  # ties that took no call, by pair

    def grow(self) -> None:
        """A judge joined."""
        for name in COUNTS:
            getattr(self, name).append(0)

    answered: list[int]
    ties: list[int]
    refused: list[int]
    failed: list[int]
    identical: list[int]
    left: list[int]
    both_sides: list[int]
    flipped: list[int]

    def calls(self, u: int) -> int:
        """Calls to a judge that are over."""
        return self.answered[u] + self.refused[u] + self.failed[u]

    def note(
        self, jury: JuryState, pair: Pair, place: int, question: Question, x: float | None, *, failed: bool
    ) -> None:
        """One call came back."""
        drawn = jury.machine.books[pair].drawn[place]
        u = drawn.judge
        if x is None:
            (self.failed if failed else self.refused)[u] += 1
            return
        self.answered[u] += 1
        self.ties[u] += x == 0
        first_left = jury.items[pair[0]] == question.left
        self.left[u] += x != 0 and (x > 0) == first_left
        if not jury.read.single:
            self._note_sides(pair, u, drawn.cell // jury.table.sides, x, first_left)

    def note_all(self, jury: JuryState, place: int, values: Mapping[Pair, float] | None, *, failed: bool) -> None:
        """One call came back that showed all: counted once, and each pair on both orders."""
        drawn = jury.machine.book(ALL).drawn[place]
        u = drawn.judge
        if values is None:
            (self.failed if failed else self.refused)[u] += 1
            return
        order = asking.shown_together(jury, u, drawn.cell)
        self.answered[u] += 1
        self.ties[u] += not any(values.values())
        lead = values[min(order[0], order[-1]), max(order[0], order[-1])]
        self.left[u] += lead != 0 and (lead > 0) == (order[0] < order[-1])
        for (i, j), x in values.items():
            self._note_sides((i, j), u, drawn.cell // jury.table.sides, x, order.index(i) < order.index(j))

    def _note_sides(self, pair: Pair, u: int, case: int, x: float, first_left: bool) -> None:
        """Compare with the answer on the other side; where answers are fresh, the same side may come again."""
        other, side = self._seen.get((pair, u, case), (0.0, first_left))
        if side == first_left:
            self._seen[pair, u, case] = x, first_left
            return
        del self._seen[pair, u, case]
        self.both_sides[u] += 1
        self.flipped[u] += x * other < 0

    def flips(self, u: int) -> float | None:
        """The share of cases whose answer flips with the side; None where too few were seen on both sides."""
        seen = self.both_sides[u]
        return self.flipped[u] / seen if seen >= FLIPS_WORTH_SAYING else None

    def waive(self, jury: JuryState, pair: Pair, question: Question) -> None:
        """That tie took no call: nobody was asked, and nobody said it."""
        u, place = jury.roster.judge(question.judge), question.terms["place"]
        self.identical[u] += 1
        self.answered[u] -= 1
        self.ties[u] -= 1
        case = jury.machine.book(pair).drawn[place].cell // jury.table.sides
        for one in jury.machine.books if pair == ALL else [pair]:
            self.same[one] += 1
            self._seen.pop((one, u, case), None)

    def state(self) -> dict[str, Any]:
        same = [[*pair, times] for pair, times in self.same.items()]
        seen = [[*pair, u, case, x, left] for (pair, u, case), (x, left) in self._seen.items()]
        counts = {name: getattr(self, name) for name in COUNTS}
        return {**counts, "seen": seen, "same": same}

    def load(self, saved: dict[str, Any]) -> None:
        for name in COUNTS:
            setattr(self, name, list(saved[name]))
        self.same = Counter({(i, j): times for i, j, times in saved["same"]})
        self._seen = {((i, j), u, case): (x, left) for i, j, u, case, x, left in saved["seen"]}


def progress(jury: JuryState) -> Progress:
    """Claims proven at each resolution, of the list that has most: another one takes nothing back."""
    machine = jury.machine
    lists = [attempt for attempt in (machine.working, machine.best) if attempt is not None]
    return Progress(
        items=len(jury.items),
        placed=len(jury.items),
        settled=max((int(attempt.proven.sum()) for attempt in lists), default=0),
        links=len(asking.needed_claims(jury)) * len(machine.resolutions),
        judges=len(jury.judge_names),
        active_judges=len(jury.judge_names) - len(jury.roster.paused),
        questions=jury.questions,
        open=len(jury.open_questions),
        cost=jury.cost,
        phase=_phase(jury),
        expected=_expected(jury),
        left=_left(jury),
    )


def _expected(jury: JuryState) -> float | None:
    """A guess at the questions in all, once a list is being proven: what its claims still need at the goal."""
    machine, attempt = jury.machine, jury.machine.working
    if machine.done:
        return float(jury.questions)
    if attempt is None or not machine.counted:
        return None
    step = len(machine.resolutions) - 1 if machine.required else machine.goal
    more = sum(answers_needed(machine, attempt, at, step) for at in range(len(attempt.claims)))
    return None if math.isinf(more) else jury.questions + more * jury.read.calls


def _left(jury: JuryState) -> str:
    """What is left to prove."""
    machine, attempt = jury.machine, jury.machine.working
    if machine.done:
        return "nothing left to prove"
    if attempt is None:
        return "looking for what to prove"
    step = min(attempt.steps, len(machine.resolutions) - 1)
    claims = len(attempt.claims)
    open_claims = claims - int(attempt.proven[:, step].sum())
    at = (
        f" at resolution {resolution_of(machine.resolutions.values[step])}"
        if machine.resolutions.values[step]
        else ""
    )
    return f"{open_claims:,} of {number_of(claims, 'claim')} left to prove{at}"


def _phase(jury: JuryState) -> str:
    machine = jury.machine
    if machine.done:
        return "finished"
    attempt = machine.working
    if attempt is None:
        return "search" if not machine.attempts else f"search after attempt {len(machine.attempts)}"
    step = min(attempt.steps, len(machine.resolutions) - 1)
    return f"proof at resolution {machine.resolutions.values[step]:g}"


def judge_report(jury: JuryState, u: int) -> JudgeReport:
    """One judge: nobody's accuracy is assumed or estimated; how often it agrees with the order found is said."""
    right, chosen = agreement(jury, u)
    return JudgeReport(
        name=jury.judge_names[u],
        asked=jury.roster.asked[u],
        answered=jury.roster.answered[u],
        right=float(right),
        accuracy=right / chosen if chosen else None,
        low=None,
        high=None,
        active=u not in jury.roster.paused,
        note=_note(jury, u),
        price=jury.roster.price(u),
    )


def agreement(jury: JuryState, u: int) -> tuple[float, float]:
    """(pairs where this judge's own answers agree with the order found, pairs where they lean at all)."""
    order = asking.current_order(jury)
    place = {item: at for at, item in enumerate(order)}
    right = chosen = 0
    for (i, j), book in jury.machine.books.items():
        lean = book.x[u]
        if lean:
            chosen += 1
            right += (lean > 0) == (place[i] < place[j])
    return right, chosen


def _note(jury: JuryState, u: int) -> str:
    tally = jury.tally
    words = []
    if u in jury.members.left:
        words.append("left: the table is that of the others")
    elif u in jury.roster.paused:
        words.append("set aside: its answers count against every claim until it is back")
    if tally.refused[u]:
        words.append(f"refused {tally.refused[u]:,} of {tally.calls(u):,}")
    if tally.failed[u]:
        words.append(f"no answer to {tally.failed[u]:,} of {tally.calls(u):,}, which count against every claim")
    flips = tally.flips(u)
    if flips is not None:
        side = "order shown" if jury.read.together else "side"
        words.append(f"{100 * flips:.0f} % of answers flip with the {side}")
    return "; ".join(words)


def why(jury: JuryState, judge: int | None) -> Status:
    """Why there is no question now, or that there is one."""
    if asking.next_waiting(jury, judge) is not None:
        return Status(Wait.READY, "There is a question: ask.")
    if jury.open_questions or jury.queue:
        return Status(Wait.WAIT, "No question is drawn for you now: others must answer first.")
    return Status(Wait.WAIT, _stuck_words([jury.judge_names[u] for u in sorted(jury.roster.paused)]))


def _stuck_words(aside: Sequence[object]) -> str:
    if aside:
        names = ", ".join(map(str, aside))
        return f"Everything else is asked; what is left needs {names}, set aside now. Resume them to go on."
    return "Everything that could be asked about what is to be proven is asked."
