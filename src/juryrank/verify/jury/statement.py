"""What a jury may say, in exact words: the checker's own."""

from __future__ import annotations

from collections.abc import Sequence

from juryrank.verify.jury.setup import JuryOptions
from juryrank.verify.words import sure_of

LISTED = 8


def statement(
    setup: JuryOptions,
    order: Sequence[str],
    steps: int,
    *,
    counted: bool,
    changes: str = "",
    circle: bool = False,
) -> str:
    """The promise; `steps`: how many resolutions are proven; `circle`: the answers go round in the order."""
    if steps == 0:
        return "Nothing is proven about what was asked for."
    resolution = setup.resolutions[steps - 1]
    sure = "Counted" if counted else f"With probability at least {sure_of(setup.error)}"
    words = [f"{sure}: {_claim(setup, order, f'{100 * (0.5 - resolution):.3g} %')}", _about(setup)]
    out = sum(len(cases.intersection(setup.cases)) for cases in setup.absent.values())
    if out:
        n = len(setup.items)
        whole = f"{n * (n - 1) // 2 * len(setup.cases):,} comparisons of two items on one case"
        words.append(f"{out:,} of the {whole} are left out, as an output is missing.")
    if setup.objective == "order" and resolution == 0:
        follows = 'The whole order follows if "at least as good" is transitive.'
        words.append("The whole order does not follow: the answers go in a circle." if circle else follows)
    if steps > 1:
        words.append(f"Proven at resolution {', then '.join(f'{e:g}' for e in setup.resolutions[:steps])}.")
    words += [changes] if changes else []
    words.append("It says nothing about other cases or judges, nor whether the judges are right.")
    if setup.seed_from == "committed":
        words.append("The draws follow a seed that was committed by its hash before the first question.")
    elif setup.seed_from == "entropy":
        words.append("The draws follow a seed that nobody chose, by the word of whoever made the study.")
    else:
        words.append("The draws follow a seed that its owner chose.")
    return " ".join(words)


def _claim(setup: JuryOptions, order: Sequence[str], share: str) -> str:
    refusals = "refusals count against it" if setup.against else "refusals left out"
    kinds = f"(ties half, graded answers by their size, judges and cases by weight, {refusals})"
    of = f"gets at least {share} of the answers given about that pair {kinds}."
    if setup.objective == "require":
        pairs = "; ".join(f"{better} against {worse}" for better, worse in setup.required)
        return f"{pairs}: the first {of}"
    if setup.objective == "order":
        return f"in the order {_names(order, ' > ')}, each item, against the next one, {of}"
    if setup.k == 1:
        return f"against each other item, taken singly, {order[0]} {of}"
    return f"each of {_names(order[: setup.k], ', ')}, against each other item, taken singly, {of}"


def _names(order: Sequence[str], between: str) -> str:
    some = between.join(order[:LISTED])
    return some if len(order) <= LISTED else f"{some}{between}… ({len(order)} in all)"


def _about(setup: JuryOptions) -> str:
    judges = f"{setup.active} judge{'' if setup.active == 1 else 's'}"
    cases = "" if setup.cases == (None,) else f", {len(setup.cases)} case{'' if len(setup.cases) == 1 else 's'}"
    if setup.fresh:
        return (
            f"This is about mean answers ({judges}{cases}); it assumes that the chances of an answer never change."
        )
    return (
        f"This is about all answers of the whole evaluation ({judges}{cases}), asked or not; it assumes only that "
        "an answer does not depend on what else is asked."
    )
