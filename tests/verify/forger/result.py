"""Alterations of a certificate's result: every value, list and name in it, made larger, smaller, other or gone."""

import copy

from tests.verify.forger.leaves import at, leaves, other, put


def inner(value, path=()):
    """Every place that holds a list or an object."""
    if isinstance(value, dict | list):
        yield path
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, below in pairs:
            yield from inner(below, (*path, key))


def another_value(rng, forged):
    """A leaf becomes another of its kind, or of another kind."""
    path = rng.choice(list(leaves(forged["result"])))
    before = at(forged["result"], path)
    names = [*forged["settings"]["items"], *forged["settings"]["judges"]]
    choices = [other(before), None, "yes", rng.choice(names), 0, 1, True, False, 0.5, [], {}]
    if isinstance(before, int | float) and not isinstance(before, bool):
        choices += [before * 10, before / 10, -before, before * (1 + 1e-6), float(before), before + 1, before - 1]
    put(forged["result"], path, rng.choice(choices))


def fewer(rng, forged):
    """An entry is gone."""
    path = rng.choice([path for path in inner(forged["result"]) if at(forged["result"], path)])
    held = at(forged["result"], path)
    del held[rng.choice(list(held) if isinstance(held, dict) else range(len(held)))]


def more(rng, forged):
    """An entry too many: one that stands there twice, or one that was never there."""
    path = rng.choice(list(inner(forged["result"])))
    held = at(forged["result"], path)
    if isinstance(held, dict):
        held[rng.choice(["weight", "certified", "by", ""])] = rng.choice([True, 1, "ann", None])
    else:
        entry = copy.deepcopy(rng.choice(held)) if held else rng.choice(["a", 1, []])
        held.insert(rng.randint(0, len(held)), entry)


def other_order(rng, forged):
    """A list in another order."""
    lists = [path for path in inner(forged["result"]) if isinstance(at(forged["result"], path), list)]
    held = at(forged["result"], rng.choice(lists))
    if rng.random() < 0.5:
        held.reverse()
    else:
        rng.shuffle(held)


def whole(rng, forged):
    """Called proven and certified, with exact ranks, whatever is missing."""
    order, result = list(forged["estimates"]["order"]), forged["result"]
    result["certified"] = result["proven"] = True
    result["order"] = order[::-1] if rng.random() < 0.5 else order
    if rng.random() < 0.5:
        result["ranges"] = [[item, k, k] for k, item in enumerate(order, start=1)]


def another_promise(rng, forged):
    """A part of the promise, from which its sentence is made."""
    if promise := forged["result"]["promise"]:
        promise[rng.choice(list(promise))] = rng.choice([True, None, 0, 1e-9, "steady", ["a"], {}])


ALTERATIONS = (another_value, another_value, another_value, fewer, more, other_order, whole, another_promise)
