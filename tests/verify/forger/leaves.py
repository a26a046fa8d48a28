"""Every place in a JSON value, and what a forger may put there."""

import copy


def leaves(value, path=()):
    """Every place in a JSON value that holds something other than a filled list or object."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list | tuple) and value:
        for key, inner in enumerate(value):
            yield from leaves(inner, (*path, key))
    else:
        yield path


def at(document, path):
    for key in path:
        document = document[key]
    return document


def put(document, path, value):
    at(document, path[:-1])[path[-1]] = value


def other(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return f"{value}x" if isinstance(value, str) else "something"


def with_one_change(document, path):
    """A copy in which one value is another."""
    forged = copy.deepcopy(document)
    put(forged, path, other(at(forged, path)))
    return forged
