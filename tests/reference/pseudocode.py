"""The paper's pseudocode as plain, slow Python: what the rankers are held against, question by question.

Every procedure is a generator: it yields a question (judge, z, j) and is sent True if that judge prefers z.
`choose` draws one judge from a list (the paper: "uniformly at random"). Written from the paper's listings with
the slips settled as the product's docs say; shares no code with the product.
"""

import math
from dataclasses import dataclass, field

Q = 15 / 16


@dataclass
class Settings:
    """`paper` or `released`, and what both need."""

    n_items: int
    n_judges: int
    delta: float
    choose: object
    released: bool = False
    adaptive: bool = False

    def log(self, x):
        return math.log2(x) if self.released else math.log(x)


@dataclass
class Node:
    left: float
    right: float
    mid: int
    parent: "Node | None" = None
    lchild: "Node | None" = None
    rchild: "Node | None" = None
    count: int = 0
    leaves: list = field(default_factory=list)


def build_pit(n):
    """Algorithm "Build PIT" over n ranked items; positions -1 and n stand for the sentinels."""
    root = Node(-1, n, (n - 1) // 2)
    queue, leaves = [root], []
    while queue:
        x = queue.pop(0)
        if x.right - x.left > 1:
            x.lchild = Node(x.left, x.mid, (x.left + x.mid) // 2, x)
            x.rchild = Node(x.mid, x.right, (x.mid + x.right) // 2, x)
            queue += [x.lchild, x.rchild]
        else:
            leaves.append(x)
    root.leaves = sorted(leaves, key=lambda leaf: leaf.left)
    return root


class Run:
    """The global variables of the paper's listings."""

    def __init__(self, settings):
        self.set = settings
        self.s = [0] * settings.n_judges
        self.n = [0] * settings.n_judges
        self.total = 0
        self.users = list(range(settings.n_judges))
        self.A = {}
        self.B = {}

    # Algorithm ATC
    def atc(self, z, j, users, epsilon, delta):
        r_max = math.ceil(self.set.log(2 / delta) / (2 * epsilon**2))
        r = w = 0
        while r < r_max:
            u = self.set.choose(users)
            y = yield (u, z, j)
            self.s[u] += 1
            self.total += 1
            r += 1
            if y:
                self.A[j, u] = self.A.get((j, u), 0) + 1
                w += 1
            else:
                self.B[j, u] = self.B.get((j, u), 0) + 1
            if abs(w / r - 1 / 2) >= math.sqrt(self.set.log(math.pi**2 * r**2 / (3 * delta)) / (2 * r)):
                break
        return w / r > 1 / 2

    def beats(self, z, ans, position, users, epsilon, delta):
        """ATC against a position of the list, sentinels answered at once."""
        if position == -1:
            return True
        if position == len(ans):
            return False
        return (yield from self.atc(z, ans[position], users, epsilon, delta))

    # Algorithm ATI; `ans` is worst first. Returns the position to insert before, or None: unsure.
    def ati(self, z, ans, users, epsilon, delta):
        root = build_pit(len(ans))
        h = math.ceil(1 + math.log2(1 + len(ans)))
        t_max = math.ceil(max(4 * h, 512 / 25 * self.set.log(2 / delta)))
        x = root
        for t in range(1, t_max + 1):
            if x is root:
                won = yield from self.beats(z, ans, x.mid, users, epsilon, 1 - Q)
                x = x.rchild if won else x.lchild
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
                    x = x.parent
            else:
                d = 1 - Q ** (1 / 3)
                left = yield from self.beats(z, ans, x.left, users, epsilon, d)
                away = not left
                if left or self.set.released:
                    right = yield from self.beats(z, ans, x.right, users, epsilon, d)
                    away = away or right
                if away:
                    x = x.parent
                else:
                    won = yield from self.beats(z, ans, x.mid, users, epsilon, d)
                    x = x.rchild if won else x.lchild
        for leaf in root.leaves:
            high = 1 + 5 / 16 * t_max
            if leaf.count > high or (leaf.count == high and not self.set.released):
                return leaf.right
        return None

    # Algorithm IAI
    def iai(self, z, ans, users, delta):
        t = 0
        while True:
            t += 1
            place = yield from self.ati(z, ans, users, 2 ** -(t + 1), 6 * delta / (math.pi**2 * t**2))
            if place is not None:
                ans.insert(place, z)
                return

    # Algorithm IIR (the main procedure); with `adaptive`, EliminateUser after each insertion
    def iir(self, items, delta, users):
        ans = [items[0]]
        for z in items[1:]:
            self.A, self.B = {}, {}
            yield from self.iai(z, ans, users, delta / (len(items) - 1))
            at = ans.index(z)
            for k, j in enumerate(ans):
                for u in range(self.set.n_judges):
                    self.n[u] += (self.A if k < at else self.B).get((j, u), 0) if j != z else 0
            if self.set.adaptive:
                d = self.set.delta if self.set.released else self.set.delta / (self.set.n_items - 1)
                users = self.eliminate_user(users, self.n, self.s, d, self.set.n_judges)
                self.users = users
        return ans

    # Algorithm EliminateUser
    def eliminate_user(self, users, n, s, delta, m_start):
        S = sum(s)
        s_min = min(s[u] for u in users)
        enough = 2 * m_start**2 * self.set.log(self.set.n_items * m_start / delta)
        if s_min == 0 or S < enough or (self.set.released and S == enough):
            return users
        r = self.radius(users, s, delta)
        best = max(n[u] / s[u] for u in users)
        return [u for u in users if n[u] / s[u] + r >= best - r]

    def radius(self, users, s, delta):
        s_min = min(s[u] for u in users)
        return math.sqrt(self.set.log(2 * len(users) / delta) / (2 * s_min)) if s_min else math.inf

    # Successive elimination on a settled pair, as in the paper's experiments
    def successive(self, users, epsilon, delta, better, worse):
        n, s = [0] * self.set.n_judges, [0] * self.set.n_judges
        m_start = len(users)
        while len(users) > 1 and not self.radius(users, s, delta) < epsilon:
            u = self.set.choose(users)
            right = yield (u, better, worse)
            s[u] += 1
            n[u] += right
            users = self.eliminate_user(users, n, s, delta, m_start)
        best = max(users, key=lambda u: (n[u] / max(s[u], 1), -u))
        return users, best

    # Median-Elimination (Even-Dar et al. 2002); ties by `tie_break`
    def median(self, users, alpha, delta, better, worse, tie_break):
        epsilon, d, asked = alpha / 4, delta / 2, 0
        while len(users) > 1:
            n = dict.fromkeys(users, 0)
            times = math.ceil(4 / epsilon**2 * math.log(3 / d))
            for _ in range(times):
                owing = list(users)
                while owing:
                    u = self.set.choose(owing)
                    owing.remove(u)
                    n[u] += yield (u, better, worse)
                    asked += 1
            ranked = sorted(users, key=lambda u, n=n: (-n[u] / times, tie_break(asked, u)))
            users = sorted(ranked[: math.ceil(len(ranked) / 2)])
            epsilon, d = 3 / 4 * epsilon, d / 2
        return users, users[0]

    # NUS / SUS and TSR / MTSR in one: `members` is the (sub)set in which a judge is sought
    def two_stage(self, *, members, stages, alpha, median=False, tie_break=None):
        delta = self.set.delta if self.set.released else self.set.delta / stages
        everybody = list(range(self.set.n_judges))
        worse, better = yield from self.iir([0, 1], delta, everybody)
        if median:
            users, best = yield from self.median(members, alpha, delta, better, worse, tie_break)
        else:
            users, best = yield from self.successive(members, alpha, delta, better, worse)
        self.users = users if self.set.released else [best]
        return (yield from self.iir(list(range(self.set.n_items)), delta, self.users))
