"""`python -m benchmarks.peers.early`: our own orders at small budgets, with enough runs to tell 19 % from 20 %.

30 items, 12 weak and 6 strong judges, as in `benchmarks.peers.small`, without the peers: shares of pairs in the
wrong order, with standard errors. `certified` is Step A (every item has a place), `breadth` Step B.
"""

from __future__ import annotations

import argparse

from benchmarks.peers.small import cell, marks_of, standard_error

ITEMS, JUDGES = 30, 18
FIRST_SEED = 90_000  # not used for choosing anything
METHODS = ("certified", "breadth", "guess")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers.early", description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--worlds", default="steady,gaps")
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED)
    parser.add_argument("--questions", type=int, nargs="+", default=marks_of(ITEMS, JUDGES))
    options = parser.parse_args()
    print(f"{'world':8} {'method':10}", *(f"{asked:>13}" for asked in options.questions))
    for kind in options.worlds.split(","):
        for method in options.methods.split(","):
            found = cell(
                kind, ITEMS, JUDGES, options.runs, options.first_seed, only=[method], marks=options.questions
            )
            shares = found[method]
            errors = standard_error(shares)
            columns = (
                f"{100 * share:5.1f} % ± {100 * error:3.1f}"
                for share, error in zip(shares.mean(axis=0), errors, strict=True)
            )
            print(f"{kind:8} {method:10}", *columns, flush=True)


if __name__ == "__main__":
    main()
