"""Items and callables in, a ranking out: the function `rank`."""
