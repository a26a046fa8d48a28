"""How often the estimates' intervals hold: on worlds whose truth is known, and against judges held back.

`worlds` makes six kinds of judges, `coverage` asks them as rankers do and compares, `held_back` splits recorded
votes by judge. `python -m benchmarks.estimates` prints and writes the tables.
"""
