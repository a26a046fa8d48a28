"""The paper's pseudocode as plain, slow Python: what the rankers, and certificates of theirs, are held against.

Every procedure is a generator: it yields what it `Wants` to ask, one of `users` at random about z or j, and is
sent who answered and whether z was preferred. Written from the paper's listings, with the text's slips
settled; shares no code with the rankers. Names are the paper's.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

Q = 15 / 16

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wants:
    """The next question: `stage` and `duel` say which part of the algorithm asks it.

    `allowed`: with several questions out at once, an answer of these judges counts here too.
    """

    stage: str
    duel: int
    users: Sequence[int]
    z: int
    j: int
    allowed: Sequence[int] = ()


Steps: TypeAlias = Generator[Wants, tuple[int, bool], T]


@dataclass(frozen=True, slots=True)
class PaperSettings:
    """`paper` or `released`, and what both need."""

    n_items: int
    n_judges: int
    delta: float
    released: bool = False
    adaptive: bool = False

    def log(self, x: float) -> float:
        return math.log2(x) if self.released else math.log(x)


@dataclass
class Node:
    """A node of the preference interval tree."""

    left: int
    right: int
    mid: int
    parent: Node | None = None
    lchild: Node | None = None
    rchild: Node | None = None
    count: int = 0
    leaves: list[Node] = field(default_factory=list)


def build_pit(n: int) -> Node:
    """Algorithm "Build PIT" over n ranked items; positions -1 and n stand for the sentinels."""
    root = Node(-1, n, (n - 1) // 2)
    queue, leaves = deque([root]), []
    while queue:
        x = queue.popleft()
        if x.right - x.left > 1:
            x.lchild = Node(x.left, x.mid, (x.left + x.mid) // 2, x)
            x.rchild = Node(x.mid, x.right, (x.mid + x.right) // 2, x)
            queue += [x.lchild, x.rchild]
        else:
            leaves.append(x)
    root.leaves = sorted(leaves, key=lambda leaf: leaf.left)
    return root


class Globals:
    """The global variables of the paper's listings."""

    def __init__(self, settings: PaperSettings, take: Callable[[int, str], None] = lambda *steps: None) -> None:
        self.set, self.take = settings, take  # `take`: says beforehand how many steps something will be
        self.s = [0] * settings.n_judges
        self.n = [0] * settings.n_judges
        self.users: list[int] = list(range(settings.n_judges))
        self.A: dict[tuple[int, int], int] = {}
        self.B: dict[tuple[int, int], int] = {}
        self.stage, self.duel = "rank", 0

    # Algorithm ATC
    def atc(self, z: int, j: int, users: Sequence[int], epsilon: float, delta: float) -> Steps[bool]:
        r_max = math.ceil(self.set.log(2 / delta) / (2 * epsilon**2))
        r = w = 0
        while r < r_max:
            u, y = yield Wants(self.stage, self.duel, users, z, j)
            self.s[u] += 1
            r += 1
            said = self.A if y else self.B
            said[j, u] = said.get((j, u), 0) + 1
            w += y
            if abs(w / r - 1 / 2) >= math.sqrt(self.set.log(math.pi**2 * r**2 / (3 * delta)) / (2 * r)):
                break
        return w / r > 1 / 2

    def beats(
        self, z: int, ans: list[int], position: int, users: Sequence[int], epsilon: float, delta: float
    ) -> Steps[bool]:
        """ATC against a position of the list, sentinels answered at once."""
        self.duel += 1
        if position == -1:
            return True
        if position == len(ans):
            return False
        return (yield from self.atc(z, ans[position], users, epsilon, delta))

    # Algorithm ATI; `ans` is worst first. Returns the position to insert before, or None: unsure.
    def ati(self, z: int, ans: list[int], users: Sequence[int], epsilon: float, delta: float) -> Steps[int | None]:
        self.take(10 * len(ans), "so many insertions")
        root = build_pit(len(ans))
        h = math.ceil(1 + math.log2(1 + len(ans)))
        t_max = math.ceil(max(4 * h, 512 / 25 * self.set.log(2 / delta)))
        x = root
        for t in range(1, t_max + 1):
            if x is root:
                won = yield from self.beats(z, ans, x.mid, users, epsilon, 1 - Q)
                x = _child(x, won)
            elif x.lchild is None:
                d = 1 - math.sqrt(Q)
                left = yield from self.beats(z, ans, x.left, users, epsilon, d)
                inside = left
                if left or self.set.released:
                    right = yield from self.beats(z, ans, x.right, users, epsilon, d)
                    inside = left and not right
                if inside:
                    x.count += 1
                    if x.count > t / 2 + math.sqrt(t / 2 * self.set.log(math.pi**2 * t**2 / (3 * delta))) + 1:
                        return x.right
                elif x.count > 0:
                    x.count -= 1
                else:
                    x = _parent(x)
            else:
                d = 1 - Q ** (1 / 3)
                left = yield from self.beats(z, ans, x.left, users, epsilon, d)
                away = not left
                if left or self.set.released:
                    right = yield from self.beats(z, ans, x.right, users, epsilon, d)
                    away = away or right
                if away:
                    x = _parent(x)
                else:
                    won = yield from self.beats(z, ans, x.mid, users, epsilon, d)
                    x = _child(x, won)
        for leaf in root.leaves:
            high = 1 + 5 / 16 * t_max
            if leaf.count > high or (leaf.count == high and not self.set.released):
                return leaf.right
        return None

    # Algorithm IAI
    def iai(self, z: int, ans: list[int], users: Sequence[int], delta: float) -> Steps[None]:
        t = 0
        while True:
            t += 1
            place = yield from self.ati(z, ans, users, 2 ** -(t + 1), 6 * delta / (math.pi**2 * t**2))
            if place is not None:
                ans.insert(place, z)
                return

    # Algorithm IIR (the main procedure); with `adaptive`, EliminateUser after each insertion
    def iir(self, items: Sequence[int], delta: float, users: Sequence[int]) -> Steps[list[int]]:
        self.duel = 0
        ans = list(items[:1])
        for z in items[1:]:
            self.A, self.B = {}, {}
            yield from self.iai(z, ans, users, delta / (len(items) - 1))
            at = ans.index(z)
            self.take(3 * len(ans) * self.set.n_judges, "so many judges for each item")
            for k, j in enumerate(ans):
                for u in range(self.set.n_judges):
                    self.n[u] += (self.A if k < at else self.B).get((j, u), 0) if j != z else 0
            if self.set.adaptive:
                d = self.set.delta if self.set.released else self.set.delta / (self.set.n_items - 1)
                users = self.users = self.eliminate_user(users, self.n, self.s, d, self.set.n_judges)
        return ans

    # Algorithm EliminateUser
    def eliminate_user(
        self, users: Sequence[int], n: Sequence[int], s: Sequence[int], delta: float, m_start: int
    ) -> list[int]:
        S = sum(s)
        s_min = min(s[u] for u in users)
        enough = 2 * m_start**2 * self.set.log(self.set.n_items * m_start / delta)
        if s_min == 0 or S < enough or (self.set.released and S == enough):
            return list(users)
        r = self.radius(users, s, delta)
        best = max(n[u] / s[u] for u in users)
        return [u for u in users if n[u] / s[u] + r >= best - r]

    def radius(self, users: Sequence[int], s: Sequence[int], delta: float) -> float:
        s_min = min(s[u] for u in users)
        return math.sqrt(self.set.log(2 * len(users) / delta) / (2 * s_min)) if s_min else math.inf

    # Successive elimination on a settled pair, as in the paper's experiments
    def successive(
        self, users: list[int], epsilon: float, delta: float, better: int, worse: int
    ) -> Steps[tuple[list[int], int]]:
        n, s = [0] * self.set.n_judges, [0] * self.set.n_judges
        members, m_start = users, len(users)
        while len(users) > 1 and not self.radius(users, s, delta) < epsilon:
            u, right = yield Wants("select", 0, users, better, worse, members)
            s[u] += 1
            n[u] += right
            users = self.eliminate_user(users, n, s, delta, m_start)
        best = max(users, key=lambda u: (n[u] / max(s[u], 1), -u))
        return users, best

    # Median-Elimination (Even-Dar et al. 2002); ties by `tie_break`
    def median(
        self, users: list[int], alpha: float, delta: float, better: int, worse: int,
        tie_break: Callable[[int, int], float],
    ) -> Steps[tuple[list[int], int]]:  # fmt: skip
        epsilon, d, asked = alpha / 4, delta / 2, 0
        while len(users) > 1:
            n, s = dict.fromkeys(users, 0), dict.fromkeys(users, 0)
            times = math.ceil(4 / epsilon**2 * math.log(3 / d))
            while (least := min(s.values())) < times:
                fewest = [u for u in users if s[u] == least]
                owing = [u for u in users if s[u] < times]
                u, right = yield Wants("select", 0, fewest, better, worse, owing)
                s[u] += 1
                n[u] += right
                asked += 1
            ranked = sorted(users, key=lambda u, n=n: (-n[u] / times, tie_break(asked, u)))  # type: ignore[misc]
            users = sorted(ranked[: math.ceil(len(ranked) / 2)])
            epsilon, d = 3 / 4 * epsilon, d / 2
        return users, users[0]

    # NUS / SUS and TSR / MTSR in one: `members` is the (sub)set in which a judge is sought
    def two_stage(
        self, *, members: list[int], stages: int, alpha: float, median: bool = False,
        tie_break: Callable[[int, int], float] = lambda asked, u: 0.0,
    ) -> Steps[list[int]]:  # fmt: skip
        delta = self.set.delta if self.set.released else self.set.delta / stages
        everybody = list(range(self.set.n_judges))
        self.stage = "pair"
        worse, better = yield from self.iir([0, 1], delta, everybody)
        if median:
            users, best = yield from self.median(members, alpha, delta, better, worse, tie_break)
        else:
            users, best = yield from self.successive(members, alpha, delta, better, worse)
        self.users = users if self.set.released else [best]
        self.stage = "rank"
        return (yield from self.iir(list(range(self.set.n_items)), delta, self.users))


def _child(x: Node, won: bool) -> Node:
    child = x.rchild if won else x.lchild
    assert child is not None  # only inner nodes are left downwards
    return child


def _parent(x: Node) -> Node:
    assert x.parent is not None  # only the root has none, and it is never left upwards
    return x.parent
