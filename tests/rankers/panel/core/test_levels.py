"""How δ is shared, and the proof of the lines' level by brute force over all tournaments with N ≤ 6."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations, product

import pytest

from juryrank.core.levels import Objective, epoch_error, false_proofs, level_of, read_objective
from juryrank.errors import BadInput, UnknownName


def tournaments(n):
    """Every tournament up to renaming (items by falling number of wins), as the set of (better, worse)."""
    pairs = list(combinations(range(n), 2))
    for flips in product((False, True), repeat=len(pairs)):
        edges = {(j, i) if flip else (i, j) for (i, j), flip in zip(pairs, flips, strict=True)}
        wins = [sum(a == i for a, _ in edges) for i in range(n)]
        if wins == sorted(wins, reverse=True):
            yield edges


def components(n, edges):
    """Strong components, best first: in a tournament, a prefix by wins that beats all the rest is a cut."""
    order = sorted(range(n), key=lambda i: -sum(a == i for a, _ in edges))
    parts, start = [], 0
    for k in range(1, n + 1):
        if all((a, b) in edges for a in order[:k] for b in order[k:]):
            parts.append(order[start:k])
            start = k
    return parts


def circle_through(part, edges):
    for way in permutations(part[1:]):
        path = [part[0], *way]
        if all((a, b) in edges for a, b in zip(path, [*path[1:], path[0]], strict=True)):
            return path
    raise AssertionError("a strong component of a tournament has a Hamiltonian cycle")


def path_and_closing_edges(n, edges):
    path, closing = [], []
    for part in components(n, edges):
        if len(part) > 1:
            part = circle_through(part, edges)
            closing.append((part[-1], part[0]))
        path.extend(part)
    return path, list(pairwise(path)), closing


def false_sets(n, edges, sizes):
    """Sets that do not dominate: somebody outside is preferred to somebody inside."""
    for size in sizes:
        for chosen in combinations(range(n), size):
            inside = set(chosen)
            if any(a not in inside and b in inside for a, b in edges):
                yield inside


def caught(inside, proofs):
    """Is one of the fixed true edges denied by a line under this set?"""
    return any(a not in inside and b in inside for a, b in proofs)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_every_false_line_needs_a_false_proof_on_a_fixed_set_of_edges(n):
    allowed, attained = false_proofs(n, Objective.TIERS), 0
    for edges in tournaments(n):
        _, links, closing = path_and_closing_edges(n, edges)
        fixed = links + closing
        assert all(edge in edges for edge in fixed)
        assert len(fixed) <= allowed
        attained = max(attained, len(fixed))
        assert all(caught(inside, fixed) for inside in false_sets(n, edges, range(1, n)))
    assert attained == allowed  # no smaller count would do for this construction


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_for_one_size_the_path_and_one_more_pair_suffice(n):
    for edges in tournaments(n):
        path, links, _ = path_and_closing_edges(n, edges)
        for k in range(1, n):
            prefix = set(path[:k])
            extra = [(a, b) for a, b in edges if a not in prefix and b in prefix][:1]
            fixed = links + extra
            assert len(fixed) <= n
            assert all(caught(inside, fixed) for inside in false_sets(n, edges, [k]))
            if not extra:
                assert len(fixed) <= n - 1
    assert false_proofs(n, Objective.TOP) == (1 if n == 2 else n)


def test_levels_of_ten_items():
    assert false_proofs(10, Objective.RANGES) == 45
    assert false_proofs(10, Objective.TIERS) == 12
    assert false_proofs(10, Objective.TOP) == 10
    assert false_proofs(10, Objective.TIERS, scores=True) == 9


def test_epochs_and_attempts_share_the_whole_error_and_no_more():
    epochs = sum(epoch_error(0.1, e, joining=True) for e in range(2000))
    attempts = sum(level_of(0.1, m) for m in range(1, 2000))
    assert 0.0999 < epochs <= 0.1 and 0.0999 < attempts <= 0.1
    assert epoch_error(0.1, 0, joining=False) == 0.1


@pytest.mark.parametrize(
    ("text", "k", "found"),
    [
        ("ranges", None, (Objective.RANGES, None)),
        ("best", None, (Objective.TOP, 1)),
        ("top-3", None, (Objective.TOP, 3)),
        ("Top 3", 3, (Objective.TOP, 3)),
        ("top-k", 4, (Objective.TOP, 4)),
        ("order", None, (Objective.ORDER, None)),
    ],
)
def test_objectives_as_people_write_them(text, k, found):
    assert read_objective(text, k) == found


@pytest.mark.parametrize(("text", "k"), [("top-k", None), ("top-3", 4), ("best", 2)])
def test_objectives_that_contradict_themselves(text, k):
    with pytest.raises(BadInput):
        read_objective(text, k)


def test_an_unknown_objective_lists_the_known_ones():
    with pytest.raises(UnknownName, match="tiers"):
        read_objective("podium")
